import { Keypair } from '@solana/web3.js'
import { openSolana, type SolanaFixture } from '@stablecoin-checkout/rig/devnet/solana/fixtures'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { createSolanaAdapter, type SolanaAdapter } from '../rpc/solana-adapter.ts'
import { createSolanaRpc } from '../rpc/solana-rpc.ts'
import { type ReadableAccount, readTransfers } from './read-account.ts'

const { signal } = new AbortController()
const quarterMs = 15 * 60 * 1000

let solana: SolanaFixture
let node: LyingNode
let adapter: SolanaAdapter
let account: ReadableAccount
/** Three transfers to the account, of 1, 2 and 3 units, oldest first. */
let sent: string[]

beforeAll(async () => {
  solana = await openSolana()
  node = await openLyingNode(solana.rpcUrl)
})
beforeEach(async () => {
  const genesisHash = await solana.connection.getGenesisHash()
  const network = { shortName: 'solana', rpcUrls: [node.url], tokens: [], genesisHash } as never as SolanaNetwork
  adapter = createSolanaAdapter(network, createSolanaRpc(network, { nowMs: Date.now, log }), log)
  const mint = solana.tokens.USDC.address
  const owner = Keypair.generate().publicKey.toBase58()
  account = { id: 'id' as PaymentId, account: tokenAccountOf(mint, owner), owner, mint, createdAtMs: 0, readTo: null }
  sent = []
  for (const amount of [1n, 2n, 3n]) {
    sent.push(await mintTestTokens(solana.connection, solana.tokenOwner, { mint, to: owner, amount }))
    await solana.control('travel', 1)
    await solana.advance(2)
  }
})
afterEach(() => node.mend())
afterAll(async () => {
  await node.close()
  await solana.stop()
})

async function read({ limit = 10, ...changes }: Partial<ReadableAccount> & { limit?: number } = {}) {
  const { slot } = await adapter.head(signal)
  return await readTransfers({ adapter, log }, { ...account, ...changes }, { slot, limit }, signal)
}

/** The node returns this instead of the transaction. */
const replace = (txId: string | undefined, change: (truth: object) => unknown) =>
  node.lie('getTransaction', (truth, [asked]) => (asked === txId ? change(truth as object) : truth))

test('transfers are read in order from the last one read, at most the limit', async () => {
  const all = await read()
  expect(all).toMatchObject({ to: sent[2], read: 3, left: 0, unreadable: undefined })
  expect(all?.credits.map(({ txId, amount }) => [txId, amount])).toEqual(
    sent.map((txId, index) => [txId, BigInt(index + 1)]),
  )
  const first = await read({ limit: 2 })
  expect(first).toMatchObject({ to: sent[1], read: 2, left: 1 })
  expect(first?.credits.map(({ amount }) => amount)).toEqual([1n, 2n])
  const rest = await read({ readTo: sent[1] ?? null })
  expect(rest).toMatchObject({ to: sent[2], read: 1, left: 0, credits: [{ amount: 3n }] })
})

test('an account is not read while the node lists a transaction that it does not return', async () => {
  replace(sent[1], () => null)
  expect(await read()).toBeUndefined()
  node.mend()
  expect((await read())?.credits).toHaveLength(3)
})

test('an unreadable transaction is read again, and delays no later transfer', async () => {
  replace(sent[1], (truth) => ({ ...truth, meta: null }))
  const found = await read()
  expect(found?.credits.map(({ amount }) => amount)).toEqual([1n, 3n])
  expect(found).toMatchObject({ to: sent[0], read: 3, left: 0 })
  expect(found?.unreadable?.error).toBeInstanceOf(Error)
})

test('a transfer without a block time is read again, and delays no later one', async () => {
  const untimed = (await read())?.credits[0]?.blockNumber
  replace(sent[0], (truth) => ({ ...truth, blockTime: null }))
  node.lie('getBlockTime', (truth, [slot]) => (slot === untimed ? null : truth))
  const found = await read()
  expect(found?.credits.map(({ amount }) => amount)).toEqual([2n, 3n])
  expect(found).toMatchObject({ to: null, unreadable: { error: expect.any(Error) } })
})

test('a failing node is not an unreadable transaction: nothing is read', async () => {
  node.listen(async () => {
    if (node.heard.at(-1) === 'getTransaction') node.fail(503)
  })
  await expect(read()).rejects.toThrow()
  node.listen(async () => undefined)
})

test('money counts from fifteen minutes before the payment’s creation', async () => {
  const timeMs = (await read())?.credits[2]?.blockTimeMs ?? 0
  expect((await read({ createdAtMs: timeMs + quarterMs }))?.credits).toMatchObject([{ amount: 3n }])
  expect(await read({ createdAtMs: timeMs + quarterMs + 1 })).toMatchObject({ credits: [], to: sent[2] })
})
