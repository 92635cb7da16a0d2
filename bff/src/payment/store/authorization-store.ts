import type { AuthorizationCode } from '../../core/error-codes.ts'
import { sql, type Tx } from '../../db/db.ts'
import { type Column, integer, named, orNull, table, text, units, type ValuesOf } from '../../db/table.ts'
import type { AuthorizationKey, CheckedAuthorization, IdentifiedAuthorization } from '../authorization.ts'
import type { MerchantId, PaymentId } from '../payment.ts'

/**
 * A stored authorization. `data`: the call that carries it, with the signature. `txId`: its newest transaction; null: none was signed yet.
 * `external`: a third party submitted the transaction.
 */
export type StoredAuthorization = {
  id: string
  paymentId: PaymentId
  data: string
  presenter: string | null
  txId: string | null
} & (
  | { state: 'queued' | 'sent' | 'confirmed' | 'external' }
  | { state: 'failed'; code: AuthorizationCode; reason: string }
)

/** The attempt that has not failed, or else the newest failed one. */
export async function findAuthorization(tx: Tx, { network, token, payer, nonce }: AuthorizationKey) {
  return await tx.get<StoredAuthorization>(sql`
      select a.id, a.payment_id as "paymentId", a.data, a.presenter, a.state, a.code, a.reason,
             coalesce(a.external_tx_id, x.tx_id) as "txId"
        from authorizations a
        left join outgoing_transactions x on x.id = a.transaction_id and x.state in ('stored', 'confirmed')
       where a.network = ${network} and a.token = ${token} and a.payer = ${payer} and a.nonce = ${nonce}
       order by case when a.state = 'failed' then 1 else 0 end, a.created_at_ms desc, a.id limit 1`)
}

/** Another authorization that may still pay the payment, or has paid it in a block that the watcher has not read. */
export async function openAuthorizationOf(tx: Tx, id: PaymentId) {
  return await tx.get<{ id: string; txId: string | null }>(sql`
      select a.id, coalesce(a.external_tx_id, x.tx_id) as "txId"
        from authorizations a
        left join outgoing_transactions x on x.id = a.transaction_id and x.state in ('stored', 'confirmed')
       where a.payment_id = ${id}
         and (a.state in ('queued', 'sent')
           or a.state in ('confirmed', 'external') and not exists (
                select 1 from transfers t where t.network = a.network and t.tx_id = coalesce(a.external_tx_id, x.tx_id)))
       limit 1`)
}

/** Attempts accepted since a time, and those that failed after they were sent. */
export type Usage = { count: number; failed: number }

const noUsage: Usage = { count: 0, failed: 0 }

/** What a select of usage reads. */
const usage = sql`
      count(*) as count, count(case when a.state = 'failed' and a.transaction_id is not null then 1 end) as failed
        from authorizations a`

export async function usageOfPayer(tx: Tx, payer: string, sinceMs: number): Promise<Usage> {
  const row = await tx.get<Usage>(sql`
      select ${usage} where a.payer = ${payer} and a.created_at_ms > ${sinceMs} and a.state <> 'external'`)
  return row ?? noUsage
}

export async function usageOfClient(tx: Tx, client: string, sinceMs: number): Promise<Usage> {
  const row = await tx.get<Usage>(sql`
      select ${usage} where a.client = ${client} and a.created_at_ms > ${sinceMs} and a.state <> 'external'`)
  return row ?? noUsage
}

/** Usage by a merchant's server that named no client. */
export async function usageOfServer(tx: Tx, merchantId: MerchantId, sinceMs: number): Promise<Usage> {
  const row = await tx.get<Usage>(sql`
      select ${usage} join payments p on p.id = a.payment_id
       where p.merchant_id = ${merchantId} and a.client is null and a.created_at_ms > ${sinceMs}
         and a.state <> 'external'`)
  return row ?? noUsage
}

/** Millionths of a dollar. */
export type GasSpent = { all: number; merchant: number; client: number; clientHere: number }

/**
 * Gas budgeted on a network since a time: in total, per merchant, per client, and per client and merchant.
 * Reverted transactions count; unsent ones do not.
 */
export async function gasSince(
  tx: Tx,
  {
    network,
    merchantId,
    client,
    sinceMs,
  }: { network: string; merchantId: MerchantId; client: string | null; sinceMs: number },
): Promise<GasSpent> {
  const row = await tx.get<GasSpent>(sql`
      select cast(coalesce(sum(a.cost_micros), 0) as bigint) as "all",
             cast(coalesce(sum(case when p.merchant_id = ${merchantId} then a.cost_micros end), 0) as bigint) as merchant,
             cast(coalesce(sum(case when a.client = ${client ?? ''} then a.cost_micros end), 0) as bigint) as client,
             cast(coalesce(sum(case when a.client = ${client ?? ''} and p.merchant_id = ${merchantId} then a.cost_micros end), 0) as bigint)
               as "clientHere"
        from authorizations a join payments p on p.id = a.payment_id
       where a.network = ${network} and a.created_at_ms > ${sinceMs} and (a.state <> 'failed' or a.transaction_id is not null)`)
  return row ?? { all: 0, merchant: 0, client: 0, clientHere: 0 }
}

/**
 * Base units that the payer has signed for and that are not in a block yet, as far as the watcher knows. At
 * most 100 rows.
 */
export async function promisedBy(tx: Tx, { network, token, payer }: AuthorizationKey): Promise<bigint> {
  const rows = await tx.all<{ amount: string }>(sql`
      select a.amount from authorizations a join payments p on p.id = a.payment_id
       where a.payer = ${payer} and a.network = ${network} and a.token = ${token} and a.state in ('queued', 'sent')
         and p.seen = '0' limit 100`)
  return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

export type NewAuthorization = CheckedAuthorization & {
  id: string
  client: string | null
  presenter: string | null
  costMicros: number
  atMs: number
}

const authorizations = table('authorizations', {
  id: text(),
  paymentId: text<PaymentId>(),
  network: text(),
  token: text(),
  payer: text(),
  nonce: text(),
  value: named('amount', units() as Column<bigint>),
  target: text(),
  data: text(),
  presenter: orNull(text()),
  costMicros: integer(),
  sendBeforeMs: integer(),
  atMs: named('created_at_ms', integer()),
})

/** Queues an authorization as a new attempt. Zero rows when an earlier attempt has not failed. */
export async function queueAuthorization(tx: Tx, one: NewAuthorization): Promise<void> {
  await tx.run(sql`
      insert into authorizations (${authorizations.names}, client, state)
      values (${authorizations.values(one)}, ${one.client}, 'queued')
      on conflict do nothing`)
}

type ExternalAuthorization = IdentifiedAuthorization & {
  id: string
  presenter: string | null
  txId: string
  atMs: number
}

/** Stores an authorization that a third party submitted. Zero rows when an attempt of ours has not failed. */
export async function insertExternalAuthorization(tx: Tx, one: ExternalAuthorization): Promise<void> {
  const stored = { ...one, costMicros: 0, sendBeforeMs: one.atMs }
  await tx.run(sql`
      insert into authorizations (${authorizations.names}, state, external_tx_id)
      values (${authorizations.values(stored)}, 'external', ${one.txId})
      on conflict do nothing`)
}

/** The third party's transaction was reorged out: the authorization can be sent. */
export async function dropExternalAuthorization(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from authorizations where id = ${id} and state = 'external'`)
}

/** Transactions in canonical blocks that paid the payment from this account, newest first, at most 20. `payer` in lower case. */
export async function transactionsOfPayer(tx: Tx, id: PaymentId, payer: string): Promise<string[]> {
  const rows = await tx.all<{ txId: string }>(sql`
      select tx_id as "txId" from transfers
       where payment_id = ${id} and lower(payer) = ${payer} and state <> 'reverted'
       order by block_number desc, log_index desc limit 20`)
  return rows.map(({ txId }) => txId)
}

/** A row to send. */
export type QueuedAuthorization = ValuesOf<typeof authorizations>

/** Oldest first, at most `limit`. Each is parsed alone, so that one that cannot be parsed fails alone. */
export async function queuedAuthorizations(
  tx: Tx,
  network: string,
  limit: number,
): Promise<{ id: string; parse: () => QueuedAuthorization }[]> {
  const rows = await tx.all<{ id: string }>(sql`
      select * from authorizations where network = ${network} and state = 'queued' order by created_at_ms, id limit ${limit}`)
  return rows.map((row) => ({ id: row.id, parse: () => authorizations.parse(row) }))
}

export async function hasQueuedAuthorization(tx: Tx, network: string): Promise<boolean> {
  const row = await tx.get(sql`
      select id from authorizations where network = ${network} and state = 'queued' limit 1`)
  return row !== undefined
}

/** False when another process has taken it. */
export async function markAuthorizationSent(tx: Tx, id: string, transactionId: string): Promise<boolean> {
  const changed = await tx.run(sql`
      update authorizations set state = 'sent', transaction_id = ${transactionId} where id = ${id} and state = 'queued'`)
  return changed === 1
}

/** Whether a transaction carries an authorization rather than payouts. */
export async function carriesAuthorization(tx: Tx, transactionId: string): Promise<boolean> {
  const row = await tx.get(sql`select id from authorizations where transaction_id = ${transactionId} limit 1`)
  return row !== undefined
}

/** Updates the cost of an authorization's transaction in the operator's daily budget. Zero rows for payouts. */
export async function raiseAuthorizationCost(tx: Tx, transactionId: string, costMicros: number): Promise<void> {
  await tx.run(sql`
      update authorizations set cost_micros = ${costMicros}
       where transaction_id = ${transactionId} and cost_micros < ${costMicros}`)
}

/** Gives up an authorization that was not sent. */
export async function failQueuedAuthorization(
  tx: Tx,
  id: string,
  { code, reason }: { code: AuthorizationCode; reason: string },
): Promise<void> {
  await tx.run(sql`
      update authorizations set state = 'failed', code = ${code}, reason = ${reason} where id = ${id} and state = 'queued'`)
}

/** A final transaction: `isDone` says whether the authorization's call succeeded. Zero rows for a transaction of payouts. */
export async function finalizeAuthorization(tx: Tx, transactionId: string, isDone: boolean): Promise<void> {
  await tx.run(sql`
      update authorizations
         set state = ${isDone ? 'confirmed' : 'failed'}, code = ${isDone ? null : 'TRANSFER_REFUSED'},
             reason = ${isDone ? null : 'The transaction was reverted.'}
       where transaction_id = ${transactionId} and state in ('sent', 'confirmed')`)
}

/**
 * Requeues the authorization of a transaction that can never be mined, even if it was final before a reorg. It is sent again if there is
 * time.
 */
export async function requeueAuthorization(tx: Tx, transactionId: string): Promise<void> {
  await tx.run(sql`
      update authorizations set state = 'queued', transaction_id = null
       where transaction_id = ${transactionId} and state in ('sent', 'confirmed')`)
}
