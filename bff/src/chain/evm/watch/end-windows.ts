import type { EvmNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { confirmationsOfEnded } from '../../../payment/store/watched-payments-store.ts'
import { believedTimeMs, endWindows, isWindowOver } from '../../watch-window.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import { createWindowHolder } from './held-windows.ts'
import { type UnreadRange, unreadRanges } from './second-read-store.ts'

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'balances' | 'areSettled'>
  network: EvmNetwork
  runtime: Runtime
  log: Log
}

/** Ranges to be read again that are considered; there are few, because each is read as soon as it is confirmed. */
const unreadMax = 1_000

/** How long the nodes have to answer for a range; the same time as a window is held open for an unexplained balance. */
const unansweredMaxMs = 24 * 60 * 60 * 1000

/** The clock of this host and the chain's differ by less. */
const clockSkewMs = 15 * 60 * 1000

/** Up to which block windows end, and of which payments. */
type Ending = { to: BlockRef; applied: number; readTo: number; confirmations: number; createdAfterMs?: number }

/**
 * Ends the windows that were over in the newest block that has its confirmations, those of the payment where it wants more of its own: a reorg
 * of younger ones can move a transfer to an earlier block, and so into the window. Nor is a window ended before its blocks are read again
 * where that is due, or while a deposit address holds money that is not in the books.
 */
export function createWindowEnder(deps: Deps) {
  const { db, ledger, adapter, network, runtime, log } = deps
  const name = network.shortName
  const windows = { db, ledger, network: name, runtime, log }
  const holder = createWindowHolder(deps)

  function upTo(block: { timeMs: number }) {
    const timeMs = believedTimeMs(network, block, runtime)
    return { windowMs: timeMs, lateMs: timeMs }
  }

  /** Ends the windows of payments that want no more confirmations. `readTo`: up to which no block is to be read again. */
  async function endConfirmed(
    { to, applied, readTo, confirmations, createdAfterMs }: Ending,
    signal: AbortSignal,
  ): Promise<void> {
    const number = Math.min(to.number - confirmations + 1, readTo)
    if (number < 0) return
    const of = { confirmationsMax: confirmations, ...(createdAfterMs !== undefined && { createdAfterMs }) }
    if (createdAfterMs !== undefined && !(await isWindowOver({ ...windows, of }, upTo(to)))) return
    const block = number === to.number ? to : await adapter.block(number, signal)
    if (block === undefined) return
    // A younger one serves as well: a balance that the books explain there has nothing of the window that they do not have.
    const balancesAt = Math.max(number, Math.min(applied, balancesBlock(to.number, network.confirmations)))
    const safe = { number: balancesAt, timeMs: upTo(block).windowMs }
    if (confirmations === network.confirmations && createdAfterMs === undefined) await holder.retry(safe, signal)
    await endWindows({ ...windows, of, hold: (ids) => holder.hold(ids, safe, signal) }, upTo(block), signal)
  }

  /**
   * Ranges for which no node answers hold only the payments that they can pay: those created after them end, as far as the other ranges
   * let them. What no node has answered for in a day holds nothing any more; `doctor` and the metrics report it.
   */
  function planEnds(to: BlockRef, unread: readonly UnreadRange[]): Pick<Ending, 'readTo' | 'createdAfterMs'>[] {
    const nowMs = runtime.nowMs()
    const isGivenUp = ({ failingSinceMs }: UnreadRange) =>
      failingSinceMs !== null && nowMs - failingSinceMs >= unansweredMaxMs
    const holding = unread.filter((range) => !isGivenUp(range))
    const before = (range: UnreadRange | undefined) => (range?.from ?? to.number + 1) - 1
    const all = { readTo: before(holding[0]) }
    const others = { readTo: before(holding.find(({ failingSinceMs }) => failingSinceMs === null)) }
    const unanswered = holding.filter(({ from }) => from <= others.readTo)
    const times = unanswered.map(({ toTimeMs }) => toTimeMs ?? Number.POSITIVE_INFINITY)
    const createdAfterMs = Math.max(...times) + clockSkewMs
    const hasOthers = unanswered.length > 0 && Number.isFinite(createdAfterMs)
    return hasOthers ? [all, { ...others, createdAfterMs }] : [all]
  }

  /**
   * @param to - The newest block that is applied; or about to be, where the confirmed ones are applied.
   * @param applied - The number of the newest block that is applied.
   */
  return async function endDueWindows(to: BlockRef, applied: number, signal: AbortSignal): Promise<void> {
    // The time of a block is asked for only where a window may be over.
    if (!(await isWindowOver(windows, upTo(to))) && !(await holder.isHolding())) return
    const { unread, own } = await db.read(async (tx) => ({
      unread: await unreadRanges(tx, name, unreadMax),
      own: await confirmationsOfEnded(tx, name, { blockTimeMs: upTo(to).windowMs, moreThan: network.confirmations }),
    }))
    for (const plan of planEnds(to, unread)) {
      for (const confirmations of [network.confirmations, ...own]) {
        await endConfirmed({ to, applied, ...plan, confirmations }, signal)
      }
    }
  }
}
