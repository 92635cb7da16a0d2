import { PaymentError, ValidationError } from '../../core/errors.ts'

type Key = { kind: 'public' | 'api'; isTest: boolean; settings: { keyOrigins: readonly string[] } }

/** Whether the merchant's listed origins restrict the key. Only live public keys are restricted, because they are visible in pages. */
const isBound = ({ kind, isTest, settings }: Key): boolean =>
  kind === 'public' && !isTest && settings.keyOrigins.length > 0

/**
 * @param origin - The `Origin` header, which no page can forge; undefined: not sent by a page of another origin.
 * @throws {PaymentError} ORIGIN_NOT_ALLOWED.
 */
export function verifyOrigin(key: Key, origin: string | undefined): void {
  if (origin === undefined || !isBound(key) || key.settings.keyOrigins.includes(origin)) return
  const message = `This public key is not accepted from the origin "${origin.slice(0, 300)}": the merchant has listed the origins that it is accepted from, and this is none of them. Add it with "merchants set --key-origins" or PUT /merchants/key-origins.`
  throw new PaymentError('ORIGIN_NOT_ALLOWED', message)
}

type Return = { returnUrl?: string | null | undefined; linkId?: string | null | undefined }

/**
 * With a public key, `returnUrl` must have a listed origin. Payments of a payment link are not checked, because the merchant
 * set the link's URL.
 * @throws {ValidationError}
 */
export function verifyReturnUrl(key: Key, { returnUrl, linkId }: Return): void {
  if (
    returnUrl == null ||
    linkId != null ||
    !isBound(key) ||
    key.settings.keyOrigins.includes(new URL(returnUrl).origin)
  )
    return
  throw new ValidationError(
    'returnUrl must have an origin that the merchant lists for its public key, or be sent with API key and secret',
  )
}
