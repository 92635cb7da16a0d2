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
 * @throws {TypeError} when `secret` is no webhook secret, or `body` is not the raw body.
 */
export function verifyWebhook({ secret, body, headers }: SignedWebhook): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const texts = Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  return verifierOf(secret).verify(textOf(body), texts) as WebhookEvent
}

function verifierOf(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new TypeError('secret must be a webhook secret, which begins with whsec_.', { cause })
  }
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body)) return Buffer.from(body).toString('utf8')
  throw new TypeError('body must be the raw body, as text or bytes, before anything has parsed it.')
}
