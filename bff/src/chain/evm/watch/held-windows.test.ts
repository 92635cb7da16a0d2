import { type ContractStage, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { endedWindows } from '../../../payment/store/watched-payments-store.ts'
import { createWindowHolder } from './held-windows.ts'
import { moveSearch, searchesOf } from './late-search-store.ts'

const { signal } = new AbortController()
const hourMs = 60 * 60 * 1000

let stage: ContractStage
let aheadMs = 0
/** Balances of the addresses; others have none. */
let held = new Map<string, bigint>()
let isRefused = false
/** Externally settled deposits. */
let settled = new Set<string>()
let isSettledRefused = false
/** The oldest block that the node has. */
let oldestBlock = 0
let balanceCalls = 0
beforeAll(async () => {
  stage = await openContractStage()
})
beforeEach(() => {
  held = new Map()
  isRefused = false
  settled = new Set()
  isSettledRefused = false
  oldestBlock = 0
  balanceCalls = 0
})
afterAll(() => stage.close())

const endMs = () => systemRuntime.nowMs() + 100 * hourMs
const block = () => ({ number: 1_000, timeMs: endMs() })

function openHolder() {
  const { db, ledger, network } = stage
  const adapter = {
    block: async (number: number) =>
      number < oldestBlock ? undefined : { number, hash: `0x${number}`, parentHash: '', timeMs: number },
    async balances(_: string | null, addresses: readonly string[]) {
      balanceCalls += 1
      if (isRefused) throw new Error('missing trie node')
      return addresses.map((address) => held.get(address) ?? 0n)
    },
    areSettled: async (forwarders: readonly string[]) => {
      if (isSettledRefused) throw new Error('missing trie node')
      return forwarders.map((forwarder) => settled.has(forwarder))
    },
  }
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  return createWindowHolder({ db, ledger, adapter, network, runtime, log: silentLog })
}

async function createDeposit(): Promise<{ id: PaymentId; address: string; token: string }> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
  const { body } = await stage.post('/api/v1/deposits/create', order, { headers })
  const token = String(stage.network.tokens[0]?.address).toLowerCase()
  return { id: body.payment.id, address: String(body.payment['depositAddress']), token }
}

const faultsOf = (id: PaymentId) =>
  stage.db.read((tx) => tx.all<{ error: string }>(sql`select error from watch_faults where payment_id = ${id}`))
const isEnding = async (id: PaymentId) =>
  (await stage.db.read((tx) => endedWindows(tx, 'devnet', endMs(), 100))).some((ended) => ended.id === id)
const searchOf = async (id: PaymentId) => (await stage.db.read((tx) => searchesOf(tx, 'devnet', [id])))[0]
const finishSearch = (one: { id: PaymentId; token: string }) =>
  stage.db.write((tx) => moveSearch(tx, 'devnet', one, null))
const statusOf = async (id: PaymentId) => (await stage.load(id)).status

/** A transfer in the books. */
function transferOf(amount: bigint, blockNumber: number) {
  const txId = `0x${systemRuntime.newUuid().replaceAll('-', '').repeat(2)}`
  const at = { blockNumber, blockHash: `0x${blockNumber}`, blockTimeMs: systemRuntime.nowMs() }
  return { network: 'devnet', txId, logIndex: 0, payer: txId.slice(0, 42), amount: amount as BaseUnits, ...at }
}

const book = (id: PaymentId, type: 'transfer.seen' | 'transfer.reverted', transfer: ReturnType<typeof transferOf>) =>
  stage.ledger.apply(id, { type, transfer, atMs: systemRuntime.nowMs() })

test('keeps open the window of the one address that holds more than the books have, with one call for all', async () => {
  const [odd, other] = [await createDeposit(), await createDeposit()]
  held.set(odd.address, 7n)
  expect([...(await openHolder().hold([odd.id, other.id], block(), signal))]).toEqual([odd.id])
  expect([balanceCalls, await isEnding(odd.id), await isEnding(other.id)]).toEqual([1, false, true])
  expect(await faultsOf(odd.id)).toEqual([
    { error: 'The deposit address holds 7 base units; the books account for 0.' },
  ])
  expect(await searchOf(odd.id)).toMatchObject({ rounds: 1, fromBlock: expect.any(Number), toBlock: 1_000 })
})

test('a payment or a search that cannot be read keeps no other window from being held, retried and ended', async () => {
  const [broken, other] = [await createDeposit(), await createDeposit()]
  for (const { address } of [broken, other]) held.set(address, 7n)
  const holder = openHolder()
  await holder.hold([broken.id, other.id], block(), signal)
  const setLeast = (least: string) =>
    stage.db.write((tx) => tx.run(sql`update payments set least = ${least} where id = ${broken.id}`))
  await stage.db.write((tx) => tx.run(sql`update late_searches set balance = 'x' where payment_id = ${other.id}`))
  expect(await searchOf(other.id)).toBeUndefined()
  await setLeast('x')
  expect([...(await holder.hold([broken.id, other.id], block(), signal))]).toEqual([other.id])
  expect(await searchOf(other.id), 'begun anew').toMatchObject({ balance: 7n, rounds: 1 })
  held.clear()
  await holder.retry(block(), signal)
  expect([await faultsOf(other.id), await isEnding(other.id)]).toEqual([[], true])
  expect(await faultsOf(broken.id)).toMatchObject([{ error: expect.stringContaining('x') }])
  expect(await holder.isHolding()).toBe(true)
  await setLeast('25000000')
  await holder.retry(block(), signal)
  expect(await faultsOf(broken.id)).toEqual([])
})

test('windows that cannot be read do not hold up those behind them', async () => {
  const broken = await Promise.all(Array.from({ length: 51 }, createDeposit))
  for (const { address } of broken) held.set(address, 7n)
  const holder = openHolder()
  const ids = broken.map(({ id }) => id)
  await holder.hold(ids, block(), signal)
  await stage.db.write((tx) => tx.run(sql`update payments set least = 'x' where id in ${ids}`))
  aheadMs += 1_000
  const other = await createDeposit()
  held.set(other.address, 7n)
  await holder.hold([other.id], block(), signal)
  held.clear()
  for (let count = 0; count < 2; count++) {
    aheadMs += 1_000
    await holder.retry(block(), signal)
  }
  expect(await faultsOf(other.id)).toEqual([])
  await stage.db.write((tx) => tx.run(sql`delete from watch_faults`))
})

test('lets the window end when the balance is explained', async () => {
  const one = await createDeposit()
  held.set(one.address, 7n)
  const holder = openHolder()
  await holder.hold([one.id], block(), signal)
  held.clear()
  await holder.retry(block(), signal)
  expect([await faultsOf(one.id), await isEnding(one.id)]).toEqual([[], true])
})

test('searches in rounds, and ends the window after an hour and four of them', async () => {
  const one = await createDeposit()
  held.set(one.address, 7n)
  const holder = openHolder()
  await holder.hold([one.id], block(), signal)
  for (const rounds of [2, 3, 4]) {
    await holder.retry(block(), signal)
    await finishSearch(one)
    await holder.retry(block(), signal)
    expect([(await searchOf(one.id))?.rounds, await statusOf(one.id)]).toEqual([rounds, 'pending'])
  }
  aheadMs += hourMs + 1
  await holder.retry(block(), signal)
  // The fourth is under way.
  expect(await statusOf(one.id)).toBe('pending')
  await finishSearch(one)
  await holder.retry(block(), signal)
  expect([await statusOf(one.id), await faultsOf(one.id)]).toEqual(['expired', []])
})

test('keeps the window open for an hour, even if four searches finish earlier', async () => {
  const one = await createDeposit()
  held.set(one.address, 7n)
  const holder = openHolder()
  await holder.hold([one.id], block(), signal)
  for (const rounds of [2, 3, 4, 5]) {
    await finishSearch(one)
    await holder.retry(block(), signal)
    expect([(await searchOf(one.id))?.rounds, await statusOf(one.id)]).toEqual([rounds, 'pending'])
  }
})

test('ends the window after a day without a balance from any node', async () => {
  const one = await createDeposit()
  isRefused = true
  const holder = openHolder()
  expect([...(await holder.hold([one.id], block(), signal))]).toEqual([one.id])
  expect(await faultsOf(one.id)).toEqual([{ error: 'No node returns the balance of the deposit address.' }])
  aheadMs += 23 * hourMs
  await holder.retry(block(), signal)
  expect(await statusOf(one.id)).toBe('pending')
  aheadMs += hourMs + 1
  await holder.retry(block(), signal)
  expect([await statusOf(one.id), await faultsOf(one.id)]).toEqual(['expired', []])
})

test('a node without the block of a payment’s creation blocks no other payment, and the window ends after a day', async () => {
  const [odd, other] = [await createDeposit(), await createDeposit()]
  held.set(odd.address, 7n)
  oldestBlock = 2_000
  const holder = openHolder()
  expect([...(await holder.hold([odd.id, other.id], block(), signal))]).toEqual([odd.id])
  aheadMs += 24 * hourMs + 1
  await holder.retry(block(), signal)
  expect([await statusOf(odd.id), await faultsOf(odd.id)]).toEqual(['expired', []])
})

test('a payment that cannot be changed when its window is given up blocks no other one', async () => {
  const [broken, well] = [await createDeposit(), await createDeposit()]
  held.set(broken.address, 7n).set(well.address, 7n)
  const holder = openHolder()
  await holder.hold([broken.id, well.id], block(), signal)
  const setMetadata = (metadata: string | null) =>
    stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${broken.id}`))
  await setMetadata('{')
  aheadMs += 24 * hourMs + 1
  await holder.retry(block(), signal)
  expect([await statusOf(well.id), (await faultsOf(broken.id)).length]).toEqual(['expired', 1])
  await setMetadata(null)
  await holder.retry(block(), signal)
  expect([await statusOf(broken.id), await faultsOf(broken.id)]).toEqual(['expired', []])
})

test('a window is not kept open by a balance that the books have, but by one unit more', async () => {
  const one = await createDeposit()
  await book(one.id, 'transfer.seen', transferOf(10n, 900))
  held.set(one.address, 10n)
  const holder = openHolder()
  expect([...(await holder.hold([one.id], block(), signal))]).toEqual([])
  held.set(one.address, 11n)
  expect([...(await holder.hold([one.id], block(), signal))]).toEqual([one.id])
})

test('a settlement is explained by the amount it needs in the books, and not by one unit less', async () => {
  const one = await createDeposit()
  settled.add(one.address)
  await book(one.id, 'transfer.seen', transferOf(24_999_999n, 900))
  const holder = openHolder()
  expect([...(await holder.hold([one.id], block(), signal))]).toEqual([one.id])
  expect(await faultsOf(one.id)).toEqual([
    { error: 'The deposit was settled externally, and only 24999999 base units of it are in the books.' },
  ])
  expect(await searchOf(one.id)).toMatchObject({ rounds: 1, balance: 0n })
  await book(one.id, 'transfer.seen', transferOf(1n, 900))
  await holder.retry(block(), signal)
  expect([await faultsOf(one.id), await isEnding(one.id)]).toEqual([[], true])
})

test('keeps the window open while no node says whether the deposit is settled, for at most a day', async () => {
  const one = await createDeposit()
  isSettledRefused = true
  const holder = openHolder()
  expect([...(await holder.hold([one.id], block(), signal))]).toEqual([one.id])
  expect(await faultsOf(one.id)).toEqual([{ error: 'No node returns the balance of the deposit address.' }])
  expect(await searchOf(one.id)).toBeUndefined()
  aheadMs += 24 * hourMs + 1
  await holder.retry(block(), signal)
  expect([await statusOf(one.id), await faultsOf(one.id)]).toEqual(['expired', []])
})

test('a balance is not explained by money of a later block, or by transfers undone by a reorg', async () => {
  const [later, reverted] = [await createDeposit(), await createDeposit()]
  await book(later.id, 'transfer.seen', transferOf(10n, 1_001))
  const gone = transferOf(10n, 900)
  await book(reverted.id, 'transfer.seen', gone)
  await book(reverted.id, 'transfer.reverted', gone)
  held.set(later.address, 10n).set(reverted.address, 10n)
  const kept = await openHolder().hold([later.id, reverted.id], block(), signal)
  expect(kept).toEqual(new Set([later.id, reverted.id]))
})
