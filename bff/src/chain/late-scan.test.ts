import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import { systemRuntime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { createHeads } from '../network/heads.ts'
import { createLedger } from '../payment/ledger.ts'
import type { DepositPayment, PaymentId } from '../payment/payment.ts'
import { createLateScan, heldInBooks, scannedMax, scanPauseMs } from './late-scan.ts'
import { endedDeposits, loadLateScan, saveLateScan } from './late-scan-store.ts'
import { watchAfterWindowMs } from './watch-window.ts'

const startMs = 1_700_000_000_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The windows of the deposits below end here. */
const windowMs = startMs - 100 * dayMs

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

/** Deposits whose windows end at the time; every third ends with the one before. */
async function store(network: string, count: number, windowEndsAtMs = windowMs, more: Partial<DepositPayment> = {}) {
  const ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    for (let index = 0; index < count; index++) {
      const id = `${network} ${index}` as PaymentId
      const depositAddress = `0x${network.length}${String(index).padStart(39, '0')}`
      const place = { network, depositAddress, windowEndsAtMs: windowEndsAtMs + (index - Number(index % 3 === 2)) }
      await ledger.createIn(tx, newPayment({ ...place, id, sequence: 0, ...more }))
    }
  })
}

/** A clock, a chain, and scans without state beyond what is stored. */
function openScan(homes: readonly string[] = ['devnet']) {
  const heads = createHeads()
  const clock = { nowMs: startMs, block: 1_000 }
  const show = () => heads.set('devnet', { number: clock.block, hash: '', parentHash: '', timeMs: clock.nowMs })
  show()
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const start = () =>
    createLateScan({ db, network: { shortName: 'devnet' }, homes, heads, runtime, read: endedDeposits })
  return {
    start,
    clock,
    pass(ms: number, blocks: number) {
      clock.nowMs += ms
      clock.block += blocks
      show()
    },
    /** The ids of the next slice, which is then stored as scanned. */
    async scan(next = start(), count?: number): Promise<PaymentId[] | undefined> {
      const slice = await next()
      if (slice === undefined) return undefined
      await db.write((tx) => saveLateScan(tx, 'devnet', slice.scanned(count)))
      return slice.rows.slice(0, count).map(({ id }) => id)
    },
  }
}

test('every ended deposit is scanned once a round, 500 at a time, on all networks of the factory, wherever the service was stopped', async () => {
  await store('devnet', 1_100)
  await store('sibling', 300)
  await store('stranger', 5)
  const story = openScan(['devnet', 'sibling'])
  const slices = [await story.scan(), await story.scan(), await story.scan()]
  expect(slices.map((slice) => slice?.length)).toEqual([500, 500, 400])
  const ids = slices.flatMap((slice) => slice ?? [])
  expect(new Set(ids).size).toBe(1_400)
  expect(ids.filter((id) => id.startsWith('stranger'))).toEqual([])
  expect(await story.scan()).toBeUndefined()
  expect(await db.read((tx) => loadLateScan(tx, 'devnet'))).toEqual({
    ...{ beganBlock: 1_000, beganAtMs: startMs, place: null, whole: { block: 1_000, atMs: startMs }, scanned: 1_400 },
  })
})

test('the next round begins an hour after the last one began, and reports the first block to search', async () => {
  await store('devnet', 3)
  const story = openScan()
  expect((await story.start()())?.seenUpTo).toBeUndefined()
  expect(await story.scan()).toHaveLength(3)
  story.pass(hourMs - 1, 100)
  expect(await story.scan()).toBeUndefined()
  story.pass(1, 1)
  expect((await story.start()())?.seenUpTo).toBe(1_000)
  expect(await story.scan()).toHaveLength(3)
  story.pass(dayMs, 1)
  expect((await story.start()())?.seenUpTo).toBe(1_101)
})

test('blocks count as searched only when a whole round is over', async () => {
  await store('devnet', 5)
  const story = openScan()
  const seenUpTo = async () => (await story.start()())?.seenUpTo
  await story.scan(undefined, 2)
  story.pass(1, 7)
  expect(await seenUpTo(), 'in the first round').toBeUndefined()
  await story.scan()
  story.pass(hourMs, 100)
  await story.scan(undefined, 2)
  story.pass(1, 7)
  expect(await seenUpTo(), 'in the second round').toBe(1_000)
  await story.scan(undefined, 1)
  expect(await seenUpTo(), 'later in the second round').toBe(1_000)
  await story.scan()
  story.pass(hourMs, 100)
  expect(await seenUpTo(), 'after it').toBe(1_107)
})

test('a partly scanned slice continues at the first row that was not scanned', async () => {
  await store('devnet', 5)
  const story = openScan()
  expect(await story.scan(undefined, 0)).toEqual([])
  expect(await story.scan(undefined, 2)).toHaveLength(2)
  expect(await story.scan()).toEqual(['devnet 2', 'devnet 3', 'devnet 4'])
  expect(await story.scan()).toBeUndefined()
})

test('a watched deposit is not scanned, and nothing is stored while none has ended', async () => {
  await store('devnet', 3, startMs - watchAfterWindowMs + 1)
  await store('test', 1, windowMs, { network: 'devnet', isTest: true, id: 'test' as PaymentId })
  const story = openScan()
  expect(await story.scan()).toBeUndefined()
  expect(await db.read((tx) => loadLateScan(tx, 'devnet'))).toBeUndefined()
  story.pass(1, 1)
  expect(await story.scan()).toEqual(['devnet 0'])
})

test('a deposit stays watched whether the host’s clock is behind the chain’s or ahead of it', async () => {
  await store('devnet', 1, startMs - watchAfterWindowMs + hourMs)
  const story = openScan()
  story.clock.nowMs += 2 * hourMs
  expect(await story.scan()).toBeUndefined()
  story.pass(0, 1)
  story.clock.nowMs -= 2 * hourMs
  expect(await story.scan()).toBeUndefined()
  story.clock.nowMs += 2 * hourMs
  expect(await story.scan()).toEqual(['devnet 0'])
})

test('a million addresses take about a day on a network that is polled every second or slower', () => {
  for (const pollMs of [1_000, 4_000, 60_000]) {
    const days = ((1_000_000 / scannedMax) * scanPauseMs({ pollMs })) / dayMs
    expect(days).toBeGreaterThan(0.5)
    expect(days).toBeLessThan(1)
  }
})

test('the balance by the books is never more than they can account for', () => {
  const units = (amount: number) => baseUnits(String(amount)) as BaseUnits
  const held = (changes: Partial<DepositPayment>) =>
    heldInBooks(newPayment({ due: units(100), ...changes }) as DepositPayment)
  expect(held({})).toBe(0n)
  expect(held({ seen: units(30), late: units(20) })).toBe(50n)
  expect(held({ seen: units(30), late: units(20), refunded: units(10), refunding: units(15) })).toBe(25n)
  expect(held({ seen: units(130), sweep: 'queued' })).toBe(130n)
  expect(held({ seen: units(130), late: units(7), sweep: 'confirmed' })).toBe(37n)
  expect(held({ seen: units(98), sweep: 'confirmed' })).toBe(0n)
  // A sweep of less than was requested has left the rest.
  const short = { seen: units(105), received: units(105), sweep: 'confirmed', status: 'swept' } as const
  expect(held({ ...short, sweptAmount: units(97) })).toBe(8n)
  expect(held(short)).toBe(5n)
})
