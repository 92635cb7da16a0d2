import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { devnetChain } from './devnet/deploy.ts'

type AnvilClient = ReturnType<typeof openAnvilClient>

/** Reads, sends and mines on an anvil. */
export const openAnvilClient = (rpcUrl: string, chainId: number) =>
  createTestClient({
    chain: devnetChain(rpcUrl, chainId),
    mode: 'anvil',
    transport: http(rpcUrl),
    // A number of the newest block that is four seconds old is another block's.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)

/**
 * Waits until anvil has made the blocks of the transactions that it was sent: it answers a moment before, and a busy machine makes the
 * moment long. Returns at once where a test makes the blocks.
 */
export async function untilMined(chain: Pick<AnvilClient, 'getAutomine' | 'getTxpoolStatus'>): Promise<void> {
  while ((await chain.getAutomine()) && (await chain.getTxpoolStatus()).pending > 0) await sleep(5)
}

/** A sender whose broadcasts return when they are in a block, where anvil makes a block for each. */
export function minedBy<Sender extends { broadcast(raw: Hex): Promise<unknown> }>(
  chain: Parameters<typeof untilMined>[0],
  sender: Sender,
): Sender {
  return {
    ...sender,
    async broadcast(raw: Hex) {
      const answer = await sender.broadcast(raw)
      await untilMined(chain)
      return answer
    },
  }
}
