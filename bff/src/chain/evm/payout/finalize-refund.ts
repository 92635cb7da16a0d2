import type { BaseUnits } from '../../../core/money.ts'
import type { Tx } from '../../../db/db.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { deleteRefund, endOutgoingRefund, loadUncounted, requeueRefund } from '../../../payout/refund-queue-store.ts'
import type { SettleReceipt } from './evm-sender.ts'
import type { SweepContext } from './payout-context.ts'

/**
 * A transaction is final. When it was a refund: what it gave back is counted, once, and what it did not goes back to the queue.
 * @param receipt - Undefined when somebody else's transaction took the nonce, so that ours can never be mined.
 */
export async function endRefund(
  { ledger, network, runtime, log }: SweepContext,
  tx: Tx,
  transactionId: string,
  receipt: SettleReceipt | undefined,
): Promise<void> {
  const refund = await loadUncounted(tx, transactionId)
  if (refund === undefined) return
  const { paymentId, address, failures } = refund
  const atMs = runtime.nowMs()
  const fields = { network: network.shortName, paymentId, address, txId: receipt?.txId }
  const paid = receipt?.refunds.find(
    ({ forwarder, token, to }) =>
      isSame(forwarder, refund.depositAddress) && isSame(token, refund.token) && isSame(to, address),
  )
  await endOutgoingRefund(tx, transactionId, paid === undefined ? 'failed' : 'confirmed')
  if (receipt !== undefined && paid !== undefined) {
    await deleteRefund(tx, paymentId)
    const amount = paid.amount as BaseUnits
    await ledger.applyIn(tx, paymentId, { type: 'refund.confirmed', amount, txId: receipt.txId, atMs })
    log.info({ ...fields, amount: String(amount) }, 'Money was sent back')
    return
  }
  // Before it is queued again: what came meanwhile may have made the payment paid.
  await ledger.applyIn(tx, paymentId, { type: 'refund.dropped', amount: refund.amount as BaseUnits, atMs })
  if (receipt === undefined) {
    await requeueRefund(tx, paymentId, transactionId, { failures, dueAtMs: atMs })
    return
  }
  const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
  if (!(await requeueRefund(tx, paymentId, transactionId, { failures: failures + 1, dueAtMs }))) return
  await ledger.applyIn(tx, paymentId, { type: 'refund.failed', isGivenUp, atMs })
  log.warn(fields, 'A refund was undone by the chain; it will be tried again')
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
