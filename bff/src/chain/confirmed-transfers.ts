import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import type { BlockRef } from '../network/heads.ts'
import type { StoredTransfer } from '../payment/event.ts'
import type { PaymentId } from '../payment/payment.ts'
import { transfersToConfirm } from '../payment/store/watched-payments-store.ts'
import type { ChainAdapter } from './chain-adapter.ts'

/** Rows per pass; the next pass handles the rest. */
const rowsMax = 500

export type ConfirmedTransfer = StoredTransfer & { paymentId: PaymentId }

type Deps = { db: Db; adapter: ChainAdapter; network: Network; log: Log }

export function createConfirmedReader({ db, adapter, network, log }: Deps) {
  /** Transfers that have their confirmations at `to`, in blocks that the node still calls canonical. */
  return async function readConfirmed(to: BlockRef, signal: AbortSignal): Promise<ConfirmedTransfer[]> {
    const stored = await db.read((tx) =>
      transfersToConfirm(tx, network.shortName, to.number, network.confirmations, rowsMax),
    )
    const canonical = new Map<number, string | undefined>()
    for (const { blockNumber } of stored) {
      if (!canonical.has(blockNumber)) canonical.set(blockNumber, (await adapter.block(blockNumber, signal))?.hash)
    }
    const confirmed: ConfirmedTransfer[] = []
    for (const transfer of stored) {
      if (canonical.get(transfer.blockNumber) !== transfer.blockHash) continue
      if (!transfer.isHighValue || (await adapter.isAttested(transfer, signal))) confirmed.push(transfer)
      else
        log.warn(
          { network: network.shortName, paymentId: transfer.paymentId, txId: transfer.txId },
          'too few nodes confirm the transaction',
        )
    }
    return confirmed
  }
}
