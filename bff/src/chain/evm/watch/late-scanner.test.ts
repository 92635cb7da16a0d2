import { type Death, openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { hourSeconds, openLateStage } from '@stablecoin-checkout/rig/late-stage'
import { afterAll, afterEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { reconcileNetwork } from '../../../ops/reconcile/reconcile.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'

const { signal } = new AbortController()
/** More commits than a pass has. */
const commitsMax = 6

const late = await openLateStage()
const { stage, node, runtime, travel, watch, settleDown, startScanner, throughNode, passAll, round } = late
const { endedDeposits, pay, payCoins, load, events } = late
afterEach(() => node.mend())
afterAll(() => late.close())

async function expectCleanBooks(): Promise<void> {
  const { db, networks, network } = stage
  const deps = { db, networks, runtime, period: { kind: 'all' } as const, onProgress: () => undefined }
  expect(await reconcileNetwork(deps, network, signal)).toMatchObject({ differences: [], notes: [] })
}

const lateOnce = ['payment.created', 'payment.expired', 'payment.late']

test('money that arrives eight days after the end is found, reported once, and accepted by the merchant', async () => {
  const [own, other, coins, short, none] = await endedDeposits(5)
  if (!own || !other || !coins || !short || !none) throw new Error('There are too few')
  await pay(own.address, 25_000_000n)
  await pay(short.address, 4_000_001n)
  const txId = await pay(other.address, 7_000_000n, 'USDT')
  await payCoins(coins.address, 10n ** 15n)
  await settleDown()
  // The watcher has read the blocks, without matching their transfers.
  for (const { id } of [own, other, coins, short]) expect(await load(id)).toMatchObject({ late: 0n, unmatched: [] })

  await round()
  expect(await load(own.id)).toMatchObject({ late: 25_000_000n, status: 'expired' })
  expect(await load(short.id)).toMatchObject({ late: 4_000_001n })
  expect((await load(other.id)).unmatched).toMatchObject([{ currency: 'USDT', balance: 7_000_000n, txId }])
  expect((await load(coins.id)).unmatched).toMatchObject([{ currency: 'ETH', balance: 10n ** 15n, txId: null }])
  for (const { id } of [own, short]) expect(await events(id)).toEqual(lateOnce)
  for (const { id } of [other, coins])
    expect(await events(id)).toEqual(['payment.created', 'payment.expired', 'deposit.unmatched_received'])
  expect(await events(none.id)).toEqual(['payment.created', 'payment.expired'])
  await expectCleanBooks()

  for (let rounds = 0; rounds < 2; rounds++) await round()
  for (const { id } of [own, short]) expect(await events(id)).toEqual(lateOnce)
  const { apiKey, apiSecret } = stage.merchant
  const headers = { 'x-api-key': apiKey, 'x-api-secret': apiSecret }
  const taken = await stage.app.request(`/api/v1/payments/${own.id}/accept-late`, { method: 'POST', headers })
  expect(taken.status).toBe(200)
  expect(await load(own.id)).toMatchObject({ status: 'sweeping', lateTaken: true })
  await expectCleanBooks()
})

test('money is found with 240 required confirmations and a node that is not an archive', async () => {
  const [own] = await endedDeposits(1)
  if (!own) throw new Error('There are too few')
  await pay(own.address, 25_000_000n)
  await stage.chain.mine({ blocks: 300 })
  await watch()
  // The test chain is not an archive either; nothing has changed since the block.
  const balances: EvmAdapter['balances'] = async (token, addresses, block, signal) => {
    const newest = Number(await stage.chain.getBlockNumber())
    if (block <= newest - 128) throw new Error('missing trie node')
    return await stage.evm.balances(token, addresses, newest, signal)
  }
  await round(startScanner({ adapter: { balances }, confirmations: 240 }))
  expect(await load(own.id)).toMatchObject({ late: 25_000_000n, status: 'expired' })
})

test('a removed token is scanned for payments made with it', async () => {
  const [own, none] = await endedDeposits(2)
  if (!own || !none) throw new Error('There are too few')
  await pay(own.address, 25_000_000n)
  await settleDown()
  const list = stage.network.tokens as (typeof stage.network.tokens)[number][]
  const configured = [...list]
  try {
    // In place: every part of the service reads this list.
    list.splice(0, list.length, ...configured.filter(({ symbol }) => symbol !== 'USDC'))
    await round()
    expect(await load(own.id)).toMatchObject({ late: 25_000_000n, status: 'expired' })
    expect(await events(own.id)).toEqual(lateOnce)
    expect(await load(none.id)).toMatchObject({ late: 0n })
  } finally {
    list.splice(0, list.length, ...configured)
  }
  await expectCleanBooks()
})

test('a payment that cannot be changed is stored as a fault, and hides none of the others’ findings', async () => {
  const [broken, own] = await endedDeposits(2)
  if (!broken || !own) throw new Error('There are too few')
  await pay(broken.address, 3_000_000n)
  await pay(own.address, 25_000_000n)
  await settleDown()
  const faulty = {
    ...stage.ledger,
    applyIn: async (...[tx, id, event]: Parameters<typeof stage.ledger.applyIn>) => {
      if (id === broken.id) throw new Error('This payment cannot be changed')
      return await stage.ledger.applyIn(tx, id, event)
    },
  }
  await travel(hourSeconds)
  await passAll(startScanner({ ledger: faulty }))
  const faults = sql`select payment_id as id from watch_faults where payment_id in (${broken.id}, ${own.id})`
  expect(await stage.db.read((tx) => tx.all(faults))).toEqual([{ id: broken.id }])
  // The watcher, which has no fault, retries the stored event.
  await settleDown()
  expect(await load(broken.id)).toMatchObject({ late: 3_000_000n })
  expect(await load(own.id)).toMatchObject({ late: 25_000_000n })
  for (const { id } of [broken, own]) expect(await events(id)).toEqual(lateOnce)
})

test('the same sum leaving and returning is found by the books', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 5_000_000n)
  await settleDown()
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 5_000_000n })
  // Only the books have the refund: at the address it looks as if the money had returned.
  await stage.db.write((tx) => tx.run(sql`update payments set refunded = '5000000' where id = ${deposit.id}`))
  await pay(deposit.address, 2_000_000n)
  await settleDown()
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 7_000_000n })
  await stage.db.write((tx) => tx.run(sql`update payments set refunded = '0' where id = ${deposit.id}`))
})

for (const at of ['inside', 'after'] as const) {
  test(`killed at any commit, ${at === 'inside' ? 'before' : 'after'} it is durable, the next start finds the money once`, async () => {
    for (let commit = 1; commit <= commitsMax; commit++) {
      const [own, other] = await endedDeposits(2)
      if (!own || !other) throw new Error('There are too few')
      await pay(own.address, 25_000_000n)
      await pay(other.address, 1_000_000n, 'USDT')
      await settleDown()
      await travel(hourSeconds)
      const death: Death = { commit, at }
      const { db, isDead } = openDyingDb(stage.db, death)
      const dying = startScanner({ db })
      await passAll(dying).catch((error: unknown) => {
        if (!isDead()) throw error
      })
      for (let rounds = 0; rounds < 2; rounds++) await round()
      expect(await events(own.id)).toEqual(lateOnce)
      expect(await load(own.id)).toMatchObject({ late: 25_000_000n })
      expect((await load(other.id)).unmatched).toMatchObject([{ balance: 1_000_000n, notifications: 1 }])
      if (!isDead()) return
    }
    throw new Error('A pass has more commits than expected')
  })
}

test('two replicas scanning at the same time find the money once', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  await travel(hourSeconds)
  for (let passes = 0; passes < 4; passes++)
    await Promise.all([startScanner().pass(signal), startScanner().pass(signal)])
  await settleDown()
  expect(await events(deposit.id)).toEqual(lateOnce)
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
})

test('a reorg that undoes a finding removes it from the books, and money in other blocks is found again', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  const before = Number(await stage.chain.getBlockNumber())
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
  await stage.reorg(Number(await stage.chain.getBlockNumber()) - before)
  await settleDown()
  expect(await load(deposit.id)).toMatchObject({ late: 0n })
  await pay(deposit.address, 25_000_000n)
  // The reorg also undid the hour before the last round.
  await travel(2 * hourSeconds)
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_000n })
  expect(await events(deposit.id)).toEqual([...lateOnce, 'payment.reorged', 'payment.late'])
})

test('with nothing to find, a round costs one call per token and coin, and no more until the next', async () => {
  const scanner = startScanner({ adapter: throughNode() })
  await travel(hourSeconds)
  node.heard.length = 0
  await passAll(scanner)
  expect(node.heard.filter((method) => method !== 'eth_chainId')).toEqual(['eth_call', 'eth_call', 'eth_call'])
  node.heard.length = 0
  await settleDown()
  await scanner.pass(signal)
  expect(node.heard).toEqual([])
})

test('a node that withholds the logs, or the balance, only delays the finding', async () => {
  const [logs, balance] = await endedDeposits(2)
  if (!logs || !balance) throw new Error('There are too few')
  const scanner = startScanner({ adapter: throughNode() })
  await pay(logs.address, 25_000_000n)
  // In a long range the blocks' filters are not compared with the logs.
  await stage.chain.mine({ blocks: 20 })
  await settleDown()
  node.lie('eth_getLogs', () => [])
  await round(scanner)
  expect(await load(logs.id)).toMatchObject({ late: 0n })
  node.mend()
  await pay(balance.address, 25_000_000n)
  await settleDown()
  node.lie('eth_call', (truth) => `0x${'0'.repeat(String(truth).length - 2)}`)
  await round(scanner)
  node.mend()
  for (let rounds = 0; rounds < 2; rounds++) await round(scanner)
  for (const { id } of [logs, balance]) expect(await load(id)).toMatchObject({ late: 25_000_000n })
  for (const { id } of [logs, balance]) expect(await events(id)).toEqual(lateOnce)
})

test('a node that fails, or refuses logs of old blocks, blocks neither the watcher nor the scan of other addresses', async () => {
  const [first, second] = await endedDeposits(2)
  if (!first || !second) throw new Error('There are too few')
  await pay(first.address, 25_000_000n)
  await settleDown()
  await travel(hourSeconds)
  node.fail(500)
  await expect(startScanner({ adapter: throughNode() }).pass(signal)).rejects.toThrow()
  node.mend()
  await settleDown()

  const asked: number[] = []
  const refusing = startScanner({
    adapter: {
      transfers: async ({ from, to }) => {
        asked.push(to - from + 1)
        throw new Error('the logs of these blocks are gone')
      },
    },
  })
  for (let passes = 0; passes < 5; passes++) await refusing.pass(signal)
  expect(asked).toHaveLength(5)
  expect(asked.at(-1)).toBeLessThan(asked[0] ?? 0)
  await payCoins(second.address, 5n)
  await settleDown()
  await travel(hourSeconds)
  await refusing.pass(signal)
  expect((await load(second.id)).unmatched).toMatchObject([{ currency: 'ETH', balance: 5n }])
  await round()
  expect(await load(first.id)).toMatchObject({ late: 25_000_000n })
  expect(await events(first.id)).toEqual(lateOnce)
})

test('a balance that no transfer explains is searched for less and less often, and at once when it changes', async () => {
  const [deposit] = await endedDeposits(1)
  if (!deposit) throw new Error('There is none')
  await pay(deposit.address, 25_000_000n)
  await settleDown()
  const ranges: number[] = []
  const blind = startScanner({
    adapter: {
      transfers: async ({ from, to }) => {
        ranges.push(to - from)
        return []
      },
    },
  })
  // In rounds 1, 2 and 4.
  for (let rounds = 0; rounds < 7; rounds++) await round(blind)
  expect(ranges).toHaveLength(3)
  await pay(deposit.address, 1n)
  await settleDown()
  await round(blind)
  expect(ranges).toHaveLength(4)
  // A repeated search starts at the watch window's end, so that it finds what was omitted before.
  await round()
  expect(await load(deposit.id)).toMatchObject({ late: 25_000_001n })
})
