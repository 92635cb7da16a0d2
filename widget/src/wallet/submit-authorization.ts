import { isRetryable, type Reply, request } from '../api/client.ts'
import type { Json } from '../payment.ts'
import { sleep, timing } from '../timing.ts'

/** What a customer has signed, as the service is sent it. */
export type Signed = { body: object }

/** What became of a signature: the service sends it, or refuses it, or nobody knows. */
export type Submitted = { state: 'sent'; hash: string } | { state: 'refused' } | { state: 'unknown' }

/** The service waits for a block before it answers. */
const submitTimeoutMs = 25_000

/** Times that a signature is brought. The service takes the same one once, and answers a repeat as it did before. */
const attemptsMax = 4

/** Brings a signature to the service until it has said what becomes of it. */
export async function submitAuthorization(apiBase: string, paymentId: string, { body }: Signed): Promise<Submitted> {
  const options = { body, timeoutMs: submitTimeoutMs }
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const result = readSubmitted(await request<Json>(apiBase, `payments/${paymentId}/authorize`, options))
    if (result) return result
    await sleep(timing.retryMs)
  }
  return { state: 'unknown' }
}

/** @returns null where asking again may say more. */
function readSubmitted(reply: Reply<Json>): Submitted | null {
  if ('fault' in reply) {
    const { code } = reply.fault
    // Another signature for this payment is being sent: paying by other means could mean paying twice.
    if (code === 'AUTHORIZATION_UNDER_WAY') return { state: 'unknown' }
    const isOwnRefusal = code === 'RELAY_UNAVAILABLE' || !isRetryable(reply.fault) || reply.fault.status === 429
    return isOwnRefusal ? { state: 'refused' } : null
  }
  const hash = String(reply.body['transactionHash'] ?? '')
  return /^(?:0x[\da-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/i.test(hash) ? { state: 'sent', hash } : null
}
