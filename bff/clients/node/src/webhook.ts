import { Webhook } from 'standardwebhooks'
import type { webhooks } from './api.generated.ts'

export { WebhookVerificationError } from 'standardwebhooks'

export type WebhookEventType = keyof webhooks

type EventOf<Type extends WebhookEventType> = webhooks[Type]['post']['requestBody']['content']['application/json']

/** What the service posts; `type` says which `data` it has. Newer services post further types: ignore what you do not know. */
export type WebhookEvent = { [Type in WebhookEventType]: EventOf<Type> }[WebhookEventType]

export type SignedWebhook = {
  /** `whsec_…` of the endpoint, or of the merchant for a payment's `callbackUrl`. */
  secret: string
  /** The raw body, before anything has parsed it. */
  body: string | Uint8Array
  /** Those of a `Request`, or of Node's `IncomingMessage`. */
  headers: Headers | Record<string, string | string[] | undefined>
}

/**
 * Verifies a webhook as Standard Webhooks describes, and parses it.
 * @throws {WebhookVerificationError} when a header is missing, the time is more than five minutes off, or no signature fits.
 */
export function verifyWebhook({ secret, body, headers }: SignedWebhook): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const texts = Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return new Webhook(secret).verify(text, texts) as WebhookEvent
}
