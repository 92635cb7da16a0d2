import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../access/context/caller.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import { createVault } from '../../db/vault.ts'
import { createLedger, type Ledger } from '../../payment/ledger.ts'
import type { DepositPayment, MerchantId, PaymentId } from '../../payment/payment.ts'
import { createPaymentReader } from '../read/payment-reader.ts'
import { type Charge, createCharges } from './charge.ts'
import { type EndEarly, findRoom, openMax } from './charge-room.ts'
import { insertCharge } from './charge-store.ts'
import { createClaims } from './claim.ts'
import { usePayment } from './use-payment.ts'
import { isSameRequirements, type Proof, type Requirements } from './x402-wire.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const { merchantId } = newPayment()
const other = 'other' as MerchantId
const caller = { merchantId, isTest: false, kind: 'api' } as Caller
const charge: Charge = { resource: '/weather', amount: '25.00', currency: 'usdc', network: 'Devnet' }
const open = { windowEndsAtMs: nowMs + 600_000, expiresAtMs: nowMs + 600_000, createdAtMs: nowMs }

let database: TestDatabase
let db: Db
let ledger: Ledger
let charges: ReturnType<typeof createCharges>
let count = 0
const runtime = { ...systemRuntime, nowMs: () => nowMs }
const claims = createClaims({ vault: createVault(Buffer.alloc(32, 7), runtime), runtime })

beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    for (const id of [merchantId, other])
      await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 0)`)
  })
  charges = createCharges({
    ...{ db, ledger, read: createPaymentReader(db), runtime, claims },
    createDeposit: () => Promise.reject(new Error('Nothing is created here.')),
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

/** A payment of a merchant's, at an address of its own. */
async function create(changes: Partial<DepositPayment> = {}): Promise<DepositPayment> {
  count += 1
  const id = `payment ${count}` as PaymentId
  const payment = newPayment({ id, depositAddress: `0x${count}`, sequence: 0, ...open, ...changes })
  await db.write((tx) => ledger.createIn(tx, payment))
  return payment
}

/** A payment that was made for a request to `/weather`. */
async function createCharge(changes: Partial<DepositPayment> = {}): Promise<DepositPayment> {
  const payment = await create(changes)
  const terms = { resource: charge.resource, client: null, priceDigest: 'price' }
  await db.write((tx) => insertCharge(tx, { ...terms, id: payment.id, merchantId: payment.merchantId, atMs: nowMs }))
  return payment
}

const claimOn = ({ id }: DepositPayment) => claims.of({ id, resource: charge.resource })

const proofOf = ({ depositAddress: payTo }: DepositPayment, claim: string) =>
  ({ accepted: { payTo, extra: { claim } } }) as unknown as Proof
const find = (payment: DepositPayment, asked: Partial<Charge> = {}, claim = claimOn(payment), by = caller) =>
  charges.find(by, { ...charge, ...asked }, proofOf(payment, claim))

describe('the payment of a request', () => {
  test('is the one that was made for it, by whoever holds its claim', async () => {
    const payment = await createCharge()
    const claim = claimOn(payment)
    const presenter = claims.digestOf({ id: payment.id, resource: charge.resource }, claim)
    expect(await find(payment, {}, claim)).toMatchObject({ payment: { id: payment.id }, presenter })
  })

  test.each<[string, Partial<Charge>]>([
    ['resource', { resource: '/stocks' }],
    ['amount', { amount: '24.99' }],
    ['network', { network: 'elsewhere' }],
    ['currency', { currency: 'USDT' }],
    ['kind of price', { amount: undefined, price: '25.00', priceCurrency: 'USD' }],
  ])('pays no request with another %s', async (_, asked) => {
    expect(await find(await createCharge(), asked)).toBe('invalid_payment_requirements')
  })

  test('whose price is in a currency pays requests at that price, whatever the tokens were', async () => {
    const price = { amount: '20.00', currency: 'EUR', rate: '0.8', rateAtMs: nowMs }
    const payment = await createCharge({ price })
    const asked = { amount: undefined, price: '20', priceCurrency: 'eur' }
    expect(await find(payment, asked)).toMatchObject({ payment: { id: payment.id } })
    for (const wrong of [{ ...asked, price: '19.99' }, { ...asked, priceCurrency: 'USD' }, {}])
      expect(await find(payment, wrong)).toBe('invalid_payment_requirements')
  })

  test('is of the caller, live or test as the caller is, and was made for a request', async () => {
    const invalid = 'invalid_payment_requirements'
    const [payment, foreign] = [await createCharge(), await createCharge({ merchantId: other })]
    const [test, link] = [await createCharge({ isTest: true, madeWith: 'test' }), await create()]
    for (const one of [foreign, test, link]) expect(await find(one)).toBe(invalid)
    expect(await find(payment, {}, claimOn(payment), { ...caller, isTest: true })).toBe(invalid)
    expect(await find({ ...payment, depositAddress: '0xunknown' })).toBe(invalid)
  })

  test('is not found by the claim on another payment, by a changed one, or by none', async () => {
    const [payment, another] = [await createCharge(), await createCharge()]
    const claim = claimOn(payment)
    const [random, signature] = claim.split('.')
    const wrong = [claimOn(another), `x${claim}`, `${random}.`, `.${signature}`, '', random ?? '']
    for (const one of wrong) expect([one, await find(payment, {}, one)]).toEqual([one, 'invalid_payment_requirements'])
  })

  test('pays one request, and says so after it', async () => {
    const payment = await createCharge()
    const use = () => db.write((tx) => usePayment(tx, { id: payment.id, resource: charge.resource, atMs: nowMs }))
    expect(await use()).toBe(false)
    expect(await find(payment)).toMatchObject({ payment: { id: payment.id } })
    await db.write((tx) => tx.run(sql`update payments set status = 'swept', received = due where id = ${payment.id}`))
    expect([await use(), await use()]).toEqual([true, false])
    expect(await find(payment)).toBe('duplicate_settlement')
  })
})

test('a payment that ended unpaid, or that was made for no request, is had for once it is paid, and once', async () => {
  const payment = await create()
  const use = () => db.write((tx) => usePayment(tx, { id: payment.id, resource: '', atMs: nowMs }))
  for (const status of ['expired', 'failed', 'cancelled', 'pending']) {
    await db.write((tx) => tx.run(sql`update payments set status = ${status} where id = ${payment.id}`))
    expect([status, await use()]).toEqual([status, false])
  }
  await db.write((tx) => tx.run(sql`update payments set status = 'sweeping', received = due where id = ${payment.id}`))
  expect([await use(), await use()]).toEqual([true, false])
})

describe('a further request', () => {
  const keep = async () => false
  const find = (changes: Partial<Parameters<typeof findRoom>[1]> = {}, endEarly: EndEarly = keep) => {
    const terms = { merchantId, client: null, resource: '/weather', priceDigest: 'price', atMs: nowMs + 10_000 }
    return db.write((tx) => findRoom(tx, { ...terms, ...changes }, endEarly))
  }
  /** So many open charges, each offered a millisecond after the one before. */
  const openMany = (count: number, changes: { client?: string | null; priceDigest?: string; name?: string } = {}) =>
    db.write(async (tx) => {
      const { client = null, priceDigest = 'price', name = 'open' } = changes
      for (let place = 0; place < count; place++) {
        const id = `${name} ${String(place).padStart(4, '0')}` as PaymentId
        await ledger.createIn(tx, newPayment({ id, depositAddress: id, sequence: 0, ...open }))
        await insertCharge(tx, { id, merchantId, client, resource: id, priceDigest, atMs: nowMs + place })
      }
    })
  const setAll = (set: ReturnType<typeof sql>) => db.write((tx) => tx.run(sql`update payments set ${set}`))
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_OPEN_PAYMENTS', status: 429 })

  test('at a price with a hundred open payments is offered the oldest of them, and then the next', async () => {
    await openMany(openMax.perPrice - 1)
    expect(await find()).toBeUndefined()
    await openMany(1, { name: 'the last' })
    expect([await find(), await find()]).toEqual(['open 0000', 'the last 0000'])
    expect(await find({ priceDigest: 'other' })).toBeUndefined()
    expect(await find({ merchantId: other })).toBeUndefined()
  })

  test('is offered none that has seen money, ends soon, is being paid, or was used', async () => {
    await openMany(openMax.perPrice)
    const isOffered = async () => (await find()) !== undefined
    expect(await isOffered()).toBe(true)
    await setAll(sql`seen = '1'`)
    expect(await isOffered()).toBe(false)
    await setAll(sql`seen = '0', window_ends_at_ms = ${nowMs + 10_000 + 120_000}`)
    expect(await isOffered()).toBe(false)
    await setAll(sql`window_ends_at_ms = ${nowMs + 10_000 + 120_001}`)
    expect(await isOffered()).toBe(true)
    await db.write((tx) =>
      tx.run(sql`
          insert into authorizations (id, payment_id, network, token, payer, nonce, amount, target, data, cost_micros, state,
                                      send_before_ms, created_at_ms)
          select id, id, 'devnet', 't', 'p', id, '1', 't', 'd', 0, 'queued', 0, 0 from payments`),
    )
    expect(await isOffered()).toBe(false)
    await db.write((tx) => tx.run(sql`delete from authorizations`))
    expect(await isOffered()).toBe(true)
    await db.write((tx) => tx.run(sql`update x402_charges set used_at_ms = 1`))
    expect(await isOffered()).toBe(false)
  })

  test('of a client with twenty open charges meets its own, and at another price none', async () => {
    await openMany(openMax.perClient, { client: 'a' })
    expect(await find({ client: 'b' })).toBeUndefined()
    expect(await find({ client: 'a' })).toBe('open 0000')
    await expect(find({ client: 'a', priceDigest: 'other' })).rejects.toEqual(tooMany)
  })

  test('of a client with twenty open charges is not offered another client’s, because that one may pay it', async () => {
    await openMany(openMax.perClient, { client: 'a' })
    await openMany(1, { client: 'b', priceDigest: 'other', name: 'of b' })
    await expect(find({ client: 'a', priceDigest: 'other' })).rejects.toEqual(tooMany)
  })

  test('of a merchant with a thousand is refused, but that a flood gives way to a client who has none', async () => {
    await openMany(openMax.perMerchant, { client: 'flood', priceDigest: 'flood' })
    await expect(find()).rejects.toEqual(tooMany)
    const ended: string[] = []
    const endEarly: EndEarly = async (_, id) => {
      ended.push(id)
      return true
    }
    expect(await find({ client: 'new' }, endEarly)).toBeUndefined()
    expect(ended).toEqual(['open 0000'])
    await expect(find({ client: 'new' })).rejects.toEqual(tooMany)
  })
})

test('what a client accepted is what is asked, in every field that binds money', () => {
  const ours: Requirements = {
    ...{
      scheme: 'exact',
      network: 'eip155:1',
      asset: `0x${'aB'.repeat(20)}`,
      amount: '25',
      payTo: `0x${'cD'.repeat(20)}`,
    },
    ...{ maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' } },
  }
  expect(isSameRequirements({ ...ours, asset: ours.asset.toLowerCase(), payTo: ours.payTo.toLowerCase() }, ours)).toBe(
    true,
  )
  const wrong = [
    ...[{ scheme: 'upto' }, { network: 'eip155:2' }, { asset: ours.payTo }, { amount: '24' }, { amount: '025' }],
    ...[{ payTo: ours.asset }, { extra: undefined }, { extra: { name: 'USD Coin', version: '1' } }],
  ]
  for (const changed of wrong)
    expect([changed, isSameRequirements({ ...ours, ...changed }, ours)]).toEqual([changed, false])
})
