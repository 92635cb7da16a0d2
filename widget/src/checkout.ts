import { type Fault, isRetryable } from './api/client.ts'
import type { CheckoutEvents } from './events.ts'
import { type Answer, isSameAmount, type Payment, returnsOf, type Stage, seenOf, stageOf } from './payment.ts'
import { type ChooseIntent, type Intent, type Problem, wishOf } from './terms.ts'

/** Connection to the service. A banner shows problems; the payment on screen stays. */
export type Line = { failures: number; isOffline: boolean; retryAfterMs: number }

export type Following = {
  phase: 'following'
  intent: Intent
  answer: Answer
  stage: Stage
  /** End of the window on this page's monotonic clock. */
  endsAtMs: number
  /** Consecutive responses without a change. */
  unchanged: number
  line: Line
}

export type Checkout =
  | { phase: 'idle' }
  | { phase: 'misconfigured'; problems: Problem[] }
  | { phase: 'choosing'; intent: ChooseIntent }
  | { phase: 'refused'; intent: Intent; fault: Fault }
  | { phase: 'loading'; intent: Intent; line: Line }
  | Following

/** A permanent failure. */
export type Stopped = Extract<Checkout, { phase: 'misconfigured' | 'refused' }>

export type CheckoutEvent =
  | { type: 'settings.changed'; intent: Intent }
  /** The customer's choice where the page leaves terms open: the terms, or null to choose again. */
  | { type: 'option.chosen'; intent: Intent }
  | { type: 'settings.broken'; problems: Problem[] }
  /** `isOther`: another payment that replaces the one on screen. */
  | { type: 'answer.arrived'; answer: Answer; isCreated: boolean; isOther?: boolean; intent?: Intent; nowMs: number }
  | { type: 'request.failed'; fault: Fault; isCreate: boolean; isOffline: boolean }
  /** The customer starts the same payment again, or switches to a replacement. */
  | { type: 'retry.chosen'; isNew: boolean }

export type Effect =
  /** Load from the beginning: continue or create the payment of the intent. */
  | { type: 'load' }
  | { type: 'stop' }
  /** Drop the idempotency key, so that the next load creates a new payment. */
  | { type: 'forget' }
  | { type: 'remember'; paymentId: string }
  | { [Name in keyof CheckoutEvents]: { type: 'emit'; name: Name; detail: CheckoutEvents[Name] } }[keyof CheckoutEvents]

export type Step = { checkout: Checkout; effects: Effect[] }

const goodLine: Line = { failures: 0, isOffline: false, retryAfterMs: 0 }

/** Every transition of the screen. Pure: the controller carries out the effects. */
export function reduce(checkout: Checkout, event: CheckoutEvent): Step {
  switch (event.type) {
    case 'settings.changed':
      return changeIntent(checkout, event.intent)
    case 'option.chosen':
      return load(event.intent, false)
    case 'settings.broken':
      return isMoneyUnderWay(checkout) ? stay(checkout) : misconfigure(event.problems)
    case 'answer.arrived':
      return accept(checkout, event)
    case 'request.failed':
      return fail(checkout, event)
    case 'retry.chosen':
      return 'intent' in checkout ? load(checkout.intent, event.isNew) : stay(checkout)
    default:
      return event satisfies never
  }
}

function stay(checkout: Checkout): Step {
  return { checkout, effects: [] }
}

/** @param isNew - True for another payment than the one this tab remembers. */
function load(intent: Intent, isNew: boolean): Step {
  if (intent.type === 'choose') return { checkout: { phase: 'choosing', intent }, effects: [{ type: 'stop' }] }
  const effects: Effect[] = isNew ? [{ type: 'forget' }, { type: 'load' }] : [{ type: 'load' }]
  return { checkout: { phase: 'loading', intent, line: goodLine }, effects }
}

/** Money was detected and the payment is still open: changing terms now would hide where the customer's money is. */
function isMoneyUnderWay(checkout: Checkout): boolean {
  return checkout.phase === 'following' && !checkout.answer.payment.isFinal && seenOf(checkout.answer.payment) !== ''
}

function changeIntent(checkout: Checkout, intent: Intent): Step {
  if ('intent' in checkout && wishOf(checkout.intent) === wishOf(intent))
    return stay(intent.type === checkout.intent.type ? ({ ...checkout, intent } as Checkout) : checkout)
  return intent.type !== 'follow' && isMoneyUnderWay(checkout) ? stay(checkout) : load(intent, false)
}

/** Shows a permanent failure. */
function end(checkout: Checkout, reason: Reason, retryable = false): Step {
  return { checkout, effects: [{ type: 'stop' }, emitError(reason, retryable)] }
}

type Reason = Pick<Fault, 'code' | 'message'>

function emitError({ code, message }: Reason, retryable: boolean): Effect {
  return { type: 'emit', name: 'sc-error', detail: { code, message, retryable } }
}

function misconfigure(problems: Problem[]): Step {
  const message = problems.map(({ attribute, rule }) => (rule ? `${attribute}: ${rule}` : attribute)).join('; ')
  return end({ phase: 'misconfigured', problems }, { code: 'CONFIGURATION', message })
}

type Failure = Extract<CheckoutEvent, { type: 'request.failed' }>

function fail(checkout: Checkout, { fault, isCreate, isOffline }: Failure): Step {
  if (!('line' in checkout)) return stay(checkout)
  const { intent, phase, line } = checkout
  const { code, status, retryAfterMs } = fault
  // A remembered payment no longer exists at the service. It is an error only if the page requested it by its id.
  if (status === 404 && !isCreate && phase === 'loading' && intent.type === 'create') return load(intent, true)
  const retryable = isRetryable(fault)
  // Waiting for a rate is not automatic: the customer retries.
  if (!retryable || code === 'NO_RATE') return end({ phase: 'refused', intent, fault }, fault, retryable)
  const failures = line.failures + 1
  return {
    checkout: { ...checkout, line: { failures, isOffline, retryAfterMs } },
    // One event per outage, however many retries it lasts.
    effects: failures === 1 ? [emitError(fault, true)] : [],
  }
}

type Arrival = Extract<CheckoutEvent, { type: 'answer.arrived' }>

function accept(checkout: Checkout, { answer, isCreated, isOther, intent: chosen, nowMs }: Arrival): Step {
  if (!('line' in checkout)) return stay(checkout)
  const intent = chosen ?? checkout.intent
  const before = checkout.phase === 'following' && !isOther ? checkout : null
  if (!isAsked(intent, before?.answer.payment, answer)) {
    const fault = { code: 'MISMATCH', message: 'The response is for another payment.', status: 0, retryAfterMs: 0 }
    return end({ phase: 'refused', intent, fault }, fault)
  }
  const isChanged = !before || fingerprint(before.answer) !== fingerprint(answer)
  const now: Following = {
    phase: 'following',
    intent,
    answer,
    stage: stageOf(answer),
    endsAtMs: endsAtMs(before, answer, nowMs),
    unchanged: isChanged ? 0 : before.unchanged + 1,
    line: goodLine,
  }
  return { checkout: now, effects: isChanged ? emitChanges(before, now, isCreated) : [] }
}

/** The last check before a customer sends money: another payment, amount, token or address is never shown. */
function isAsked(intent: Intent, before: Payment | undefined, { payment: now, wire }: Answer): boolean {
  if (before && (before.id !== now.id || before.depositAddress !== now.depositAddress)) return false
  if (intent.type === 'follow') return intent.paymentId.toLowerCase() === now.id.toLowerCase()
  const { amount, price, priceCurrency, currency } = intent.terms
  const isSameSum = price
    ? isSameAmount(price, wire.price) && priceCurrency === wire.priceCurrency
    : isSameAmount(amount, now.amount)
  return isSameSum && currency.toUpperCase() === now.currency.toUpperCase()
}

/** Every visible change, for the customer or for the shop's page. */
function fingerprint(answer: Answer): string {
  return JSON.stringify([{ ...answer.payment, qr: 0 }, returnsOf(answer)])
}

/** Set only by a newer server time: a cached response repeats the old one. */
function endsAtMs(before: Following | null, { payment, serverTimeMs }: Answer, nowMs: number): number {
  return before && serverTimeMs <= before.answer.serverTimeMs
    ? before.endsAtMs
    : nowMs + payment.expiresAtMs - serverTimeMs
}

function emitChanges(before: Following | null, { answer, stage, intent }: Following, isCreated: boolean): Effect[] {
  const { payment } = answer
  const { remaining } = payment
  const previousStage = before?.stage ?? null
  const isNewStage = stage !== previousStage
  const effects: Effect[] = []
  const emit = <Name extends keyof CheckoutEvents>(name: Name, detail: CheckoutEvents[Name]) =>
    effects.push({ type: 'emit', name, detail } as Effect)
  if (!before) {
    effects.push({ type: 'remember', paymentId: payment.id })
    if (isCreated) emit('sc-payment-created', { payment })
    emit('sc-ready', { payment })
  }
  // A paid order stays remembered: after a reload it must be shown as paid, not payable.
  if (payment.isFinal && !(stage === 'paid' && intent.type === 'create' && intent.terms.orderId))
    effects.push({ type: 'forget' })
  emit('sc-status-change', { payment, stage, previousStage })
  if (stage === 'underpaid' && remaining !== before?.answer.payment.remaining)
    emit('sc-underpaid', { payment, remaining })
  if (stage === 'paid' && isNewStage) emit('sc-paid', { payment })
  if (stage === 'expired' && isNewStage) emit('sc-expired', { payment })
  return effects
}
