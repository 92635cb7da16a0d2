// What stores read and write of one merchant when another merchant has rows of the same agent, quarter, network and token.
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDollars } from './agent/policy.ts'
import { loadSpent } from './agent/policy-store.ts'
import { newestChange, placeAfter } from './checkout/read/payment-search-store.ts'
import { baseUnits } from './core/money.ts'
import { countOwners } from './dashboard/sign-in/people-store.ts'
import { sql, type Tx } from './db/db.ts'
import { countKeys } from './merchant/key-store.ts'
import { insertCredential, insertMerchant, loadCredential, saveWallet } from './merchant/merchant-store.ts'
import { countPayments } from './ops/export/export-store.ts'
import type { Ledger } from './payment/ledger.ts'
import type { DepositPayment, MerchantId, PaymentId } from './payment/payment.ts'
import { endpointsFor } from './payment/store/outbox-store.ts'
import { loadSums } from './payment/store/sums-store.ts'
import { hasPayments, loadNeeds } from './reports/attention-store.ts'
import { loadMonthSums, loadQuarters, monthSums, saveMonthSums } from './reports/month-store.ts'

const own = newPayment().merchantId
const other = '0a000000-0000-4000-8000-000000000000' as MerchantId
const idle = 'ffffffff-0000-4000-8000-000000000000' as MerchantId
const live = (merchantId: MerchantId) => ({ merchantId, isTest: false })
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
  // The other merchant's rows surround this one's: some are older, some are newer.
  await fill(other, 2)
  await fill(own, 1)
  await fill(other, 3)
})
afterEach(() => remove())

/** A payment of the agent `shopper`. */
async function create(merchantId: MerchantId, changes: Partial<DepositPayment> = {}): Promise<PaymentId> {
  count += 1
  const id = `7f0f1f4e-6a43-4a2e-9d2b-${String(count).padStart(12, '0')}` as PaymentId
  const depositAddress = `0x${String(count).padStart(40, '0')}`
  const agent = { agentId: 'shopper', agentOwner: 'me' }
  const fields = { id, merchantId, depositAddress, sequence: 0, createdAtMs: count, ...agent, ...changes }
  await write((tx) => ledger.createIn(tx, newPayment(fields)))
  return id
}

async function pay(id: PaymentId, amount: string): Promise<void> {
  const transfer = { ...transferOf(amount), txId: id }
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: nowMs })
}

/** A key, a wallet, an owner, an endpoint and two payments: one with too much money, one that late money can still pay. */
async function fill(merchantId: MerchantId, times: number): Promise<void> {
  for (let time = 1; time <= times; time++) {
    const name = `${merchantId} ${times} ${time}`
    await write(async (tx) => {
      const key = { id: name, merchantId, kind: 'public' as const, isTest: false, agentId: null, createdAtMs: 0 }
      await insertCredential(tx, { ...key, scope: 'merchant', secretSha256: null })
      await saveWallet(tx, merchantId, `net ${time}`, `wallet of ${merchantId}`)
      await tx.run(sql`
          insert into people (id, merchant_id, name, role, created_at_ms) values (${name}, ${merchantId}, 'n', 'owner', 0)`)
      await tx.run(sql`
          insert into webhook_endpoints (id, merchant_id, is_test, url, description, secret, created_at_ms, updated_at_ms)
          values (${name}, ${merchantId}, 0, ${`https://${time}.example`}, '', 's', 0, 0)`)
    })
    await pay(await create(merchantId), '26000000')
    const late = await create(merchantId, { acceptedUntilMs: windowEndsAtMs + 1 })
    await ledger.apply(late, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: nowMs })
  }
}

/** The name that `fill` gave to the own merchant's things. */
const ownName = `${own} 1 1`

describe('beside another merchant’s rows of the same name and time', () => {
  test('an agent has spent what its own merchant’s payments are, those that late money can pay included', async () => {
    const spent = { today: parseDollars('50'), thisMonth: parseDollars('50') }
    expect(await read((tx) => loadSpent(tx, { ...live(own), agentId: 'shopper' }, nowMs))).toEqual(spent)
  })

  test('a payment’s money is added to its own merchant’s sums', async () => {
    const row = { quarter: 0, network: 'devnet', currency: 'USDC', tokenDecimals: 6, refunded: 0n }
    const sumsOf = (id: MerchantId) => read((tx) => loadSums(tx, live(id), anyTime))
    expect(await sumsOf(own)).toEqual([{ ...row, created: 2, paid: 1, received: 26_000_000n }])
    expect(await sumsOf(other)).toEqual([{ ...row, created: 10, paid: 5, received: 130_000_000n }])
    expect(await sumsOf(idle)).toEqual([])
  })

  test('a change of a payment makes its own merchant’s kept month old, and no other one', async () => {
    const changesOf = async (id: MerchantId) => (await read((tx) => loadQuarters(tx, live(id), anyTime)))[0]?.changes
    const before = [await changesOf(own), await changesOf(other)].map(Number)
    const [ofOwn = 0, ofOther = 0] = before
    // Money that is seen and not confirmed is in no sum.
    const id = await create(own)
    const transfer = { ...transferOf('1'), txId: id }
    await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: nowMs })
    expect([await changesOf(own), await changesOf(other)]).toEqual([ofOwn + 2, ofOther])
    expect(await changesOf(idle)).toBeUndefined()
  })

  test('the sums of a month are kept, read and replaced by merchant', async () => {
    const quarterOf = async (id: MerchantId, paid: number) => {
      const none = Object.fromEntries(monthSums.map((name) => [name, baseUnits('0')])) as Record<string, never>
      const row = { network: 'devnet', currency: 'USDC', tokenDecimals: 6, payments: 9, paid, ...none }
      const quarters = await read((tx) => loadQuarters(tx, live(id), anyTime))
      return [{ quarter: 0, changes: quarters[0]?.changes ?? 0, rows: [row as never] }]
    }
    const keptOf = (id: MerchantId) => read((tx) => loadMonthSums(tx, live(id), anyTime))
    const [ofOther, ofOwn] = [await quarterOf(other, 5), await quarterOf(own, 1)]
    await write((tx) => saveMonthSums(tx, live(other), ofOther))
    await write((tx) => saveMonthSums(tx, live(own), ofOwn))
    expect([await keptOf(other), await keptOf(own), await keptOf(idle)]).toEqual([ofOther, ofOwn, []])
    const again = await quarterOf(own, 2)
    await write((tx) => saveMonthSums(tx, live(own), again))
    expect([await keptOf(other), await keptOf(own)]).toEqual([ofOther, again])
  })

  test('a payment takes the wallets of its key’s merchant', async () => {
    const walletsOf = async (id: string) => (await read((tx) => loadCredential(tx, id, nowMs)))?.wallets
    expect(await walletsOf(ownName)).toEqual(new Map([['net 1', `wallet of ${own}`]]))
    const ofOther = [1, 2, 3].map((time) => [`net ${time}`, `wallet of ${other}`] as const)
    expect(await walletsOf(`${other} 2 1`)).toEqual(new Map(ofOther))
  })

  test('an event goes to its own merchant’s endpoints', async () => {
    const ids = (await read((tx) => endpointsFor(tx, live(own), 'payment.completed'))).map(
      ({ endpointId }) => endpointId,
    )
    expect(ids).toEqual([ownName])
  })

  test('the list of payments that need a person has its own merchant’s', async () => {
    const needs = await read((tx) => loadNeeds(tx, live(own), 10))
    const found = needs.map(({ count: all, payments }) => [all, payments.length])
    expect(found).toEqual([[1, 1]])
    expect(await read((tx) => hasPayments(tx, live(own)))).toBe(true)
    expect(await read((tx) => hasPayments(tx, live(idle)))).toBe(false)
  })

  test('a search steps over its own merchant’s payments, and its stream hears of them alone', async () => {
    const filter = { ...live(own), network: null, currency: null, attention: null, amounts: null }
    const range = { after: { createdAtMs: 1_000, number: 1_000 }, until: { createdAtMs: 0, number: 0 } }
    const all = await read((tx) => countPayments(tx, { ...live(own), fromMs: 0, untilMs: 1_000 }))
    expect(all).toBe(2)
    expect(await read((tx) => placeAfter(tx, filter, null, range, all - 1))).toBeDefined()
    expect(await read((tx) => placeAfter(tx, filter, null, range, all))).toBeUndefined()
    const newest = () => read((tx) => newestChange(tx, own, false))
    const before = await newest()
    const id = await create(other)
    expect(await newest()).toBe(before)
    await pay(id, '1')
    expect(await newest()).toBe(before)
  })

  test('owners and keys are counted by merchant', async () => {
    const counts = (id: MerchantId) => read(async (tx) => [await countOwners(tx, id), await countKeys(tx, id)])
    expect([await counts(own), await counts(other), await counts(idle)]).toEqual([
      [1, 1],
      [5, 5],
      [0, 0],
    ])
  })
})
