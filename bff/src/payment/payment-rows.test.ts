import { newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from '../db/db.ts'
import { createLedger, logTransition } from './ledger.ts'
import type { DepositPayment, MerchantId, Payment, PaymentId } from './payment.ts'
import { insertPayment, isDepositAddress, loadPayment, paymentsCreated, savePayment } from './store/payment-store.ts'
import { recordedAddresses, recordedTokens, saveToken } from './store/token-store.ts'
import { saveTransfer, sumOfTransfers } from './store/transfer-store.ts'

const { merchantId, merchantName } = newPayment()
const linkId = 'plink_1'

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  await addMerchant(merchantId, merchantName)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const addMerchant = (id: MerchantId, name: string, gasMaxMicros = 1) =>
  db.write((tx) =>
    tx.run(sql`
      insert into merchants (id, name, webhook_secret, created_at_ms, signature_gas_max_micros)
      values (${id}, ${name}, 's', 0, ${gasMaxMicros})`),
  )
const insert = (payment: Payment) => db.write((tx) => insertPayment(tx, payment))
const save = (payment: Payment) => db.write((tx) => savePayment(tx, payment))
const load = (id: PaymentId) => db.read((tx) => loadPayment(tx, id))
const id = (name: string) => name as PaymentId

/** What a caller may attach, and what was agreed at create; each value differs from the default. */
const agreed = {
  due: baseUnits('27000000'),
  least: baseUnits('26500000'),
  confirmations: 40,
  price: { amount: '24.90', currency: 'EUR', rate: '0.9222', rateAtMs: 77 },
  madeWith: 'test' as const,
  acceptedUntilMs: 5_000_000,
  createdAtMs: 1,
  expiresAtMs: 900_001,
  windowEndsAtMs: 900_002,
  orderId: 'order-7',
  customerEmail: 'ada@example.com',
  callbackUrl: 'https://shop.example/hook',
  returnUrl: 'https://shop.example/thanks',
  linkId,
  metadata: { basket: 7, gift: true, note: null, table: 'x' },
  agentId: 'agent-1',
  agentOwner: '0x00000000000000000000000000000000000000a6',
}

/** What transfers, windows and people change; each value differs from the default. */
const changed = {
  seen: baseUnits('27000001'),
  received: baseUnits('26000000'),
  late: baseUnits('3'),
  lastBlock: 99,
  lastTxId: '0x99',
  windowEnded: true,
  lateEnded: true,
  lateTaken: true,
  closedAs: 'cancelled' as const,
  closeReason: 'Changed their mind',
  status: 'swept' as const,
  version: 9,
  sequence: 8,
  detectedAtMs: 11,
  confirmedAtMs: 12,
}

const addLink = () =>
  db.write((tx) =>
    tx.run(sql`
      insert into payment_links (id, merchant_id, amount, payments_max, created_at_ms)
      values (${linkId}, ${merchantId}, '1', 1, 0)`),
  )

describe('a payment is read back', () => {
  const plainSender = { address: 'So11111111111111111111111111111111111111112', afterSlot: 412 }

  test.each<[string, Payment]>([
    ['a deposit', newPayment()],
    ['a deposit with all that a caller may attach', newPayment(agreed)],
    ['a test payment', newPayment({ isTest: true })],
    ['a wallet payment', newContractPayment()],
    ['a wallet payment with all that a caller may attach', newContractPayment({ ...agreed, plainSender })],
  ])('as it was created: %s', async (_, payment) => {
    await addLink()
    await insert(payment)
    expect(await load(payment.id)).toEqual({ ...payment, version: 1 })
  })

  test('as a deposit whose sweep and refunds have been stored', async () => {
    const payment = newPayment({
      ...changed,
      sweep: 'confirmed',
      sweepWaits: true,
      sweepTxId: '0x5e',
      sweptAtMs: 13,
      sweptAmount: baseUnits('25000009'),
      refund: 'failing',
      refundAddress: '0x00000000000000000000000000000000000000bb',
      refunded: baseUnits('4'),
      refunding: baseUnits('5'),
      lateReturned: true,
      refundTxId: '0x4e',
    })
    await insert(newPayment())
    await save(payment)
    expect(await load(payment.id)).toEqual(payment)
    // Each of them can be taken back.
    await save(newPayment())
    expect(await load(payment.id)).toEqual(newPayment())
  })

  test('as a wallet payment that has been paid', async () => {
    await insert(newContractPayment())
    await save(newContractPayment(changed))
    expect(await load(newContractPayment().id)).toEqual(newContractPayment(changed))
  })

  test('with the present name of its merchant, who pays for signatures or does not', async () => {
    const other = 'b8a4b7c0-7f4e-4a53-9a58-0f6f0f5d2b11' as MerchantId
    await addMerchant(other, 'Bakery', 0)
    await insert(newPayment({ merchantId: other }))
    expect(await load(newPayment().id)).toMatchObject({ merchantName: 'Bakery', takesSignatures: false })
  })

  test('not at all if nobody created it', async () => {
    expect(await load(id('nobody'))).toBeUndefined()
  })
})

test('who created a payment is remembered only while the payment is open', async () => {
  const payment = newPayment()
  const client = () => db.read((tx) => tx.get(sql`select client from payments`))
  await insert(payment)
  await db.write((tx) => tx.run(sql`update payments set client = 'digest'`))
  await save({ ...payment, sequence: 2 })
  expect(await client()).toEqual({ client: 'digest' })
  await save({ ...payment, status: 'sweeping' })
  expect(await client()).toEqual({ client: null })
})

describe('the payments of a month', () => {
  const created = (name: string, createdAtMs: number, changes: Partial<DepositPayment> = {}) =>
    insert(newPayment({ id: id(name), createdAtMs, ...changes }))
  const read = (changes: object = {}, after = { createdAtMs: 0, number: 0 }, limit = 10) =>
    db.read(async (tx) => {
      const whose = { merchantId, isTest: false, untilMs: 1_000, ...changes }
      return (await paymentsCreated(tx, whose, after, limit)).map(({ payment, number }) => [payment.id, number])
    })

  test('are those of one merchant and one mode, up to its end, each once', async () => {
    const other = 'b8a4b7c0-7f4e-4a53-9a58-0f6f0f5d2b11' as MerchantId
    await addMerchant(other, 'Bakery')
    await created('second', 500)
    await created('third', 500)
    await created('first', 400)
    await created('after', 1_000)
    await created('theirs', 500, { merchantId: other })
    await created('test', 500, { isTest: true })
    expect(await read()).toEqual([
      ['first', 3],
      ['second', 1],
      ['third', 2],
    ])
    expect(await read({ isTest: true })).toEqual([['test', 6]])
    expect(await read({ merchantId: other })).toEqual([['theirs', 5]])
    expect(await read({ untilMs: 1_001 })).toHaveLength(4)
    // A page ends between two payments of one millisecond.
    expect(await read({}, undefined, 2)).toEqual([
      ['first', 3],
      ['second', 1],
    ])
    expect(await read({}, { createdAtMs: 500, number: 1 })).toEqual([['third', 2]])
  })

  test('have their unmatched money', async () => {
    await created('first', 400)
    const ledger = createLedger(db, () => ({}))
    const token = '0x0000000000000000000000000000000000000002'
    await ledger.apply(id('first'), {
      type: 'unmatched.measured',
      network: 'devnet',
      token,
      currency: 'USDT',
      decimals: 6,
      balance: baseUnits('5'),
      block: 10,
      txId: '0x57',
      atMs: 7,
    })
    const whose = { merchantId, isTest: false, untilMs: 1_000 }
    const [first] = await db.read((tx) => paymentsCreated(tx, whose, { createdAtMs: 0, number: 0 }, 10))
    expect(first?.payment).toMatchObject({ unmatched: [{ token, balance: 5n }] })
  })
})

test('an address is known in any case on EVM, and by its exact letters on Solana', async () => {
  const evm = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
  const solana = '4Nd1mYb2s5rG9mJxkPhP5vQJt2cYwq3x8Q1zVtKZ7abc'
  await insert(newPayment({ id: id('a'), depositAddress: evm }))
  await insert(newPayment({ id: id('b'), depositAddress: solana }))
  const isKnown = (address: string) => db.read((tx) => isDepositAddress(tx, address))
  expect(await isKnown(evm)).toBe(true)
  expect(await isKnown(evm.toLowerCase())).toBe(true)
  expect(await isKnown(evm.replace('e7f1', 'E7F1'))).toBe(true)
  expect(await isKnown(solana)).toBe(true)
  expect(await isKnown(solana.toLowerCase())).toBe(false)
  expect(await isKnown('0xe7f1725E7734CE288F8367e1Bb143E90bb3F0513')).toBe(false)
})

test('each token that a live payment asked for stays known, once, on its own network', async () => {
  const { tokenAddress } = newPayment()
  await insert(newPayment())
  await insert(newPayment({ id: id('again'), tokenAddress: tokenAddress.toUpperCase().replace('0X', '0x') }))
  await insert(newPayment({ id: id('test'), isTest: true, tokenAddress: '0x7e57' }))
  await db.write(async (tx) => saveToken(tx, 'polygon', { address: '0xp', symbol: 'USDT', decimals: 18 }))
  const tokens = (network: string) => db.read((tx) => recordedTokens(tx, network))
  expect(await tokens('devnet')).toEqual([{ address: tokenAddress.toLowerCase(), symbol: 'USDC', decimals: 6 }])
  expect(await tokens('polygon')).toEqual([{ address: '0xp', symbol: 'USDT', decimals: 18 }])
})

test('a token whose addresses are case-sensitive stays known in its own case', async () => {
  const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
  await insert(newPayment({ tokenAddress: address }))
  const addresses = (network: string) => db.read((tx) => recordedAddresses(tx, network))
  expect(await addresses('devnet')).toEqual([address])
  expect(await addresses('polygon')).toEqual([])
})

test('the sum of a payment’s transfers counts all of them, however many there are', async () => {
  const { id } = newPayment()
  await insert(newPayment())
  const places = [
    { blockNumber: 5, logIndex: 0, txId: '0x1' },
    { blockNumber: 5, logIndex: 0, txId: '0x2' },
    { blockNumber: 5, logIndex: 1, txId: '0x1' },
    { blockNumber: 6, logIndex: 0, txId: '0x3' },
    { blockNumber: 7, logIndex: 0, txId: '0x4' },
  ]
  await db.write(async (tx) => {
    for (const [index, place] of places.entries()) {
      const transfer = transferOf(String(10 ** index), place)
      await saveTransfer(tx, id, { ...transfer, state: 'seen', isLate: false })
    }
    const reverted = transferOf('90000', { blockNumber: 5, txId: '0x5' })
    await saveTransfer(tx, id, { ...reverted, state: 'reverted', isLate: false })
  })
  for (const pageMax of [1, 2, 3, 10]) {
    expect(await db.read((tx) => sumOfTransfers(tx, id, 6, pageMax))).toBe(1_111n)
    expect(await db.read((tx) => sumOfTransfers(tx, id, 7, pageMax))).toBe(11_111n)
  }
})

test('only a payout that is given up is logged as an error, with the merchant who waits for it', () => {
  const lines: [string, object][] = []
  const keep = (level: string) => (fields: object) => void lines.push([level, fields])
  const log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
  const payment = newPayment()
  const fields = { paymentId: payment.id, network: 'devnet', status: 'pending' }
  logTransition(log, payment, { type: 'transfer.seen', transfer: transferOf('1'), atMs: 7 })
  logTransition(log, payment, { type: 'sweep.failed', isGivenUp: false, atMs: 7 })
  logTransition(log, payment, { type: 'sweep.failed', isGivenUp: true, atMs: 7 })
  expect(lines).toEqual([
    ['info', { ...fields, event: 'transfer.seen' }],
    ['info', { ...fields, event: 'sweep.failed' }],
    ['error', { ...fields, event: 'sweep.failed', merchantId }],
  ])
})
