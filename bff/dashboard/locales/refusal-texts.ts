import { currentLanguage, type LanguageCode } from './locale.ts'

/** The service's refusals that the dashboard can meet and that have a sentence in each language. The service's own are English. */
export const refusalCodes = [
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'INTERNAL_ERROR',
  'DATABASE_UNAVAILABLE',
  'COMMIT_UNKNOWN',
  'NO_RATE',
  'NETWORK_UNAVAILABLE',
  'WALLET_MISSING',
  'CONFIRMATION_REQUIRED',
  'PASSKEY_REFUSED',
  'TOO_MANY_PASSKEYS',
  'LAST_PASSKEY',
  'TOO_MANY_CHANNELS',
  'TOO_MANY_ENDPOINTS',
  'TOO_MANY_REFUNDS',
  'INVITATION_ENDED',
  'WALLET_NOT_PROVEN',
  'LAST_OWNER',
  'SEVERAL_MERCHANTS',
  'ENDPOINT_DISABLED',
  'NOTHING_TO_REFUND',
  'REFUND_TOO_LARGE',
  'REFUND_HAS_ADDRESS',
  'REFUND_NEEDS_ADDRESS',
  'REFUND_ENDED',
  'REFUND_STARTED',
  'CANCEL_REFUSED',
  'ALREADY_PAID',
  'PAYMENT_OPEN',
  'REFUND_UNDER_WAY',
  'LATE_AMOUNT_SHORT',
  'SIMULATION_NOT_POSSIBLE',
  'NOTHING_OWED',
  'REFUND_ALREADY_REQUESTED',
  'LINK_CLOSED',
  'DOCTOR_FAILED',
  'DASHBOARD_ADDRESS',
] as const

export type RefusalTexts = Readonly<Record<(typeof refusalCodes)[number], string>>

/** Files of their own, loaded with the first refusal. */
const languages: Readonly<Record<Exclude<LanguageCode, 'en'>, () => Promise<{ refusals: RefusalTexts }>>> = {
  ar: () => import('./ar/refusals.ts'),
  de: () => import('./de/refusals.ts'),
  es: () => import('./es/refusals.ts'),
  fr: () => import('./fr/refusals.ts'),
  hi: () => import('./hi/refusals.ts'),
  id: () => import('./id/refusals.ts'),
  pt: () => import('./pt/refusals.ts'),
  sw: () => import('./sw/refusals.ts'),
  tr: () => import('./tr/refusals.ts'),
  vi: () => import('./vi/refusals.ts'),
  zh: () => import('./zh/refusals.ts'),
}

let texts: RefusalTexts | undefined

/** Call before a refusal is shown. Never rejects: without its texts a refusal has a general sentence. */
export async function loadRefusalTexts(): Promise<void> {
  const language = currentLanguage()
  if (language !== 'en') texts ??= (await languages[language]().catch(() => undefined))?.refusals
}

/** The sentence of a refusal in the reader's language; null in English, and for a code without a sentence. */
export function tRefusal(code: string, status: number): string | null {
  const key = status === 404 ? 'NOT_FOUND' : code
  return texts !== undefined && Object.hasOwn(texts, key) ? texts[key as keyof RefusalTexts] : null
}
