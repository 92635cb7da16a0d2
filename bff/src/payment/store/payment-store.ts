import { baseUnits } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import { attentionOf } from '../attention.ts'
import type { Attachments, KeyKind, MerchantId, Payment, PaymentId, Price, Refund, Status, Sweep } from '../payment.ts'
import { type BridgeRow, bridgeOfRow, insertBridge, saveBridge } from './bridge-store.ts'
import { saveToken } from './token-store.ts'
import { withUnmatched } from './unmatched-store.ts'

type PaymentRow = {
  id: string
  merchant_id: string
  merchant_name: string
  signature_gas_max_micros: number
  mode: Payment['mode']
  is_test: number
  made_with: KeyKind
  network: string
  currency: string
  token_address: string
  token_decimals: number
  due: string
  least: string
  confirmations: number | null
  seen: string
  received: string
  late: string
  last_block: number | null
  last_tx_id: string | null
  window_ended: number
  accepted_until_ms: number | null
  late_ended: number
  late_taken: number
  closed_as: 'failed' | 'cancelled' | 'expired' | null
  close_reason: string | null
  sweep: Sweep
  sweep_waits: number
  sweep_tx_id: string | null
  refund: Refund
  refunded: string
  refunding: string
  status: Status
  version: number
  sequence: number
  created_at_ms: number
  expires_at_ms: number
  window_ends_at_ms: number
  detected_at_ms: number | null
  confirmed_at_ms: number | null
  swept_at_ms: number | null
  swept_amount: string | null
  order_id: string | null
  customer_email: string | null
  callback_url: string | null
  return_url: string | null
  link_id: string | null
  price: string | null
  price_currency: string | null
  rate: string | null
  rate_at_ms: number | null
  metadata: string | null
  agent_id: string | null
  agent_owner: string | null
  deposit_address: string | null
  deposit_terms: string | null
  splitter: string | null
  terms_hash: string | null
  split_terms: string | null
  sender_address: string | null
  sender_after_slot: number | null
  late_returned: number
  unmatched_count: number
} & Record<'refund_address' | 'refund_tx_id', string | null> &
  BridgeRow

function fromRow(row: PaymentRow): Payment {
  switch (row.mode) {
    case 'deposit':
      return Object.assign(commonOf(row), {
        mode: row.mode,
        sweepWaits: row.sweep_waits === 1,
        ...{ sweep: row.sweep, sweepTxId: row.sweep_tx_id, sweptAtMs: row.swept_at_ms },
        ...{ refund: row.refund, refundAddress: row.refund_address, refundTxId: row.refund_tx_id },
        ...{ refunded: baseUnits(row.refunded), refunding: baseUnits(row.refunding) },
        sweptAmount: row.swept_amount === null ? null : baseUnits(row.swept_amount),
        lateReturned: row.late_returned === 1,
        depositAddress: filled(row.deposit_address),
        depositTerms: filled(row.deposit_terms),
        unmatched: [],
        ...bridgeOfRow(row),
      })
    case 'contract':
      return Object.assign(commonOf(row), {
        mode: row.mode,
        splitter: filled(row.splitter),
        termsHash: filled(row.terms_hash),
        splitTerms: filled(row.split_terms),
        plainSender:
          row.sender_address === null ? null : { address: row.sender_address, afterSlot: row.sender_after_slot ?? 0 },
      })
    default:
      return row.mode satisfies never
  }
}

/** A column that is never null for the payment's mode; the table enforces it. */
function filled(text: string | null): string {
  if (text === null) throw new Error('A payment lacks a column of its mode')
  return text
}

function commonOf(row: PaymentRow) {
  return {
    id: row.id as PaymentId,
    merchantId: row.merchant_id as MerchantId,
    merchantName: row.merchant_name,
    takesSignatures: row.signature_gas_max_micros > 0,
    isTest: row.is_test === 1,
    madeWith: row.made_with,
    network: row.network,
    currency: row.currency,
    tokenAddress: row.token_address,
    tokenDecimals: row.token_decimals,
    due: baseUnits(row.due),
    least: baseUnits(row.least),
    price: priceOf(row),
    confirmations: row.confirmations,
    seen: baseUnits(row.seen),
    received: baseUnits(row.received),
    late: baseUnits(row.late),
    lastBlock: row.last_block,
    lastTxId: row.last_tx_id,
    windowEnded: row.window_ended === 1,
    acceptedUntilMs: row.accepted_until_ms,
    lateEnded: row.late_ended === 1,
    lateTaken: row.late_taken === 1,
    closedAs: row.closed_as,
    closeReason: row.close_reason,
    status: row.status,
    version: row.version,
    sequence: row.sequence,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    windowEndsAtMs: row.window_ends_at_ms,
    detectedAtMs: row.detected_at_ms,
    confirmedAtMs: row.confirmed_at_ms,
    orderId: row.order_id,
    customerEmail: row.customer_email,
    callbackUrl: row.callback_url,
    returnUrl: row.return_url,
    linkId: row.link_id,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Attachments['metadata']),
    agentId: row.agent_id,
    agentOwner: row.agent_owner,
  }
}

/** The table enforces all four columns or none. */
function priceOf({ price, price_currency, rate, rate_at_ms }: PaymentRow): Price | null {
  if (price === null) return null
  return { amount: price, currency: price_currency ?? '', rate: rate ?? '', rateAtMs: rate_at_ms ?? 0 }
}

/** Of several payments by one query. A row that cannot be read rejects the promise of its own payment only. */
export async function loadPayments(
  tx: Tx,
  ids: readonly PaymentId[],
): Promise<ReadonlyMap<PaymentId, Promise<Payment>>> {
  const rows = await tx.all<PaymentRow>(sql`
      select p.*, b.*, m.name as merchant_name, m.signature_gas_max_micros
        from payments p join merchants m on m.id = p.merchant_id left join bridges b on b.payment_id = p.id
       where p.id in ${ids}`)
  const read = async (row: PaymentRow) => await withUnmatched(tx, fromRow(row), row.unmatched_count)
  const payments = new Map(rows.map((row) => [row.id as PaymentId, read(row)]))
  await Promise.allSettled(payments.values())
  return payments
}

/** Undefined when there is no such payment. */
export async function loadPayment(tx: Tx, id: PaymentId): Promise<Payment | undefined> {
  const row = await tx.get<PaymentRow>(sql`
      select p.*, b.*, m.name as merchant_name, m.signature_gas_max_micros
        from payments p join merchants m on m.id = p.merchant_id left join bridges b on b.payment_id = p.id
       where p.id = ${id}`)
  return row && (await withUnmatched(tx, fromRow(row), row.unmatched_count))
}

/**
 * A merchant's payments after one of them, in order of creation, at most `limit`.
 * @param whose - `untilMs`: created before this time.
 */
export async function paymentsCreated(
  tx: Tx,
  { merchantId, isTest, untilMs }: { merchantId: MerchantId; isTest: boolean; untilMs: number },
  after: { createdAtMs: number; number: number },
  limit: number,
): Promise<{ number: number; payment: Payment }[]> {
  const rows = await tx.all<PaymentRow & { number: number }>(sql`
      select p.*, b.*, m.name as merchant_name, m.signature_gas_max_micros
        from payments p join merchants m on m.id = p.merchant_id left join bridges b on b.payment_id = p.id
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

/**
 * The payment with this deposit address; undefined when there is none. In addresses of the Ethereum family
 * the case of the letters is a checksum only.
 */
export async function paymentIdAt(tx: Tx, address: string): Promise<PaymentId | undefined> {
  const row = await tx.get<{ id: PaymentId }>(sql`
      select id from payments
       where lower(deposit_address) = ${address.toLowerCase()}
         and (deposit_address = ${address} or deposit_address like '0x%') limit 1`)
  return row?.id
}

export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  const deposit = payment.mode === 'deposit' ? payment : null
  const contract = payment.mode === 'contract' ? payment : null
  tx.write(sql`
      insert into payments (
        id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least, status,
        created_at_ms, expires_at_ms, window_ends_at_ms, order_id, customer_email, callback_url, metadata,
        agent_id, agent_owner, deposit_address, deposit_terms, splitter, terms_hash, split_terms, sequence, accepted_until_ms,
        confirmations, sender_address, sender_after_slot, made_with, return_url, link_id, price, price_currency, rate, rate_at_ms)
      values (
        ${payment.id}, ${payment.merchantId}, ${payment.mode}, ${payment.isTest ? 1 : 0}, ${payment.network},
        ${payment.currency}, ${payment.tokenAddress}, ${payment.tokenDecimals}, ${String(payment.due)},
        ${String(payment.least)}, ${payment.status}, ${payment.createdAtMs}, ${payment.expiresAtMs},
        ${payment.windowEndsAtMs}, ${payment.orderId}, ${payment.customerEmail}, ${payment.callbackUrl},
        ${payment.metadata === null ? null : JSON.stringify(payment.metadata)}, ${payment.agentId},
        ${payment.agentOwner}, ${deposit?.depositAddress ?? null}, ${deposit?.depositTerms ?? null},
        ${contract?.splitter ?? null}, ${contract?.termsHash ?? null}, ${contract?.splitTerms ?? null},
        ${payment.sequence}, ${payment.acceptedUntilMs}, ${payment.confirmations},
        ${contract?.plainSender?.address ?? null}, ${contract?.plainSender?.afterSlot ?? null}, ${payment.madeWith},
        ${payment.returnUrl}, ${payment.linkId}, ${payment.price?.amount ?? null}, ${payment.price?.currency ?? null},
        ${payment.price?.rate ?? null}, ${payment.price?.rateAtMs ?? null})`)
  if (deposit?.bridge) await insertBridge(tx, deposit)
  const { isTest, network, tokenAddress: address, currency: symbol, tokenDecimals: decimals } = payment
  if (!isTest) saveToken(tx, network, { address, symbol, decimals })
}

/** Stores what a transition can change; the rest of a payment never changes. */
export async function savePayment(tx: Tx, payment: Payment): Promise<void> {
  const deposit = payment.mode === 'deposit' ? payment : null
  tx.write(sql`
      update payments
         set seen = ${String(payment.seen)}, received = ${String(payment.received)}, late = ${String(payment.late)},
             last_block = ${payment.lastBlock}, last_tx_id = ${payment.lastTxId},
             window_ended = ${payment.windowEnded ? 1 : 0}, late_ended = ${payment.lateEnded ? 1 : 0},
             closed_as = ${payment.closedAs}, close_reason = ${payment.closeReason}, late_taken = ${payment.lateTaken ? 1 : 0},
             refunding = ${String(deposit?.refunding ?? 0n)}, sweep_waits = ${deposit?.sweepWaits ? 1 : 0},
             sweep = ${deposit?.sweep ?? 'none'}, sweep_tx_id = ${deposit?.sweepTxId ?? null}, status = ${payment.status},
             version = ${payment.version}, sequence = ${payment.sequence}, refund_tx_id = ${deposit?.refundTxId ?? null},
             detected_at_ms = ${payment.detectedAtMs}, confirmed_at_ms = ${payment.confirmedAtMs},
             swept_at_ms = ${deposit?.sweptAtMs ?? null}, swept_amount = ${deposit?.sweptAmount == null ? null : String(deposit.sweptAmount)}, refund = ${deposit?.refund ?? 'none'},
             refund_address = ${deposit?.refundAddress ?? null}, refunded = ${String(deposit?.refunded ?? 0n)},
             late_returned = ${deposit?.lateReturned ? 1 : 0}, attention = ${attentionOf(payment)},
             client = case when ${payment.status} = 'pending' then client end
       where id = ${payment.id}`)
  if (deposit?.bridge) await saveBridge(tx, payment.id, deposit.bridge)
}
