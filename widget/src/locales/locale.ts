import type { MessageKey, Messages } from './en.ts'
import { firstScreenMessages } from './first-screen.ts'

/** A language with its texts. */
export type Locale = { code: string; isRtl: boolean; messages: Partial<Messages> }

/** What an element speaks until its language has come. */
export const firstLocale: Locale = { code: 'en', isRtl: false, messages: firstScreenMessages }

let current = firstLocale

export const currentCode = (): string => current.code

/**
 * Chooses the language of every `t()` that follows. Lit draws an element in one go, so an element that calls this first in
 * `render()` can speak another language than the next element on the page.
 */
export function setLocale(locale: Locale): void {
  current = locale
}

/** The text in the current language, with the values in its places `{0}`, `{1}`…. A value is text, whatever it holds. */
export function t(key: MessageKey, ...values: (string | number)[]): string {
  return (current.messages[key] ?? '').replace(/\{(\d)}/g, (_, place) => isolate(String(values[place])))
}

/** An amount or a shop's name within a sentence from right to left keeps its own order. */
function isolate(value: string): string {
  return current.isRtl ? `\u2068${value}\u2069` : value
}

/** With the digits that every wallet and exchange reads, also where a language has others of its own. */
export const numberLocale = (): string => `${current.code}-u-nu-latn`

/**
 * Exact decimal text with the language's decimal sign. Without groups: `1,500` is a thousand and a half in one language and
 * one and a half in another.
 */
export function formatAmount(amount: string): string {
  // The service writes English. A browser's first number format takes some 10 ms, for which the first screen need not wait.
  return current.code === 'en' ? amount : amount.replace('.', (0.5).toLocaleString(numberLocale()).charAt(1))
}
