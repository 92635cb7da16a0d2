import { add, type BaseUnits, excess, isSignificantChange, zero } from '../core/money.ts'
import type { WebhookEventType } from '../core/record-codes.ts'
import { inTimeUntilMs, isBridgeUnderWay, lastAfter, moveBridge, windowEndOf } from './bridge.ts'
import type { Effect, PaymentEvent, StoredTransfer, Transfer, TransferState } from './event.ts'
import { isSameTransfer } from './event.ts'
import { type DepositPayment, isSwept, outcomeOf, type Payment, type Status } from './payment.ts'
import { isPaid, keptOf, paymentStateOf, seenOfDue, settledOf } from './payment-sums.ts'
import { acceptLate, failRefund, isLateHeld, planRefund, replaceRefund, undoRefund } from './refund.ts'
import { confirmSweep, failSweep, moveSweep, undoSweep } from './sweep.ts'
import { isAddressKnown, moveReturns, moveUnmatched, type UnmatchedEvent, withRefundAddress } from './unmatched.ts'

export type Step = {
  payment: Payment
  /** The transfer as it must be stored; absent when the event is not about a transfer, or changed nothing. */
  transfer?: StoredTransfer
  effects: Effect[]
}

/**
 * Every way a payment can move. Reads no clock, writes nothing: the caller stores the result.
 * The status is derived from facts (sums over transfers, the window, the sweep), so the order in which events arrive
 * never decides how a payment ends, and a repeated event changes nothing.
 * @param known - The event's transfer as it is stored, undefined when it is new; of a relay's report, its delivery.
 * @param newestOther - The newest of the payment's other canonical transfers.
 */
export function transition(
  payment: Payment,
  event: PaymentEvent,
  known?: StoredTransfer,
  newestOther?: StoredTransfer,
): Step {
  const stored = { known, newestOther }
  switch (event.type) {
    case 'transfer.seen':
      // A transfer that a reorg moved to another block starts over there.
      return known?.state === 'confirmed' && known.blockHash === event.transfer.blockHash
        ? unchanged(payment)
        : moveTransfer(withSweptAmount(payment, known), event.transfer, 'seen', event.atMs, stored)
    case 'transfer.confirmed':
      return moveTransfer(withSweptAmount(payment, known), event.transfer, 'confirmed', event.atMs, stored)
    case 'transfer.reverted':
      // Only the replaced block drops its transfer, not the block that it may have moved to.
      return known === undefined || known.state === 'reverted' || known.blockHash !== event.transfer.blockHash
        ? unchanged(payment)
        : moveTransfer(payment, known, 'reverted', event.atMs, stored)
    case 'window.ended':
      return endWindow(payment, event.blockTimeMs, event.atMs)
    case 'payment.closed': {
      const { as: closedAs, isShort = false, reason: closeReason = null } = event
      const isPaying = payment.seen > 0n && !(isShort && payment.seen < payment.least)
      return payment.closedAs !== null || outcomeOf(payment) !== 'pending' || isPaying || isBridgeUnderWay(payment)
        ? unchanged(payment)
        : settle(payment, { ...payment, closedAs, closeReason }, event.atMs)
    }
    case 'sweep.confirmed':
      return moved(payment, confirmSweep(payment, event), event.atMs)
    case 'sweep.undone':
      return moved(payment, undoSweep(payment, event), event.atMs)
    case 'sweep.waiting':
      return payment.mode !== 'deposit' || payment.sweepWaits === event.isWaiting
        ? unchanged(payment)
        : settle(payment, { ...payment, sweepWaits: event.isWaiting }, event.atMs)
    case 'sweep.failed':
      return moved(payment, failSweep(payment, event), event.atMs)
    case 'refund.requested':
      return payment.mode !== 'deposit' || payment.isDirect || isAddressKnown(payment, event)
        ? unchanged(payment)
        : settle(payment, withRefundAddress(payment, event), event.atMs)
    case 'merchant_refunds.changed':
      return outcomeOf(payment) === 'paid' || statusOf(payment) === payment.status
        ? unchanged(payment)
        : settle(payment, payment, event.atMs)
    case 'late.accepted':
      return moved(payment, acceptLate(payment), event.atMs)
    case 'late.returned':
      return payment.mode !== 'deposit' || payment.isDirect || !isLateHeld(payment)
        ? unchanged(payment)
        : settle(payment, { ...payment, lateReturned: true }, event.atMs)
    case 'refund.sent':
    case 'refund.dropped':
      return moveRefunding(payment, event.type === 'refund.sent', event.amount, event.atMs)
    case 'refund.confirmed':
      return confirmRefund(payment, event.amount, event.txId, event.atMs)
    case 'refund.undone':
      return moved(payment, undoRefund(payment, event), event.atMs)
    case 'refund.replaced':
      return moved(payment, replaceRefund(payment, event), event.atMs, 'deposit.refunded')
    case 'refund.failed':
      return moved(payment, failRefund(payment, event), event.atMs)
    case 'unmatched.measured':
    case 'unmatched.returned':
    case 'unmatched.return_failed':
    case 'unmatched.return_undone':
    case 'unmatched.return_replaced':
      return applyUnmatched(payment, event)
    case 'bridge.moved':
      return moved(payment, moveBridge(payment, event.report, known), event.atMs, 'bridge.moved')
    default:
      return event satisfies never
  }
}

function unchanged(payment: Payment): Step {
  return { payment, effects: [] }
}

/**
 * @param facts - Undefined when nothing has changed.
 * @param emitted - The webhook event of the move itself, after those that follow from the status.
 */
function moved(before: Payment, facts: Payment | undefined, atMs: number, emitted?: WebhookEventType): Step {
  if (facts === undefined) return unchanged(before)
  const step = settle(before, facts, atMs)
  return emitted === undefined ? step : { ...step, effects: [...step.effects, emit(emitted)] }
}

/** Ends the window and, later, the late window. */
function endWindow(payment: Payment, blockTimeMs: number, atMs: number): Step {
  const { acceptedUntilMs } = payment
  const windowEnded = payment.windowEnded || blockTimeMs > windowEndOf(payment)
  const lateEnded = payment.lateEnded || (acceptedUntilMs !== null && blockTimeMs > acceptedUntilMs)
  if (windowEnded === payment.windowEnded && lateEnded === payment.lateEnded) return unchanged(payment)
  return settle(payment, { ...payment, windowEnded, lateEnded }, atMs)
}

function moveTransfer(
  payment: Payment,
  transfer: Transfer,
  state: TransferState,
  atMs: number,
  { known, newestOther }: { known: StoredTransfer | undefined; newestOther: StoredTransfer | undefined },
): Step {
  if (transfer.amount <= 0n) return unchanged(payment)
  if (known?.state === state && isSameTransfer(known, transfer)) return unchanged(payment)
  // The merchant was notified that the payment failed when a caller ended it, so later money is late whatever
  // its block time.
  const wasInTime = known !== undefined && known.state !== 'reverted' && !known.isLate
  const windowEndsAtMs = inTimeUntilMs(payment, transfer, wasInTime)
  const paysUntilMs = Math.max(payment.acceptedUntilMs ?? 0, windowEndsAtMs)
  const isLate = transfer.blockTimeMs > paysUntilMs || payment.closedAs !== null
  const stored: StoredTransfer = { ...transfer, state, isLate }
  const [before, after] = [sums(known), sums(stored)]
  const last = lastAfter(payment, stored, newestOther)
  const next = {
    ...payment,
    seen: shift(payment.seen, before.seen, after.seen),
    received: shift(payment.received, before.received, after.received),
    late: shift(payment.late, before.late, after.late),
    lastBlock: last.lastBlock,
    lastTxId: last.lastTxId,
  }
  if (next.seen === 0n && next.late === 0n) Object.assign(next, { lastBlock: null, lastTxId: null })
  const step = settle(payment, next, atMs)
  return {
    ...step,
    transfer: stored,
    effects: [...transferEvents(payment, next, isLateEvent(windowEndsAtMs, stored, known)), ...step.effects],
  }
}

/** The amount that one transfer adds to each sum. */
function sums(transfer: StoredTransfer | undefined): { seen: BaseUnits; received: BaseUnits; late: BaseUnits } {
  if (!transfer || transfer.state === 'reverted') return { seen: zero, received: zero, late: zero }
  const isConfirmed = transfer.state === 'confirmed'
  if (transfer.isLate) return { seen: zero, received: zero, late: isConfirmed ? transfer.amount : zero }
  return { seen: transfer.amount, received: isConfirmed ? transfer.amount : zero, late: zero }
}

function shift(sum: BaseUnits, before: BaseUnits, after: BaseUnits): BaseUnits {
  return add(sum, (after - before) as BaseUnits)
}

/** Whether `payment.late` is emitted: for confirmed money after the window, even if it pays. */
function isLateEvent(windowEndsAtMs: number, stored: StoredTransfer, known: StoredTransfer | undefined): boolean {
  const isLateMoney = (one: StoredTransfer | undefined) =>
    one?.state === 'confirmed' && (one.isLate || one.blockTimeMs > windowEndsAtMs)
  return isLateMoney(stored) && !isLateMoney(known)
}

/** The webhook events of a transfer, independent of the payment's next status. */
function transferEvents(before: Payment, after: Payment, isLateEvent: boolean): Effect[] {
  const effects: Effect[] = []
  if (before.seen === 0n && after.seen > 0n && outcomeOf(before) !== 'paid') effects.push(emit('payment.detected'))
  const [there, thereNow] = [add(before.seen, before.late), add(after.seen, after.late)]
  const isLess = after.seen < before.seen || after.late < before.late
  const isReorgEvent = isPaid(before) !== isPaid(after) || isSignificantChange(before.due, there, thereNow)
  if (isLess && isReorgEvent) effects.push(emit('payment.reorged'))
  const [had, has] = [add(before.received, before.late), add(after.received, after.late)]
  if (isLateEvent && isSignificantChange(before.due, had, has)) effects.push(emit('payment.late'))
  return effects
}

function moveRefunding(payment: Payment, isSent: boolean, amount: BaseUnits, atMs: number): Step {
  if (payment.mode !== 'deposit') return unchanged(payment)
  const refunding = isSent ? add(payment.refunding, amount) : excess(payment.refunding, amount)
  return refunding === payment.refunding ? unchanged(payment) : settle(payment, { ...payment, refunding }, atMs)
}

/** A remaining or later sum becomes another refund. */
function confirmRefund(payment: Payment, amount: BaseUnits, txId: string, atMs: number): Step {
  if (payment.mode !== 'deposit') return unchanged(payment)
  const moved = { refunded: add(payment.refunded, amount), refunding: excess(payment.refunding, amount) }
  const step = settle(payment, { ...payment, ...moved, refundTxId: txId, refund: 'none' }, atMs)
  return { ...step, effects: [...step.effects, emit('deposit.refunded')] }
}

/** Unmatched transfers change no other field of the payment. */
function applyUnmatched(payment: Payment, event: UnmatchedEvent): Step {
  const moved = moveUnmatched(payment, event)
  if (moved === undefined) return unchanged(payment)
  const step = settle(payment, moved.payment, event.atMs)
  return { ...step, effects: [...moved.webhookEvents.map(emit), ...step.effects] }
}

/**
 * Older versions did not store the amount of a sweep. It was the amount received by then, so transfers after
 * the sweep were not part of it. Without this, the remainder of a payment within the tolerance would count as
 * paid out although nobody received it.
 */
function withSweptAmount(payment: Payment, known: StoredTransfer | undefined): Payment {
  if (payment.mode !== 'deposit' || known !== undefined) return payment
  if (payment.sweep !== 'confirmed' || payment.sweptAmount !== null) return payment
  return { ...payment, sweptAmount: settledOf(payment) }
}

/** Derives the status from the facts, and the effects of the change. */
function settle(before: Payment, facts: Payment, atMs: number): Step {
  const effects: Effect[] = []
  const after: Payment = { ...facts, version: before.version + 1 }
  const nowPaid = isPaid(after)
  if (after.mode === 'deposit') effects.push(...moveSweep(after, nowPaid))
  after.detectedAtMs = after.seen > 0n || nowPaid ? (before.detectedAtMs ?? atMs) : null
  after.confirmedAtMs = nowPaid ? (before.confirmedAtMs ?? atMs) : null
  after.status = statusOf(after)
  if (after.mode === 'deposit') effects.push(...moveRefund(after), ...moveReturns(after))
  effects.push(...statusEvents(before, after).map(emit))
  return { payment: after, effects }
}

/** A refund is queued when a sum is refundable and an address was named, and cancelled when a reorg takes the sum away. */
function moveRefund(payment: DepositPayment): Effect[] {
  const isDue = payment.refundAddress !== null && planRefund(payment) > 0n
  if (isDue && payment.refund === 'none') {
    payment.refund = 'queued'
    return [{ type: 'queue-refund' }]
  }
  if (!isDue && payment.refund !== 'none') {
    payment.refund = 'none'
    return [{ type: 'cancel-refund' }]
  }
  return []
}

/** The status that follows from the facts. */
export function statusOf(payment: Payment): Status {
  if (isPaid(payment)) {
    if (payment.mode === 'contract') return 'completed'
    // Clients wait for `swept` at every deposit; the money of a direct one is in the merchant's wallet as soon as it is paid.
    if (payment.isDirect || isSwept(payment)) return 'swept'
    return payment.sweep === 'failed' ? 'sweep_failed' : 'sweeping'
  }
  if (payment.closedAs !== null) return payment.closedAs
  // A payment with enough money in blocks of the window stays open until that money is confirmed, however late. Judged as unpaid: while a
  // payment's old status is paid, `seenOfDue` subtracts no refunds by the merchant's wallet.
  if (payment.windowEnded && seenOfDue({ ...payment, status: 'pending' }) < payment.least) return 'expired'
  return 'pending'
}

/** Less than the amount was seen. While the rest is unconfirmed, the customer must not be asked for it again. */
const isShort = (payment: Payment): boolean =>
  paymentStateOf(payment) === 'underpaid' && seenOfDue(payment) < payment.least

function statusEvents(before: Payment, after: Payment): WebhookEventType[] {
  const events: WebhookEventType[] = []
  if (outcomeOf(after) === 'paid' && outcomeOf(before) !== 'paid') events.push('payment.completed')
  if (isShort(after) && !isShort(before)) events.push('payment.underpaid')
  const [over, overNow] = [excess(before.received, keptOf(before)), excess(after.received, keptOf(after))]
  const isOver =
    paymentStateOf(after) === 'overpaid_refunding' && overNow > over && isSignificantChange(after.due, over, overNow)
  if (isOver) events.push('payment.overpaid')
  if (after.status !== before.status) {
    if (after.status === 'swept') events.push('deposit.swept')
    if (after.status === 'sweep_failed') events.push('deposit.sweep_failed')
    if (after.status === 'expired') events.push('payment.expired')
    if (after.status === 'cancelled') events.push('payment.cancelled')
    if (after.status === 'failed') events.push('payment.failed')
  }
  return events
}

function emit(event: WebhookEventType): Effect {
  return { type: 'emit', event }
}
