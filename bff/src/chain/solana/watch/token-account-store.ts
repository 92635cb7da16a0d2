import { type BaseUnits, baseUnits } from '../../../core/money.ts'
import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { sumOfTransfers } from '../../../payment/store/transfer-store.ts'
import type { WindowPlace } from '../../../payment/store/watched-payments-store.ts'

/** A live deposit, and its token account's cursor. The fields from `address` on are null until the account is stored. */
export type StoredAccount = {
  number: number
  id: PaymentId
  owner: string
  mint: string
  createdAtMs: number
  windowEndsAtMs: number
  address: string | null
  state: 'wanted' | 'open' | 'closed' | null
  readAmount: string | null
  readTo: string | null
}

const accountColumns = sql`
    p.number, p.id, p.deposit_address as "owner", p.token_address as "mint", p.created_at_ms as "createdAtMs",
    p.window_ends_at_ms as "windowEndsAtMs", a.address, a.state, a.read_amount as "readAmount", a.read_to as "readTo"`

/** Deposits created after payment `number` whose window ended after `endedAfterMs`, oldest first, at most `limit`. */
export async function depositsAfter(
  tx: Tx,
  network: string,
  number: number,
  endedAfterMs: number,
  limit: number,
): Promise<StoredAccount[]> {
  return await tx.all<StoredAccount>(sql`
      select ${accountColumns}
        from payments p left join solana_accounts a on a.payment_id = p.id
       where p.number > ${number} and p.network = ${network} and p.is_test = 0 and p.mode = 'deposit'
         and p.window_ends_at_ms > ${endedAfterMs}
       order by p.number limit ${limit}`)
}

/** The number of the newest payment on any network; 0 if there is none. */
export async function newestNumber(tx: Tx): Promise<number> {
  const row = await tx.get<{ newest: number | null }>(sql`select max(number) as newest from payments`)
  return row?.newest ?? 0
}

/** Deposits after the cursor whose window ended at or before `untilMs`, in window order, at most `limit`. */
export async function depositsByWindow(
  tx: Tx,
  network: string,
  { after, untilMs }: { after: WindowPlace; untilMs: number },
  limit: number,
): Promise<StoredAccount[]> {
  return await tx.all<StoredAccount>(sql`
      select ${accountColumns}
        from payments p left join solana_accounts a on a.payment_id = p.id
       where p.network = ${network} and p.mode = 'deposit' and p.is_test = 0
         and (p.window_ends_at_ms, p.number) > (${after.windowEndsAtMs}, ${after.number})
         and p.window_ends_at_ms <= ${untilMs}
       order by p.window_ends_at_ms, p.number limit ${limit}`)
}

/** Stores a new deposit's account as wanted and unread. */
export async function insertAccount(
  tx: Tx,
  account: { id: PaymentId; network: string; address: string; dueAtMs: number },
): Promise<void> {
  const { id, network, address, dueAtMs } = account
  await tx.run(sql`
      insert into solana_accounts (payment_id, network, address, state, due_at_ms, read_amount)
      values (${id}, ${network}, ${address}, 'wanted', ${dueAtMs}, '0')
      on conflict (payment_id) do nothing`)
}

/** Deposits whose accounts must be read again whatever their balance, in the order of their ids, at most `limit`. */
export async function unreadDeposits(
  tx: Tx,
  network: string,
  { after, limit }: { after: string; limit: number },
): Promise<StoredAccount[]> {
  return await tx.all<StoredAccount>(sql`
      select ${accountColumns}
        from solana_accounts a join payments p on p.id = a.payment_id
       where a.network = ${network} and a.read_amount is null and a.payment_id > ${after}
       order by a.payment_id limit ${limit}`)
}

/** Stores an account's cursor. `amount` is null while there is more to read. */
export async function saveRead(
  tx: Tx,
  id: PaymentId,
  read: { amount: string | null; to: string | null },
): Promise<void> {
  await tx.run(sql`
      update solana_accounts set read_amount = ${read.amount}, read_to = ${read.to} where payment_id = ${id}`)
}

/** Resets the account's cursor: a fork may have removed the signature up to which it was read. */
export async function readAgain(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`update solana_accounts set read_amount = null, read_to = null where payment_id = ${id}`)
}

type LeftRow = { refunded: string; sweep: string; sweptAmount: string | null; due: string }

/**
 * The maximum balance of the deposit's account by the books: all canonical transfers, minus final withdrawals. Pending
 * withdrawals may still be there, and so may a parked platform share.
 */
export async function mostInBooks(tx: Tx, id: PaymentId): Promise<BaseUnits> {
  const left = await tx.get<LeftRow>(sql`
      select refunded, sweep, swept_amount as "sweptAmount", due from payments where id = ${id}`)
  const came = await sumOfTransfers(tx, id, Number.MAX_SAFE_INTEGER)
  const parked = await tx.all<{ amount: string }>(sql`
      select amount from parked_shares where payment_id = ${id} limit 1000`)
  const swept = left?.sweep === 'confirmed' ? baseUnits(left.sweptAmount ?? left.due) : 0n
  const sum = parked.reduce<bigint>((total, { amount }) => total + baseUnits(amount), came)
  const most = sum - baseUnits(left?.refunded ?? '0') - swept
  return (most > 0n ? most : 0n) as BaseUnits
}
