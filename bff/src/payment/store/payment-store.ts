import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, json, named, orNull, table, text, units } from '../../db/table.ts'
import { attentionOf } from '../attention.ts'
import type { Attachments, Ending, KeyKind, MerchantId, Payment, PaymentId, Refund, Status, Sweep } from '../payment.ts'
import { bridges, insertBridge, saveBridge } from './bridge-store.ts'
import { saveToken } from './token-store.ts'
import { withUnmatched } from './unmatched-store.ts'

const common = table('payments', {
  id: fixed(text<PaymentId>()),
  merchantId: fixed(text<MerchantId>()),
  isTest: fixed(flag()),
  madeWith: fixed(text<KeyKind>()),
  network: fixed(text()),
  currency: fixed(text()),
  tokenAddress: fixed(text()),
  tokenDecimals: fixed(integer()),
  due: fixed(units()),
  least: fixed(units()),
  dollarRate: fixed(orNull(text())),
  confirmations: fixed(orNull(integer())),
  seen: units(),
  received: units(),
  late: units(),
  lastBlock: orNull(integer()),
  lastTxId: orNull(text()),
  windowEnded: flag(),
  acceptedUntilMs: fixed(orNull(integer())),
  lateEnded: flag(),
  lateTaken: flag(),
  refundedByMerchant: units(),
  refundDueByMerchant: units(),
  refundedOfDue: units(),
  confirmedOfDue: units(),
  closedAs: orNull(text<Ending>()),
  closeReason: orNull(text()),
  status: text<Status>(),
  version: integer(),
  sequence: integer(),
  createdAtMs: fixed(integer()),
  expiresAtMs: fixed(integer()),
  windowEndsAtMs: fixed(integer()),
  detectedAtMs: orNull(integer()),
  confirmedAtMs: orNull(integer()),
  orderId: fixed(orNull(text())),
  customerEmail: fixed(orNull(text())),
  callbackUrl: fixed(orNull(text())),
  returnUrl: fixed(orNull(text())),
  linkId: fixed(orNull(text())),
  metadata: fixed(orNull(json<NonNullable<Attachments['metadata']>>())),
  agentId: fixed(orNull(text())),
  agentOwner: fixed(orNull(text())),
})

/** The table enforces all four columns or none. */
const prices = table('payments', {
  amount: named('price', text()),
  currency: named('price_currency', text()),
  rate: text(),
  rateAtMs: integer(),
})

/** The table enforces that a deposit has its address and terms. */
const deposits = table('payments', {
  mode: fixed(text<'deposit'>()),
  depositAddress: fixed(text()),
  depositTerms: fixed(text()),
  isDirect: fixed(flag()),
  sweep: text<Sweep>(),
  sweepWaits: flag(),
  sweepTxId: orNull(text()),
  sweptAtMs: orNull(integer()),
  sweptAmount: orNull(units()),
  refund: text<Refund>(),
  refundAddress: orNull(text()),
  refunded: units(),
  refunding: units(),
  refundTxId: orNull(text()),
  lateReturned: flag(),
})

/** The table enforces that a contract payment has these columns. */
const contracts = table('payments', {
  mode: text<'contract'>(),
  splitter: text(),
  termsHash: text(),
  splitTerms: text(),
})

/** Columns of a contract payment. */
const plainSenders = table('payments', {
  address: named('sender_address', text()),
  afterSlot: named('sender_after_slot', integer()),
})

type PaymentRow = {
  id: PaymentId
  mode: Payment['mode']
  number: number
  merchant_name: string
  signature_gas_max_micros: number
  unmatched_count: number
}

function fromRow(row: PaymentRow): Payment {
  const fields = Object.assign(common.parse(row), {
    price: prices.parseOrNull(row),
    merchantName: row.merchant_name,
    takesSignatures: row.signature_gas_max_micros > 0,
  })
  switch (row.mode) {
    case 'deposit': {
      const bridge = bridges.parseOrNull(row)
      return Object.assign(fields, deposits.parse(row), { unmatched: [] }, bridge && { bridge })
    }
    case 'contract':
      return Object.assign(fields, contracts.parse(row), { plainSender: plainSenders.parseOrNull(row) })
    default:
      return row.mode satisfies never
  }
}

/** What a select of payments reads. */
const paymentRows = sql`
      p.*, b.*, m.name as merchant_name, m.signature_gas_max_micros
        from payments p join merchants m on m.id = p.merchant_id left join bridges b on b.payment_id = p.id`

/** Loads several payments with one query. A row that cannot be read rejects the promise of its own payment only. */
export async function loadPayments(
  tx: Tx,
  ids: readonly PaymentId[],
): Promise<ReadonlyMap<PaymentId, Promise<Payment>>> {
  const rows = await tx.all<PaymentRow>(sql`
      select ${paymentRows}
       where p.id in ${ids}`)
  const read = async (row: PaymentRow) => await withUnmatched(tx, fromRow(row), row.unmatched_count)
  const payments = new Map<PaymentId, Promise<Payment>>()
  for (const row of rows) {
    const payment = read(row)
    payments.set(row.id, payment)
    // One query at a time on one connection.
    await payment.catch(() => undefined)
  }
  return payments
}

/** Undefined when there is no such payment. */
export async function loadPayment(tx: Tx, id: PaymentId): Promise<Payment | undefined> {
  const row = await tx.get<PaymentRow>(sql`
      select ${paymentRows}
       where p.id = ${id}`)
  return row && (await withUnmatched(tx, fromRow(row), row.unmatched_count))
}

/** A merchant's payments after a given one, in order of creation, at most `limit`. @param whose - `untilMs`: created before this time. */
export async function paymentsCreated(
  tx: Tx,
  { merchantId, isTest, untilMs }: { merchantId: MerchantId; isTest: boolean; untilMs: number },
  after: { createdAtMs: number; number: number },
  limit: number,
): Promise<{ number: number; payment: Payment }[]> {
  const rows = await tx.all<PaymentRow>(sql`
      select ${paymentRows}
       where p.merchant_id = ${merchantId} and p.is_test = ${isTest ? 1 : 0} and p.created_at_ms < ${untilMs}
         and (p.created_at_ms, p.number) > (${after.createdAtMs}, ${after.number})
       order by p.created_at_ms, p.number limit ${limit}`)
  const found: { number: number; payment: Payment }[] = []
  for (const row of rows)
    found.push({ number: row.number, payment: await withUnmatched(tx, fromRow(row), row.unmatched_count) })
  return found
}

/** Whether an address is a deposit address of any payment. */
export async function isDepositAddress(tx: Tx, address: string): Promise<boolean> {
  return (await paymentIdAt(tx, address)) !== undefined
}

/** Like `isDepositAddress`, but false for an address of a merchant's own wallet, from which the merchant pays. */
export async function isSweptAddress(tx: Tx, address: string): Promise<boolean> {
  const id = await paymentIdAt(tx, address)
  const row = id && (await tx.get(sql`select id from payments where id = ${id} and is_direct = 0`))
  return row !== undefined
}

/** The payment with this deposit address; undefined when there is none. Letter case in EVM addresses is only a checksum. */
export async function paymentIdAt(tx: Tx, address: string): Promise<PaymentId | undefined> {
  const row = await tx.get<{ id: PaymentId }>(sql`
      select id from payments
       where lower(deposit_address) = ${address.toLowerCase()}
         and (deposit_address = ${address} or deposit_address like '0x%') limit 1`)
  return row?.id
}

export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  if (payment.mode === 'deposit') {
    tx.write(sql`
        insert into payments (${common.names}, ${prices.names}, ${deposits.names})
        values (${common.values(payment)}, ${prices.values(payment.price)}, ${deposits.values(payment)})`)
    if (payment.bridge) insertBridge(tx, payment, payment.bridge)
  } else {
    tx.write(sql`
        insert into payments (${common.names}, ${prices.names}, ${contracts.names}, ${plainSenders.names})
        values (${common.values(payment)}, ${prices.values(payment.price)}, ${contracts.values(payment)},
                ${plainSenders.values(payment.plainSender)})`)
  }
  const { isTest, network, tokenAddress: address, currency: symbol, tokenDecimals: decimals } = payment
  if (!isTest) saveToken(tx, network, { address, symbol, decimals })
}

/** Stores what a transition can change; the rest of a payment never changes. */
export async function savePayment(tx: Tx, payment: Payment): Promise<void> {
  const ofMode = payment.mode === 'deposit' ? sql`, ${deposits.set(payment)}` : sql``
  tx.write(sql`
      update payments
         set ${common.set(payment)}${ofMode}, attention = ${attentionOf(payment)},
             client = case when ${payment.status} = 'pending' then client end
       where id = ${payment.id}`)
  if (payment.mode === 'deposit' && payment.bridge) saveBridge(tx, payment.id, payment.bridge)
}
