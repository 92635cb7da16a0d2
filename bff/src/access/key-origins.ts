import { PaymentError, ValidationError } from '../core/errors.ts'

/** A shop has some domains and a few for tests. */
const originsMax = 50

/** As `URL` writes it; no wildcards, because whoever may set up one host below a domain is not always the shop. */
const hostPattern = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/

class OriginNotAllowedError extends PaymentError {
  constructor(origin: string) {
    const message = `This public key is not accepted from the origin "${origin.slice(0, 300)}": the merchant has listed the origins that it is accepted from, and this is none of them. Add it with "merchants set --key-origins" or PUT /merchants/key-origins.`
    super('ORIGIN_NOT_ALLOWED', message, { status: 403, error: 'Origin not allowed' })
  }
}

/**
 * @param given - Such as `https://shop.example`.
 * @returns each once, as a browser writes it.
 * @throws {ValidationError} naming the rule.
 */
export function parseOrigins(given: readonly string[]): string[] {
  if (given.length > originsMax) throw new ValidationError(`origins must be at most ${originsMax}`)
  return [...new Set(given.map(parseOrigin))]
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin =
    url !== null && hostPattern.test(url.hostname) && /^https?:$/.test(url.protocol) && !/[\s\p{Cc}]/u.test(text)
  if (isOrigin && url.href === `${url.origin}/` && /^https?:\/\/[^/]+\/?$/i.test(text)) return url.origin
  const rule = 'origins must each be a scheme and a host, such as https://shop.example, without path or user'
  throw new ValidationError(`${rule}, not "${text.slice(0, 60)}"`)
}

/** `any`, or origins with commas between. @throws {ValidationError} naming the rule. */
export function parseOriginList(text: string): string[] {
  return text === 'any' ? [] : parseOrigins(text.split(',').map((origin) => origin.trim()))
}

/** As {@link parseOriginList} takes it. */
export const formatOriginList = (origins: readonly string[]): string =>
  origins.length === 0 ? 'any' : origins.join(',')

type Key = { kind: 'public' | 'api'; isTest: boolean; settings: { keyOrigins: readonly string[] } }

/** Whether the origins that the merchant has listed bound what this key may do: those of live public keys, which stand in pages. */
const isBound = ({ kind, isTest, settings }: Key): boolean =>
  kind === 'public' && !isTest && settings.keyOrigins.length > 0

/**
 * @param origin - The header that a browser sends, and no page can change; undefined: not sent by a page of another origin.
 * @throws {OriginNotAllowedError}
 */
export function verifyOrigin(key: Key, origin: string | undefined): void {
  if (origin === undefined || !isBound(key) || key.settings.keyOrigins.includes(origin)) return
  throw new OriginNotAllowedError(origin)
}

type Return = { returnUrl?: string | null | undefined; linkId?: string | null | undefined }

/**
 * With a public key a customer is led back to a page of the listed origins alone. What a payment link says, the merchant itself has set.
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
    'returnUrl must be of one of the origins that the merchant has listed for its public key, or be sent with API key and secret',
  )
}
