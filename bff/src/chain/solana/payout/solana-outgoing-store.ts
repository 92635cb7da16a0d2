import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { RentHolder } from './rent-shares.ts'

/** An outgoing Solana transaction's purpose. */
export type Purpose = 'open' | 'sweep' | 'refund' | 'close'

/**
 * A transaction that can still land, or has landed and is not final. Never replaced: another is sent only once it can no longer
 * land.
 */
export type SolanaOutgoing = {
  id: string
  txId: string
  raw: string
  /** Null: a customer's transfer whose fee the service pays, or a parked platform share. */
  purpose: Purpose | null
  lastValidHeight: number
  /** Time of the last known broadcast; null if none. */
  sentAtMs: number | null
}

/** Oldest first, at most `limit`. */
export async function openSolanaTransactions(tx: Tx, network: string, limit: number): Promise<SolanaOutgoing[]> {
  return await tx.all<SolanaOutgoing>(sql`
      select id, tx_id as "txId", raw, purpose, last_valid_height as "lastValidHeight", sent_at_ms as "sentAtMs"
        from outgoing_transactions
       where network = ${network} and state = 'stored' and last_valid_height is not null
       order by created_at_ms, id limit ${limit}`)
}

/** What identifies a transaction on chain; undefined if no transaction has this id. */
export async function loadOutgoing(
  tx: Tx,
  id: string,
): Promise<Pick<SolanaOutgoing, 'txId' | 'lastValidHeight'> | undefined> {
  return await tx.get<Pick<SolanaOutgoing, 'txId' | 'lastValidHeight'>>(sql`
      select tx_id as "txId", last_valid_height as "lastValidHeight" from outgoing_transactions
       where id = ${id} and last_valid_height is not null`)
}

export async function insertSolanaTransaction(
  tx: Tx,
  outgoing: Omit<SolanaOutgoing, 'sentAtMs'> & { network: string; sender: string; atMs: number },
): Promise<void> {
  const { id, network, sender, txId, raw, purpose, lastValidHeight, atMs } = outgoing
  await tx.run(sql`
      insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms, purpose,
                                         last_valid_height)
      values (${id}, ${network}, ${sender}, 0, ${txId}, ${raw}, 'stored', ${atMs}, ${purpose}, ${lastValidHeight})`)
}

/** A deposit's token account to create, or to read and possibly close. Key and client are the payment's. */
export type DueAccount = RentHolder & { id: PaymentId; address: string; owner: string; mint: string; terms: string }

/** Due accounts in that state, oldest first, at most `limit`. Excludes those with a pending transaction of the service. */
export async function dueAccounts(
  tx: Tx,
  { network, state, nowMs, limit }: { network: string; state: 'wanted' | 'open'; nowMs: number; limit: number },
): Promise<DueAccount[]> {
  return await tx.all<DueAccount>(sql`
      select a.payment_id as id, a.address, p.deposit_address as owner, p.token_address as mint, p.deposit_terms as terms,
             p.merchant_id as "merchantId", p.public_key as "publicKey", p.client
        from solana_accounts a join payments p on p.id = a.payment_id
       where a.network = ${network} and a.state = ${state} and a.due_at_ms <= ${nowMs}
         and not exists (
               select 1 from outgoing_transactions x
                where x.network = ${network} and x.state = 'stored'
                  and (exists (select 1 from outgoing_accounts o
                                where o.transaction_id = x.id and o.payment_id = a.payment_id)
                    or exists (select 1 from outgoing_payouts o
                                where o.transaction_id = x.id and o.payment_id = a.payment_id)))
       order by a.due_at_ms, a.payment_id limit ${limit}`)
}

export async function hasDueAccount(tx: Tx, network: string, nowMs: number): Promise<boolean> {
  const row = await tx.get(sql`
      select payment_id from solana_accounts
       where network = ${network} and state in ('wanted', 'open') and due_at_ms <= ${nowMs} limit 1`)
  return row !== undefined
}

export async function linkAccount(tx: Tx, transactionId: string, id: PaymentId): Promise<void> {
  await tx.run(sql`insert into outgoing_accounts (transaction_id, payment_id) values (${transactionId}, ${id})`)
}

/** Stores the account's requester: the payment drops its client when it ends, before the account is closed. */
export async function saveHolder(tx: Tx, { id, publicKey, client }: DueAccount): Promise<void> {
  await tx.run(sql`
      update solana_accounts set public_key = ${publicKey}, client = ${client} where payment_id = ${id}`)
}

/**
 * Unpaid accounts that exist or are being created. A partial amount is not a payment: dust keeps an account open until its refund
 * address is set. Base units are compared as text without leading zeros: by length, then by digits.
 */
export async function unpaidAccounts(tx: Tx, network: string): Promise<(RentHolder & { count: number })[]> {
  return await tx.all(sql`
      select p.merchant_id as "merchantId", a.public_key as "publicKey", a.client, count(*) as count
        from solana_accounts a join payments p on p.id = a.payment_id
       where a.network = ${network}
         and (length(p.seen), p.seen) < (length(p.least), p.least) and (length(p.late), p.late) < (length(p.least), p.least)
         and (a.state = 'open'
           or a.state = 'wanted' and exists (
                select 1 from outgoing_accounts o join outgoing_transactions x on x.id = o.transaction_id
                 where o.payment_id = a.payment_id and x.state = 'stored'))
       group by p.merchant_id, a.public_key, a.client`)
}

export async function accountsOf(tx: Tx, transactionId: string): Promise<{ id: PaymentId; windowEndsAtMs: number }[]> {
  return await tx.all(sql`
      select o.payment_id as id, p.window_ends_at_ms as "windowEndsAtMs"
        from outgoing_accounts o join payments p on p.id = o.payment_id
       where o.transaction_id = ${transactionId} order by p.number`)
}

/** Stores the account's new state. `dueAtMs`: when the account is read next. */
export async function setAccount(
  tx: Tx,
  id: PaymentId,
  { state, dueAtMs }: { state: 'wanted' | 'open' | 'closed'; dueAtMs: number },
): Promise<void> {
  await tx.run(sql`
      update solana_accounts
         set state = ${state}, due_at_ms = ${dueAtMs},
             public_key = case when ${state} = 'open' then public_key end, client = case when ${state} = 'open' then client end
       where payment_id = ${id}`)
}

/**
 * Records a withdrawal by the service. The account is read again, because it may now be empty or closed; so are its transactions,
 * because later transfers may have restored the same balance.
 */
export async function accountMoved(tx: Tx, id: PaymentId, dueAtMs: number): Promise<void> {
  await tx.run(sql`
      update solana_accounts set state = 'open', due_at_ms = ${dueAtMs}, read_amount = null where payment_id = ${id}`)
}
