import type { TillMessages } from '../locales/en/till.ts'
import { fill, type LanguageCode, startLanguage } from '../locales/locale.ts'

export type TillKey = keyof TillMessages

/** Files of their own: the till loads no text of the dashboard. */
const languages: Readonly<Record<LanguageCode, () => Promise<{ till: TillMessages }>>> = {
  ar: () => import('../locales/ar/till.ts'),
  de: () => import('../locales/de/till.ts'),
  en: () => import('../locales/en/till.ts'),
  es: () => import('../locales/es/till.ts'),
  fr: () => import('../locales/fr/till.ts'),
  hi: () => import('../locales/hi/till.ts'),
  id: () => import('../locales/id/till.ts'),
  pt: () => import('../locales/pt/till.ts'),
  sw: () => import('../locales/sw/till.ts'),
  tr: () => import('../locales/tr/till.ts'),
  vi: () => import('../locales/vi/till.ts'),
  zh: () => import('../locales/zh/till.ts'),
}

let messages: TillMessages

/** Call before the first render. */
export async function loadTillLocale(): Promise<void> {
  messages = (await languages[startLanguage()]()).till
}

/** The text in the reader's language, with values in place of `{0}`, `{1}`…. Inserted as text, never as markup. */
export function s(key: TillKey, ...values: (string | number)[]): string {
  return fill(messages[key], values)
}
