import { fillText } from '@stablecoin-checkout/bff/fill-text'
import type { Messages } from './en.ts'

export type MessageKey = keyof Messages

/** Each in its own language, so that a reader finds it in any language. */
export const languageNames = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  pt: 'Português',
  sw: 'Kiswahili',
  tr: 'Türkçe',
  vi: 'Tiếng Việt',
  zh: '中文',
} as const

export type LanguageCode = keyof typeof languageNames

const languages: Readonly<Record<LanguageCode, () => Promise<{ messages: Messages }>>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  hi: () => import('./hi.ts'),
  id: () => import('./id.ts'),
  pt: () => import('./pt.ts'),
  sw: () => import('./sw.ts'),
  tr: () => import('./tr.ts'),
  vi: () => import('./vi.ts'),
  zh: () => import('./zh.ts'),
}

const key = 'language'

const rightToLeft: readonly string[] = ['ar']

let messages: Messages
let code: LanguageCode = 'en'

const isKnown = (text: string): text is LanguageCode => Object.hasOwn(languageNames, text)

/** The language chosen here before, else the browser's first supported one, else English. */
function chosenLanguage(): LanguageCode {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isKnown) ?? 'en'
}

/** Sets the reader's language for the document, without the dashboard's texts. */
export function startLanguage(): LanguageCode {
  code = chosenLanguage()
  document.documentElement.lang = code
  document.documentElement.dir = rightToLeft.includes(code) ? 'rtl' : 'ltr'
  return code
}

/** Call before the first render. */
export async function loadLocale(): Promise<void> {
  messages = (await languages[startLanguage()]()).messages
}

/** Renders the dashboard again in that language. */
export function chooseLanguage(chosen: string): void {
  localStorage.setItem(key, chosen)
  location.reload()
}

export const currentLanguage = (): LanguageCode => code

/** With Latin digits, as wallets and exchanges use them, whatever the language. */
export const formatLocale = (): string => `${code}-u-nu-latn`

/** With values in place of `{0}`, `{1}`…, in the reader's language. */
export const fill = (text: string, values: readonly (string | number)[]): string => fillText(text, values, code)

/** The text in the reader's language, with its values. */
export const t = (key: MessageKey, ...values: (string | number)[]): string => fill(messages[key], values)

/** For keys that contain a wire value: null for unknown values. */
export function tOrNull(key: string, ...values: string[]): string | null {
  return Object.hasOwn(messages, key) ? t(key as MessageKey, ...values) : null
}

/** An address, a URL or a hash inside a sentence: it keeps its own direction where the sentence is read from right to left. */
export const isolated = (value: string): string => `\u2068${value}\u2069`
