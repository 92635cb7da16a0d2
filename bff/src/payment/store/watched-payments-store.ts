import { sql, type Tx } from '../../db/db.ts'
import { parseEach, type Unreadable } from '../../db/table.ts'
import { bridgeAnswerMaxMs, bridgeWaitMaxMs } from '../bridge.ts'
import type { Payment, PaymentId } from '../payment.ts'
import { transfers } from './transfer-store.ts'

/** Excludes payments with an event that waits to be applied again; those are retried alone. */
const isWell = sql`not exists (select 1 from watch_faults f where f.network = p.network and f.payment_id = p.id)`

/** Whether no event of the payment waits to be applied again. */
export async function isWellWatched(tx: Tx, id: PaymentId): Promise<boolean> {
  return (await tx.get(sql`select p.id from payments p where p.id = ${id} and ${isWell}`)) !== undefined
}

/**
 * Selects payments by their windows; default: all. `mode`: payments of this mode. `confirmationsMax`: payments that require at most this
 * number of confirmations of their own. `createdAfterMs`: payments created after this time on this host's clock.
 */
export type WindowsOf = { mode?: Payment['mode'] | undefined; confirmationsMax?: number; createdAfterMs?: number }

/** More than any payment requires. */
const anyConfirmations = 1_000_000_000

/** The SQL condition of `WindowsOf`, for payments with the alias `p`. */
export const isOf = ({ mode, confirmationsMax = anyConfirmations, createdAfterMs = -1 }: WindowsOf) => sql`
  p.mode in (${mode ?? 'deposit'}, ${mode ?? 'contract'}) and coalesce(p.confirmations, 0) <= ${confirmationsMax}
  and p.created_at_ms > ${createdAfterMs}`

/**
 * The distinct numbers of confirmations above `moreThan` of payments whose window or late window ended before the chain's time; ascending,
 * at most ten.
 */
export async function confirmationsOfEnded(
  tx: Tx,
  network: string,
  { blockTimeMs, moreThan }: { blockTimeMs: number; moreThan: number },
): Promise<number[]> {
  const rows = await tx.all<{ confirmations: number }>(sql`
      select confirmations from payments
       where network = ${network} and status = 'pending' and window_ended = 0 and is_test = 0
         and window_ends_at_ms < ${blockTimeMs} and confirmations > ${moreThan}
      union
      select confirmations from payments
       where is_test = 0 and network = ${network} and accepted_until_ms is not null and late_ended = 0
         and accepted_until_ms < ${blockTimeMs} and confirmations > ${moreThan}
       order by confirmations limit 10`)
  return rows.map(({ confirmations }) => confirmations)
}

/** A payment whose window, or late window, ended at a time of the chain's clock; the position in their order. */
export type EndedWindow = { id: PaymentId; endedAtMs: number; number: number }

type EndedPlace = Omit<EndedWindow, 'id'>

const beforeAll: EndedPlace = { endedAtMs: Number.MIN_SAFE_INTEGER, number: 0 }

/**
 * Pending live payments after the place whose window ended before the chain's time, oldest first, at most `limit`. Excludes cross-chain payments whose
 * relay has the money without a delivery on the chain, for `bridgeWaitMaxMs` as in `windowEndOf`, or has not answered since the window
 * ended, for `bridgeAnswerMaxMs`.
 */
export async function endedWindows(
  tx: Tx,
  network: string,
  blockTimeMs: number,
  limit: number,
  of: WindowsOf = {},
  after: EndedPlace = beforeAll,
): Promise<EndedWindow[]> {
  return await tx.all<EndedWindow>(sql`
      select p.id, p.window_ends_at_ms as "endedAtMs", p.number
        from payments p left join bridges b on b.payment_id = p.id left join bridge_polls l on l.payment_id = p.id
       where p.network = ${network} and p.status = 'pending' and p.window_ended = 0 and p.is_test = 0
         and p.window_ends_at_ms < ${blockTimeMs} and ${isOf(of)}
         and (p.window_ends_at_ms, p.number) > (${after.endedAtMs}, ${after.number})
         and (b.payment_id is null or p.window_ends_at_ms < ${blockTimeMs - bridgeWaitMaxMs}
              or ((b.bridge_status in ('waiting', 'refund', 'failure') or (b.bridge_status = 'success' and b.bridge_destination_tx_id = p.last_tx_id))
                  and (coalesce(l.is_answered, 1) = 1 or p.window_ends_at_ms < ${blockTimeMs - bridgeAnswerMaxMs})))
       and ${isWell}
        order by p.window_ends_at_ms, p.number limit ${limit}`)
}

/** Cross-chain payments whose window ended before the chain's time, without a poll of the relay queued for it yet. */
export async function unaskedBridges(
  tx: Tx,
  network: string,
  blockTimeMs: number,
  limit: number,
): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select p.id from bridge_polls l join payments p on p.id = l.payment_id
       where l.window_over_ms is null and p.network = ${network} and p.status = 'pending' and p.window_ended = 0
         and p.window_ends_at_ms < ${blockTimeMs}
       limit ${limit}`)
  return rows.map((row) => row.id)
}

/** Live payments after the place that accept late money until before `blockTimeMs`, the chain's time, oldest first, at most `limit`. */
export async function endedLateWindows(
  tx: Tx,
  network: string,
  blockTimeMs: number,
  limit: number,
  of: WindowsOf = {},
  after: EndedPlace = beforeAll,
): Promise<EndedWindow[]> {
  return await tx.all<EndedWindow>(sql`
      select id, accepted_until_ms as "endedAtMs", number from payments p
       where is_test = 0 and network = ${network} and accepted_until_ms is not null and late_ended = 0
         and accepted_until_ms < ${blockTimeMs} and (accepted_until_ms, number) > (${after.endedAtMs}, ${after.number})
         and ${isOf(of)} and ${isWell}
       order by accepted_until_ms, number limit ${limit}`)
}

/**
 * Unconfirmed transfers that have their required confirmations at block `head`, in chain order, at most `limit`. High-value transfers come
 * after the others, so that they do not delay them while too few nodes attest them; transfers of payments that failed before come last.
 * `source`: the contract whose event pays the payment, in lower case. `required`: the required number of confirmations.
 * @param confirmations - The network's number; a high-value payment has its own.
 */
export async function transfersToConfirm(
  tx: Tx,
  network: string,
  head: number,
  confirmations: number,
  limit: number,
  unreadable?: Unreadable,
) {
  type Row = WatchedPlace & { own_confirmations: number | null; source: string }
  const rows = await tx.all<Row>(sql`
      select t.*, p.confirmations as own_confirmations, lower(coalesce(p.splitter, p.token_address)) as source, p.mode,
             coalesce(p.deposit_address, p.terms_hash) as place
        from transfers t join payments p on p.id = t.payment_id
       where t.network = ${network} and t.state = 'seen' and t.block_number <= ${head - confirmations + 1}
         and t.block_number <= ${head} - coalesce(p.confirmations, ${confirmations}) + 1
       order by case when ${isWell} then 0 else 1 end, p.confirmations is not null, t.block_number, t.log_index limit ${limit}`)
  const fromRow = (row: Row) => {
    const { source, own_confirmations: own, mode, place } = row
    const wanted = { isHighValue: own !== null, required: own ?? confirmations }
    return Object.assign(transfers.parse(row), { source, mode, place }, wanted)
  }
  return parseEach(rows, fromRow, unreadable)
}

/** A watched payment, with its window on the chain's clock. `isHighValue`: it requires its own number of confirmations. */
type Watched = { id: PaymentId; windowEndsAtMs: number; isHighValue: boolean }

/** A live deposit with its address as stored, and its token in lower case. */
export type WatchedDeposit = Watched & { network: string; address: string; token: string }

/** Live deposits of any network at the addresses, which are in lower case. */
export async function depositsAt(tx: Tx, addresses: readonly string[]): Promise<WatchedDeposit[]> {
  const rows = await tx.all<Omit<WatchedDeposit, 'isHighValue'> & { isHighValue: number }>(sql`
      select id, network, deposit_address as "address", lower(token_address) as "token",
             window_ends_at_ms as "windowEndsAtMs", confirmations is not null as "isHighValue"
        from payments
       where lower(deposit_address) in ${addresses} and deposit_address is not null and is_test = 0`)
  return rows.map((row) => ({ ...row, isHighValue: row.isHighValue === 1 }))
}

/** A live wallet payment with the contract whose event pays it, in lower case. */
export type WatchedSplit = Watched & { termsHash: string; splitter: string }

/** Live wallet payments of the network by the hashes of their terms. */
export async function splitsOf(tx: Tx, network: string, termsHashes: readonly string[]): Promise<WatchedSplit[]> {
  const rows = await tx.all<Omit<WatchedSplit, 'isHighValue'> & { isHighValue: number }>(sql`
      select id, terms_hash as "termsHash", lower(splitter) as "splitter", window_ends_at_ms as "windowEndsAtMs",
             confirmations is not null as "isHighValue"
        from payments
       where network = ${network} and terms_hash in ${termsHashes} and is_test = 0`)
  return rows.map((row) => ({ ...row, isHighValue: row.isHighValue === 1 }))
}

/** A live payment as its watcher sees it, even long after its window ended. */
export async function watchedPayment(tx: Tx, id: PaymentId) {
  const row = await tx.get<
    WatchedPlace & { token: string; splitter: string | null; mode: Payment['mode']; isHighValue: number }
  >(sql`
      select mode, coalesce(deposit_address, terms_hash) as "place", lower(token_address) as "token",
             lower(splitter) as "splitter", confirmations is not null as "isHighValue"
        from payments where id = ${id} and is_test = 0`)
  return row && { ...row, isHighValue: row.isHighValue === 1 }
}

/** How an event on chain identifies a payment: the address of a deposit, or the hash of a wallet payment's terms. */
export type WatchedPlace = { mode: Payment['mode']; place: string }

/** The places of live payments of one mode whose window ended after `endedAfterMs`, at most `limit`. */
export async function watchedPlaces(
  tx: Tx,
  { network, mode, endedAfterMs }: { network: string; mode: Payment['mode']; endedAfterMs: number },
  limit: number,
): Promise<WatchedPlace[]> {
  return await tx.all<WatchedPlace>(sql`
      select mode, coalesce(deposit_address, terms_hash) as "place"
        from payments
       where network = ${network} and mode = ${mode} and is_test = 0 and window_ends_at_ms > ${endedAfterMs}
       order by window_ends_at_ms desc limit ${limit}`)
}

/**
 * The contracts, in lower case, of live wallet payments whose window ended after `endedAfterMs`. Finds each contract with one index step,
 * regardless of its number of payments.
 */
export async function watchedSplitters(tx: Tx, network: string, endedAfterMs: number): Promise<string[]> {
  const rows = await tx.all<{ splitter: string }>(sql`
      with recursive known (splitter) as (
        select min(splitter) from payments where network = ${network} and splitter is not null
        union all
        select (select min(p.splitter) from payments p
                 where p.network = ${network} and p.splitter is not null and p.splitter > known.splitter)
          from known where known.splitter is not null)
      select lower(splitter) as splitter from known
       where splitter is not null
         and exists (select 1 from payments p
                      where p.network = ${network} and p.splitter = known.splitter and p.is_test = 0
                        and p.window_ends_at_ms > ${endedAfterMs})
       limit 1000`)
  return rows.map(({ splitter }) => splitter)
}

/** A position in the order of windows. Payments whose windows end at the same time are in order of creation. */
export type WindowPlace = { windowEndsAtMs: number; number: number }

/** Live deposits of the network after the place, in the order of their windows, at most `limit`. */
export async function depositsAfterWindow(
  tx: Tx,
  network: string,
  after: WindowPlace,
  limit: number,
): Promise<(WindowPlace & { id: PaymentId; address: string })[]> {
  return await tx.all(sql`
      select number, id, deposit_address as "address", window_ends_at_ms as "windowEndsAtMs"
        from payments
       where network = ${network} and mode = 'deposit' and is_test = 0
         and (window_ends_at_ms, number) > (${after.windowEndsAtMs}, ${after.number})
       order by window_ends_at_ms, number limit ${limit}`)
}

/** When the first live deposit with a later window's end was created; undefined if there is none. */
export async function firstDepositAfterWindow(
  tx: Tx,
  network: string,
  endedAfterMs: number,
): Promise<number | undefined> {
  const row = await tx.get<{ atMs: number | null }>(sql`
      select min(created_at_ms) as "atMs" from payments
       where network = ${network} and mode = 'deposit' and is_test = 0 and window_ends_at_ms > ${endedAfterMs}`)
  return row?.atMs ?? undefined
}

/**
 * A network's unconfirmed transfers to deposits with their recipients, at most `limit`; those of high value behind others. First the
 * largest transfer of each deposit, then the second largest of each, so that dust delays only itself; within a rank, oldest first.
 */
export async function unconfirmedDeposits(tx: Tx, network: string, limit: number, unreadable?: Unreadable) {
  type Row = { account: string; owner: string; mint: string; is_high_value: number }
  const rows = await tx.all<Row>(sql`
      select t.*, a.address as account, p.deposit_address as owner, p.token_address as mint,
             case when p.confirmations is null then 0 else 1 end as is_high_value
        from transfers t join payments p on p.id = t.payment_id join solana_accounts a on a.payment_id = p.id
       where t.network = ${network} and t.state = 'seen' and p.mode = 'deposit'
       order by case when ${isWell} then 0 else 1 end, is_high_value,
                row_number() over (partition by t.payment_id order by length(t.amount) desc, t.amount desc, t.block_number, t.log_index),
                t.block_number, t.log_index limit ${limit}`)
  const fromRow = (row: Row) => {
    const { account, owner, mint } = row
    const transfer = transfers.parse(row)
    return { transfer, id: transfer.paymentId, account, owner, mint, isHighValue: row.is_high_value === 1 }
  }
  return parseEach(rows, fromRow, unreadable)
}
