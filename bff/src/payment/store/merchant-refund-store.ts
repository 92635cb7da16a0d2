import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, named, orNull, parseEach, table, text, type Unreadable, units } from '../../db/table.ts'
import type { StoredTransfer } from '../event.ts'
import {
  isCounted,
  type MerchantRefund,
  type MerchantRefundId,
  type MerchantRefundStatus,
  type RefundRate,
  reservedOf,
} from '../merchant-refund.ts'
import type { MerchantId, PaymentId } from '../payment.ts'
import { transfers } from './transfer-store.ts'

const columns = table('merchant_refunds', {
  id: fixed(text<MerchantRefundId>()),
  paymentId: fixed(text<PaymentId>()),
  merchantId: fixed(text<MerchantId>()),
  isTest: fixed(flag()),
  network: fixed(text()),
  currency: fixed(text()),
  tokenAddress: fixed(text()),
  tokenDecimals: fixed(integer()),
  amount: fixed(units()),
  reason: fixed(orNull(text())),
  requestedBy: fixed(orNull(text())),
  confirmations: fixed(orNull(integer())),
  afterBlock: fixed(integer()),
  seen: units(),
  paid: units(),
  lastTxId: orNull(text()),
  status: text<MerchantRefundStatus>(),
  version: integer(),
  createdAtMs: fixed(integer()),
  addressNamedAtMs: orNull(integer()),
  paidAtMs: orNull(integer()),
  cancelledAtMs: orNull(integer()),
})

/** The table enforces all four columns or none. */
const prices = table('merchant_refunds', {
  amount: named('price', text()),
  currency: named('price_currency', text()),
  rate: text(),
  rateOf: text<RefundRate>(),
})

/** `address` is null until the customer's address is known. */
const places = table('merchant_refunds', {
  address: orNull(text()),
  splitter: orNull(text()),
  termsHash: orNull(text()),
  splitTerms: orNull(text()),
})

function fromRow(row: object): MerchantRefund {
  const { address, ...place } = places.parse(row)
  return Object.assign(columns.parse(row), {
    price: prices.parseOrNull(row),
    place: address === null ? null : { address, ...place },
  })
}

const placeColumns = ({ place }: MerchantRefund) =>
  place ?? { address: null, splitter: null, termsHash: null, splitTerms: null }

/** @param requestKey - Names the request, so that a repeat finds the refund; null: a repeat is another refund. */
export function insertMerchantRefund(
  tx: Tx,
  refund: MerchantRefund,
  request: { key: string | null; terms: string },
): void {
  tx.write(sql`
      insert into merchant_refunds (request_key, request_terms, ${columns.names}, ${prices.names}, ${places.names})
      values (${request.key}, ${request.terms}, ${columns.values(refund)}, ${prices.values(refund.price)},
              ${places.values(placeColumns(refund))})`)
}

/** Stores what an event can change. */
export function saveMerchantRefund(tx: Tx, refund: MerchantRefund): void {
  tx.write(sql`
      update merchant_refunds set ${columns.set(refund)}, ${places.set(placeColumns(refund))}
       where id = ${refund.id}`)
}

export async function loadMerchantRefund(tx: Tx, id: string): Promise<MerchantRefund | undefined> {
  const row = await tx.get<object>(sql`select * from merchant_refunds where id = ${id}`)
  return row && fromRow(row)
}

/** The refund that the same request made before, and what that request asked for. */
export async function refundOfRequest(tx: Tx, key: string) {
  const row = await tx.get<{ request_terms: string }>(sql`select * from merchant_refunds where request_key = ${key}`)
  return row && { refund: fromRow(row), terms: row.request_terms }
}

/** Refunds of one payment that are open or paid: see `isCounted`. */
export const refundsPerPaymentMax = 50

/** With the cancelled ones, whose calls may still be paid: each change of one reads all of them. */
export const refundRowsPerPaymentMax = 200

/** In the order of their requests. */
export async function refundsOfPayment(tx: Tx, paymentId: PaymentId): Promise<MerchantRefund[]> {
  const rows = await tx.all<object>(sql`
      select * from merchant_refunds where payment_id = ${paymentId} order by number limit ${refundRowsPerPaymentMax}`)
  return rows.map(fromRow)
}

/**
 * What the refunds of a payment take from the sum that may be refunded, and what of it was seen and paid. `count`: of
 * those that are counted; `rows`: of all.
 */
export async function refundSumsOf(tx: Tx, paymentId: PaymentId) {
  const refunds = await refundsOfPayment(tx, paymentId)
  const isOpen = ({ status }: MerchantRefund) => status !== 'cancelled' && status !== 'paid'
  return {
    count: refunds.filter(isCounted).length,
    rows: refunds.length,
    reserved: refunds.reduce((sum, refund) => sum + reservedOf(refund), 0n),
    seen: refunds.reduce((sum, { seen }) => sum + seen, 0n),
    paid: refunds.reduce((sum, { paid }) => sum + paid, 0n),
    open: refunds.filter(isOpen).reduce((sum, { amount, paid }) => sum + (amount > paid ? amount - paid : 0n), 0n),
  }
}

export type RefundList = {
  merchantId: MerchantId
  isTest: boolean
  statuses: readonly MerchantRefundStatus[]
  /** The number of the last refund of the page before. */
  before: number
}

/** Newest first, at most `limit`, each with its number. */
export async function listMerchantRefunds(tx: Tx, list: RefundList, limit: number) {
  const rows = await tx.all<{ number: number }>(sql`
      select * from merchant_refunds
       where merchant_id = ${list.merchantId} and is_test = ${list.isTest ? 1 : 0} and number < ${list.before}
         and status in ${list.statuses}
       order by number desc limit ${limit}`)
  return rows.map((row) => ({ number: row.number, refund: fromRow(row) }))
}

/** The transfers that pay the refunds, by refund, oldest first; reverted ones too. At most 1000 in all. */
export async function transfersOfRefunds(tx: Tx, ids: readonly MerchantRefundId[]) {
  const found = new Map<MerchantRefundId, StoredTransfer[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return found
  const rows = await tx.all<{ payment_id: MerchantRefundId }>(sql`
      select * from transfers where payment_id in ${ids} order by block_number, log_index limit 1000`)
  for (const row of rows) found.get(row.payment_id)?.push(transfers.parse(row))
  return found
}

/** As `transfersOfRefunds`, of one. */
export const transfersOfRefund = async (tx: Tx, id: MerchantRefundId): Promise<StoredTransfer[]> =>
  (await transfersOfRefunds(tx, [id])).get(id) ?? []

/** What a watcher knows an open refund by. `address` is as it is stored; token, splitter and sender are in lower case. */
export type WatchedRefund = {
  id: MerchantRefundId
  address: string
  token: string
  splitter: string | null
  termsHash: string | null
  amount: bigint
  seen: bigint
  afterBlock: number
  createdAtMs: number
  isHighValue: boolean
  isCancelled: boolean
  /** The merchant's wallet on the network: only its plain transfers count. Null: none is set. */
  sender: string | null
  /** The wallet that was asked to pay it, which counts as well: the merchant may have named another one since. Null: none is asked. */
  asked: string | null
  merchantId: MerchantId
}

type WatchedRow = Omit<WatchedRefund, 'amount' | 'seen' | 'isHighValue' | 'isCancelled'> & {
  amount: string
  seen: string
  isHighValue: number
  isCancelled: number
}

const watchedFields = sql`
             r.id, r.address, lower(r.token_address) as "token", r.splitter,
             r.terms_hash as "termsHash", r.amount, r.seen, r.after_block as "afterBlock",
             r.created_at_ms as "createdAtMs", r.confirmations is not null as "isHighValue",
             r.cancelled_at_ms is not null as "isCancelled", lower(w.address) as "sender", lower(p.account) as "asked", r.merchant_id as "merchantId"
        from merchant_refunds r
        left join refund_prompts p on p.refund_id = r.id and p.ended_at_ms is null
        left join settlement_wallets w on w.merchant_id = r.merchant_id and w.network = r.network`

const fromWatchedRow = ({ amount, seen, isHighValue, isCancelled, ...row }: WatchedRow): WatchedRefund => ({
  ...row,
  amount: unitsOrNone(amount),
  seen: unitsOrNone(seen),
  isHighValue: isHighValue === 1,
  isCancelled: isCancelled === 1,
})

/**
 * The sums only decide between refunds to one address. One that cannot be read stops no other refund of the network: a
 * transfer to it fails when it is applied, alone, and is retried.
 */
const unitsOrNone = (text: string): bigint => (/^\d+$/.test(text) ? BigInt(text) : 0n)

/** Live refunds of the network that ended after `endedAfterMs` or not at all, at these addresses or terms, oldest first. */
export async function watchedRefundsAt(
  tx: Tx,
  { network, endedAfterMs }: { network: string; endedAfterMs: number },
  { addresses, termsHashes }: { addresses: readonly string[]; termsHashes: readonly string[] },
): Promise<WatchedRefund[]> {
  const rows = await tx.all<WatchedRow>(sql`
      select ${watchedFields}
       where r.network = ${network} and r.is_test = 0 and r.address is not null
         and coalesce(r.paid_at_ms, r.cancelled_at_ms, ${endedAfterMs + 1}) > ${endedAfterMs}
         and (lower(r.address) in ${addresses} or r.terms_hash in ${termsHashes})
       order by r.number`)
  return rows.map(fromWatchedRow)
}

/** A live refund as its watcher has it, whenever it ended. */
export async function watchedRefund(tx: Tx, id: string): Promise<WatchedRefund | undefined> {
  const row = await tx.get<WatchedRow>(sql`
      select ${watchedFields}
       where r.id = ${id} and r.is_test = 0 and r.address is not null`)
  return row && fromWatchedRow(row)
}

/** What live refunds are known by on chain, newest first, at most `limit`; the condition is that of `watchedRefundsAt`. */
export async function watchedRefundPlaces(
  tx: Tx,
  { network, endedAfterMs }: { network: string; endedAfterMs: number },
  limit: number,
): Promise<{ address: string; termsHash: string | null; splitter: string | null }[]> {
  return await tx.all(sql`
      select address, terms_hash as "termsHash", splitter from merchant_refunds
       where network = ${network} and is_test = 0 and address is not null
         and coalesce(paid_at_ms, cancelled_at_ms, ${endedAfterMs + 1}) > ${endedAfterMs}
       order by number desc limit ${limit}`)
}

/** The merchants whose own wallets have these addresses, which customers paid to. All in lower case. */
export async function merchantsAt(tx: Tx, addresses: readonly string[]): Promise<Map<string, MerchantId>> {
  const rows = await tx.all<{ address: string; merchantId: MerchantId }>(sql`
      select lower(deposit_address) as "address", merchant_id as "merchantId" from payments
       where lower(deposit_address) in ${addresses} and deposit_address is not null and is_direct = 1 and is_test = 0`)
  return new Map(rows.map(({ address, merchantId }) => [address, merchantId]))
}

/** Which refunds the transfers of these transactions already pay, and then those that a reorg has reverted. */
export async function refundsPaidIn(tx: Tx, network: string, txIds: readonly string[]) {
  type Row = Pick<StoredTransfer, 'txId' | 'logIndex' | 'blockHash' | 'payer' | 'state'> & {
    id: MerchantRefundId
    amount: string
  }
  const rows = await tx.all<Row>(sql`
      select t.tx_id as "txId", t.log_index as "logIndex", t.block_hash as "blockHash", t.payer, t.state, t.payment_id as "id",
             t.amount
        from transfers t join merchant_refunds r on r.id = t.payment_id
       where t.network = ${network} and t.tx_id in ${txIds}
       order by case when t.state = 'reverted' then 1 else 0 end, t.block_number, t.log_index`)
  return rows.map(({ state, ...row }) => ({
    ...row,
    amount: unitsOrNone(row.amount),
    isReverted: state === 'reverted',
  }))
}

/** Whether the transaction pays a wallet payment of ours: its money is the customer's payment, and no refund. */
export async function paysWalletPayment(tx: Tx, network: string, txId: string): Promise<boolean> {
  const row = await tx.get(sql`
      select t.payment_id from transfers t join payments p on p.id = t.payment_id
       where t.network = ${network} and t.tx_id = ${txId} and t.state <> 'reverted' and p.mode = 'contract' limit 1`)
  return row !== undefined
}

/**
 * As `transfersToConfirm`, of refunds. A transfer's log is the token's, which names the address, or the splitter's, which names the hash
 * of the terms.
 */
export async function refundTransfersToConfirm(
  tx: Tx,
  network: string,
  head: number,
  confirmations: number,
  limit: number,
  unreadable?: Unreadable,
) {
  type Row = {
    own_confirmations: number | null
    token: string
    address: string
    splitter: string | null
    terms_hash: string | null
  }
  const rows = await tx.all<Row>(sql`
      select t.*, r.confirmations as own_confirmations, lower(r.token_address) as token,
             r.address, lower(r.splitter) as splitter, r.terms_hash
        from transfers t join merchant_refunds r on r.id = t.payment_id
       where t.network = ${network} and t.state = 'seen' and t.block_number <= ${head - confirmations + 1}
         and t.block_number <= ${head} - coalesce(r.confirmations, ${confirmations}) + 1
       order by r.confirmations is not null, t.block_number, t.log_index limit ${limit}`)
  const fromRow = (row: Row) => {
    const { token, address, splitter, terms_hash: termsHash, own_confirmations: own } = row
    const wanted = { isHighValue: own !== null, required: own ?? confirmations }
    return Object.assign(transfers.parse(row), { token, address, splitter, termsHash }, wanted)
  }
  return parseEach(rows, fromRow, unreadable)
}
