import type { Fault } from './api/client.ts'
import type { CheckoutEvents } from './events.ts'
import { type Answer, isSameAmount, type Payment, returnsOf, type Stage, seenOf, stageOf } from './payment.ts'
import { type ChooseIntent, type Intent, type Problem, wishOf } from './terms.ts'

/** How the line to the service is. A banner shows it; the payment on screen stays as it was. */
export type Line = { failures: number; isOffline: boolean; retryAfterMs: number }

export type Following = {
  phase: 'following'
  intent: Intent
  answer: Answer
  stage: Stage
  /** End of the window on this page's monotonic clock. */
  endsAtMs: number
  /** Answers in a row that brought nothing new. */
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

/** What no further try will mend. */
export type Stopped = Extract<Checkout, { phase: 'misconfigured' | 'refused' }>

export type CheckoutEvent =
  | { type: 'settings.changed'; intent: Intent }
  /** The customer's word where the page left it to them: on which terms, or that they choose anew. */
  | { type: 'way.chosen'; intent: Intent }
  | { type: 'settings.broken'; problems: Problem[] }
  /** `isOther`: the customer pays another way, by a payment that takes the place of the one on screen. */
  | { type: 'answer.arrived'; answer: Answer; isCreated: boolean; isOther?: boolean; intent?: Intent; nowMs: number }
  | { type: 'request.failed'; fault: Fault; isCreate: boolean; isOffline: boolean }
  /** The customer wants the same again, or a payment in place of this one. */
  | { type: 'retry.chosen'; isNew: boolean }

export type Effect =
  /** Ask the service from the beginning: continue or create the payment of the intent. */
  | { type: 'load' }
  | { type: 'stop' }
  /** Drop the idempotency key, so that the next load makes a new payment. */
  | { type: 'forget' }
  | { type: 'remember'; paymentId: string }
  | { [Name in keyof CheckoutEvents]: { type: 'emit'; name: Name; detail: CheckoutEvents[Name] } }[keyof CheckoutEvents]

export type Step = { checkout: Checkout; effects: Effect[] }

const goodLine: Line = { failures: 0, isOffline: false, retryAfterMs: 0 }

/** Every way the screen can move. Reads no clock and touches nothing: the controller carries the effects out. */
export function reduce(checkout: Checkout, event: CheckoutEvent): Step {
  switch (event.type) {
    case 'settings.changed':
      return changeIntent(checkout, event.intent)
    case 'way.chosen':
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

/** @param isNew - Not the payment that this tab remembers, but another one. */
function load(intent: Intent, isNew: boolean): Step {
  if (intent.type === 'choose') return { checkout: { phase: 'choosing', intent }, effects: [{ type: 'stop' }] }
  const effects: Effect[] = isNew ? [{ type: 'forget' }, { type: 'load' }] : [{ type: 'load' }]
  return { checkout: { phase: 'loading', intent, line: goodLine }, effects }
}

/** Money was seen and the payment is not over: other terms now would hide where the customer's money is. */
function isMoneyUnderWay(checkout: Checkout): boolean {
  return checkout.phase === 'following' && !checkout.answer.payment.isFinal && seenOf(checkout.answer.payment) !== ''
}

function changeIntent(checkout: Checkout, intent: Intent): Step {
  if ('intent' in checkout && wishOf(checkout.intent) === wishOf(intent))
    return stay(intent.type === checkout.intent.type ? ({ ...checkout, intent } as Checkout) : checkout)
  return intent.type !== 'follow' && isMoneyUnderWay(checkout) ? stay(checkout) : load(intent, false)
}

/** Shows what no further try will mend. */
function end(checkout: Checkout, code: string, message: string): Step {
  const detail = { code, message, retryable: false }
  return { checkout, effects: [{ type: 'stop' }, { type: 'emit', name: 'sc-error', detail }] }
}

function misconfigure(problems: Problem[]): Step {
  const message = problems.map(({ attribute, rule }) => (rule ? `${attribute}: ${rule}` : attribute)).join('; ')
  return end({ phase: 'misconfigured', problems }, 'CONFIGURATION', message)
}

type Failure = Extract<CheckoutEvent, { type: 'request.failed' }>

function fail(checkout: Checkout, { fault, isCreate, isOffline }: Failure): Step {
  if (!('line' in checkout)) return stay(checkout)
  const { intent, phase, line } = checkout
  const { code, message, status, retryAfterMs } = fault
  // What this tab remembered is gone from the service; only a payment that the page asked for by its id is an error.
  if (status === 404 && !isCreate && phase === 'loading' && intent.type === 'create') return load(intent, true)
  if (!isRetryable(status)) return end({ phase: 'refused', intent, fault }, code, message)
  const failures = line.failures + 1
  return {
    checkout: { ...checkout, line: { failures, isOffline, retryAfterMs } },
    // One event for one outage, however many tries it lasts.
    effects: failures === 1 ? [{ type: 'emit', name: 'sc-error', detail: { code, message, retryable: true } }] : [],
  }
}

/** Whether the same request may succeed later. What was no answer of the service came from something in between. */
function isRetryable(status: number): boolean {
  return status < 400 || status === 408 || status === 429 || status > 499
}

type Arrival = Extract<CheckoutEvent, { type: 'answer.arrived' }>

function accept(checkout: Checkout, { answer, isCreated, isOther, intent: chosen, nowMs }: Arrival): Step {
  if (!('line' in checkout)) return stay(checkout)
  const intent = chosen ?? checkout.intent
  const before = checkout.phase === 'following' && !isOther ? checkout : null
  if (!isAsked(intent, before?.answer.payment, answer.payment)) {
    const fault = { code: 'MISMATCH', message: strangeAnswer, status: 0, retryAfterMs: 0 }
    return end({ phase: 'refused', intent, fault }, fault.code, fault.message)
  }
  const isNews = !before || fingerprint(before.answer) !== fingerprint(answer)
  const now: Following = {
    phase: 'following',
    intent,
    answer,
    stage: stageOf(answer),
    endsAtMs: endsAtMs(before, answer, nowMs),
    unchanged: isNews ? 0 : before.unchanged + 1,
    line: goodLine,
  }
  return { checkout: now, effects: isNews ? tell(before, now, isCreated) : [] }
}

const strangeAnswer = 'The service answered with another payment.'

/** The last look before a customer sends money: another payment, amount, token or address is never shown. */
function isAsked(intent: Intent, before: Payment | undefined, now: Payment): boolean {
  if (before && (before.id !== now.id || before.depositAddress !== now.depositAddress)) return false
  if (intent.type === 'follow') return intent.paymentId.toLowerCase() === now.id.toLowerCase()
  const { amount, currency } = intent.terms
  return isSameAmount(amount, now.amount) && currency.toUpperCase() === now.currency.toUpperCase()
}

/** All that a customer or the shop's page could notice. */
function fingerprint(answer: Answer): string {
  return JSON.stringify([{ ...answer.payment, qr: 0 }, returnsOf(answer)])
}

/** Anchored again only by a newer server time: an answer from the browser's cache repeats the old one. */
function endsAtMs(before: Following | null, { payment, serverTimeMs }: Answer, nowMs: number): number {
  return before && serverTimeMs <= before.answer.serverTimeMs
    ? before.endsAtMs
    : nowMs + payment.expiresAtMs - serverTimeMs
}

function tell(before: Following | null, { answer, stage, intent }: Following, isCreated: boolean): Effect[] {
  const { payment } = answer
  const { remaining } = payment
  const previousStage = before?.stage ?? null
  const isNewStage = stage !== previousStage
  const effects: Effect[] = []
  if (!before) {
    effects.push({ type: 'remember', paymentId: payment.id })
    if (isCreated) effects.push({ type: 'emit', name: 'sc-payment-created', detail: { payment } })
    effects.push({ type: 'emit', name: 'sc-ready', detail: { payment } })
  }
  // A paid order stays remembered: after a reload it must say paid, not ask for the money again.
  if (payment.isFinal && !(stage === 'paid' && intent.type === 'create' && intent.terms.orderId))
    effects.push({ type: 'forget' })
  effects.push({ type: 'emit', name: 'sc-status-change', detail: { payment, stage, previousStage } })
  if (stage === 'underpaid' && remaining !== before?.answer.payment.remaining)
    effects.push({ type: 'emit', name: 'sc-underpaid', detail: { payment, remaining } })
  if (stage === 'paid' && isNewStage) effects.push({ type: 'emit', name: 'sc-paid', detail: { payment } })
  if (stage === 'expired' && isNewStage) effects.push({ type: 'emit', name: 'sc-expired', detail: { payment } })
  return effects
}
