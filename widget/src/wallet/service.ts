import { ask, type Fault, readPayment } from '../api.ts'
import { withDeadline } from '../deadline.ts'
import { type Answer, seenOf } from '../payment.ts'
import { clientSecretField } from '../session.ts'
import type { CreateIntent, Intent } from '../terms.ts'
import { pace, sleep } from './pace.ts'

/** Tries in a row before the customer is asked to try again. */
const triesMax = 3

/** As long as a service may verify for: the contract warns that it can take well over thirty seconds. */
const processTimeoutMs = 90_000

/** Times that a transaction is reported until the service has seen it; the watcher sees it without, too. */
const processTriesMax = 40

/** The same order by the other road. `kept`: the older payment has got money meanwhile, and stays the one to follow. */
export type Switched = { type: 'switched'; answer: Answer } | { type: 'kept' } | { type: 'failed'; fault: Fault }

/**
 * Makes the same order payable by the other road, or on the other terms of `intent`; the service cancels the payment it replaces. The idempotency key comes
 * from that payment, so that a repeat, also after a reload, finds what the first try has made.
 */
export async function switchRoad(
  intent: CreateIntent,
  from: string,
  to: 'contract' | 'deposit',
  key = `${from}:${to}`,
): Promise<Switched> {
  const road = to === 'contract' ? 'payments' : 'deposits'
  const created = await persist(() =>
    ask(`${intent.apiBase}/api/v1/${road}/create?include=qr`, never, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Public-Key': intent.publicKey,
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ ...intent.terms, existingPaymentId: from }),
    }),
  )
  if (!('payment' in created)) return { type: 'failed', fault: created }
  const older = await persist(() => readPayment(intent.apiBase, from, true, never))
  if (!('payment' in older)) return { type: 'failed', fault: older }
  if (!seenOf(older.payment) && older.payment.outcome !== 'paid') return { type: 'switched', answer: created }
  await giveUp(intent, created.payment.id)
  return { type: 'kept' }
}

/** Money was seen for the older one: nobody must pay this one too. */
async function giveUp({ apiBase, publicKey }: CreateIntent, paymentId: string): Promise<void> {
  await post(`${apiBase}/api/v1/payments/fail`, publicKey, {
    paymentId,
    status: 'cancelled',
    ...clientSecretField(paymentId),
  })
}

/** The payment as it stands now, past the browser's cache. */
export function readNow(intent: Intent, paymentId: string): Promise<Answer | Fault> {
  return persist(() => readPayment(intent.apiBase, paymentId, true, never))
}

type Report = { paymentId: string; network: string; transactionHash: string; senderAddress: string }

/** Reports a transaction until the service has verified it, or `isOver`. The service finds it without this too. */
export async function reportTransaction(apiBase: string, key: string, report: Report, isOver: () => boolean) {
  for (let tries = 0; tries < processTriesMax && !isOver(); tries++) {
    const status = await post(`${apiBase}/api/v1/payments/process`, key, report)
    // Not yet confirmed is a 400; an outage and a full house pass too.
    if (status === 200 || (status > 400 && status < 500 && status !== 429)) return
    await sleep(pace.retryMs)
  }
}

/** @returns the HTTP status, 0 when no answer came. */
async function post(url: string, key: string, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'X-Public-Key': key }
  const init: RequestInit = { method: 'POST', credentials: 'omit', headers, body: JSON.stringify(body) }
  return withDeadline(processTimeoutMs, (signal) => fetch(url, { ...init, signal })).then(
    ({ status }) => status,
    () => 0,
  )
}

const never = new AbortController().signal

async function persist(request: () => Promise<Answer | Fault>): Promise<Answer | Fault> {
  for (let tries = 1; ; tries++) {
    const result = await request()
    const isPassing = !('payment' in result) && (result.status === 0 || result.status === 429 || result.status > 499)
    if (!isPassing || tries === triesMax) return result
    await sleep(Math.max(pace.retryMs, result.retryAfterMs))
  }
}
