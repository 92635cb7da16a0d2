import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { WindowPlace } from '../payment/store/watched-payments-store.ts'

/** The deposit that a round scanned last. `home`: its network's short name. */
type ScanPlace = WindowPlace & { home: string }

/** Progress of one network's late scan. Times are by the chain's clock. */
export type LateScan = {
  beganBlock: number
  beganAtMs: number
  /** Null once the round is finished. */
  place: ScanPlace | null
  /** The latest finished round: block and time at its start. */
  whole: { block: number; atMs: number } | null
  /** Addresses scanned in all rounds. */
  scanned: number
}

type LateScanRow = {
  network: string
  began_block: number
  began_at_ms: number
  home: string | null
  window_ends_at_ms: number | null
  number: number | null
  whole_block: number | null
  whole_at_ms: number | null
  scanned: number
}

function fromRow(row: LateScanRow): LateScan {
  const { began_block: beganBlock, began_at_ms: beganAtMs, scanned, home, number } = row
  const { window_ends_at_ms: windowEndsAtMs, whole_block: block, whole_at_ms: atMs } = row
  const place = home === null || windowEndsAtMs === null || number === null ? null : { home, windowEndsAtMs, number }
  return { beganBlock, beganAtMs, scanned, place, whole: block === null || atMs === null ? null : { block, atMs } }
}

/** Undefined until the first addresses are scanned. */
export async function loadLateScan(tx: Tx, network: string): Promise<LateScan | undefined> {
  const row = await tx.get<LateScanRow>(sql`select * from late_scans where network = ${network}`)
  return row && fromRow(row)
}

/** The progress of every network. */
export async function listLateScans(tx: Tx): Promise<(LateScan & { network: string })[]> {
  const rows = await tx.all<LateScanRow>(sql`select * from late_scans order by network limit 1000`)
  return rows.map((row) => ({ network: row.network, ...fromRow(row) }))
}

export async function saveLateScan(tx: Tx, network: string, scan: LateScan): Promise<void> {
  const { beganBlock, beganAtMs, place, whole, scanned } = scan
  tx.write(sql`
      insert into late_scans (network, began_block, began_at_ms, home, window_ends_at_ms, number, whole_block, whole_at_ms,
                              scanned)
      values (${network}, ${beganBlock}, ${beganAtMs}, ${place?.home ?? null}, ${place?.windowEndsAtMs ?? null},
              ${place?.number ?? null}, ${whole?.block ?? null}, ${whole?.atMs ?? null}, ${scanned})
      on conflict (network) do update
         set began_block = excluded.began_block, began_at_ms = excluded.began_at_ms, home = excluded.home,
             window_ends_at_ms = excluded.window_ends_at_ms, number = excluded.number,
             whole_block = excluded.whole_block, whole_at_ms = excluded.whole_at_ms, scanned = excluded.scanned`)
}

/** Places whose windows ended after `after`, up to and including `untilMs`. */
export type WindowRange = { after: WindowPlace; untilMs: number }

/** A live deposit with its address as stored, and its token in lower case. */
export type EndedDeposit = WindowPlace & { id: PaymentId; address: string; token: string }

/** The network's live deposits in the range, ordered by window, at most `limit`. */
export async function endedDeposits(
  tx: Tx,
  network: string,
  { after, untilMs }: WindowRange,
  limit: number,
): Promise<EndedDeposit[]> {
  return await tx.all<EndedDeposit>(sql`
      select number, id, deposit_address as "address", lower(token_address) as "token",
             window_ends_at_ms as "windowEndsAtMs"
        from payments
       where network = ${network} and mode = 'deposit' and is_test = 0
         and (window_ends_at_ms, number) > (${after.windowEndsAtMs}, ${after.number})
         and window_ends_at_ms <= ${untilMs}
       order by window_ends_at_ms, number limit ${limit}`)
}
