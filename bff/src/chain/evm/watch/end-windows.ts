import type { EvmNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { BlockRef } from '../../chain-adapter.ts'
import { believedTimeMs, endWindows, isWindowOver } from '../../watch-window.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import { createWindowHolder } from './held-windows.ts'
import { firstSecondRead } from './second-read-store.ts'

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'balances'>
  network: EvmNetwork
  runtime: Runtime
  log: Log
}

/**
 * Ends the windows that were over in the newest block that has its confirmations: a reorg of younger ones can move a transfer to an earlier
 * block, and so into the window. Nor is a window ended before its blocks are read again where that is due,
 * or while a deposit address holds money that is not in the books.
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

  /**
   * @param to - The newest block that is applied; or about to be, where the confirmed ones are applied.
   * @param applied - The number of the newest block that is applied.
   */
  return async function endDueWindows(to: BlockRef, applied: number, signal: AbortSignal): Promise<void> {
    // The time of a block is asked for only where a window may be over.
    if (!(await isWindowOver(windows, upTo(to))) && !(await holder.isHolding())) return
    const unread = await db.read((tx) => firstSecondRead(tx, name))
    const number = Math.min(to.number - network.confirmations + 1, (unread ?? to.number + 1) - 1)
    if (number < 0) return
    const block = number === to.number ? to : await adapter.block(number, signal)
    if (block === undefined) return
    // A younger one serves as well: a balance that the books explain there has nothing of the window that they do not have.
    const balancesAt = Math.max(number, Math.min(applied, balancesBlock(to.number, network.confirmations)))
    const safe = { number: balancesAt, timeMs: upTo(block).windowMs }
    await holder.retry(safe, signal)
    await endWindows({ ...windows, hold: (ids) => holder.hold(ids, safe, signal) }, upTo(block), signal)
  }
}
