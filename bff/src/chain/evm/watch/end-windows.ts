import type { LogNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import { type BlockRef, clockSkewMs } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { confirmationsOfEnded } from '../../../payment/store/watched-payments-store.ts'
import { believedTimeMs, endWindows, isWindowOver } from '../../watch-window.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import { createWindowHolder } from './held-windows.ts'
import { isGivenUp, type UnreadRange, unreadRanges } from './second-read-store.ts'

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'balances' | 'areSettled' | 'balancesAtHead'>
  network: LogNetwork
  runtime: Runtime
  log: Log
}

/** Maximum ranges waiting to be read again. There are few, because each is read as soon as it is confirmed. */
const unreadMax = 1_000

/** The block up to which windows end, and which payments they may belong to. */
type Ending = { to: BlockRef; applied: number; readTo: number; confirmations: number; createdAfterMs?: number }

/**
 * Ends windows that were over in the newest confirmed block or, for payments that require more confirmations, in a block with
 * those: a reorg of younger blocks can move a transfer to an earlier block, and so into the window. A window stays open until its
 * blocks are read again if that is due, and while its deposit address holds money that is not in the books.
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

  /** Ends the windows of payments with these confirmations. `readTo`: no block up to it is waiting to be read again. */
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
    // A younger block works too: if the books explain the balance there, they miss nothing of the window.
    const stateBlock = adapter.balancesAtHead ? applied : balancesBlock(to.number, network.confirmations)
    const balancesAt = Math.max(number, Math.min(applied, stateBlock))
    const safe = { number: balancesAt, timeMs: upTo(block).windowMs }
    if (confirmations === network.confirmations && createdAfterMs === undefined) await holder.retry(safe, signal)
    const hold = async (ids: readonly PaymentId[]) =>
      new Map([...(await holder.hold(ids, safe, signal))].map((id) => [id, 0]))
    await endWindows({ ...windows, of, hold }, upTo(block), signal)
  }

  /**
   * Ranges that no node returns delay only the payments that they can pay: payments created later end as far as other ranges
   * allow. After a day, a range no longer delays anything; `doctor` and the metrics report it.
   */
  function planEnds(to: BlockRef, unread: readonly UnreadRange[]): Pick<Ending, 'readTo' | 'createdAfterMs'>[] {
    const nowMs = runtime.nowMs()
    const holding = unread.filter((range) => !isGivenUp(range, nowMs))
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
   * @param to - The newest applied block, or the one about to be applied if its confirmed events are.
   * @param applied - The number of the newest applied block.
   */
  return async function endDueWindows(to: BlockRef, applied: number, signal: AbortSignal): Promise<void> {
    // Read the block's time only if a window may be over.
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
