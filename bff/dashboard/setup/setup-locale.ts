import type { SetupMessages } from '../locales/en/setup.ts'
import { currentLanguage, fill, type LanguageCode } from '../locales/locale.ts'

export type SetupKey = keyof SetupMessages

/** Separate files, so that the dashboard never loads them. */
const languages: Readonly<Record<LanguageCode, () => Promise<{ setup: SetupMessages }>>> = {
  ar: () => import('../locales/ar/setup.ts'),
  de: () => import('../locales/de/setup.ts'),
  en: () => import('../locales/en/setup.ts'),
  es: () => import('../locales/es/setup.ts'),
  fr: () => import('../locales/fr/setup.ts'),
  hi: () => import('../locales/hi/setup.ts'),
  id: () => import('../locales/id/setup.ts'),
  pt: () => import('../locales/pt/setup.ts'),
  sw: () => import('../locales/sw/setup.ts'),
  tr: () => import('../locales/tr/setup.ts'),
  vi: () => import('../locales/vi/setup.ts'),
  zh: () => import('../locales/zh/setup.ts'),
}

let messages: SetupMessages

/** Call after `loadLocale`, before the first render. */
export async function loadSetupLocale(): Promise<void> {
  messages = (await languages[currentLanguage()]()).setup
}

/** The text in the reader's language, with values in place of `{0}`, `{1}`…. Inserted as text, never as markup. */
export const s = (key: SetupKey, ...values: (string | number)[]): string => fill(messages[key], values)

/** For keys that contain a code of the service: null for unknown codes. */
export const sOrNull = (key: string, ...values: (string | number)[]): string | null =>
  Object.hasOwn(messages, key) ? fill(messages[key as SetupKey], values) : null
