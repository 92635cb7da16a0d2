import type { WebhookEventType } from '@stablecoin-checkout/bff/record-codes'
import { parseAmount } from '@stablecoin-checkout/bff/testing/core'
import { openJournal } from './journal.ts'
import type { WebhookEvent } from './webhook.ts'

/** The merchant's record when the customer chose: the price that a payment must meet. */
type OrderTerms = {
  id: string
  /** The articles, in the cart's form: `beans-2.filters-1`. */
  items: string
  amount: string
  currency: string
  network: string
}

export type Order = OrderTerms & {
  /** `taken-back`: a reorg undid a completed payment. */
  state: 'awaiting' | 'paid' | 'taken-back'
  /** The payment that paid the order. */
  paymentId: string | null
}

/** A webhook received by the server. */
export type ReceivedWebhook = {
  type: string | null
  id: string | null
  sequence: number | null
  verified: boolean
  receivedAt: string
  paymentId: string | null
  orderId: string | null
  outcome: string | null
  amount: string | null
  currency: string | null
  /** A newer event about the same payment was received before. */
  stale: boolean
  /** Number of deliveries; all but the first were dropped. */
  deliveries: number
  /** The server's reaction, for a person. */
  note: string
}

export type Shop = {
  open(terms: OrderTerms): Order
  order(id: string): Order | undefined
  /** Processes a verified event. A repeat or an outdated event changes no order. */
  receive(event: WebhookEvent): ReceivedWebhook
  /** Records a refused request. */
  refuse(reason: string): ReceivedWebhook
  /** Newest first. */
  received(): ReceivedWebhook[]
}

/** Each page view creates an order: the oldest are dropped beyond this number. */
const ordersMax = 2_000
const receivedMax = 200
/** Few, and apart from the others, so that a flood of forgeries cannot displace verified events. */
const refusedMax = 20
/** Ids to detect repeats, payments to detect outdated events: far more than one demo's deliveries in flight. */
const idsMax = 10_000
const paymentsMax = 5_000

/** A payment's state from its events. */
type Known = { latest: number; decided: number; paid: boolean; orderId: string | null }

type Entry = { order: OrderTerms } | { event: WebhookEvent; receivedAt: string }

export function openShop(journalPath: string | null, nowMs: () => number = Date.now): Shop {
  const orders = new Map<string, Order>()
  const byId = new Map<string, ReceivedWebhook>()
  const payments = new Map<string, Known>()
  const received: ReceivedWebhook[] = []
  const refused: ReceivedWebhook[] = []

  const open = (terms: OrderTerms): Order => {
    const order: Order = { ...terms, state: 'awaiting', paymentId: null }
    remember(orders, terms.id, order, ordersMax)
    return order
  }

  const take = (event: WebhookEvent, receivedAt: string): ReceivedWebhook => {
    const known = payments.get(event.paymentId) ?? { latest: -1, decided: -1, paid: false, orderId: event.orderId }
    const stale = event.sequence <= known.latest
    const note = decide(event, known, stale)
    known.latest = Math.max(known.latest, event.sequence)
    remember(payments, event.paymentId, known, paymentsMax)
    const { type, id, sequence, paymentId, orderId, outcome, amount, currency } = event
    const line: ReceivedWebhook = {
      type,
      id,
      sequence,
      verified: true,
      receivedAt,
      paymentId,
      orderId,
      outcome,
      amount,
      currency,
      stale,
      deliveries: 1,
      note,
    }
    remember(byId, id, line, idsMax)
    keepLast(received, line, receivedMax)
    return line
  }

  /**
   * Only two events decide about shipping. They are compared with each other and not with the rest: a `completed`
   * overtaken by `deposit.swept` still counts, one older than the reorg that undid it does not.
   */
  const decide = (event: WebhookEvent, known: Known, stale: boolean): string => {
    const decides = event.type === 'payment.completed' || event.type === 'payment.reorged'
    if (!decides) return stale ? 'Older than the known state: ignored.' : (meanings[event.type] ?? 'Noted.')
    if (event.sequence <= known.decided) return 'Older than the known state: ignored.'
    const order = event.orderId === null ? undefined : orders.get(event.orderId)
    if (order === undefined) return 'Unknown order: nothing is shipped.'
    if (event.type === 'payment.reorged') {
      Object.assign(known, { decided: event.sequence, paid: false })
      if (order.paymentId !== event.paymentId) return 'Undone by a reorg; another payment paid this order.'
      Object.assign(order, { state: 'taken-back', paymentId: null })
      return 'A reorg undid the payment: hold the parcel.'
    }
    const refusal = whyNotPaid(event, order)
    if (refusal !== null) return refusal
    Object.assign(known, { decided: event.sequence, paid: true })
    if (order.state === 'paid' && order.paymentId !== event.paymentId) return 'Paid a second time: refund this one.'
    Object.assign(order, { state: 'paid', paymentId: event.paymentId })
    return 'The order is paid: ship it.'
  }

  const journal = openJournal<Entry>(journalPath, ordersMax + idsMax, (entry) => {
    if ('order' in entry) open(entry.order)
    else take(entry.event, entry.receivedAt)
  })

  return {
    open(terms) {
      journal.append({ order: terms })
      return open(terms)
    },
    order: (id) => orders.get(id),
    receive(event) {
      const before = byId.get(event.id)
      if (before !== undefined) {
        before.deliveries += 1
        return before
      }
      const receivedAt = new Date(nowMs()).toISOString()
      journal.append({ event, receivedAt })
      return take(event, receivedAt)
    },
    refuse(reason) {
      const line: ReceivedWebhook = {
        type: null,
        id: null,
        sequence: null,
        verified: false,
        receivedAt: new Date(nowMs()).toISOString(),
        paymentId: null,
        orderId: null,
        outcome: null,
        amount: null,
        currency: null,
        stale: false,
        deliveries: 1,
        note: `Refused: ${reason}.`,
      }
      keepLast(refused, line, refusedMax)
      return line
    },
    received: () => [...received, ...refused].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)),
  }
}

/** The other events, none of which ships anything. */
const meanings: Readonly<Record<string, string>> = {
  'payment.created': 'The customer can pay now.',
  'payment.detected': 'A transfer was detected; not confirmed yet.',
  'payment.underpaid': 'Less than the price has arrived: waiting for the rest.',
  'payment.overpaid': 'More than the price has arrived: the excess can be refunded.',
  'bridge.moved': 'The bridge reported the progress of the cross-chain payment.',
  'payment.late': 'Money arrived late: accept or refund it.',
  'payment.expired': 'Not paid in time.',
  'payment.cancelled': 'The customer chose another payment option, or cancelled.',
  'payment.failed': 'The payment was ended by hand.',
  'deposit.swept': 'The money is in the merchant’s wallet.',
  'deposit.sweep_failed': 'The payout failed; the service tries again.',
  'deposit.refunded': 'The money owed to the customer was refunded.',
  'deposit.unmatched_received': 'Another token, or money on another network, has arrived: it can be returned.',
  'deposit.unmatched_refunded': 'The unmatched transfer was returned.',
  'refund.requested': 'A refund is to be paid from the merchant’s wallet.',
  'refund.paid': 'The merchant’s wallet has paid the refund.',
  'refund.failed': 'The refund will not be paid, or a reorg undid it.',
} satisfies Record<Exclude<WebhookEventType, 'payment.completed' | 'payment.reorged'>, string>

/** Why this event does not pay the order, or `null` if it does. The price is the server's, never the page's. */
function whyNotPaid(event: WebhookEvent, order: Order): string | null {
  if (event.isTest) return 'A test payment: nothing is shipped.'
  if (event.outcome !== 'paid') return `Outcome is "${event.outcome}": nothing is shipped.`
  if (event.currency === order.currency && sameAmount(event.amount, order.amount)) return null
  const asked = `${order.amount} ${order.currency}`
  return `A payment of ${event.amount} ${event.currency}, but the order is ${asked}: nothing is shipped.`
}

/** More decimals than any stablecoin has. */
const decimalsMax = 18

function sameAmount(a: string, b: string): boolean {
  try {
    return parseAmount(a, decimalsMax) === parseAmount(b, decimalsMax)
  } catch {
    return false
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value, max: number) {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > max && oldest.done !== true) map.delete(oldest.value)
}

function keepLast(list: ReceivedWebhook[], line: ReceivedWebhook, max: number) {
  list.push(line)
  if (list.length > max) list.shift()
}
