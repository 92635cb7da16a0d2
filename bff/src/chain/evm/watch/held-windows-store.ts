import { type BaseUnits, baseUnits } from '../../../core/money.ts'
import { sql, type Tx } from '../../../db/db.ts'
import { parseEach, type Unreadable } from '../../../db/table.ts'
import type { PaymentId } from '../../../payment/payment.ts'

/** A deposit whose window is about to end. `token` in lower case; `least`: the minimum that its forwarder can settle. */
export type EndingDeposit = { id: PaymentId; address: string; token: string; least: BaseUnits; createdAtMs: number }

type Row<Deposit extends EndingDeposit> = Omit<Deposit, 'least'> & { least: string }

const fromRow = <Deposit extends EndingDeposit>(row: Row<Deposit>) =>
  ({ ...row, least: baseUnits(row.least) }) as unknown as Deposit

/** The given payments that are deposits without a payout; after a payout, a balance is less than what was received. */
export async function endingDeposits(
  tx: Tx,
  ids: readonly PaymentId[],
  unreadable?: Unreadable,
): Promise<EndingDeposit[]> {
  if (ids.length === 0) return []
  const rows = await tx.all<Row<EndingDeposit>>(sql`
      select id, deposit_address as "address", lower(token_address) as "token", least, created_at_ms as "createdAtMs"
        from payments
       where id in ${ids} and deposit_address is not null and refunded = '0' and refunding = '0'
         and sweep_tx_id is null`)
  return parseEach(rows, fromRow<EndingDeposit>, unreadable)
}

/** A deposit whose window has been kept open since `sinceMs`, by this host's clock. */
export type HeldWindow = EndingDeposit & { sinceMs: number }

/** Least recently attempted first, at most `limit`. */
export async function heldWindows(
  tx: Tx,
  network: string,
  limit: number,
  unreadable?: Unreadable<Pick<HeldWindow, 'id' | 'token'>>,
): Promise<HeldWindow[]> {
  const rows = await tx.all<Row<HeldWindow>>(sql`
      select p.id, p.deposit_address as "address", lower(p.token_address) as "token", p.least,
             p.created_at_ms as "createdAtMs", f.since_ms as "sinceMs"
        from watch_faults f join payments p on p.id = f.payment_id
       where f.network = ${network} and f.part = 'account'
       order by f.tried_at_ms, f.payment_id limit ${limit}`)
  return parseEach(rows, fromRow<HeldWindow>, unreadable)
}
