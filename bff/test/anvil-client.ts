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
    // A four-second-old number of the newest block would be another block's.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)

/**
 * Waits until anvil has mined the transactions sent to it: it responds a moment earlier, which a busy machine makes long. Returns
 * immediately if the test mines the blocks.
 */
export async function untilMined(chain: Pick<AnvilClient, 'getAutomine' | 'getTxpoolStatus'>): Promise<void> {
  while ((await chain.getAutomine()) && (await chain.getTxpoolStatus()).pending > 0) await sleep(5)
}

/** A sender whose broadcasts return once they are in a block, where anvil mines one for each. */
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
