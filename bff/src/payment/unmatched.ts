import { add, excess, zero } from '../core/money.ts'
import type { WebhookEventType } from '../core/record-codes.ts'
import type { Effect, PaymentEvent } from './event.ts'
import type { DepositPayment, Payment, UnmatchedTransfer } from './payment.ts'

/** Stands for the chain's own coin in place of a token's address; the forwarder contract uses the same value. */
export const coinAddress = `0x${'0'.repeat(40)}`

/**
 * Maximum webhook events about the unmatched transfers of one token, so that many tiny transfers cause no flood. The payment still shows
 * all transfers.
 */
const notificationsMax = 10

export type UnmatchedEvent = Extract<PaymentEvent, { type: `unmatched.${string}` }>

type UnmatchedKey = Pick<UnmatchedTransfer, 'network' | 'token'>

export const isSameToken = (one: UnmatchedKey, other: UnmatchedKey): boolean =>
  one.network === other.network && one.token === other.token

/** The address that an unmatched transfer is returned to; null: none was named. */
export const returnAddressOf = ({ network, refundAddress }: DepositPayment, one: UnmatchedTransfer): string | null =>
  one.address ?? (one.network === network ? refundAddress : null)

/** @returns the payment with its unmatched transfers changed, and the webhook events for it; undefined when the event changes nothing. */
export function moveUnmatched(
  payment: Payment,
  event: UnmatchedEvent,
): { payment: DepositPayment; webhookEvents: WebhookEventType[] } | undefined {
  if (payment.mode !== 'deposit') return undefined
  const known = payment.unmatched.find((one) => isSameToken(one, event))
  const moved = nextOf(payment, known, event)
  if (moved === undefined) return undefined
  const unmatched = known
    ? payment.unmatched.map((one) => (one === known ? moved : one))
    : [...payment.unmatched, moved]
  return { payment: { ...payment, unmatched }, webhookEvents: webhookEventsOf(known, moved) }
}

function nextOf(
  payment: DepositPayment,
  known: UnmatchedTransfer | undefined,
  event: UnmatchedEvent,
): UnmatchedTransfer | undefined {
  switch (event.type) {
    case 'unmatched.measured':
      return seen(payment, known, event)
    case 'unmatched.returned':
      return known && refunded(known, event)
    case 'unmatched.return_failed':
      return failed(known, event)
    case 'unmatched.return_undone':
      return known && undone(known, event)
    case 'unmatched.return_replaced':
      return known && replaced(known, event)
    default:
      return event satisfies never
  }
}

/** Ignores a balance read at an older block than the known one. */
function seen(
  payment: DepositPayment,
  known: UnmatchedTransfer | undefined,
  event: Extract<UnmatchedEvent, { type: 'unmatched.measured' }>,
): UnmatchedTransfer | undefined {
  const { network, token, currency, decimals, balance, block } = event
  if (known === undefined && balance === 0n) return undefined
  // The same balance with a new transfer is a balance after a return: it counts as read at its block.
  const hasNewTransfer = event.txId !== null && event.txId !== known?.txId
  if (known && (block < known.block || (balance === known.balance && !hasNewTransfer))) return undefined
  const none = { balance: zero, refunded: zero, notifications: 0, txId: null }
  const old = known ?? { ...none, refund: 'none' as const, refundReason: null, refundTxId: null }
  const isNotified = balance > old.balance && old.notifications < notificationsMax
  const there = payment.unmatched.find((one) => one.network === network)
  return {
    ...old,
    network,
    token,
    currency,
    decimals,
    balance,
    block,
    txId: event.txId ?? old.txId,
    notifications: isNotified ? old.notifications + 1 : old.notifications,
    address: there?.address ?? null,
  }
}

function failed(
  known: UnmatchedTransfer | undefined,
  { as: refund, reason }: Extract<UnmatchedEvent, { type: 'unmatched.return_failed' }>,
): UnmatchedTransfer | undefined {
  const refundReason = reason ?? null
  if (known === undefined || known.refund === 'none') return undefined
  return known.refund === refund && known.refundReason === refundReason ? undefined : { ...known, refund, refundReason }
}

function refunded(
  known: UnmatchedTransfer,
  event: Extract<UnmatchedEvent, { type: 'unmatched.returned' }>,
): UnmatchedTransfer {
  const { amount, txId, block } = event
  // A balance that was read at that block or a later one no longer contains the amount.
  const balance = known.block >= block ? known.balance : excess(known.balance, amount)
  const refund = 'none' as const
  return {
    ...known,
    balance,
    refund,
    refundReason: null,
    refundTxId: txId,
    refunded: add(known.refunded, amount),
    block: Math.max(known.block, block),
  }
}

/**
 * Counts the amount twice if the balance was read since the reorg. This is harmless, because the balance is read again before the amount is
 * sent.
 */
function undone(
  known: UnmatchedTransfer,
  { amount, txIds }: Extract<UnmatchedEvent, { type: 'unmatched.return_undone' }>,
): UnmatchedTransfer {
  const isNewest = known.refundTxId !== null && txIds.includes(known.refundTxId)
  return {
    ...known,
    balance: add(known.balance, amount),
    refunded: excess(known.refunded, amount),
    refundTxId: isNewest ? null : known.refundTxId,
  }
}

/** Shows the return transaction that was mined. Undefined when it is shown already, or a later return is. */
function replaced(
  known: UnmatchedTransfer,
  { txId, txIds }: Extract<UnmatchedEvent, { type: 'unmatched.return_replaced' }>,
): UnmatchedTransfer | undefined {
  if (known.refundTxId === null || known.refundTxId === txId || !txIds.includes(known.refundTxId)) return undefined
  return { ...known, refundTxId: txId }
}

function webhookEventsOf(before: UnmatchedTransfer | undefined, after: UnmatchedTransfer): WebhookEventType[] {
  const events: WebhookEventType[] = []
  if (after.notifications > (before?.notifications ?? 0)) events.push('deposit.unmatched_received')
  const shown = before?.refundTxId ?? null
  const isReplaced = shown !== null && after.refundTxId !== null && after.refundTxId !== shown
  if (isReplaced || after.refunded > (before?.refunded ?? 0n)) events.push('deposit.unmatched_refunded')
  return events
}

type Requested = Extract<PaymentEvent, { type: 'refund.requested' }>

/** Whether the address was named before. */
export function isAddressKnown(payment: DepositPayment, { address, network }: Requested): boolean {
  if (network === undefined) return payment.refundAddress === address
  const there = payment.unmatched.filter((one) => one.network === network)
  return there.every((one) => one.address === address)
}

/**
 * A return to a new address starts at once, however often the old address failed. An address for unmatched
 * transfers is never used as the payment's refund address: anybody can send an unmatched transfer, but a
 * refund belongs to the payer.
 */
export function withRefundAddress(payment: DepositPayment, { address, network }: Requested): DepositPayment {
  if (network !== undefined) {
    const unmatched = payment.unmatched.map((one) =>
      one.network === network ? { ...one, refund: 'none' as const, refundReason: null, address } : one,
    )
    return { ...payment, unmatched }
  }
  const unmatched = payment.unmatched.map((one) =>
    one.network === payment.network && one.address === null
      ? { ...one, refund: 'none' as const, refundReason: null }
      : one,
  )
  return { ...payment, unmatched, refundAddress: address, refund: 'none' }
}

/** Queues a return for each balance that has an address, and cancels the other returns. Mutates the payment. */
export function moveReturns(payment: DepositPayment): Effect[] {
  const effects: Effect[] = []
  const unmatched = payment.unmatched.map((one) => {
    const { network, token, refund } = one
    const isDue = one.balance > 0n && returnAddressOf(payment, one) !== null
    if (isDue === (refund !== 'none')) return one
    effects.push({ type: isDue ? 'queue-return' : 'cancel-return', network, token })
    return { ...one, refund: isDue ? ('queued' as const) : ('none' as const) }
  })
  if (effects.length > 0) payment.unmatched = unmatched
  return effects
}
