import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import type { Unreadable } from '../db/table.ts'
import type { BlockRef } from '../network/heads.ts'
import type { StoredTransfer } from '../payment/event.ts'
import type { PaymentId } from '../payment/payment.ts'
import { refundTransfersToConfirm } from '../payment/store/merchant-refund-store.ts'
import { transfersToConfirm } from '../payment/store/watched-payments-store.ts'
import { createAttestationTurns } from './attestation-turns.ts'
import type { ChainAdapter } from './chain-adapter.ts'
import { addressTopic, topicOf } from './event-topic.ts'

/** Rows per pass; the next pass handles the rest. */
const rowsMax = 500

export type ConfirmedTransfer = StoredTransfer & { paymentId: PaymentId }

/**
 * `required`: its required confirmations. `logs`: the events it can have: a refund is paid by the token's or the splitter's
 * event.
 */
type ToConfirm = ConfirmedTransfer & {
  isHighValue: boolean
  required: number
  logs: readonly { source: string; topic: string }[]
}

type Deps = { db: Db; adapter: ChainAdapter; network: Network; log: Log }

/** Reports stored transfers that cannot be read. Others are confirmed without them. */
export const logUnreadable =
  (log: Log, network: string): Unreadable =>
  (err, row) => {
    const { payment_id: paymentId, tx_id: txId } = row as { payment_id?: string; tx_id?: string }
    log.error({ network, paymentId, txId, err }, 'A stored transfer cannot be read; retrying')
  }

export function createConfirmedReader({ db, adapter, network, log }: Deps) {
  async function isAttested({ logs, ...transfer }: ToConfirm, signal: AbortSignal): Promise<boolean> {
    for (const log of logs) if (await adapter.isAttested({ ...transfer, ...log }, signal)) return true
    return false
  }

  const turns = createAttestationTurns<ToConfirm>(({ txId, logIndex, blockHash }) => `${txId}:${logIndex}:${blockHash}`)
  const needsAttestation = ({ isHighValue }: ToConfirm) => isHighValue || adapter.needsAttestation === true

  /** Transfers with enough confirmations at `to`, in blocks that the node still calls canonical. */
  return async function readConfirmed(to: BlockRef, signal: AbortSignal): Promise<ConfirmedTransfer[]> {
    const { shortName, confirmations } = network
    const unreadable = logUnreadable(log, shortName)
    const stored = await db.read(
      async (tx): Promise<ToConfirm[]> => [
        ...(await transfersToConfirm(tx, shortName, to.number, confirmations, rowsMax, unreadable)).map(
          ({ source, mode, place, ...transfer }) => ({
            ...transfer,
            logs: [{ source, topic: topicOf({ mode, place }) }],
          }),
        ),
        ...(await refundTransfersToConfirm(tx, shortName, to.number, confirmations, rowsMax, unreadable)).map(
          ({ token, address, splitter, termsHash, ...transfer }) => ({
            ...transfer,
            logs: [
              { source: token, topic: addressTopic(address) },
              ...(splitter === null || termsHash === null ? [] : [{ source: splitter, topic: termsHash }]),
            ],
          }),
        ),
      ],
    )
    const hashes = new Map<number, string | undefined>()
    const isCanonical = async ({ blockNumber, blockHash }: ToConfirm): Promise<boolean> => {
      if (!hashes.has(blockNumber)) hashes.set(blockNumber, (await adapter.block(blockNumber, signal))?.hash)
      return hashes.get(blockNumber) === blockHash
    }
    const confirmed: ConfirmedTransfer[] = []
    for (const transfer of stored)
      if (!needsAttestation(transfer) && (await isCanonical(transfer))) confirmed.push(transfer)
    for (const transfer of turns.order(stored.filter(needsAttestation))) {
      if (turns.isOver()) break
      if (!(await isCanonical(transfer))) {
        turns.failed(transfer)
        continue
      }
      if (await isAttested(transfer, signal)) {
        confirmed.push(transfer)
        continue
      }
      turns.failed(transfer)
      log.warn(
        { network: network.shortName, paymentId: transfer.paymentId, txId: transfer.txId },
        'Too few RPC nodes confirm the transaction; waiting',
      )
    }
    return confirmed
  }
}
