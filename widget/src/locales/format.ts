import { currencyText } from '../../../bff/src/core/currency-text.ts'
import { currentCode, numberLocale } from './locale.ts'

const minuteSeconds = 60

/** `45 seconds`, or whole minutes, rounded up, from one minute on. */
export function formatDuration(seconds: number): string {
  const [value, unit]: [number, string] =
    seconds < minuteSeconds ? [seconds, 'second'] : [Math.ceil(seconds / minuteSeconds), 'minute']
  return value.toLocaleString(numberLocale(), { style: 'unit', unit, unitDisplay: 'long' })
}

/**
 * Exact decimal text in a currency, in the language's format, never rounded.
 * @param currency - ISO 4217 code.
 */
export function formatPrice(price: string, currency: string): string {
  const format = (more: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(numberLocale(), { style: 'currency', currency, ...more })
  try {
    const usual = format({}).resolvedOptions().maximumFractionDigits ?? 0
    const decimals = Math.max(usual, price.split('.')[1]?.length ?? 0)
    return currencyText(format({ maximumFractionDigits: decimals }).format(price as Intl.StringNumericLiteral))
  } catch {
    return `${price} ${currency}`
  }
}

/** `USDC or USDT`, in the language's words. */
export function formatEither(names: string[]): string {
  return new Intl.ListFormat(currentCode(), { type: 'disjunction' }).format(names)
}

/** The time of day; with the date if it is not today. */
export function formatRateTime(timeMs: number): string {
  const isToday = new Date(timeMs).toDateString() === new Date().toDateString()
  return isToday ? new Intl.DateTimeFormat(numberLocale(), { timeStyle: 'short' }).format(timeMs) : formatTime(timeMs)
}

/** Date and time in the language's format and the customer's time zone. */
export function formatTime(timeMs: number): string {
  return new Intl.DateTimeFormat(currentCode(), { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs)
}
