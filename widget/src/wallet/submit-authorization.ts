import { isRetryable, type Reply, request } from '../api/client.ts'
import type { Json } from '../payment.ts'
import { sleep, timing } from '../timing.ts'

/** The customer's signature, in the service's request format. */
export type Signed = { body: object }

/** The outcome of a submitted signature: the service sends it, refuses it, or its outcome is unknown. */
export type Submitted = { state: 'sent'; hash: string } | { state: 'refused' } | { state: 'unknown' }

/** The service waits for a block before it answers. */
const submitTimeoutMs = 25_000

/** Maximum submissions of one signature. The service accepts a signature once, and repeats its response. */
const attemptsMax = 4

/** Submits a signature until the service has answered definitively. */
export async function submitAuthorization(apiBase: string, paymentId: string, { body }: Signed): Promise<Submitted> {
  const options = { body, timeoutMs: submitTimeoutMs }
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const result = readSubmitted(await request<Json>(apiBase, `payments/${paymentId}/authorize`, options))
    if (result) return result
    await sleep(timing.retryMs)
  }
  return { state: 'unknown' }
}

/** @returns null if asking again may help. */
function readSubmitted(reply: Reply<Json>): Submitted | null {
  if ('fault' in reply) {
    const { code } = reply.fault
    // Another signature for this payment is being sent: another payment method could pay twice.
    if (code === 'AUTHORIZATION_UNDER_WAY') return { state: 'unknown' }
    const isOwnRefusal = code === 'RELAY_UNAVAILABLE' || !isRetryable(reply.fault) || reply.fault.status === 429
    return isOwnRefusal ? { state: 'refused' } : null
  }
  const hash = String(reply.body['transactionHash'] ?? '')
  return /^(?:0x[\da-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/i.test(hash) ? { state: 'sent', hash } : null
}
