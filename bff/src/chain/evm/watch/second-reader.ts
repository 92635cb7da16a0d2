import { faultText } from '../../../core/fault-text.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db, Tx } from '../../../db/db.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { ChainAdapter } from '../../chain-adapter.ts'
import {
  dueSecondReads,
  moveSecondReads,
  type SecondRead,
  type SecondReadOf,
  saveUnanswered,
  unansweredAfter,
} from './second-read-store.ts'

/** Blocks per log query; halved when a node refuses, doubled again when it responds. */
const rangeMaxBlocks = 2_000

/**
 * Pause between attempts to read a block that no node returns: an attempt can last as long as a call's timeout, and other blocks
 * wait for it.
 */
const retryPauseMs = 30_000

/** Maximum ranges joined into one query. */
const joinedMax = 200

type Deps<Found> = {
  db: Db
  adapter: Pick<ChainAdapter, 'block'>
  network: { shortName: string; confirmations: number }
  runtime: Pick<Runtime, 'nowMs'>
  log: Log
  of: SecondReadOf
  /** Reads the watched content of the blocks. */
  read: (range: SecondRead, signal: AbortSignal) => Promise<Found>
  /** @param also - Writes in the commit of the last finding. */
  apply: (found: Found, tip: BlockRef, also: (tx: Tx) => Promise<void>) => Promise<void>
}

/**
 * Reads blocks a second time. A node's log index may lag behind its blocks, and the node then omits logs without an error. Blocks
 * without a proven complete response are therefore read again once they have the required confirmations, when nodes have indexed
 * them.
 */
export function createSecondReader<Found>({ db, adapter, network, runtime, log, of, read, apply }: Deps<Found>) {
  const name = network.shortName
  let rangeBlocks = rangeMaxBlocks
  /** The last attempted block that no node returns, and when the next one is attempted. */
  let unansweredTo = -1
  let retryAtMs = 0

  async function nextRange(deep: number, until: number): Promise<SecondRead | undefined> {
    if (runtime.nowMs() >= retryAtMs) {
      retryAtMs = runtime.nowMs() + retryPauseMs
      const failing = await db.read((tx) => unansweredAfter(tx, of, name, unansweredTo))
      unansweredTo = failing?.from ?? -1
      if (failing && failing.to <= Math.min(until, deep)) return failing
    }
    const [first, ...others] = await db.read((tx) => dueSecondReads(tx, of, name, { deep, limit: joinedMax }))
    if (first === undefined || first.from > until) return undefined
    // Younger blocks are left for later.
    const last = Math.min(first.from + rangeBlocks - 1, until, deep)
    let to = first.to
    for (const other of others) if (other.from <= to + 1) to = Math.max(to, other.to)
    return { from: first.from, to: Math.min(to, last) }
  }

  /**
   * @param tip - The newest applied block.
   * @param until - The last block read before this pass: after a reorg, the pass may have read blocks of a due range.
   * @returns whether blocks were read.
   * @throws {Error} when the database fails.
   */
  return async function readAgain(
    { tip, until }: { tip: BlockRef; until: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    const range = await nextRange(tip.number - network.confirmations + 1, until)
    if (range === undefined) return false
    let found: Found
    try {
      found = await read(range, signal)
      // If the tip was replaced in the meantime, the next pass reads the blocks.
      if ((await adapter.block(tip.number, signal))?.hash !== tip.hash) return false
      rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)
    } catch (error) {
      if (signal.aborted) throw error
      if (range.from < range.to) {
        rangeBlocks = Math.max(1, Math.floor((range.to - range.from + 1) / 2))
      } else {
        retryAtMs = runtime.nowMs() + retryPauseMs
        await db.write((tx) => saveUnanswered(tx, of, name, { block: range.from, nowMs: runtime.nowMs() }))
      }
      log.warn({ network: name, ...range, fault: faultText(error) }, 'The second read of blocks failed; retrying')
      return false
    }
    await apply(found, tip, (tx) => moveSecondReads(tx, of, name, range))
    return true
  }
}
