import { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import { createRpcPool, isOfNodes, type PoolDeps, type RpcNode, rpcErrorOf } from '../../rpc-pool.ts'

/** Required certainty: a `confirmed` block has the votes of two thirds of the stake; a `finalized` one cannot be undone. */
export type Commitment = 'confirmed' | 'finalized'

/** Expected RPC responses. A response of another shape is the node's fault. */
export const responses = {
  slot: z.int().nonnegative(),
  blockTime: z.int().nullable(),
  genesisHash: z.string(),
  epochInfo: z.object({ absoluteSlot: z.int().nonnegative(), blockHeight: z.int().nonnegative() }),
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
      signature: z.string(),
      slot: z.int(),
      err: z.unknown(),
      confirmationStatus: z.string().nullish(),
      blockTime: z.int().nullish(),
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
 * One Solana network's RPC nodes, shared by all readers and senders. Every call may throw when no node gives a usable response.
 */
export function createSolanaRpc(network: SolanaNetwork, deps: PoolDeps) {
  const identify = async (ask: RpcNode['ask']) => {
    const hash = await ask('getGenesisHash', [])
    return hash === network.genesisHash ? undefined : `is on cluster ${String(hash)}, not on ${network.genesisHash}`
  }
  const pool = createRpcPool(network, identify, deps)
  const parse = <T>(schema: z.ZodType<T>, method: string, response: unknown): T => {
    const parsed = schema.safeParse(response)
    if (parsed.success) return parsed.data
    throw new Error(`${network.shortName}: a node’s response to ${method} is invalid: ${parsed.error.message}`)
  }

  const askOf =
    (node: RpcNode): AskNode =>
    async (schema, method, params) =>
      parse(schema, method, await pool.askNode(node, method, params))

  return {
    /** Every configured node in order, for reports on each. A quarantined node rejects without being called. */
    nodes: pool.nodes.map(askOf),
    states: pool.states,
    probe: pool.probe,
    /** Calls the first node that responds. */
    async ask<T>(schema: z.ZodType<T>, method: string, params: unknown[], signal: AbortSignal): Promise<T> {
      return parse(schema, method, (await pool.ask(method, params, signal)).answer)
    },
    /**
     * Makes several calls to one node, so that their responses can be compared. If one fails, all are repeated at another node.
     */
    async onOneNode<T>(read: (ask: AskNode) => Promise<T>, signal: AbortSignal): Promise<T> {
      let failure: unknown
      for (const node of pool.candidates()) {
        signal.throwIfAborted()
        try {
          return await read(askOf(node))
        } catch (error) {
          failure = error
        }
      }
      throw failure
    },
    /** Whether nodes of two hosts (if configured) attest it, each by its own calls. */
    isAttestedBy: (attests: (ask: AskNode) => Promise<boolean>, signal: AbortSignal): Promise<boolean> =>
      pool.isAttested((node) => attests(askOf(node)), signal),
    /** Whether nodes of two hosts (if configured) give a response that `isSame` accepts. */
    async isAttested<T>(
      { schema, method, params }: { schema: z.ZodType<T>; method: string; params: unknown[] },
      isSame: (response: T) => boolean,
      signal: AbortSignal,
    ): Promise<boolean> {
      return await pool.isAttested(
        async (node) => isSame(parse(schema, method, await pool.askNode(node, method, params))),
        signal,
      )
    },
  }
}

export type AskNode = <T>(schema: z.ZodType<T>, method: string, params: unknown[]) => Promise<T>

/**
 * Refusals by a node that is unhealthy, or behind the slot that a call requires:
 * https://github.com/anza-xyz/agave/blob/master/rpc-client-api/src/custom_error.rs
 */
const codesOfNodes: ReadonlySet<number | undefined> = new Set([-32_005, -32_016])

/** Whether a call failed because of the nodes, not because of the account that it names. */
export const isOfSolanaNodes = (error: unknown): boolean =>
  isOfNodes(error) || codesOfNodes.has(rpcErrorOf(error)?.code)
