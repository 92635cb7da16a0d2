import { expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { createSolanaAdapter } from '../rpc/solana-adapter.ts'
import type { SolanaRpc } from '../rpc/solana-rpc.ts'
import { createUnreadableTransactions } from './unreadable-transactions.ts'

test('one call finds a transaction of a busy token, also where this host’s clock is behind', async () => {
  const chainMs = 1_800_000_000_000
  let listings = 0
  const ask = async (_: unknown, method: string) => {
    if (method !== 'getSignaturesForAddress') return null
    listings += 1
    const blockTime = chainMs / 1000 - listings
    return Array.from({ length: 1_000 }, (__, index) => {
      return { signature: `${listings} ${index}`, slot: 1, err: null, confirmationStatus: 'confirmed', blockTime }
    })
  }
  const network = { shortName: 'solana', tokens: [{ address: 'mint' }] } as never as SolanaNetwork
  const adapter = createSolanaAdapter(network, { ask } as never as SolanaRpc, log)
  const runtime = { nowMs: () => chainMs - 120_000 }
  const unreadable = createUnreadableTransactions({ adapter, tokens: network.tokens, runtime, log })
  await unreadable.check([{ newestFinal: null, behindSinceMs: 1 }], 1, new AbortController().signal)
  expect([listings, unreadable.isServing()]).toEqual([1, false])
})
