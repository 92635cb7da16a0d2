import type { PublicAnswer } from '../../bff/src/api-types.ts'
import { type Fault, request } from './api/client.ts'
import { parseAnswer } from './api/parse-answer.ts'
import type { Answer } from './payment.ts'
import { keepClientSecret } from './session.ts'

export type { Fault } from './api/client.ts'
export { readPayment } from './api/payments.ts'

export async function ask(url: string, signal: AbortSignal, init: RequestInit): Promise<Answer | Fault> {
  const [apiBase = '', path = ''] = url.split('/api/v1/')
  const headers = init.headers as Record<string, string>
  const reply = await request<PublicAnswer>(apiBase, path, {
    signal,
    publicKey: headers['X-Public-Key'] ?? '',
    idempotencyKey: headers['Idempotency-Key'] ?? '',
    body: JSON.parse(String(init.body)),
  })
  if ('fault' in reply) return reply.fault
  const { clientSecret, ...payment } = (reply.body.payment ?? {}) as Record<string, unknown>
  const answer = parseAnswer({ ...reply.body, payment })
  if (answer) keepClientSecret(answer.payment.id, clientSecret)
  return answer ?? { code: 'BAD_ANSWER', message: 'That is no payment.', status: 0, retryAfterMs: 0 }
}
