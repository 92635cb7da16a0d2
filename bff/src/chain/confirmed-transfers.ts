import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import type { BlockRef } from '../network/heads.ts'
import type { StoredTransfer } from '../payment/event.ts'
import type { PaymentId } from '../payment/payment.ts'
import { refundTransfersToConfirm } from '../payment/store/merchant-refund-store.ts'
import { transfersToConfirm } from '../payment/store/watched-payments-store.ts'
import type { ChainAdapter } from './chain-adapter.ts'

/** Rows per pass; the next pass handles the rest. */
const rowsMax = 500

export type ConfirmedTransfer = StoredTransfer & { paymentId: PaymentId }

type Deps = { db: Db; adapter: ChainAdapter; network: Network; log: Log }

export function createConfirmedReader({ db, adapter, network, log }: Deps) {
  /** A refund's transfer is the token's log or the splitter's. */
  async function isAttested(
    { otherSource, ...transfer }: ConfirmedTransfer & { source: string; otherSource: string | null },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (await adapter.isAttested(transfer, signal)) return true
    return otherSource !== null && (await adapter.isAttested({ ...transfer, source: otherSource }, signal))
  }

  const needsAttestation = ({ isHighValue }: ConfirmedTransfer & { isHighValue: boolean }) =>
    isHighValue || adapter.needsAttestation === true

  /** Transfers that have their confirmations at `to`, in blocks that the node still calls canonical. */
  return async function readConfirmed(to: BlockRef, signal: AbortSignal): Promise<ConfirmedTransfer[]> {
    const { shortName, confirmations } = network
    const stored = await db.read(async (tx) => [
      ...(await transfersToConfirm(tx, shortName, to.number, confirmations, rowsMax)).map((transfer) =>
        Object.assign(transfer, { otherSource: null }),
      ),
      ...(await refundTransfersToConfirm(tx, shortName, to.number, confirmations, rowsMax)),
    ])
    const canonical = new Map<number, string | undefined>()
    for (const { blockNumber } of stored) {
      if (!canonical.has(blockNumber)) canonical.set(blockNumber, (await adapter.block(blockNumber, signal))?.hash)
    }
    const confirmed: ConfirmedTransfer[] = []
    for (const transfer of stored) {
      if (canonical.get(transfer.blockNumber) !== transfer.blockHash) continue
      if (!needsAttestation(transfer) || (await isAttested(transfer, signal))) confirmed.push(transfer)
      else
        log.warn(
          { network: network.shortName, paymentId: transfer.paymentId, txId: transfer.txId },
          'too few nodes confirm the transaction',
        )
    }
    return confirmed
  }
}
