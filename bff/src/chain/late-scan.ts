import type { Network } from '../core/families.ts'
import { faultText } from '../core/fault-text.ts'
import type { Log } from '../core/log.ts'
import { add, type BaseUnits, excess } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import { runWorker } from '../core/worker.ts'
import type { Db, Tx } from '../db/db.ts'
import type { BlockRef, Heads } from '../network/heads.ts'
import { type DepositPayment, isSwept } from '../payment/payment.ts'
import type { WindowPlace } from '../payment/store/watched-payments-store.ts'
import { type LateScan, loadLateScan, type WindowRange } from './late-scan-store.ts'
import { watchAfterWindowMs } from './watch-window.ts'

/** Addresses per pass: reading their balances takes one call per token (EVM), or five calls (Solana). */
export const scannedMax = 500

/** Interval of passes: 500 addresses every 40 s are 1,080,000 a day. */
const pauseMaxMs = 40_000

/** Networks with a shorter poll interval, such as local ones, are scanned more often. */
const pollFactor = 40

/** Minimum time between the starts of two rounds, so that few addresses cost few calls. */
const roundMs = 60 * 60 * 1000

export const scanPauseMs = ({ pollMs }: Pick<Network, 'pollMs'>): number => Math.min(pauseMaxMs, pollMs * pollFactor)

/** Maximum pause after node faults. */
const scanBackOffMaxMs = 10 * 60 * 1000

/** The next deposits of a round. */
export type Slice<Row> = {
  rows: (Row & { home: string })[]
  head: BlockRef
  /**
   * The watcher or the last round saw everything that the rows received before this block; undefined until a round is finished.
   */
  seenUpTo: number | undefined
  /** The progress to store once the first `count` rows are scanned; all rows by default. */
  scanned(count?: number): LateScan
}

type Deps<Row> = {
  db: Db
  network: Pick<Network, 'shortName'>
  /** The networks whose deposit addresses also exist on this one. */
  homes: readonly string[]
  heads: Heads
  runtime: Runtime
  read: (tx: Tx, home: string, range: WindowRange, limit: number) => Promise<Row[]>
}

/**
 * A network's rotating late scan, over deposits whose watch window is over, ordered by window. Its position is stored, so that a
 * restart or another replica continues from there.
 */
export function createLateScan<Row extends WindowPlace>({ db, network, homes, heads, runtime, read }: Deps<Row>) {
  const name = network.shortName
  const firstPlace = { windowEndsAtMs: 0, number: 0 }

  /** @returns undefined while the next round is not due, or no deposit has left the watch window. */
  return async function nextSlice(): Promise<Slice<Row> | undefined> {
    const head = heads.get(name)
    if (head === undefined) return undefined
    // The watcher's clock: no deposit is scanned before the watcher has left it.
    const nowMs = Math.min(runtime.nowMs(), head.timeMs)
    const stored = await db.read((tx) => loadLateScan(tx, name))
    const begin = stored?.place ? homes.indexOf(stored.place.home) : -1
    const isNew = stored === undefined || begin < 0
    if (isNew && stored?.place === null && Math.abs(nowMs - stored.beganAtMs) < roundMs) return undefined
    const round = isNew ? { beganBlock: head.number, beganAtMs: nowMs } : stored
    const after = isNew || stored.place === null ? firstPlace : stored.place
    const rows = await readRows(Math.max(0, begin), after, nowMs - watchAfterWindowMs)
    if (isNew && rows.length === 0) return undefined

    return {
      rows,
      head,
      seenUpTo: stored?.whole?.block,
      scanned(count = rows.length) {
        const isOver = count === rows.length && rows.length < scannedMax
        const last = rows[count - 1]
        const reached = last && { home: last.home, windowEndsAtMs: last.windowEndsAtMs, number: last.number }
        const place = isOver ? null : (reached ?? { home: homes[Math.max(0, begin)] ?? '', ...after })
        const whole = isOver ? { block: round.beganBlock, atMs: round.beganAtMs } : (stored?.whole ?? null)
        const { beganBlock, beganAtMs } = round
        return { beganBlock, beganAtMs, place, whole, scanned: (stored?.scanned ?? 0) + count }
      },
    }
  }

  async function readRows(begin: number, after: WindowPlace, untilMs: number) {
    const rows: (Row & { home: string })[] = []
    for (const [index, home] of homes.slice(begin).entries()) {
      const range = { after: index === 0 ? after : firstPlace, untilMs }
      const found = await db.read((tx) => read(tx, home, range, scannedMax - rows.length))
      rows.push(...found.map((row) => ({ ...row, home })))
      if (rows.length === scannedMax) break
    }
    return rows
  }
}

type Scanner = { network: Network; log: Log; pass: (signal: AbortSignal) => Promise<boolean> }

/** Runs a scanner's passes at the scan's pace until aborted. Never rejects. */
export function runLateScan({ network, log, pass }: Scanner, signal: AbortSignal): Promise<void> {
  return runWorker(
    {
      pauseMs: scanPauseMs(network),
      backOffMaxMs: scanBackOffMaxMs,
      pass: (passSignal) => pass(passSignal).then(() => false),
      onFailure: ({ error, failures }) =>
        log.warn(
          { network: network.shortName, fault: faultText(error), failures },
          'Scanning addresses for late money failed; retrying',
        ),
    },
    signal,
  )
}

/**
 * The minimum that the books have of the payment's own token at the deposit address: sweeps took what they paid, and pending
 * refunds may have left.
 */
export function heldInBooks(payment: DepositPayment): BaseUnits {
  const { seen, late, refunded, refunding, due } = payment
  const left = excess(excess(add(seen, late), refunded), refunding)
  return isSwept(payment) ? excess(left, payment.sweptAmount ?? due) : left
}
