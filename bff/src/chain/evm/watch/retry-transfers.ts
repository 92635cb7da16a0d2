import type { LogNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { PaymentEvent } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import {
  refundsPaidIn,
  type WatchedRefund,
  watchedRefund,
  watchedRefundsAt,
} from '../../../payment/store/merchant-refund-store.ts'
import { transfersInBlock } from '../../../payment/store/transfer-store.ts'
import { watchedPayment } from '../../../payment/store/watched-payments-store.ts'
import { storeFaults, withArriving } from '../../apply-isolated.ts'
import type { ChainAdapter } from '../../chain-adapter.ts'
import { topicOf } from '../../event-topic.ts'
import { faultsOf, faultyPayments, removeFault, type WatchFault } from '../../watch-fault-store.ts'
import { topicsOfRefund } from './find-transfers.ts'
import { matchRefunds, type RefundTransfer } from './match-refunds.ts'
import { ownersOfSenders } from './watch-list.ts'

/** Payments retried per pass, each separately; bounds the calls, however many there are. */
const paymentsMax = 5

/** Blocks of one payment re-read at once. */
const blocksMax = 20

type Deps = { db: Db; ledger: Ledger; adapter: ChainAdapter; network: LogNetwork; runtime: Runtime; log: Log }

/** Re-reads the blocks of unapplied transfers and applies their current content: the earlier content may have been replaced. */
export function createTransferRetry({ db, ledger, adapter, network, runtime, log }: Deps) {
  const name = network.shortName

  /**
   * Events for the payment's current transfers in the block.
   * @returns undefined while the node lacks the block.
   */
  async function readBlock(id: PaymentId, number: number, tip: BlockRef, signal: AbortSignal) {
    const block = await adapter.block(number, signal)
    const { payment, refund } = await db.read(async (tx) => {
      const found = await watchedPayment(tx, id)
      return { payment: found, refund: found ? undefined : await watchedRefund(tx, id) }
    })
    if (block === undefined || number > tip.number) return undefined
    if (refund) return await readRefundBlock(refund, { number, block }, signal)
    if (payment === undefined) return []
    const topic = topicOf(payment)
    const token = payment.mode === 'deposit' ? payment.token : null
    const found = await adapter.transfers(
      {
        from: number,
        to: number,
        blockHash: block.hash,
        findWatched: async () => new Set([topic]),
        few: [topic],
        splitters: new Set(payment.splitter === null ? [] : [payment.splitter]),
        tokens: new Set(token === null ? [] : [token]),
      },
      signal,
    )
    const atMs = runtime.nowMs()
    const events: PaymentEvent[] = (await db.read((tx) => transfersInBlock(tx, id, number)))
      .filter(({ blockHash }) => blockHash !== block.hash)
      .map((transfer) => ({ type: 'transfer.reverted', transfer, atMs }))
    const isCounted = !payment.isHighValue && adapter.needsAttestation !== true
    const isDeep = isCounted && tip.number - number + 1 >= network.confirmations
    for (const transfer of found) {
      if (transfer.topic !== topic || transfer.source !== (payment.splitter ?? payment.token)) continue
      events.push({ type: 'transfer.seen', transfer, atMs })
      if (isDeep) events.push({ type: 'transfer.confirmed', transfer, atMs })
    }
    return events
  }

  /**
   * Events for a merchant refund's current transfers, given the stored transfers that pay it. Matches all refunds to its address:
   * the splitter's own transfer for another refund would otherwise count as a plain one.
   */
  async function readRefundBlock(
    refund: WatchedRefund,
    { number, block }: { number: number; block: BlockRef },
    signal: AbortSignal,
  ) {
    const id = refund.id as string as PaymentId
    const refunds = await db.read((tx) =>
      watchedRefundsAt(
        tx,
        { network: name, endedAfterMs: 0 },
        { addresses: [refund.address.toLowerCase()], termsHashes: [] },
      ),
    )
    const topics = [...new Set(refunds.flatMap(topicsOfRefund))]
    const transfers = await adapter.transfers(
      {
        from: number,
        to: number,
        blockHash: block.hash,
        findWatched: async () => new Set(topics),
        few: topics,
        splitters: new Set(refunds.flatMap(({ splitter }) => splitter ?? [])),
        tokens: new Set(refunds.map(({ token }) => token)),
      },
      signal,
    )
    const { stored, paid, owners } = await db.read(async (tx) => ({
      stored: await transfersInBlock(tx, id, number),
      paid: await refundsPaidIn(
        tx,
        name,
        transfers.map(({ txId }) => txId),
      ),
      owners: await ownersOfSenders(tx, transfers),
    }))
    const isOthers = ({ txId, logIndex }: { txId: string; logIndex: number }) =>
      paid.some((one) => !one.isReverted && one.txId === txId && one.logIndex === logIndex && one.id !== refund.id)
    const found = matchRefunds(transfers, refunds, paid, owners).filter(
      (transfer) => transfer.refund.id === refund.id && !isOthers(transfer),
    )
    const atMs = runtime.nowMs()
    const events: PaymentEvent[] = stored
      .filter(({ blockHash }) => blockHash !== block.hash)
      .map((transfer) => ({ type: 'transfer.reverted', transfer, atMs }))
    // The next pass counts the confirmations.
    const stepOf = ({ isShare, ...transfer }: RefundTransfer): PaymentEvent => ({
      type: isShare ? 'transfer.reverted' : 'transfer.seen',
      transfer,
      atMs,
    })
    return [...events, ...found.map(stepOf)]
  }

  async function retryPayment(id: PaymentId, tip: BlockRef, signal: AbortSignal): Promise<void> {
    const faults = await db.read((tx) => faultsOf(tx, name, { id, part: 'transfers' }, blocksMax))
    const read: WatchFault[] = []
    const events: PaymentEvent[] = []
    try {
      for (const fault of faults) {
        const found = await readBlock(id, Number(fault.place), tip, signal)
        if (found === undefined) continue
        read.push(fault)
        events.push(...found)
      }
      await db.write(async (tx) => {
        for (const { event } of withArriving(events.map((one) => ({ id, event: one }))))
          await ledger.applyIn(tx, id, event)
        for (const fault of read) await removeFault(tx, name, fault)
      })
    } catch (error) {
      if (signal.aborted) throw error
      await storeFaults(
        { db, network: name, runtime, log },
        faults.map((fault) => ({ ...fault, error })),
      )
    }
  }

  /**
   * @param tip - The newest applied block.
   * @throws {Error} when the database fails.
   */
  return async function retryTransfers(tip: BlockRef, signal: AbortSignal): Promise<void> {
    for (const id of await db.read((tx) => faultyPayments(tx, name, 'transfers', paymentsMax)))
      await retryPayment(id, tip, signal)
  }
}
