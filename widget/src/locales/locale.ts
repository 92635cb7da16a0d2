import type { MessageKey, Messages } from './en.ts'
import { firstScreenMessages } from './first-screen.ts'

/** A language with its texts. */
export type Locale = { code: string; isRtl: boolean; messages: Partial<Messages> }

/** What an element speaks until its language has come. */
export const firstLocale: Locale = { code: 'en', isRtl: false, messages: firstScreenMessages }

let current = firstLocale

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
const numberFormat = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(`${current.code}-u-nu-latn`, options)

/**
 * Exact decimal text with the language's decimal sign. Without groups: `1,500` is a thousand and a half in one language and
 * one and a half in another.
 */
export function formatAmount(amount: string): string {
  if (!amount) return amount
  const digits = amount.split('.')[1]?.length ?? 0
  return numberFormat({ useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    amount as Intl.StringNumericLiteral,
  )
}

const minuteSeconds = 60

/** `45 seconds`, or from a minute on in whole minutes, rounded up. */
export function formatDuration(seconds: number): string {
  const [value, unit]: [number, string] =
    seconds < minuteSeconds ? [seconds, 'second'] : [Math.ceil(seconds / minuteSeconds), 'minute']
  return numberFormat({ style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** A moment as the language writes it, in the customer's time zone. */
export function formatTime(timeMs: number): string {
  return new Intl.DateTimeFormat(current.code, { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs)
}

/** @param currency - ISO 4217 code. */
export function formatPrice(price: string, currency: string): string {
  try {
    return new Intl.NumberFormat(current.code, { style: 'currency', currency }).format(
      price as Intl.StringNumericLiteral,
    )
  } catch {
    return `${price} ${currency}`
  }
}
