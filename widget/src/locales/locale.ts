import type { MessageKey, Messages } from './en.ts'
import { firstScreenMessages } from './first-screen.ts'

/** A language and its texts. */
export type Locale = { code: string; isRtl: boolean; messages: Partial<Messages> }

/** The language until the page's language is loaded. */
export const firstLocale: Locale = { code: 'en', isRtl: false, messages: firstScreenMessages }

let current = firstLocale

export const currentCode = (): string => current.code

/**
 * Sets the language of all following `t()` calls. Lit renders an element synchronously, so each element can use its own
 * language by calling this first in `render()`.
 */
export function setLocale(locale: Locale): void {
  current = locale
}

/**
 * The text in the current language with its values in place of `{0}`, `{1}`…. Values are inserted as text, never as
 * markup.
 */
export function t(key: MessageKey, ...values: (string | number)[]): string {
  return (current.messages[key] ?? '').replace(/\{(\d)}/g, (_, place) => isolate(String(values[place])))
}

/** An amount or a shop's name keeps its own direction in a right-to-left sentence. */
function isolate(value: string): string {
  return current.isRtl ? `\u2068${value}\u2069` : value
}

/** Always with Latin digits, which every wallet and exchange reads. */
export const numberLocale = (): string => `${current.code}-u-nu-latn`

/** Exact decimal text in the language's format, with digit groups, as in the dashboard. Other text stays as it is. */
export function formatAmount(amount: string): string {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  // The service writes English. The first number format takes a browser some 10 ms, which the usual first screen need
  // not wait for.
  if (!whole || (current.code === 'en' && !whole[3])) return amount
  // Text is formatted digit by digit, never as a float.
  return new Intl.NumberFormat(numberLocale(), { minimumFractionDigits: decimals.length }).format(
    amount as Intl.StringNumericLiteral,
  )
}
