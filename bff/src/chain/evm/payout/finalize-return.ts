import type { BaseUnits } from '../../../core/money.ts'
import type { Tx } from '../../../db/db.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { deleteStray, endOutgoingStray, loadUncountedStray, requeueStray } from '../../../payout/return-queue-store.ts'
import type { SettleReceipt } from './evm-sender.ts'
import type { SweepContext } from './payout-context.ts'

/**
 * A transaction is final. When it sent a stray back: that is counted, once, and what it did not send goes back to the queue.
 * @param receipt - Undefined when somebody else's transaction took the nonce, so that ours can never be mined.
 */
export async function endStray(
  { ledger, runtime, log }: SweepContext,
  tx: Tx,
  transactionId: string,
  receipt: SettleReceipt | undefined,
): Promise<void> {
  const stray = await loadUncountedStray(tx, transactionId)
  if (stray === undefined) return
  const { address, failures, paymentId, network, token } = stray
  const atMs = runtime.nowMs()
  const fields = { network, paymentId, token, address, txId: receipt?.txId }
  const paid = receipt?.refunds.find(
    (log) => isSame(log.forwarder, stray.depositAddress) && isSame(log.token, token) && isSame(log.to, address),
  )
  await endOutgoingStray(tx, transactionId, paid === undefined ? 'failed' : 'confirmed')
  if (receipt !== undefined && paid !== undefined) {
    await deleteStray(tx, stray)
    const amount = paid.amount as BaseUnits
    const { txId, blockNumber: block } = receipt
    await ledger.applyIn(tx, paymentId, { type: 'stray.refunded', network, token, amount, txId, block, atMs })
    log.info({ ...fields, amount: String(amount) }, 'A stray was sent back')
    return
  }
  if (receipt === undefined) {
    await requeueStray(tx, stray, { transactionId, failures, dueAtMs: atMs })
    return
  }
  const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
  if (!(await requeueStray(tx, stray, { transactionId, failures: failures + 1, dueAtMs }))) return
  const as = isGivenUp ? 'failed' : 'failing'
  await ledger.applyIn(tx, paymentId, { type: 'stray.refund_failed', network, token, as, atMs })
  log.warn(fields, 'Sending a stray back was undone by the chain; it will be tried again')
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
