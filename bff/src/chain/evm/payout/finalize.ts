import type { Tx } from '../../../db/db.ts'
import { endOutgoing, type Member, membersOf, type Outgoing } from '../../../payout/outgoing-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { deleteSweep, requeueSweep } from '../../../payout/sweep-queue-store.ts'
import type { SettleReceipt } from './evm-sender.ts'
import { endRefund } from './finalize-refund.ts'
import { endStray } from './finalize-return.ts'
import type { SweepContext } from './payout-context.ts'

/** A final receipt: what it settled is paid out, what it did not goes back to the queue. All of it in one commit. */
export async function endMined(context: SweepContext, outgoing: Outgoing, receipt: SettleReceipt): Promise<number> {
  const { db, ledger, network, runtime, log } = context
  const atMs = runtime.nowMs()
  const ended = await db.write(async (tx) => {
    if (!(await endOutgoing(tx, outgoing.id, receipt.txId))) return undefined
    const settled: Member[] = []
    const unsettled: Member[] = []
    for (const member of await membersOf(tx, outgoing.id)) {
      if (receipt.settled.has(member.depositAddress.toLowerCase())) {
        await ledger.applyIn(tx, member.paymentId, { type: 'sweep.confirmed', txId: receipt.txId, atMs })
        await deleteSweep(tx, member.paymentId)
        settled.push(member)
      } else {
        await putBack(context, tx, outgoing, member, receipt, atMs)
        unsettled.push(member)
      }
    }
    await endRefund(context, tx, outgoing.id, receipt)
    await endStray(context, tx, outgoing.id, receipt)
    return { settled, unsettled }
  })
  if (ended === undefined) return 0
  const fields = { network: network.shortName, txId: receipt.txId }
  for (const { paymentId, depositAddress } of ended.settled) {
    const { merchantAmount, platformAmount, isPlatformParked } = receipt.settled.get(depositAddress.toLowerCase()) ?? {}
    log.info(
      { ...fields, paymentId, merchantAmount: String(merchantAmount), platformAmount: String(platformAmount) },
      'A deposit was settled',
    )
    if (isPlatformParked)
      log.warn({ ...fields, paymentId }, "The platform's wallet refused its share, which waits at the deposit address")
  }
  for (const { paymentId, depositAddress } of ended.unsettled) {
    const { reason } = refusalIn(receipt, depositAddress)
    log.warn({ ...fields, paymentId, reason }, 'A transaction left a deposit unsettled')
  }
  return 1
}

/** Somebody else's transaction took the nonce for good: ours can never be mined, and its deposits need another. */
export async function endLost(context: SweepContext, outgoing: Outgoing): Promise<number> {
  const { db, network, runtime, log } = context
  const dueAtMs = runtime.nowMs()
  const isEnded = await db.write(async (tx) => {
    if (!(await endOutgoing(tx, outgoing.id, undefined))) return false
    for (const { paymentId, failures } of await membersOf(tx, outgoing.id)) {
      await requeueSweep(tx, paymentId, outgoing.id, { failures, dueAtMs })
    }
    await endRefund(context, tx, outgoing.id, undefined)
    await endStray(context, tx, outgoing.id, undefined)
    return true
  })
  if (!isEnded) return 0
  const fields = { network: network.shortName, sender: outgoing.sender, nonce: outgoing.nonce }
  log.warn(fields, 'A transaction that is not ours took a nonce of the operator account; its deposits are queued again')
  return 1
}

/** A deposit that somebody else settled in the meantime has not failed; the next pass finds where that happened. */
async function putBack(
  { ledger }: SweepContext,
  tx: Tx,
  outgoing: Outgoing,
  { paymentId, depositAddress, failures }: Member,
  receipt: SettleReceipt,
  atMs: number,
): Promise<void> {
  if (refusalIn(receipt, depositAddress).isSettled) {
    await requeueSweep(tx, paymentId, outgoing.id, { failures, dueAtMs: atMs })
    return
  }
  const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
  if (!(await requeueSweep(tx, paymentId, outgoing.id, { failures: failures + 1, dueAtMs }))) return
  await ledger.applyIn(tx, paymentId, { type: 'sweep.failed', isGivenUp, atMs })
}

function refusalIn(receipt: SettleReceipt, depositAddress: string) {
  const reason = receipt.isReverted ? 'the transaction reverted' : 'the factory did not say why'
  return receipt.skipped.get(depositAddress.toLowerCase()) ?? { isSettled: false, reason }
}
