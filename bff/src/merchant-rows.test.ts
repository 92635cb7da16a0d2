// What stores read and write of one merchant's live rows beside rows of the same agent, quarter, network and token: those of another
// merchant, and its own in test mode.
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDollars } from './agent/policy.ts'
import { loadSpent } from './agent/policy-store.ts'
import {
  countOfStatuses,
  countUpTo,
  findByTime,
  findNamed,
  findNamedByTime,
  newestChange,
  placeAfter,
} from './checkout/read/payment-search-store.ts'
import { countOwners } from './dashboard/sign-in/people-store.ts'
import { sql, type Tx } from './db/db.ts'
import { countKeys } from './merchant/key-store.ts'
import { insertCredential, insertMerchant, loadCredential, saveWallet } from './merchant/merchant-store.ts'
import { countPayments as countExported } from './ops/export/export-store.ts'
import type { Ledger } from './payment/ledger.ts'
import { type DepositPayment, type MerchantId, type PaymentId, statuses } from './payment/payment.ts'
import { endpointsFor } from './payment/store/outbox-store.ts'
import { loadSums } from './payment/store/sums-store.ts'
import { hasPayments, loadNeeds } from './reports/attention-store.ts'
import { loadMonthSums, loadQuarters, monthSums, type SummedQuarter, saveMonthSums } from './reports/month-store.ts'
import { countPayments, listPayments, totalsByStatus } from './reports/payment-report-store.ts'
import { replayable } from './webhook/reports/delivery-report-store.ts'

const own = newPayment().merchantId
const other = '0a000000-0000-4000-8000-000000000000' as MerchantId
const idle = 'ffffffff-0000-4000-8000-000000000000' as MerchantId
type Whose = { merchantId: MerchantId; isTest: boolean }
const live = (merchantId: MerchantId): Whose => ({ merchantId, isTest: false })
const anyTime = { fromQuarter: 0, untilQuarter: 1_000 }
const nowMs = 60_000

let ledger: Ledger
let read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
let write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
let remove: () => Promise<void>
/** Payments made. */
let count: number
beforeEach(async () => {
  count = 0
  const opened = await openMerchantDatabase()
  const { db } = opened
  ;({ ledger, remove } = opened)
  read = (work) => db.read(work)
  write = (work) => db.write(work)
  await write(async (tx) => {
    for (const id of [other, idle]) await insertMerchant(tx, { id, name: 'n', webhookSecret: 's', createdAtMs: 0 })
  })
})
afterEach(() => remove())

/** A payment of the agent `shopper`. */
async function create(whose: Whose, changes: Partial<DepositPayment> = {}): Promise<PaymentId> {
  count += 1
  const id = `7f0f1f4e-6a43-4a2e-9d2b-${String(count).padStart(12, '0')}` as PaymentId
  const depositAddress = `0x${String(count).padStart(40, '0')}`
  const attached = { agentId: 'shopper', agentOwner: 'me', orderId: 'order', customerEmail: 'guest@shop.example' }
  const fields = { id, ...whose, depositAddress, sequence: 0, createdAtMs: count, ...attached, ...changes }
  await write((tx) => ledger.createIn(tx, newPayment(fields)))
  return id
}

async function pay(id: PaymentId, amount: string): Promise<void> {
  const transfer = { ...transferOf(amount), txId: id }
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: nowMs })
}

const nameOf = ({ merchantId, isTest }: Whose, time: number) => `${isTest ? 'test' : 'live'} ${merchantId} ${time}`

/** So many endpoints, and twice as many payments: half with too much money, half that late money can still pay. */
async function fill(whose: Whose, times: number): Promise<void> {
  for (let time = 1; time <= times; time++) {
    await write((tx) =>
      tx.run(sql`
          insert into webhook_endpoints (id, merchant_id, is_test, url, description, secret, created_at_ms, updated_at_ms)
          values (${`${nameOf(whose, time)} ${count}`}, ${whose.merchantId}, ${whose.isTest ? 1 : 0}, 'https://shop.example', '', 's', 0, 0)`),
    )
    await pay(await create(whose), '26000000')
    const late = await create(whose, { acceptedUntilMs: windowEndsAtMs + 1 })
    await ledger.apply(late, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: nowMs })
  }
}

/** A key, an owner and a wallet each. */
async function open(merchantId: MerchantId, times: number): Promise<void> {
  for (let time = 1; time <= times; time++) {
    const name = nameOf(live(merchantId), time)
    await write(async (tx) => {
      const key = { id: name, merchantId, kind: 'public' as const, isTest: false, agentId: null, createdAtMs: 0 }
      await insertCredential(tx, { ...key, scope: 'merchant', secretSha256: null })
      await saveWallet(tx, merchantId, { network: `net ${time}`, address: `wallet of ${merchantId}`, source: null })
      await tx.run(sql`
          insert into people (id, merchant_id, name, role, created_at_ms) values (${name}, ${merchantId}, 'n', 'owner', 0)`)
    })
  }
}

describe('beside another merchant’s', () => {
  beforeEach(async () => {
    await open(other, 3)
    await open(own, 1)
  })

  test('wallets, a payment takes those of its key’s merchant', async () => {
    const walletsOf = async (id: MerchantId) =>
      (await read((tx) => loadCredential(tx, nameOf(live(id), 1), nowMs)))?.wallets
    expect(await walletsOf(own)).toEqual(new Map([['net 1', `wallet of ${own}`]]))
    const ofOther = [1, 2, 3].map((time) => [`net ${time}`, `wallet of ${other}`] as const)
    expect(await walletsOf(other)).toEqual(new Map(ofOther))
  })

  test('owners and keys, a merchant’s own are counted', async () => {
    const counts = (id: MerchantId) => read(async (tx) => [await countOwners(tx, id), await countKeys(tx, id)])
    expect([await counts(own), await counts(other), await counts(idle)]).toEqual([
      [1, 1],
      [3, 3],
      [0, 0],
    ])
  })
})

describe.each([
  ['another merchant’s payments', live(other)],
  ['test payments', { merchantId: own, isTest: true }],
])('beside %s', (_, neighbour) => {
  const mine = live(own)
  beforeEach(async () => {
    // Some of the neighbour's are older, some are newer.
    await fill(neighbour, 2)
    await fill(mine, 1)
    await fill(neighbour, 3)
  })

  test('an agent has spent what its own payments are, those that late money can pay included', async () => {
    const unrated = { today: [], thisMonth: [] }
    const spent = { today: parseDollars('50'), thisMonth: parseDollars('50'), unrated }
    expect(await read((tx) => loadSpent(tx, { ...mine, agentId: 'shopper' }, nowMs))).toEqual(spent)
  })

  test('a payment’s money is added to its own sums', async () => {
    const token = { quarter: 0, network: 'devnet', currency: 'USDC', tokenDecimals: 6 }
    const row = { ...token, refunded: 0n, refundedByMerchant: 0n }
    const sumsOf = (whose: Whose) => read((tx) => loadSums(tx, whose, anyTime))
    expect(await sumsOf(mine)).toEqual([{ ...row, created: 2, paid: 1, received: 26_000_000n }])
    expect(await sumsOf(neighbour)).toEqual([{ ...row, created: 10, paid: 5, received: 130_000_000n }])
    expect(await sumsOf(live(idle))).toEqual([])
  })

  test('a change of a payment makes its own kept month old, and no other one', async () => {
    const changesOf = async (whose: Whose) => (await read((tx) => loadQuarters(tx, whose, anyTime)))[0]?.changes
    const [ofMine = 0, ofNeighbour = 0] = [await changesOf(mine), await changesOf(neighbour)]
    // Money that is seen and not confirmed is in no sum.
    const id = await create(mine)
    await ledger.apply(id, { type: 'transfer.seen', transfer: { ...transferOf('1'), txId: id }, atMs: nowMs })
    expect([await changesOf(mine), await changesOf(neighbour)]).toEqual([ofMine + 2, ofNeighbour])
    expect(await changesOf(live(idle))).toBeUndefined()
  })

  test('the sums of a month are kept, read and replaced by themselves', async () => {
    const quarterOf = async (whose: Whose, paid: number): Promise<SummedQuarter[]> => {
      const row = { network: 'devnet', currency: 'USDC', tokenDecimals: 6, payments: 9, paid, ...monthSums.none }
      const quarters = await read((tx) => loadQuarters(tx, whose, anyTime))
      return [{ quarter: 0, changes: quarters[0]?.changes ?? 0, rows: [row] }]
    }
    const keptOf = (whose: Whose) => read((tx) => loadMonthSums(tx, whose, anyTime))
    const [ofNeighbour, ofMine] = [await quarterOf(neighbour, 5), await quarterOf(mine, 1)]
    await write((tx) => saveMonthSums(tx, neighbour, ofNeighbour))
    await write((tx) => saveMonthSums(tx, mine, ofMine))
    expect([await keptOf(neighbour), await keptOf(mine), await keptOf(live(idle))]).toEqual([ofNeighbour, ofMine, []])
    const again = await quarterOf(mine, 2)
    await write((tx) => saveMonthSums(tx, mine, again))
    expect([await keptOf(neighbour), await keptOf(mine)]).toEqual([ofNeighbour, again])
  })

  test('an event goes to its own endpoints', async () => {
    const endpoints = await read((tx) => endpointsFor(tx, mine, 'payment.completed'))
    expect(endpoints.map(({ endpointId }) => endpointId)).toEqual([expect.stringContaining(nameOf(mine, 1))])
  })

  test('the list of payments that need a person has its own', async () => {
    const needs = await read((tx) => loadNeeds(tx, mine, 10))
    expect(needs.map(({ count: all, payments }) => [all, payments.length])).toEqual([[1, 1]])
    expect(await read((tx) => hasPayments(tx, mine))).toBe(true)
    expect(await read((tx) => hasPayments(tx, live(idle)))).toBe(false)
    expect(await read((tx) => hasPayments(tx, { merchantId: other, isTest: true }))).toBe(false)
  })

  test('what is sent again is what its own endpoints were sent', async () => {
    const range = { after: 0, sinceMs: 0, untilMs: 2 * nowMs, isAll: true }
    const numbers = (await read((tx) => replayable(tx, mine, range, 1_000))).map(({ number }) => number)
    const all = await read((tx) =>
      tx.all<{ number: number; id: string }>(sql`select number, endpoint_id as id from deliveries`),
    )
    const sent = new Set(all.filter(({ number }) => numbers.includes(number)).map(({ id }) => id))
    expect([...sent]).toEqual([expect.stringContaining(nameOf(mine, 1))])
  })

  test('a list, its counts and its sums have its own payments', async () => {
    const filter = { ...mine, statuses: null, currency: null, fromMs: null, untilMs: null, search: null }
    const found = await read(async (tx) => ({
      listed: (await listPayments(tx, filter, 100, 0)).length,
      counted: await countPayments(tx, filter),
      exported: await countExported(tx, { ...mine, fromMs: 0, untilMs: 1_000 }),
      totals: (await totalsByStatus(tx, filter)).map(({ count: all, amount }) => [all, amount]),
    }))
    expect(found).toEqual({
      listed: 2,
      counted: 2,
      exported: 2,
      totals: [
        [1, 25_000_000n],
        [1, 25_000_000n],
      ],
    })
  })

  const filter = { ...mine, network: null, currency: null, attention: null, kind: null, amounts: null }
  const range = { after: { createdAtMs: 1_000, number: 1_000 }, until: { createdAtMs: 0, number: 0 } }

  test('a search steps over its own payments alone', async () => {
    expect(await read((tx) => findByTime(tx, filter, null, range, 100))).toHaveLength(2)
    expect(await read((tx) => placeAfter(tx, filter, null, range, 1))).toBeDefined()
    expect(await read((tx) => placeAfter(tx, filter, null, range, 2))).toBeUndefined()
  })

  test('a list’s counts are of its own payments', async () => {
    expect(await read((tx) => countUpTo(tx, mine, null, 100))).toBe(2)
    expect(await read((tx) => countOfStatuses(tx, mine, ['expired', 'swept'], 100))).toBe(1)
    expect(await read((tx) => countUpTo(tx, mine, 'overpaid', 100))).toBe(1)
    expect(await read((tx) => countUpTo(tx, neighbour, 'overpaid', 100))).toBe(5)
    expect(await read((tx) => countUpTo(tx, neighbour, null, 4))).toBe(4)
  })

  test.each(['order', 'guest@shop.example', 'ord', 'guest'])('a search for “%s” has its own payments', async (text) => {
    const byTime = await read((tx) => findNamedByTime(tx, filter, statuses, text, range, 100))
    expect(byTime.map(({ isTest, number }) => [isTest, number])).toEqual([
      [0, 6],
      [0, 5],
    ])
    const named = (await read((tx) => findNamed(tx, own, text, [], 100))) ?? []
    const live = named.filter(({ isTest }) => isTest === 0).map(({ number }) => number)
    expect(live.sort(), 'and none of the other merchant').toEqual([5, 6])
  })

  test('a stream hears of its own payments alone', async () => {
    const newest = () => read((tx) => newestChange(tx, own, false))
    const before = await newest()
    const id = await create(neighbour)
    expect(await newest()).toBe(before)
    await pay(id, '1')
    expect(await newest()).toBe(before)
  })
})
