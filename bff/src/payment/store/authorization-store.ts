import { sql, type Tx } from '../../db/db.ts'
import type { AuthorizationCode, AuthorizationKey, CheckedAuthorization } from '../authorization.ts'
import type { PaymentId } from '../payment.ts'

/** An authorization that is stored. `txId`: of the newest transaction that was made for it; null: none was signed yet. */
export type StoredAuthorization = { id: string; paymentId: PaymentId; txId: string | null } & (
  | { state: 'queued' | 'sent' | 'confirmed' }
  | { state: 'failed'; code: AuthorizationCode; reason: string }
)

export async function findAuthorization(tx: Tx, { network, token, payer, nonce }: AuthorizationKey) {
  return await tx.get<StoredAuthorization>(sql`
      select a.id, a.payment_id as "paymentId", a.state, a.code, a.reason, x.tx_id as "txId"
        from authorizations a
        left join outgoing_transactions x on x.id = a.transaction_id and x.state in ('stored', 'confirmed')
       where a.network = ${network} and a.token = ${token} and a.payer = ${payer} and a.nonce = ${nonce}`)
}

/** Another authorization that may still pay the payment, or has paid it in a block that the watcher has not read yet. */
export async function openAuthorizationOf(tx: Tx, id: PaymentId) {
  return await tx.get<{ id: string; txId: string | null }>(sql`
      select a.id, x.tx_id as "txId"
        from authorizations a
        left join outgoing_transactions x on x.id = a.transaction_id and x.state in ('stored', 'confirmed')
       where a.payment_id = ${id}
         and (a.state in ('queued', 'sent')
           or a.state = 'confirmed' and not exists (
                select 1 from transfers t where t.network = a.network and t.tx_id = x.tx_id))
       limit 1`)
}

/** What was accepted since a time, and what of it failed after it was sent. */
export type Usage = { count: number; failed: number }

export async function usageOfPayer(tx: Tx, payer: string, sinceMs: number): Promise<Usage> {
  const row = await tx.get<Usage>(sql`
      select count(*) as count, count(case when state = 'failed' and transaction_id is not null then 1 end) as failed
        from authorizations where payer = ${payer} and created_at_ms > ${sinceMs}`)
  return row ?? { count: 0, failed: 0 }
}

export async function countOfClient(tx: Tx, client: string, sinceMs: number): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from authorizations where client = ${client} and created_at_ms > ${sinceMs}`)
  return row?.count ?? 0
}

/** Millionths of a dollar that were planned for gas since a time; what was never sent costs nothing. */
export async function costSince(tx: Tx, network: string, sinceMs: number): Promise<number> {
  const row = await tx.get<{ cost: number }>(sql`
      select cast(coalesce(sum(cost_micros), 0) as bigint) as cost from authorizations
       where network = ${network} and created_at_ms > ${sinceMs} and (state <> 'failed' or transaction_id is not null)`)
  return Number(row?.cost ?? 0)
}

/** Base units that the payer has signed away and that no block has moved yet, as far as the watcher knows. At most 100 rows. */
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
  costMicros: number
  atMs: number
}

/** Queues an authorization to be sent. One that failed before is queued again: a contract payment has only one nonce. */
export async function queueAuthorization(tx: Tx, one: NewAuthorization): Promise<void> {
  await tx.run(sql`
      insert into authorizations (id, payment_id, network, token, payer, nonce, amount, target, data, client, cost_micros,
                                  state, send_before_ms, created_at_ms)
      values (${one.id}, ${one.paymentId}, ${one.network}, ${one.token}, ${one.payer}, ${one.nonce}, ${String(one.value)},
              ${one.target}, ${one.data}, ${one.client}, ${one.costMicros}, 'queued', ${one.sendBeforeMs}, ${one.atMs})
      on conflict (network, token, payer, nonce) do update
         set data = excluded.data, client = excluded.client, cost_micros = excluded.cost_micros, state = 'queued',
             transaction_id = null, code = null, reason = null, send_before_ms = excluded.send_before_ms,
             created_at_ms = excluded.created_at_ms
       where authorizations.state = 'failed'`)
}

/** A row to send. */
export type QueuedAuthorization = {
  id: string
  paymentId: PaymentId
  amount: string
  target: string
  data: string
  costMicros: number
  sendBeforeMs: number
}

/** Oldest first, at most `limit`. */
export async function queuedAuthorizations(tx: Tx, network: string, limit: number): Promise<QueuedAuthorization[]> {
  return await tx.all<QueuedAuthorization>(sql`
      select id, payment_id as "paymentId", amount, target, data, cost_micros as "costMicros", send_before_ms as "sendBeforeMs"
        from authorizations where network = ${network} and state = 'queued' order by created_at_ms, id limit ${limit}`)
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

/** Whether a transaction is that of an authorization, and not of payouts. */
export async function carriesAuthorization(tx: Tx, transactionId: string): Promise<boolean> {
  const row = await tx.get(sql`select id from authorizations where transaction_id = ${transactionId} limit 1`)
  return row !== undefined
}

/** Counts what the transaction of an authorization may cost by now in what the operator pays in a day. Zero rows for payouts. */
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
       where transaction_id = ${transactionId} and state = 'sent'`)
}

/** The transaction can never be mined: the authorization is sent again, if there is time. */
export async function requeueAuthorization(tx: Tx, transactionId: string): Promise<void> {
  await tx.run(sql`
      update authorizations set state = 'queued', transaction_id = null
       where transaction_id = ${transactionId} and state = 'sent'`)
}
