import { formatAmount } from '../core/money.ts'
import type { StoredTransfer } from '../payment/event.ts'
import type { Payment } from '../payment/payment.ts'
import { type InvoicePayment, type InvoiceState, type InvoiceStatus, isAfterEnd } from './invoice-state.ts'
import { methodIdOf } from './payment-methods.ts'

/** In the order in which a paid invoice emits them. */
type InvoiceEventType =
  | 'InvoiceCreated'
  | 'InvoiceReceivedPayment'
  | 'InvoiceProcessing'
  | 'InvoicePaymentSettled'
  | 'InvoiceSettled'
  | 'InvoiceExpired'
  | 'InvoiceInvalid'
  | 'InvoiceRefund'

/** What the webhooks have reported about an invoice. Transfers are named by `transactionIdOf`. */
export type Reported = {
  status: InvoiceStatus | null
  received: readonly string[]
  settled: readonly string[]
  /** Ids of the refunds that the merchant's wallet pays. */
  refunds: readonly string[]
}

export const nothingReported: Reported = { status: null, received: [], settled: [], refunds: [] }

export type InvoiceEvent = { type: InvoiceEventType; fields: Readonly<Record<string, unknown>> }

/** Once this many transfers of one invoice are reported, further dust is not, so that nobody can flood a shop. */
const transfersMax = 100

/** A transfer below one hundredth of the amount due is dust. */
const dustShare = 100n

/** Plug-ins take what is before the first dash as the transaction. */
const transactionIdOf = ({ txId, logIndex }: StoredTransfer): string => `${txId}-${logIndex}`

const statusOf = { seen: 'Processing', confirmed: 'Settled', reverted: 'Invalid' } as const

/** A transfer as BTCPay shows a payment of an invoice. All fields but the time are text, because PHP plug-ins refuse other types. */
export const transferView = (payment: Payment, transfer: StoredTransfer) => ({
  id: transactionIdOf(transfer),
  receivedDate: Math.floor(transfer.blockTimeMs / 1000),
  value: formatAmount(transfer.amount, payment.tokenDecimals),
  fee: '0',
  status: statusOf[transfer.state],
  destination: payment.mode === 'deposit' ? payment.depositAddress : '',
})

/** The events of one type for transfers that were not reported yet, in order. */
function paymentEvents(type: InvoiceEventType, found: readonly Found[], known: readonly string[]): InvoiceEvent[] {
  return found
    .filter(({ transfer }) => !known.includes(transactionIdOf(transfer)))
    .map(({ payment, transfer, isLate }) => ({
      type,
      fields: {
        afterExpiration: isLate,
        paymentMethodId: methodIdOf(payment.currency, payment.network),
        payment: transferView(payment, transfer),
      },
    }))
}

type Found = { payment: Payment; transfer: StoredTransfer; isLate: boolean }

/**
 * The events to report: what changed since the last report, in BTCPay's order. Late transfers follow the expiry. Each event
 * is reported once; a state that came and went between two calls is skipped.
 * @param refunds - Ids of the merchant refunds of the invoice's payments, whoever requested them.
 */
export function eventsSince(
  reported: Reported,
  state: InvoiceState,
  payments: readonly InvoicePayment[],
  refunds: readonly string[],
) {
  const all: Found[] = payments.flatMap(({ payment, transfers }) =>
    transfers.map((transfer) => ({ payment, transfer, isLate: isAfterEnd(payment, transfer) })),
  )
  const known = new Set(reported.received)
  let room = transfersMax - known.size
  const isReported = ({ payment, transfer }: Found) =>
    known.has(transactionIdOf(transfer)) || transfer.amount * dustShare >= payment.due || room-- > 0
  const found = all.filter(isReported)
  const inTime = found.filter(({ isLate }) => !isLate)
  const late = found.filter(({ isLate }) => isLate)
  const confirmed = (some: readonly Found[]) => some.filter(({ transfer }) => transfer.state === 'confirmed')
  const { status, additional, isOver, isPartial } = state
  const isNew = status !== reported.status
  const isMarked = additional === 'Marked'
  const once = (isDue: boolean, type: InvoiceEventType, fields: InvoiceEvent['fields']): InvoiceEvent[] =>
    isDue ? [{ type, fields }] : []
  const wasOpen = reported.status === null || reported.status === 'New'
  const isPaying = (status === 'Processing' || status === 'Settled') && !isMarked && additional !== 'PaidLate'
  const isLateAtOnce = additional === 'PaidLate' && wasOpen
  const events: InvoiceEvent[] = [
    ...once(reported.status === null, 'InvoiceCreated', {}),
    ...paymentEvents('InvoiceReceivedPayment', inTime, reported.received),
    ...once(wasOpen && isPaying, 'InvoiceProcessing', { overPaid: isOver }),
    ...paymentEvents('InvoicePaymentSettled', confirmed(inTime), reported.settled),
    ...once((status === 'Expired' && isNew) || (isLateAtOnce && status === 'Settled'), 'InvoiceExpired', {
      partiallyPaid: isPartial,
    }),
    ...paymentEvents('InvoiceReceivedPayment', late, reported.received),
    ...paymentEvents('InvoicePaymentSettled', confirmed(late), reported.settled),
    ...once(status === 'Settled' && isNew, 'InvoiceSettled', { manuallyMarked: isMarked, overPaid: isOver }),
    ...once(status === 'Invalid' && isNew, 'InvoiceInvalid', { manuallyMarked: isMarked }),
    ...refunds
      .filter((id) => !reported.refunds.includes(id))
      .map((id): InvoiceEvent => ({ type: 'InvoiceRefund', fields: { pullPaymentId: id } })),
  ]
  // A transfer that this read lacks, or that a reorg took, is not reported again when it returns.
  const withIds = (ids: readonly string[], some: readonly Found[]) => [
    ...new Set([...ids, ...some.map(({ transfer }) => transactionIdOf(transfer))]),
  ]
  const now: Reported = {
    // After a short reorg the same transfer settles the invoice again, which needs no second event.
    status: reported.status === 'Settled' && status === 'Processing' ? 'Settled' : status,
    received: withIds(reported.received, found),
    settled: withIds(reported.settled, confirmed(found)),
    // Those of a payment that a reorg made pending are not read meanwhile.
    refunds: [...new Set([...reported.refunds, ...refunds])],
  }
  return { events, now }
}
