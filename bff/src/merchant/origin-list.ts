import { ValidationError } from '../core/errors.ts'

/** A shop has a few domains, including test domains. */
const originsMax = 50

/** A host as `URL` writes it. No wildcards, because others may control hosts below a shop's domain. */
const hostPattern = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/

/**
 * @param given - Origins such as `https://shop.example`.
 * @returns each origin once, as a browser writes it.
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

/** Parses `any`, or origins separated by commas. @throws {ValidationError} naming the rule. */
export function parseOriginList(text: string): string[] {
  return text === 'any' ? [] : parseOrigins(text.split(',').map((origin) => origin.trim()))
}

/** In the form that {@link parseOriginList} takes. */
export const formatOriginList = (origins: readonly string[]): string =>
  origins.length === 0 ? 'any' : origins.join(',')
