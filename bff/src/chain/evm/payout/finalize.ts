import { finalizeOutgoing, type Outgoing } from '../../../payout/outgoing-store.ts'
import { finalizePayouts, type PayoutResult } from '../../../payout/payout-finalize.ts'
import type { OutgoingPayout } from '../../../payout/payout-queue-store.ts'
import type { SettleReceipt } from './evm-sender.ts'
import type { PayoutContext } from './payout-context.ts'

/** A final receipt: what the transaction paid is counted, what it did not is queued again. All of it in one commit. */
export async function finalizeMined(
  context: PayoutContext,
  outgoing: Outgoing,
  receipt: SettleReceipt,
): Promise<number> {
  const { db } = context
  const finalized = await db.write(async (tx) => {
    if (!(await finalizeOutgoing(tx, outgoing.id, receipt.txId))) return undefined
    const deps = { ...context, emitsRefundSent: true }
    return await finalizePayouts(deps, tx, outgoing.id, (payout) => resultOf(payout, receipt))
  })
  if (finalized === undefined) return 0
  logSweeps(context, receipt, finalized)
  return 1
}

function logSweeps(
  { network, log }: PayoutContext,
  receipt: SettleReceipt,
  finalized: Awaited<ReturnType<typeof finalizePayouts>>,
): void {
  const fields = { network: network.shortName, txId: receipt.txId }
  const sweeps = finalized.map(({ payout }) => payout).filter(({ kind }) => kind === 'sweep')
  for (const { paymentId, depositAddress } of sweeps) {
    const settled = receipt.settled.get(depositAddress.toLowerCase())
    if (settled === undefined) continue
    const { merchantAmount, platformAmount, isPlatformParked } = settled
    log.info(
      { ...fields, paymentId, merchantAmount: String(merchantAmount), platformAmount: String(platformAmount) },
      'A deposit was settled',
    )
    if (isPlatformParked) {
      log.warn({ ...fields, paymentId }, "The platform's wallet refused its share, which waits at the deposit address")
    }
  }
  for (const { paymentId, depositAddress } of sweeps) {
    if (receipt.settled.has(depositAddress.toLowerCase())) continue
    const { reason } = refusalIn(receipt, depositAddress)
    log.warn({ ...fields, paymentId, reason }, 'A transaction left a deposit unsettled')
  }
}

/** Somebody else's transaction took the nonce for good: ours can never be mined, and its payouts need another. */
export async function finalizeLost(context: PayoutContext, outgoing: Outgoing): Promise<number> {
  const { db, network, log } = context
  const isFinalized = await db.write(async (tx) => {
    if (!(await finalizeOutgoing(tx, outgoing.id, undefined))) return false
    await finalizePayouts({ ...context, emitsRefundSent: true }, tx, outgoing.id, () => ({ result: 'unpaid' }))
    return true
  })
  if (!isFinalized) return 0
  const fields = { network: network.shortName, sender: outgoing.sender, nonce: outgoing.nonce }
  log.warn(fields, 'A transaction that is not ours took a nonce of the operator account; its deposits are queued again')
  return 1
}

function resultOf(payout: OutgoingPayout, receipt: SettleReceipt): PayoutResult {
  const { txId, blockNumber: block } = receipt
  if (payout.kind === 'sweep') {
    const settled = receipt.settled.get(payout.depositAddress.toLowerCase())
    if (settled) return { result: 'paid', txId, block, amount: settled.merchantAmount + settled.platformAmount }
    // A deposit that somebody else settled in the meantime has not failed; the next pass finds where that happened.
    return refusalIn(receipt, payout.depositAddress).isSettled ? { result: 'unpaid' } : { result: 'failed', txId }
  }
  const refunded = receipt.refunds.find(
    ({ forwarder, token, to }) =>
      isSame(forwarder, payout.depositAddress) && isSame(token, payout.token) && isSame(to, payout.sending?.address),
  )
  return refunded ? { result: 'paid', txId, block, amount: refunded.amount } : { result: 'failed', txId }
}

function refusalIn(receipt: SettleReceipt, depositAddress: string) {
  const reason = receipt.isReverted ? 'the transaction reverted' : 'the factory did not say why'
  return receipt.skipped.get(depositAddress.toLowerCase()) ?? { isSettled: false, reason }
}

const isSame = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase()
