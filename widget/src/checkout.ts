import type { CheckoutEvents } from './events.ts'
import { type Answer, isSameAmount, isSeen, type Payment, type Stage, stageOf } from './payment.ts'
import { type Intent, isSameIntent, type Problem } from './terms.ts'

/** Why a request brought nothing. */
export type Fault = { code: string; message: string; retryAfterMs: number }

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
  | { phase: 'refused'; intent: Intent; fault: Fault }
  | { phase: 'loading'; intent: Intent; line: Line }
  | Following

export type CheckoutEvent =
  | { type: 'settings.changed'; intent: Intent }
  | { type: 'settings.broken'; problems: Problem[] }
  | { type: 'answer.arrived'; answer: Answer; isCreated: boolean; nowMs: number }
  | { type: 'request.failed'; fault: Fault; isOffline: boolean }
  | { type: 'request.refused'; fault: Fault }
  | { type: 'payment.missing'; fault: Fault }
  | { type: 'connection.lost' }
  | { type: 'retry.chosen' }
  | { type: 'restart.chosen' }

type Emit = { [Name in keyof CheckoutEvents]: { type: 'emit'; name: Name; detail: CheckoutEvents[Name] } }
export type Effect =
  /** Ask the service from the beginning: continue or create the payment of the intent. */
  | { type: 'load' }
  | { type: 'stop' }
  /** Drop the idempotency key, so that the next load makes a new payment. */
  | { type: 'forget' }
  | { type: 'remember'; paymentId: string }
  | Emit[keyof CheckoutEvents]

export type Step = { checkout: Checkout; effects: Effect[] }

const goodLine: Line = { failures: 0, isOffline: false, retryAfterMs: 0 }

/** Every way the screen can move. Reads no clock and touches nothing: the controller carries the effects out. */
export function reduce(checkout: Checkout, event: CheckoutEvent): Step {
  switch (event.type) {
    case 'settings.changed':
      return changeIntent(checkout, event.intent)
    case 'settings.broken':
      return isMoneyUnderWay(checkout) ? stay(checkout) : misconfigure(event.problems)
    case 'answer.arrived':
      return accept(checkout, event)
    case 'request.failed':
      return fail(checkout, event.fault, event.isOffline)
    case 'request.refused':
      return refuse(checkout, event.fault)
    case 'payment.missing':
      // What this tab remembered is gone from the service; only a payment that the page asked for by id is an error.
      if (checkout.phase === 'loading' && checkout.intent.type === 'create') return load(checkout.intent, true)
      return refuse(checkout, event.fault)
    case 'connection.lost':
      return 'line' in checkout ? stay({ ...checkout, line: { ...checkout.line, isOffline: true } }) : stay(checkout)
    case 'retry.chosen':
      return 'intent' in checkout && checkout.phase !== 'following'
        ? load(checkout.intent, checkout.phase === 'refused')
        : stay(checkout)
    case 'restart.chosen':
      return 'intent' in checkout && checkout.intent.type === 'create' ? load(checkout.intent, true) : stay(checkout)
    default:
      return event satisfies never
  }
}

/** Money was seen and the payment is not over: other terms now would hide where the customer's money is. */
function isMoneyUnderWay(checkout: Checkout): boolean {
  return checkout.phase === 'following' && isSeen(checkout.answer.payment) && !checkout.answer.payment.isFinal
}

function stay(checkout: Checkout): Step {
  return { checkout, effects: [] }
}

function load(intent: Intent, isNew: boolean): Step {
  const effects: Effect[] = isNew ? [{ type: 'forget' }, { type: 'load' }] : [{ type: 'load' }]
  return { checkout: { phase: 'loading', intent, line: goodLine }, effects }
}

function changeIntent(checkout: Checkout, intent: Intent): Step {
  if ('intent' in checkout && isSameIntent(checkout.intent, intent)) return stay({ ...checkout, intent })
  return intent.type === 'create' && isMoneyUnderWay(checkout) ? stay(checkout) : load(intent, false)
}

function misconfigure(problems: Problem[]): Step {
  const message = problems.map(({ attribute, rule }) => `${attribute}: ${rule}`).join(' ')
  const detail = { code: 'CONFIGURATION', message, retryable: false }
  return {
    checkout: { phase: 'misconfigured', problems },
    effects: [{ type: 'stop' }, { type: 'emit', name: 'sc-error', detail }],
  }
}

function refuse(checkout: Checkout, fault: Fault): Step {
  if (!('intent' in checkout)) return stay(checkout)
  const detail = { code: fault.code, message: fault.message, retryable: false }
  return {
    checkout: { phase: 'refused', intent: checkout.intent, fault },
    effects: [{ type: 'stop' }, { type: 'emit', name: 'sc-error', detail }],
  }
}

function fail(checkout: Checkout, fault: Fault, isOffline: boolean): Step {
  if (!('line' in checkout)) return stay(checkout)
  const failures = checkout.line.failures + 1
  const detail = { code: fault.code, message: fault.message, retryable: true }
  return {
    checkout: { ...checkout, line: { failures, isOffline, retryAfterMs: fault.retryAfterMs } },
    // One event for one outage, however many tries it lasts.
    effects: failures === 1 ? [{ type: 'emit', name: 'sc-error', detail }] : [],
  }
}

type Arrival = Extract<CheckoutEvent, { type: 'answer.arrived' }>

function accept(checkout: Checkout, { answer, isCreated, nowMs }: Arrival): Step {
  if (!('line' in checkout)) return stay(checkout)
  const before = checkout.phase === 'following' ? checkout : null
  const mismatch = verify(checkout.intent, before?.answer.payment ?? null, answer.payment)
  if (mismatch) return refuse(checkout, { code: 'TERMS_MISMATCH', message: mismatch, retryAfterMs: 0 })

  const isNews = !before || fingerprint(before.answer) !== fingerprint(answer)
  const following: Following = {
    phase: 'following',
    intent: checkout.intent,
    answer: before ? { ...answer, payment: keepQr(before.answer.payment, answer.payment) } : answer,
    stage: stageOf(answer),
    endsAtMs: endsAtMs(before, answer, nowMs),
    unchanged: isNews ? 0 : before.unchanged + 1,
    line: goodLine,
  }
  return { checkout: following, effects: isNews ? news(before, following, isCreated) : [] }
}

/** The last look before a customer sends money: an answer for another amount, token or address is not shown. */
function verify(intent: Intent, before: Payment | null, now: Payment): string | null {
  if (before && before.id !== now.id) return 'The service answered with another payment.'
  if (before && before.depositAddress !== now.depositAddress) return 'The deposit address changed.'
  if (intent.type === 'follow') return intent.paymentId.toLowerCase() === now.id.toLowerCase() ? null : 'Another id.'
  if (!isSameAmount(intent.terms.amount, now.amount)) return `The service asks for ${now.amount}.`
  if (intent.terms.currency.toUpperCase() !== now.currency.toUpperCase()) return `The service asks for ${now.currency}.`
  return null
}

/** All that a customer or the shop's page could notice. */
function fingerprint({ payment }: Answer): string {
  const { qr, explorer, ...rest } = payment
  return JSON.stringify([rest, explorer.transaction])
}

/** A read without QR codes keeps those we have; the one with the amount only while that amount is still the one to send. */
function keepQr(before: Payment, now: Payment): Payment {
  const uri = now.qr.uri ?? (before.remaining === now.remaining ? before.qr.uri : null)
  return { ...now, qr: { address: now.qr.address ?? before.qr.address, uri } }
}

/** Anchored again only by a newer server time: an answer from the browser's cache repeats the old one. */
function endsAtMs(before: Following | null, { payment, serverTimeMs }: Answer, nowMs: number): number {
  if (before && serverTimeMs <= before.answer.serverTimeMs && before.answer.payment.expiresAtMs === payment.expiresAtMs)
    return before.endsAtMs
  return nowMs + (payment.expiresAtMs - serverTimeMs)
}

function news(before: Following | null, now: Following, isCreated: boolean): Effect[] {
  const { payment } = now.answer
  const effects: Effect[] = []
  if (!before) {
    effects.push({ type: 'remember', paymentId: payment.id })
    if (isCreated) effects.push({ type: 'emit', name: 'sc-payment-created', detail: { payment } })
    effects.push({ type: 'emit', name: 'sc-ready', detail: { payment } })
  }
  const previousStage = before?.stage ?? null
  if (payment.isFinal && isKeySpent(now)) effects.push({ type: 'forget' })
  effects.push({ type: 'emit', name: 'sc-status-change', detail: { payment, stage: now.stage, previousStage } })
  const isNewStage = now.stage !== previousStage
  if (now.stage === 'underpaid' && (isNewStage || before?.answer.payment.remaining !== payment.remaining))
    effects.push({ type: 'emit', name: 'sc-underpaid', detail: { payment, remaining: payment.remaining ?? '' } })
  if (now.stage === 'paid' && isNewStage) effects.push({ type: 'emit', name: 'sc-paid', detail: { payment } })
  if (now.stage === 'expired' && isNewStage) effects.push({ type: 'emit', name: 'sc-expired', detail: { payment } })
  return effects
}

/** A paid order is remembered for the tab's life: after a reload it must say paid, not ask for the money again. */
function isKeySpent({ intent, stage }: Following): boolean {
  return !(stage === 'paid' && intent.type === 'create' && intent.terms.orderId)
}
