// What the stores of refunds, tills, receipts, notices and shops read and write of one merchant, beside the same rows of another.
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertTill, listTills, loadTill, removeTill } from './dashboard/till/till-store.ts'
import { type Db, sql, type Tx } from './db/db.ts'
import { insertMerchant, saveWallet } from './merchant/merchant-store.ts'
import { channelsOf, insertChannel } from './notice/channels/channel-store.ts'
import { countReceiptMails, saveReceiptMail } from './notice/receipt/receipt-mail-store.ts'
import { deleteTrouble, loadTroubles, saveTrouble } from './notice/trouble/trouble-store.ts'
import type { Ledger } from './payment/ledger.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from './payment/merchant-refund.ts'
import type { MerchantId, PaymentId } from './payment/payment.ts'
import {
  insertMerchantRefund,
  listMerchantRefunds,
  watchedRefund,
  watchedRefundPlaces,
  watchedRefundsAt,
} from './payment/store/merchant-refund-store.ts'
import { nothingReported } from './stores/invoice-events.ts'
import { insertInvoice, listInvoices } from './stores/invoice-store.ts'
import {
  activeShopOrigins,
  countActiveKeys,
  insertStoreKey,
  listStoreKeys,
  loadStoreKey,
} from './stores/store-key-store.ts'

const own = newPayment().merchantId
/** Before the own in any order of ids. */
const other = '0a000000-0000-4000-8000-000000000000' as MerchantId
const customer = '0x00000000000000000000000000000000000000c1'

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
let count: number
beforeEach(async () => {
  count = 0
  const opened = await openMerchantDatabase()
  ;({ db, ledger, remove } = opened)
  await write((tx) => insertMerchant(tx, { id: other, name: 'n', webhookSecret: 's', createdAtMs: 0 }))
  for (const merchantId of [other, own, other]) await fill(merchantId)
})
afterEach(() => remove())

const read = <T>(work: (tx: Tx) => Promise<T>) => db.read(work)
/** No row of these tests is broken. */
const refuse = (id: string, error: unknown) => {
  throw new Error(id, { cause: error })
}
const write = <T>(work: (tx: Tx) => Promise<T>) => db.write(work)

const idOf = (merchantId: MerchantId, nth: number) => `${merchantId === own ? 'own' : 'other'} ${nth}`

async function createPayment(merchantId: MerchantId, isTest: boolean): Promise<PaymentId> {
  count += 1
  const id = `7f0f1f4e-6a43-4a2e-9d2b-${String(count).padStart(12, '0')}` as PaymentId
  const depositAddress = `0x${String(count).padStart(40, '0')}`
  await write((tx) => ledger.createIn(tx, newPayment({ id, merchantId, isTest, depositAddress, sequence: 0 })))
  return id
}

/** A refund to the same customer, whoever pays it. */
async function createRefund(merchantId: MerchantId, isTest: boolean): Promise<void> {
  const paymentId = await createPayment(merchantId, isTest)
  const { network, currency, tokenAddress, tokenDecimals, due } = newPayment()
  const place = { address: customer, splitter: null, termsHash: null, splitTerms: null }
  const refund: MerchantRefund = {
    ...initialRefund,
    id: `${isTest ? 'test' : 'live'} ${merchantId} ${count}` as MerchantRefundId,
    paymentId,
    merchantId,
    isTest,
    network,
    currency,
    tokenAddress,
    tokenDecimals,
    amount: due,
    price: null,
    reason: null,
    confirmations: null,
    afterBlock: 0,
    place,
    status: 'to_pay',
    createdAtMs: 0,
  }
  await write(async (tx) => insertMerchantRefund(tx, refund, { key: null, terms: '' }))
}

/** One row of each table. */
async function fill(merchantId: MerchantId): Promise<void> {
  for (const isTest of [false, true]) await createRefund(merchantId, isTest)
  const paymentId = await createPayment(merchantId, false)
  const nth = count
  const id = idOf(merchantId, nth)
  const key = { keySha256: id, label: 'shop', permissions: [], personId: id, createdAtMs: 0, revokedAtMs: null }
  await write(async (tx) => {
    await saveWallet(tx, merchantId, {
      network: newPayment().network,
      address: `wallet of ${merchantId}`,
      source: null,
    })
    await tx.run(sql`
        insert into people (id, merchant_id, name, role, created_at_ms) values (${id}, ${merchantId}, 'n', 'owner', 0)`)
    const open = { network: null, currency: null, browser: null, deviceEndsAtMs: null, openUntilMs: null }
    const till = { ...open, id, merchantId, isTest: false, name: id, priceCurrency: null, pinMac: '', wrongPins: 0 }
    const week = { weekWrongPins: 0, weekBeganAtMs: 0 }
    await insertTill(tx, { ...till, ...week, lastUsedAtMs: null, createdAtMs: 0 })
    const channel = { id, merchantId, personId: id, kind: 'email' as const, target: 't', targetDigest: 'd', label: 'l' }
    const settings = { kinds: [], language: 'en', origin: 'o', failingSinceMs: null, confirmedAtMs: 0, createdAtMs: 0 }
    await insertChannel(tx, { ...channel, ...settings })
    const mail = {
      address: null,
      addressDigest: null,
      clientDigest: null,
      language: 'en',
      attempts: 1,
      givenUp: 0,
      dueAtMs: null,
      createdAtMs: 1,
    }
    await saveReceiptMail(tx, { ...mail, paymentId, merchantId })
    const trouble = { isOpen: true, sinceMs: 0, notifiedAtMs: null, isNotified: false }
    await saveTrouble(tx, { ...trouble, merchantId, cause: 'gas base', facts: { of: id } as never })
    await insertStoreKey(tx, { ...key, id, merchantId, shopOrigin: `https://${merchantId}.example` })
    await tx.run(sql`
        insert into payment_links (id, merchant_id, amount, payments_max, created_at_ms)
        values (${id}, ${merchantId}, '1', 1, 0)`)
    const asked = { speedPolicy: null, paymentMethods: null, monitoringMinutes: null, paymentTolerance: null }
    const back = { redirectURL: null, redirectAutomatically: false, defaultLanguage: null }
    await insertInvoice(tx, {
      linkId: id as never,
      merchantId,
      storeKeyId: id,
      orderId: '1000',
      metadata: '{}',
      checkout: { ...asked, ...back, expirationMinutes: 15 },
      isArchived: false,
      marked: null,
      markedAtMs: null,
      reported: nothingReported,
      sequence: 0,
      dueAtMs: null,
      createdAtMs: 0,
    })
  })
}

/** The number of the own rows: those of the fifth and sixth payment are refunds, the rest has the sixth's name. */
const ownId = idOf(own, 6)
const otherId = idOf(other, 3)

test('the tills of a merchant are its own, to list, to read and to remove', async () => {
  expect((await read((tx) => listTills(tx, own, 10))).map(({ id }) => id)).toEqual([ownId])
  expect(await read((tx) => loadTill(tx, own, otherId))).toBeUndefined()
  expect(await write((tx) => removeTill(tx, own, otherId, 1))).toBeUndefined()
  expect(await read((tx) => loadTill(tx, other, otherId))).toBeDefined()
})

test('notices and troubles of a merchant are its own, and another’s trouble stays when its own ends', async () => {
  expect((await read((tx) => channelsOf(tx, [own], refuse))).map(({ id }) => id)).toEqual([ownId])
  const troubles = await read((tx) => loadTroubles(tx, own))
  expect(troubles.map(({ facts }) => facts)).toEqual([{ of: ownId }])
  for (const trouble of troubles) await write((tx) => deleteTrouble(tx, trouble))
  expect(await read((tx) => loadTroubles(tx, other))).toHaveLength(1)
})

test('mails of another merchant do not count against a merchant’s most', async () => {
  const asked = { merchantId: own, addressDigest: 'none', clientDigest: 'none' }
  expect(await read((tx) => countReceiptMails(tx, asked, 0, 10))).toEqual({ ofMerchant: 1, ofClient: 0, ofAddress: 0 })
})

test('the shops of a merchant are its own: keys, their number, their origins, and their invoices', async () => {
  expect((await read((tx) => listStoreKeys(tx, own, 10))).map(({ id }) => id)).toEqual([ownId])
  expect(await read((tx) => loadStoreKey(tx, own, otherId))).toBeUndefined()
  expect(await read((tx) => countActiveKeys(tx, own))).toBe(1)
  expect(await read((tx) => activeShopOrigins(tx, own))).toEqual([`https://${own}.example`])
  const filter = { orderIds: ['1000'], sinceMs: null, untilMs: null, text: null, hasArchived: false }
  expect((await read((tx) => listInvoices(tx, own, filter, { limit: 10 }))).map(({ linkId }) => linkId)).toEqual([
    ownId,
  ])
})

test('the refunds that a merchant’s wallet pays are its own, of one mode', async () => {
  const list = { merchantId: own, isTest: false, statuses: ['to_pay'] as const, before: 1_000 }
  const found = await read((tx) => listMerchantRefunds(tx, list, 10))
  expect(found.map(({ refund }) => refund.id)).toEqual([`live ${own} 4`])
})

test('only a live refund is looked for on the chain, paid by the wallet of its own merchant', async () => {
  const { network } = newPayment()
  const at = { network, endedAfterMs: 0 }
  const known = await read((tx) => watchedRefundsAt(tx, at, { addresses: [customer], termsHashes: [] }))
  expect(known.map(({ id, sender }) => [id, sender])).toEqual([
    [`live ${other} 1`, `wallet of ${other}`],
    [`live ${own} 4`, `wallet of ${own}`],
    [`live ${other} 7`, `wallet of ${other}`],
  ])
  expect(await read((tx) => watchedRefundPlaces(tx, at, 10))).toHaveLength(3)
  expect(await read((tx) => watchedRefund(tx, `test ${own} 5`))).toBeUndefined()
  expect(await read((tx) => watchedRefund(tx, `live ${own} 4`))).toMatchObject({ sender: `wallet of ${own}` })
})
