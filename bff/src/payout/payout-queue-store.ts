import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/**
 * `sweep`: a deposit's money to merchant and platform. `refund`: the sum that a payment owes, to its refund address. `return`: an unmatched
 * transfer, to the address named for it.
 */
export type PayoutKind = 'sweep' | 'refund' | 'return'

/** A payment has at most one sweep, one refund, and one return for each unmatched token of each network. */
export type Payout = { kind: PayoutKind; paymentId: PaymentId; network: string; token: string }

/** A due payout, with the proof of its recipients. */
export type DuePayout = Payout & {
  failures: number
  depositAddress: string
  /** JSON, as the chain family stored it. */
  depositTerms: string
  /** Decimals of the payment's token. */
  tokenDecimals: number
  /** Dollars for one whole token when the payment was created; null: no rate was known. */
  dollarRate: string | null
  /** Since when the sweep is deferred until it is worth its gas; null: not deferred. */
  waitingSinceMs: number | null
}

/** Another process or an event changed the payout while its transaction was built. Nothing is stored or sent. */
export class ConflictError extends Error {}

type DueScope = { kind: PayoutKind; network: string; nowMs: number; head: number; limit: number }

/**
 * Queued payouts of a kind that are due, and sweeps that wait to share gas; oldest first, at most `limit`. Excludes money in blocks that
 * the node does not have yet, and payouts that an open transaction of ours may still make (a reorg can cancel and requeue a payout
 * meanwhile). A refund also waits for the sweep of its payment.
 * @param head - Newest block of the network, or newest slot.
 */
export async function duePayouts(tx: Tx, { kind, network, nowMs, head, limit }: DueScope): Promise<DuePayout[]> {
  return await tx.all<DuePayout>(sql`
      select q.kind, q.payment_id as "paymentId", q.network, q.token, q.failures, q.waiting_since_ms as "waitingSinceMs",
             p.deposit_address as "depositAddress", p.deposit_terms as "depositTerms", p.token_decimals as "tokenDecimals",
             p.dollar_rate as "dollarRate"
        from payouts q join payments p on p.id = q.payment_id
       where q.network = ${network} and q.kind = ${kind} and q.state = 'queued'
         and (q.due_at_ms <= ${nowMs} or q.waiting_since_ms is not null and q.failures = 0)
         and (q.kind = 'return' or p.is_test = 0 and coalesce(p.last_block, 0) <= ${head})
         and not exists (
               select 1 from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = q.payment_id and x.state in ('stored', 'replaced')
                  and (o.kind = q.kind and o.network = q.network and o.token = q.token
                    or o.kind = 'sweep' and q.kind = 'refund'))
       order by q.due_at_ms, q.payment_id, q.token limit ${limit}`)
}

/**
 * Live deposits of failed payments that require a person, as unqueued sweeps, in order of their numbers, at
 * most `limit`.
 * @param after - The number of a payment.
 */
export async function failedDeposits(
  tx: Tx,
  network: string,
  after: number,
  limit: number,
): Promise<(DuePayout & { number: number })[]> {
  return await tx.all<DuePayout & { number: number }>(sql`
      select number, 'sweep' as kind, id as "paymentId", network, token_address as token, 0 as failures,
             null as "waitingSinceMs", deposit_address as "depositAddress", deposit_terms as "depositTerms",
             token_decimals as "tokenDecimals", dollar_rate as "dollarRate"
        from payments
       where network = ${network} and number > ${after} and mode = 'deposit' and is_direct = 0
         and is_test = 0 and attention is not null and status in ('expired', 'cancelled', 'failed')
       order by number limit ${limit}`)
}

/** Stored terms of the deposits with a queued refund or return; at most `limit`. */
export async function queuedReturnTerms(tx: Tx, network: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ terms: string }>(sql`
      select p.deposit_terms as terms from payouts q join payments p on p.id = q.payment_id
       where q.network = ${network} and q.kind in ('refund', 'return') and q.state = 'queued'
         and p.deposit_terms is not null
       order by q.due_at_ms limit ${limit}`)
  return rows.map(({ terms }) => terms)
}

/** Whether a pass needs the chain: a payout is due, or a transaction is not final. */
export async function hasPayoutWork(tx: Tx, network: string, nowMs: number): Promise<boolean> {
  const row = await tx.get<{ found: number }>(sql`
      select exists (select 1 from payouts
                      where network = ${network} and kind in ('sweep', 'refund', 'return') and state = 'queued'
                        and due_at_ms <= ${nowMs})
          or exists (select 1 from outgoing_transactions where network = ${network} and state in ('stored', 'replaced'))
          as found`)
  return row?.found === 1
}

/** Block of the payment's first transfer: the payment cannot have been settled before. */
export async function firstTransferBlock(tx: Tx, id: PaymentId): Promise<number> {
  const row = await tx.get<{ block: number | null }>(sql`
      select min(block_number) as block from transfers where payment_id = ${id}`)
  return row?.block ?? 0
}

/** Transaction of the payment's first confirmed transfer, which is older than all of its payouts; null: there is none. */
export async function firstConfirmedTxId(tx: Tx, id: PaymentId): Promise<string | null> {
  const row = await tx.get<{ txId: string }>(sql`
      select tx_id as "txId" from transfers
       where payment_id = ${id} and state = 'confirmed' order by block_number, tx_id limit 1`)
  return row?.txId ?? null
}

/** @throws {ConflictError} when the payout is no longer queued: cancelled, or taken by another process. */
export async function markPayoutSent(tx: Tx, payout: Payout, transactionId: string): Promise<void> {
  const { kind, paymentId, network, token } = payout
  const changed = await tx.run(sql`
      update payouts set state = 'sent', transaction_id = ${transactionId}
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}
         and state = 'queued'`)
  if (changed !== 1) throw new ConflictError()
}

/** Postpones a queued payout without counting a failure. */
export async function postponePayout(tx: Tx, payout: Payout, dueAtMs: number): Promise<void> {
  const { kind, paymentId, network, token } = payout
  await tx.run(sql`
      update payouts set due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}
         and state = 'queued'`)
}

/** Defers a queued payout until it is worth its gas. @returns true when it was not deferred before. */
export async function deferPayout(
  tx: Tx,
  payout: Payout,
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Promise<boolean> {
  const { kind, paymentId, network, token } = payout
  const deferred = await tx.run(sql`
      update payouts set waiting_since_ms = ${nowMs}
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}
         and state = 'queued' and waiting_since_ms is null`)
  await postponePayout(tx, payout, dueAtMs)
  return deferred === 1
}

/** Counts a failure found before sending. False when the payout was counted or cancelled meanwhile. */
export async function failQueuedPayout(
  tx: Tx,
  payout: Payout & { failures: number },
  dueAtMs: number,
): Promise<boolean> {
  const { kind, paymentId, network, token, failures } = payout
  const changed = await tx.run(sql`
      update payouts set failures = failures + 1, due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}
         and state = 'queued' and failures = ${failures}`)
  return changed === 1
}

/** Requeues a payout that its transaction did not make. False when the payout belongs to another transaction. */
export async function requeuePayout(
  tx: Tx,
  payout: Payout,
  { transactionId, failures, dueAtMs }: { transactionId: string; failures: number; dueAtMs: number },
): Promise<boolean> {
  const { kind, paymentId, network, token } = payout
  const changed = await tx.run(sql`
      update payouts set state = 'queued', transaction_id = null, failures = ${failures}, due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}
         and state = 'sent' and transaction_id = ${transactionId}`)
  return changed === 1
}

export async function deletePayout(tx: Tx, { kind, paymentId, network, token }: Payout): Promise<void> {
  await tx.run(sql`
      delete from payouts
       where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}`)
}

/**
 * Every transaction made for, or found on chain for, the payouts of a payment; at most 1,000. Excludes
 * abandoned refunds, which may still be on chain.
 */
export async function payoutTransactions(tx: Tx, id: PaymentId): Promise<string[]> {
  const rows = await tx.all<{ txId: string }>(sql`
      select coalesce(x.tx_id, o.transaction_id) as "txId"
        from outgoing_payouts o left join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${id} and (o.kind <> 'refund' or o.state <> 'failed') limit 1000`)
  return rows.map(({ txId }) => txId)
}

/**
 * An abandoned payout transaction: it failed on chain or was considered expired. Both fields are null for a
 * sweep of an older version.
 */
export type GivenUp = { txId: string; lastValidHeight: number; address: string | null; amount: string | null }

/** Newest first, at most 100. Only for families whose transactions have a last valid height. */
export async function givenUpTransactions(tx: Tx, { kind, paymentId, network, token }: Payout): Promise<GivenUp[]> {
  return await tx.all<GivenUp>(sql`
      select x.tx_id as "txId", x.last_valid_height as "lastValidHeight", o.address, o.amount
        from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${paymentId} and o.kind = ${kind} and o.network = ${network} and o.token = ${token}
         and o.state = 'failed' and x.state = 'failed' and x.last_valid_height is not null
       order by x.created_at_ms desc limit 100`)
}

/** Amount, in base units of the payout's token, and recipient of a transaction. */
export type Sending = { address: string; amount: bigint }

/**
 * Records that a transaction makes the payout.
 * @param sending - Null for a sweep on EVM, whose receipt shows the paid amount. On Solana: the merchant's wallet, and the sum for merchant
 * and platform.
 */
export async function insertOutgoingPayout(
  tx: Tx,
  { kind, paymentId, network, token }: Payout,
  transactionId: string,
  sending: Sending | null,
): Promise<void> {
  await tx.run(sql`
      insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
      values (${transactionId}, ${kind}, ${paymentId}, ${network}, ${token}, ${sending?.address ?? null},
              ${sending === null ? null : String(sending.amount)}, 'sent')`)
}

/** Number of transactions made for a payout, and the time of the newest. */
export type Attempts = { count: number; newestAtMs: number }

export async function countAttempts(tx: Tx, { kind, paymentId, network, token }: Payout): Promise<Attempts> {
  const row = await tx.get<Attempts>(sql`
      select count(distinct o.transaction_id) as count, coalesce(max(x.created_at_ms), 0) as "newestAtMs"
        from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${paymentId} and o.kind = ${kind} and o.network = ${network} and o.token = ${token}`)
  return row ?? { count: 0, newestAtMs: 0 }
}

/**
 * A payout that a transaction was made for. `failures`: how often the payout failed before. `isCounted`: the transaction was final before, and
 * made the payout then. `isHighValue`: of its payment.
 */
export type OutgoingPayout = Payout & {
  depositAddress: string
  failures: number
  sending: Sending | null
  isCounted: boolean
  isHighValue: boolean
}

type OutgoingRow = Payout & {
  depositAddress: string
  failures: number
  address: string | null
  amount: string | null
  state: string
  isHighValue: number
}

/** The payouts of a transaction. */
export async function outgoingPayouts(tx: Tx, transactionId: string): Promise<OutgoingPayout[]> {
  const rows = await tx.all<OutgoingRow>(sql`
      select o.kind, o.payment_id as "paymentId", o.network, o.token, o.address, o.amount, o.state,
             p.deposit_address as "depositAddress", coalesce(q.failures, 0) as failures,
             case when p.confirmations is null then 0 else 1 end as "isHighValue"
        from outgoing_payouts o
        join payments p on p.id = o.payment_id
        left join payouts q
          on q.payment_id = o.payment_id and q.kind = o.kind and q.network = o.network and q.token = o.token
       where o.transaction_id = ${transactionId}
       order by p.number`)
  return rows.map(({ address, amount, state, isHighValue, ...payout }) => ({
    ...payout,
    isHighValue: isHighValue === 1,
    isCounted: state === 'confirmed',
    // Parsed when read, so that an amount that cannot be parsed fails its own payout alone.
    get sending() {
      return address === null || amount === null ? null : { address, amount: BigInt(amount) }
    },
  }))
}

export async function endOutgoingPayout(
  tx: Tx,
  { kind, paymentId }: Payout,
  transactionId: string,
  state: 'confirmed' | 'failed',
): Promise<void> {
  await tx.run(sql`
      update outgoing_payouts set state = ${state}
       where transaction_id = ${transactionId} and kind = ${kind} and payment_id = ${paymentId}`)
}
