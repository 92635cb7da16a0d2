import { parseAmount } from '../../bff/src/core/money.ts'
import { openJournal } from './journal.ts'
import type { WebhookEvent } from './webhook.ts'

/** What the merchant's server wrote down when the customer chose: the price that a payment must meet. */
type OrderTerms = { id: string; productId: string; amount: string; currency: string; network: string }

export type Order = OrderTerms & {
  /** `taken-back`: a payment that had been complete was undone by the chain. */
  state: 'awaiting' | 'paid' | 'taken-back'
  /** The payment that paid it. */
  paymentId: string | null
}

/** One webhook that the server received. */
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
  /** Something newer about the same payment had come before. */
  stale: boolean
  /** How often it came; all but the first were dropped. */
  deliveries: number
  /** What the server made of it, for a person. */
  note: string
}

export type Shop = {
  open(terms: OrderTerms): Order
  order(id: string): Order | undefined
  /** Takes in an event whose signature was verified. A repeat or a stale one changes no order. */
  receive(event: WebhookEvent): ReceivedWebhook
  /** Remembers that something was turned away. */
  refuse(reason: string): ReceivedWebhook
  /** Newest first. */
  received(): ReceivedWebhook[]
}

/** Each page view opens an order: the oldest are forgotten beyond these. */
const ordersMax = 2_000
const receivedMax = 200
/** Few, and apart from the others, so that a flood of forgeries cannot push out what is true. */
const refusedMax = 20
/** Ids for dropping repeats, payments for dropping stale events: far more than one demo's deliveries in flight. */
const idsMax = 10_000
const paymentsMax = 5_000

/** What is known of a payment from its events. */
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
   * that was overtaken by `deposit.swept` still counts, one that is older than the reorg that undid it does not.
   */
  const decide = (event: WebhookEvent, known: Known, stale: boolean): string => {
    const decides = event.type === 'payment.completed' || event.type === 'payment.reorged'
    if (!decides) return stale ? 'Older than what is known: ignored.' : (meanings[event.type] ?? 'Noted.')
    if (event.sequence <= known.decided) return 'Older than what is known: ignored.'
    const order = event.orderId === null ? undefined : orders.get(event.orderId)
    if (order === undefined) return 'No such order here: nothing is shipped.'
    if (event.type === 'payment.reorged') {
      Object.assign(known, { decided: event.sequence, paid: false })
      if (order.paymentId !== event.paymentId) return 'Undone by the chain; this order was not paid by it.'
      Object.assign(order, { state: 'taken-back', paymentId: null })
      return 'The chain took the payment back: hold the parcel.'
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

/** What the other events mean for the shop; none of them ships anything. */
const meanings: Readonly<Record<string, string>> = {
  'payment.created': 'The customer can pay now.',
  'payment.detected': 'Money was seen on the chain; not confirmed yet.',
  'payment.underpaid': 'Less than the price has arrived: waiting for the rest.',
  'payment.overpaid': 'More than the price has arrived: the rest can be refunded.',
  'bridge.moved': 'The bridge said how far the money from another chain is.',
  'payment.late': 'Money arrived after the end: take it or refund it.',
  'payment.expired': 'Not paid in time.',
  'payment.cancelled': 'The customer chose another way to pay, or gave up.',
  'deposit.swept': 'The money is in the merchant’s wallet.',
  'deposit.sweep_failed': 'The payout failed; the service tries again.',
  'deposit.refunded': 'What was owed back to the customer was sent back.',
}

/** Why this event does not pay this order, or `null` when it does. The price is the server's, never the page's. */
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
