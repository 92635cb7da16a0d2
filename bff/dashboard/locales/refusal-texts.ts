import { currentLanguage, type LanguageCode } from './locale.ts'
import type { RefusalTexts } from './refusal-codes.ts'

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
