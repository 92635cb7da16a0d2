import { ValidationError } from '../core/errors.ts'

/** What a merchant's hosted pages show beside its name. Not stored with payments: changes apply to all at once. */
export type Branding = {
  /** As `#rrggbb`; null: the element's own colours. */
  color: string | null
  /** Name of the picture under `/logos/merchants/`; null: none. */
  logo: string | null
  termsUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
  supportUrl: string | null
}

export const noBranding: Branding = {
  color: null,
  logo: null,
  termsUrl: null,
  privacyUrl: null,
  imprintUrl: null,
  supportUrl: null,
}

/** In the order of the pages' last line. */
export const brandingLinks = ['termsUrl', 'privacyUrl', 'imprintUrl', 'supportUrl'] as const

export const logoPath = (logo: string): string => `/logos/merchants/${logo}`

/** @throws {ValidationError} when it is not `#rrggbb`. */
export function parseColor(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw new ValidationError(`color must be #rrggbb such as #2b50c8, not "${text.slice(0, 60)}"`)
}

/** Longer than any link to a page of terms. */
const linkMax = 300

/** @param name - The field's name. @throws {ValidationError} when it is not an https URL without user and password. */
export function parsePageLink(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.href.length > linkMax) {
    throw new ValidationError(
      `${name} must be an https URL of at most ${linkMax} characters, without user and password, not "${text.slice(0, 60)}"`,
    )
  }
  return url.href
}
