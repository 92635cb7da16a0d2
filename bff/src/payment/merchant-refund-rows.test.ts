import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from './merchant-refund.ts'
import type { MerchantId, PaymentId } from './payment.ts'
import {
  insertMerchantRefund,
  merchantsAt,
  paysWalletPayment,
  refundSumsOf,
  refundsPaidIn,
  refundTransfersToConfirm,
  watchedRefundPlaces,
  watchedRefundsAt,
} from './store/merchant-refund-store.ts'
import { unpaidRefunds } from './store/open-refund-store.ts'
import { isDepositAddress, isSweptAddress } from './store/payment-store.ts'

const network = 'devnet'
const payment = newPayment({ status: 'swept' })
const { merchantId, isTest, currency, tokenAddress, tokenDecimals } = payment

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
  await merchants.db.write((tx) => merchants.ledger.createIn(tx, payment))
})
afterEach(() => merchants.remove())

const refundOf = (id: string, changes: Partial<MerchantRefund> = {}): MerchantRefund => ({
  ...{ ...initialRefund, merchantId, isTest, network, currency, tokenAddress, tokenDecimals },
  ...{ id: id as MerchantRefundId, paymentId: payment.id, amount: baseUnits('10'), status: 'to_pay' },
  ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
  place: { address: `0x${id}`, splitter: null, termsHash: null, splitTerms: null },
  ...changes,
})
const insert = async (id: string, changes?: Partial<MerchantRefund>) => {
  await merchants.db.write(async (tx) => insertMerchantRefund(tx, refundOf(id, changes), { key: null, terms: '' }))
  return id
}
const read: typeof merchants.db.read = (unit) => merchants.db.read(unit)
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('of the refunds of a payment what is still to be paid is the rest of those that are open', async () => {
  const seen = (amount: string) => ({ seen: baseUnits(amount), paid: baseUnits(amount) })
  await insert('open', { amount: baseUnits('10'), ...seen('3') })
  await insert('over', { amount: baseUnits('10'), status: 'confirming', ...seen('12') })
  await insert('paid', { amount: baseUnits('20'), status: 'paid', ...seen('15') })
  await insert('gone', { amount: baseUnits('40'), status: 'cancelled', ...seen('5') })
  await insert('none', { amount: baseUnits('80'), status: 'cancelled' })
  expect(await read((tx) => refundSumsOf(tx, payment.id))).toEqual({
    ...{ count: 4, rows: 5, reserved: 47n, seen: 35n, paid: 35n, open: 7n },
  })
})

describe('the refunds that a watcher looks for', () => {
  const at = async (ids: readonly string[], endedAfterMs: number) =>
    idsOf(
      await read((tx) =>
        watchedRefundsAt(tx, { network, endedAfterMs }, { addresses: ids.map((id) => `0x${id}`), termsHashes: [] }),
      ),
    )

  test('are the open ones, and those that ended a while ago, because their money may still come', async () => {
    const ids = [
      await insert('open'),
      await insert('paid', { status: 'paid', paidAtMs: 20 }),
      await insert('gone', { status: 'cancelled', cancelledAtMs: 30 }),
      await insert('test', { isTest: true }),
      await insert('else', { network: 'polygon' }),
    ]
    expect([await at(ids, 10), await at(ids, 20), await at(ids, 30)]).toEqual([
      ['open', 'paid', 'gone'],
      ['open', 'gone'],
      ['open'],
    ])
    const places = async (endedAfterMs: number) =>
      (await read((tx) => watchedRefundPlaces(tx, { network, endedAfterMs }, 10))).map(({ address }) => address)
    expect([await places(10), await places(20), await places(30)]).toEqual([
      ['0xgone', '0xpaid', '0xopen'],
      ['0xgone', '0xopen'],
      ['0xopen'],
    ])
  })

  test('are found although the sums of one cannot be read', async () => {
    const ids = [await insert('broken'), await insert('open')]
    await merchants.db.write((tx) =>
      tx.run(sql`update merchant_refunds set amount = 'x', seen = '' where id = 'broken'`),
    )
    expect(await at(ids, 10)).toEqual(['broken', 'open'])
  })

  test('have the merchant’s wallet on their own network, and the wallet that is asked now', async () => {
    await insert('open')
    const found = async () => {
      const [refund] = await read((tx) =>
        watchedRefundsAt(tx, { network, endedAfterMs: 0 }, { addresses: ['0xopen'], termsHashes: [] }),
      )
      return [refund?.sender, refund?.asked]
    }
    await merchants.db.write((tx) =>
      tx.run(sql`
          insert into settlement_wallets (merchant_id, network, address) values (${merchantId}, 'polygon', '0xFAR')`),
    )
    expect(await found()).toEqual([null, null])
    await merchants.db.write(async (tx) => {
      await tx.run(sql`
          insert into settlement_wallets (merchant_id, network, address) values (${merchantId}, ${network}, '0xNEAR')`)
      await tx.run(sql`
          insert into refund_prompts (id, refund_id, account, asked_by, asked_at_ms)
          values ('prompt', 'open', '0xASKED', 'key', 1)`)
    })
    expect(await found()).toEqual(['0xnear', '0xasked'])
    await merchants.db.write((tx) => tx.run(sql`update refund_prompts set ended_at_ms = 2, end_reason = 'released'`))
    expect(await found()).toEqual(['0xnear', null])
  })
})

test('a refund’s transfer is confirmed at its own confirmations, or at those of the network where these are more', async () => {
  await insert('high', { confirmations: 5 })
  await insert('plain')
  for (const id of ['high', 'plain']) {
    const transfer = transferOf('10', { txId: `0x${id}`, blockNumber: 6 })
    await merchants.ledger.apply(id as PaymentId, { type: 'transfer.seen', transfer, atMs: 2 })
  }
  const ready = async (head: number, confirmations: number, on = network) =>
    (await read((tx) => refundTransfersToConfirm(tx, on, head, confirmations, 10))).map(
      ({ txId, isHighValue }) => `${txId} ${isHighValue}`,
    )
  expect([await ready(7, 3), await ready(8, 3), await ready(9, 3)]).toEqual([[], ['0xplain false'], ['0xplain false']])
  expect(await ready(10, 3)).toEqual(['0xplain false', '0xhigh true'])
  expect([await ready(11, 7), await ready(12, 7), await ready(100, 1, 'polygon')]).toEqual([
    [],
    ['0xplain false', '0xhigh true'],
    [],
  ])
  const paidIn = async (on: string) =>
    (await read((tx) => refundsPaidIn(tx, on, ['0xplain', '0xother']))).map(({ id }) => id)
  expect([await paidIn(network), await paidIn('polygon')]).toEqual([['plain'], []])
})

test('a merchant is reminded of its own live refunds that nobody has paid, once for each time', async () => {
  const other = 'other merchant' as MerchantId
  await merchants.db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${other}, 'o', 's', 0)`),
  )
  await insert('due', { createdAtMs: 20 })
  await insert('waits', { createdAtMs: 11, status: 'awaiting_address', place: null })
  await insert('before', { createdAtMs: 10 })
  await insert('after', { createdAtMs: 21 })
  for (const status of ['paid', 'cancelled', 'confirming'] as const) await insert(status, { createdAtMs: 15, status })
  await insert('test', { createdAtMs: 15, isTest: true })
  await insert('others', { createdAtMs: 15, merchantId: other })
  const found = async (of: MerchantId, fromMs: number, toMs: number) =>
    idsOf(await read((tx) => unpaidRefunds(tx, of, { fromMs, toMs }, 10)))
  expect([await found(merchantId, 10, 20), await found(merchantId, 20, 30), await found(other, 10, 20)]).toEqual([
    ['waits', 'due'],
    ['after'],
    ['others'],
  ])
})

test('a transaction pays a wallet payment until a reorg takes that back, and one to a deposit never does', async () => {
  const { db, ledger } = merchants
  const split = newContractPayment({ id: 'split' as PaymentId, sequence: 0 })
  await db.write((tx) => ledger.createIn(tx, split))
  const [own, other] = [transferOf('25000000', { txId: '0xs' }), transferOf('25000000', { txId: '0xd' })]
  await ledger.apply(split.id, { type: 'transfer.seen', transfer: own, atMs: 2 })
  await ledger.apply(payment.id, { type: 'transfer.seen', transfer: other, atMs: 2 })
  const pays = (txId: string, on = network) => read((tx) => paysWalletPayment(tx, on, txId))
  expect([await pays('0xs'), await pays('0xd'), await pays('0xs', 'polygon')]).toEqual([true, false, false])
  await ledger.apply(split.id, { type: 'transfer.reverted', transfer: own, atMs: 3 })
  expect(await pays('0xs')).toBe(false)
})

test('an address of the merchant’s own wallet is its own, and one of a forwarder is nobody’s', async () => {
  const { db, ledger } = merchants
  const direct = (id: string, changes: object) =>
    newPayment({ id: id as PaymentId, sequence: 0, isDirect: true, depositAddress: `0x${id}`, ...changes })
  await db.write(async (tx) => {
    await ledger.createIn(tx, direct('dA', {}))
    await ledger.createIn(tx, direct('dB', { isTest: true }))
    await ledger.createIn(tx, direct('dC', { isDirect: false }))
  })
  const found = await read((tx) => merchantsAt(tx, ['0xda', '0xdb', '0xdc']))
  expect([...found]).toEqual([['0xda', merchantId]])
  const answers = (address: string) =>
    read(async (tx) => [await isDepositAddress(tx, address), await isSweptAddress(tx, address)])
  expect([await answers('0xDA'), await answers('0xdc'), await answers('0xdd')]).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ])
})
