import { createHmac } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import type { PaymentId } from '../../payment/payment.ts'

const secretPrefix = 'whsec_'

/** As long as the hash: more adds nothing. The specification asks for 24 to 64. */
const newSecretBytes = 32
const secretBytesMin = 24
const secretBytesMax = 64

/** Shared by one merchant and the service, which needs it in the clear for every signature. */
export function newWebhookSecret(runtime: Runtime): string {
  return secretPrefix + Buffer.from(runtime.randomBytes(newSecretBytes)).toString('base64')
}

/**
 * Signs one attempt of a delivery.
 * @param secret - `whsec_` + base64 of 24 to 64 random bytes.
 * @param id - The same for every attempt: the receiver drops repeats by it.
 * @param sentAtSeconds - Unix seconds of this attempt, not of the event: receivers refuse ±5 min.
 * @param body - The bytes that are sent, as text.
 * @returns one entry of the `webhook-signature` header, which is a list separated by spaces.
 * @throws {RangeError} when the secret is not as above, `id` has a dot or space, or the time is not whole: with dots, `a.1` + `.2`
 *   and `a` + `.1.2` would be signed alike.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signWebhook(secret: string, id: string, sentAtSeconds: number, body: string): string {
  if (!/^[^.\s]+$/.test(id)) throw new RangeError(`A webhook id has no dots or spaces, unlike "${id}".`)
  if (!Number.isSafeInteger(sentAtSeconds))
    throw new RangeError(`A webhook's time is whole seconds, not ${sentAtSeconds}.`)
  const mac = createHmac('sha256', secretKey(secret)).update(`${id}.${sentAtSeconds}.${body}`)
  return `v1,${mac.digest('base64')}`
}

/**
 * The secret that signs callbacks of sandbox payments created with a live public key. Anybody can take that key from a shop's
 * page, name the shop's own URL as `callbackUrl` and complete the payment: such a callback must not verify with the secret that
 * the shop trusts. The merchant derives the same secret: `whsec_` and the base64 of HMAC-SHA256 of the text `sandbox`, keyed
 * with the bytes of the webhook secret.
 * @throws {RangeError} when the secret is not as in `signWebhook`.
 */
export function sandboxSecret(secret: string): string {
  return secretPrefix + createHmac('sha256', secretKey(secret)).update('sandbox').digest('base64')
}

/**
 * The value of the header `BTCPay-Sig`, which the plug-ins of BTCPay verify.
 * @param secret - Any text, as the plug-in chose it.
 */
export const signBtcpay = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Never quotes the secret: errors are logged. */
function secretKey(secret: string): Buffer {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''
  const key = Buffer.from(text, 'base64')
  // Buffer silently skips what is not base64, where a receiver's library would derive another key or refuse.
  if (key.toString('base64') !== text) throw new RangeError('A webhook secret is whsec_ and base64.')
  if (key.length < secretBytesMin || key.length > secretBytesMax) {
    throw new RangeError(`A webhook secret has ${secretBytesMin} to ${secretBytesMax} bytes, not ${key.length}.`)
  }
  return key
}

/**
 * The `webhook-id` of an event: the same for every attempt and receiver, so that a receiver can drop repeats. Made of the
 * payment id and the sequence, it is unique and readable in a log.
 */
export const messageId = (paymentId: PaymentId | null, sequence: number, eventNumber: number): string =>
  paymentId === null ? `msg_test_${eventNumber}` : `msg_${paymentId}_${sequence}`
