import { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import { createRpcPool, type PoolDeps, type RpcNode } from '../../rpc-pool.ts'

/** How sure a node must be: `confirmed` was voted for by two thirds of the stake, `finalized` nothing takes back. */
export type Commitment = 'confirmed' | 'finalized'

/** What a node of Solana says, in the shape that we read it in. Anything else is the node's fault. */
export const answers = {
  slot: z.int().nonnegative(),
  blockTime: z.int().nullable(),
  genesisHash: z.string(),
  lamports: z.object({ value: z.int().nonnegative() }),
  latestBlockhash: z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int() }) }),
  accounts: z.object({
    context: z.object({ slot: z.int() }),
    value: z.array(
      z
        .object({ data: z.tuple([z.string(), z.literal('base64')]), owner: z.string(), lamports: z.number() })
        .nullable(),
    ),
  }),
  signatures: z.array(
    z.object({
      ...{ signature: z.string(), slot: z.int(), err: z.unknown(), confirmationStatus: z.string().nullish() },
    }),
  ),
  statuses: z.object({
    context: z.object({ slot: z.int() }),
    value: z.array(z.object({ slot: z.int(), err: z.unknown(), confirmationStatus: z.string().nullish() }).nullable()),
  }),
  simulation: z.object({ value: z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() }) }),
  fees: z.array(z.object({ prioritizationFee: z.int().nonnegative() })),
} as const

export type SolanaRpc = ReturnType<typeof createSolanaRpc>

/**
 * The nodes of one network of Solana, asked by everything that reads it or sends to it. Every call may throw when none gives
 * a usable answer.
 */
export function createSolanaRpc(network: SolanaNetwork, deps: PoolDeps) {
  const identify = async (ask: RpcNode['ask']) => {
    const hash = await ask('getGenesisHash', [])
    return hash === network.genesisHash ? undefined : `is on cluster ${String(hash)}, not on ${network.genesisHash}`
  }
  const pool = createRpcPool(network, identify, deps)
  const read = <T>(schema: z.ZodType<T>, method: string, answer: unknown): T => {
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    throw new Error(`${network.shortName}: a node answered ${method} with something else: ${parsed.error.message}`)
  }

  return {
    /** The first node that answers. */
    async ask<T>(schema: z.ZodType<T>, method: string, params: unknown[], signal: AbortSignal): Promise<T> {
      return read(schema, method, (await pool.ask(method, params, signal)).answer)
    },
    /**
     * Several questions to one node, because its answers are compared with each other. Another node is asked all of them
     * when one fails.
     */
    async together<T>(look: (ask: AskNode) => Promise<T>, signal: AbortSignal): Promise<T> {
      let failure: unknown
      for (const node of pool.candidates()) {
        signal.throwIfAborted()
        try {
          return await look(async (schema, method, params) =>
            read(schema, method, await pool.askNode(node, method, params)),
          )
        } catch (error) {
          failure = error
        }
      }
      throw failure
    },
    /** Whether nodes of two hosts, where so many are configured, give an answer that is the same. */
    async isAttested<T>(
      { schema, method, params }: { schema: z.ZodType<T>; method: string; params: unknown[] },
      isSame: (answer: T) => boolean,
      signal: AbortSignal,
    ): Promise<boolean> {
      return await pool.isAttested(
        async (node) => isSame(read(schema, method, await pool.askNode(node, method, params))),
        signal,
      )
    },
  }
}

export type AskNode = <T>(schema: z.ZodType<T>, method: string, params: unknown[]) => Promise<T>
