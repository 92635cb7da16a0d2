import type { LogNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db, Tx } from '../../../db/db.ts'
import { type BlockRef, clockSkewMs, type Heads } from '../../../network/heads.ts'
import type { Fault } from '../../../network/network-health.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { saveToken } from '../../../payment/store/token-store.ts'
import { transfersAbove } from '../../../payment/store/transfer-store.ts'
import { createIsolatedApplier } from '../../apply-isolated.ts'
import type { ChainAdapter, SeenTransfer } from '../../chain-adapter.ts'
import { type ConfirmedTransfer, createConfirmedReader } from '../../confirmed-transfers.ts'
import type { Header } from '../../cursor-store.ts'
import { firstCreation, loadHeaders, moveCursor } from '../../cursor-store.ts'
import { DeepReorgError } from '../../network-fault.ts'
import { watchLoop } from '../../watch-loop.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { createWindowEnder } from './end-windows.ts'
import { findAgain, findTransfers, placeOf, type Reading, stepOf, stepsOf } from './find-transfers.ts'
import { isLagging, reconcile } from './reconcile.ts'
import { createTransferRetry } from './retry-transfers.ts'
import { saveSecondRead } from './second-read-store.ts'
import { createSecondReader } from './second-reader.ts'
import { createWatchList, type StoredAddress } from './watch-list.ts'

/** Blocks per log query; halved when a node refuses, doubled again when it responds. */
const rangeMaxBlocks = 2_000

/** Maximum transfers in the blocks that one reorg replaces. */
const reorgTransfersMax = 100_000

/** Interval of head reads with nothing to watch, so that confirmations and health stay accurate. */
const idleHeadMs = 15_000

/** The part of the chain that one pass applies: blocks `ancestor + 1` to `to`. */
type Range = { ancestor: Header; to: BlockRef; isReorg: boolean }

type Deps = {
  db: Db
  ledger: Ledger
  adapter: ChainAdapter & Pick<EvmAdapter, 'balances' | 'areSettled' | 'balancesAtHead'>
  network: LogNetwork
  heads: Heads
  runtime: Runtime
  log: Log
  /** Called with the fault while passes have been failing for long, and with undefined once the chain is readable again. */
  report?: (fault: Fault | undefined) => void
  /** How the database stores this family's addresses. */
  storedAddress?: StoredAddress
  /** Called after each pass, for metrics. */
  passed?: (network: string, isWell: boolean) => void
}

/** One loop per network: head, reconcile, transfers, apply, move the cursor; all writes of a pass in one commit. */
export function createWatcher(deps: Deps) {
  const { db, ledger, adapter, network, heads, runtime, log, report = () => undefined, passed, storedAddress } = deps
  const name = network.shortName
  const watchList = createWatchList(db, name, storedAddress)
  const readConfirmed = createConfirmedReader({ db, adapter, network, log })
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  const retryTransfers = createTransferRetry({ db, ledger, adapter, network, runtime, log })
  const readAgain = createSecondReader({
    db,
    adapter,
    network,
    runtime,
    log,
    of: 'transfers',
    read: (range, signal) => findAgain(adapter, watchList, range, signal),
    apply: (found, tip, also) => applyIsolated(stepsOf(found, countedTo(tip), runtime.nowMs()), also),
  })
  const endDueWindows = createWindowEnder({ db, ledger, adapter, network, runtime, log })
  const confirmedTo = ({ number }: BlockRef) => number - network.confirmations + 1
  /** Transfers up to this block count as confirmed when they are read. */
  const countedTo = (block: BlockRef) => (adapter.needsAttestation ? -1 : confirmedTo(block))
  let rangeBlocks = rangeMaxBlocks
  let headReadAtMs = 0

  /** @returns the blocks to apply; undefined if there is nothing new or the node lags. */
  async function nextRange(head: BlockRef, signal: AbortSignal): Promise<Range | undefined> {
    const local = await db.read((tx) => loadHeaders(tx, name, network.finalityBlocks + 2))
    const plan = reconcile(local, head)
    switch (plan.type) {
      case 'unchanged':
        return undefined
      case 'start': {
        const ancestor = await firstAncestor(head, signal)
        if (!ancestor) return undefined
        const last = ancestor.number + rangeBlocks
        const to = last >= head.number ? head : await adapter.block(last, signal)
        return to && { ancestor, to, isReorg: false }
      }
      case 'extended':
        return { ancestor: plan.ancestor, to: head, isReorg: false }
      case 'check': {
        if (plan.candidates.length === 0) return undefined
        const ancestor = await commonAncestor(plan.candidates, signal)
        if (!ancestor) throw new DeepReorgError(`${name}: the node's chain contains none of the stored headers`)
        if (isLagging(local, head, ancestor)) return undefined
        const isReorg = ancestor.hash !== local.at(-1)?.hash
        const last = watchList.isEmpty() ? head.number : ancestor.number + rangeBlocks
        const to = last >= head.number ? head : await adapter.block(last, signal)
        return to && { ancestor, to, isReorg }
      }
      default:
        return plan satisfies never
    }
  }

  /**
   * As deep as a reorg can go, so that the first reorg finds a common header; and before the block of the first payment's
   * creation, because that payment may already be paid.
   */
  async function firstAncestor(head: BlockRef, signal: AbortSignal): Promise<BlockRef | undefined> {
    const createdAtMs = await db.read((tx) => firstCreation(tx, name))
    for (let depth = network.finalityBlocks; ; depth *= 2) {
      const block = await adapter.block(Math.max(0, head.number - depth), signal)
      if (!block || block.number === 0) return block
      if (createdAtMs === undefined || block.timeMs < createdAtMs - clockSkewMs) return block
    }
  }

  /** The newest kept header still on the chain. */
  async function commonAncestor(candidates: Header[], signal: AbortSignal): Promise<Header | undefined> {
    for (const header of candidates) {
      const block = await adapter.block(header.number, signal)
      if (block?.hash === header.hash) return header
    }
    return undefined
  }

  /**
   * Transfers to watched payments in the range.
   * @throws {Error} when the chain changed during the query.
   */
  async function readTransfers({ ancestor, to }: Range, signal: AbortSignal): Promise<Reading> {
    if (watchList.isEmpty()) return { found: [], isProven: true, isContradicted: false }
    const from = ancestor.number + 1
    const isOneBlock = from === to.number
    const blocks = isOneBlock ? { from, to: to.number, blockHash: to.hash } : { from, to: to.number }
    const reading = await findTransfers(adapter, watchList, blocks, signal)
    if (!isOneBlock && (await adapter.block(to.number, signal))?.hash !== to.hash) {
      throw new Error(`${name}: block ${to.number} was replaced during the read of its range`)
    }
    return reading
  }

  async function applyRange(
    range: Range,
    { found, isProven }: Reading,
    confirmed: ConfirmedTransfer[],
    signal: AbortSignal,
  ): Promise<void> {
    const { ancestor, to, isReorg } = range
    const missing = isReorg ? await db.read((tx) => readMissing(tx, ancestor.number, found)) : []
    const replaced = await withoutStanding(missing, to, signal)
    const atMs = runtime.nowMs()
    const steps = [
      ...replaced.map((transfer) => stepOf(transfer.paymentId, { type: 'transfer.reverted', transfer, atMs })),
      ...stepsOf(found, countedTo(to), atMs),
      ...confirmed
        .filter(({ blockNumber }) => blockNumber <= ancestor.number)
        .map((transfer) => stepOf(transfer.paymentId, { type: 'transfer.confirmed', transfer, atMs })),
    ]
    await applyIsolated(steps, async (tx) => {
      const known = new Set(missing.map(placeOf))
      const isNew = (transfer: Transfer) => !known.has(placeOf(transfer))
      if (isReorg && (await readMissing(tx, ancestor.number, found)).some(isNew))
        throw new Error(`${name}: a transfer in a replaced block was stored meanwhile`)
      if (!isProven)
        await saveSecondRead(tx, 'transfers', name, { from: ancestor.number + 1, to: to.number, toTimeMs: to.timeMs })
      await moveCursor(tx, name, ancestor, to, network.finalityBlocks)
    })
    heads.set(name, to)
    if (isReorg) log.warn({ network: name, ancestor: ancestor.number, head: to.number }, 'Reorg: blocks were replaced')
  }

  /** Stored transfers above the ancestor that the node did not return again: a reorg removed them, or the node omitted them. */
  async function readMissing(tx: Tx, ancestor: number, found: readonly SeenTransfer[]) {
    const kept = new Set(found.map(placeOf))
    const stored = await transfersAbove(tx, name, ancestor, reorgTransfersMax)
    return stored.filter((transfer) => !kept.has(placeOf(transfer)))
  }

  /**
   * The missing transfers whose block was replaced. The common ancestor may be far below the replaced blocks, because not every
   * header is kept, and a canonical block keeps its transfers, whatever the node omitted.
   * @throws {Error} when the chain changed in the meantime.
   */
  async function withoutStanding<One extends Transfer>(missing: One[], to: BlockRef, signal: AbortSignal) {
    if (missing.length === 0) return missing
    const hashes = new Map<number, string | undefined>()
    for (const { blockNumber } of missing) {
      if (!hashes.has(blockNumber)) hashes.set(blockNumber, (await adapter.block(blockNumber, signal))?.hash)
    }
    if ((await adapter.block(to.number, signal))?.hash !== to.hash)
      throw new Error(`${name}: block ${to.number} was replaced during the read of a reorg`)
    return missing.filter(({ blockNumber, blockHash }) => hashes.get(blockNumber) !== blockHash)
  }

  /**
   * Applies new blocks.
   * @returns true if there may be more to apply immediately.
   */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    // After downtime, the blocks to read may be days old.
    const watchedMs = Math.min(nowMs, heads.get(name)?.timeMs ?? nowMs)
    await watchList.refresh(watchedMs)
    if (watchList.isEmpty() && nowMs - headReadAtMs < idleHeadMs && nowMs >= headReadAtMs) return false
    const head = await adapter.head(signal)
    headReadAtMs = nowMs
    // Again after the head was read: a payer in that block may have known an address stored just before.
    await watchList.refresh(watchedMs)
    const range = await nextRange(head, signal)
    // If possible, before late transfers are confirmed: the merchant is notified of the expiry first.
    const isReadBefore = range !== undefined && confirmedTo(range.to) <= range.ancestor.number
    if (isReadBefore) await endDueWindows(range.to, range.ancestor.number, signal)
    if (range) {
      const reading = await readTransfers(range, signal)
      const confirmed = await readConfirmed(range.to, signal)
      await applyRange(range, reading, confirmed, signal)
      rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)
    }
    const tip = heads.get(name)
    if (tip === undefined) return false
    await retryTransfers(tip, signal)
    // Excludes the blocks read by this pass: the same node would omit the same logs again.
    const isReadAgain = await readAgain({ tip, until: range?.ancestor.number ?? tip.number }, signal)
    if (isReadAgain || (range && !isReadBefore)) await endDueWindows(tip, tip.number, signal)
    return range !== undefined && range.to.number < head.number
  }

  const onFailure = () => {
    rangeBlocks = Math.max(1, Math.floor(rangeBlocks / 2))
  }

  /**
   * Loads the stored state, so that confirmations are correct before a node responds. Stores the configured tokens before any
   * deposit address is returned, so that they are still searched for after the configuration changes.
   */
  async function resume(): Promise<void> {
    await db.write(async (tx) => {
      for (const token of network.tokens) saveToken(tx, name, token)
    })
    const tip = (await db.read((tx) => loadHeaders(tx, name, 1))).at(-1)
    if (tip) heads.set(name, { ...tip, parentHash: '' })
  }

  return {
    pass,
    resume,
    run(signal: AbortSignal): Promise<void> {
      let isResumed = false
      return watchLoop(
        {
          network,
          async pass(passSignal) {
            // The state in memory may be another replica's, and newer than the stored one.
            if (!isResumed) await resume()
            isResumed = true
            return await pass(passSignal)
          },
          onFailure,
          report,
          passed,
          log,
        },
        signal,
      )
    },
  }
}
