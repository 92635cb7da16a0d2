import { currencyText } from '../../src/core/currency-text.ts'
import { formatLocale } from '../locales/locale.ts'

const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds
const daySeconds = 24 * hourSeconds

/**
 * Exact decimal text in the reader's format, with digit groups. Nothing is rounded: `Intl` accepts text as exact
 * decimals.
 * @param amount - Whole tokens, in the service's format: `1234.50`.
 */
export function formatAmount(amount: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(amount)) return amount
  const fractionDigits = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(formatLocale(), {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  })
  return format.format(amount as `${number}`)
}

/** Two decimals, and more only if they are not zero: `1.250` becomes `1.25`, which nobody mistakes for a thousand. */
export const withCents = (amount: string): string => {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

export const formatMoney = (amount: string, token: string): string => `${formatAmount(amount)}\u00a0${token}`

/** An amount of a currency in the reader's format: `$1,234.50`. @param currency - A code of ISO 4217. */
export function formatCurrency(amount: string, currency: string): string {
  const format = new Intl.NumberFormat(formatLocale(), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return currencyText(format.format(amount as `${number}`))
}

/** The same of a currency or a token, with all its digits. @param currency - ISO 4217 code, or a token's symbol. */
export function formatSum(amount: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return formatMoney(amount, currency)
  const usual =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const digits = Math.max(usual, amount.split('.')[1]?.length ?? 0)
  const format = new Intl.NumberFormat(formatLocale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return currencyText(format.format(amount as `${number}`))
}

/** Significant digits shown of a coin's fraction, after its leading zeros. */
const coinDigits = 4

/**
 * A gas balance or need without its eighteen decimals: `0.012345678901234567` is `0.01234`. Only shown, never sent.
 * @param rounding - `down` for a balance, `up` for a need, so that neither promises too much.
 */
export function formatCoins(amount: string, symbol: string, rounding: 'down' | 'up' = 'down'): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === '') return formatMoney(amount, symbol)
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const decimals = Math.min(fraction.length, zeros + coinDigits)
  const isCut = /[1-9]/.test(fraction.slice(decimals))
  const units = BigInt(whole + fraction.slice(0, decimals)) + (rounding === 'up' && isCut ? 1n : 0n)
  return formatMoney(wholeTokens(String(units), decimals), symbol)
}

/**
 * Decimal text of base units: `1500000` with 6 decimals is `1.50`. At least two decimals, and only as many more as
 * needed.
 */
export function wholeTokens(baseUnits: string, decimals: number): string {
  const isNegative = baseUnits.startsWith('-')
  const digits = baseUnits.replace('-', '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(Math.min(2, decimals), '0')
  return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

export const formatCount = (count: number): string => new Intl.NumberFormat(formatLocale()).format(count)

/** A change with its sign, which stands where the reader's language puts it: `+1.5%`. */
export function formatChange(share: number): string {
  const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat(formatLocale(), options).format(share)
}

/**
 * Date and time in the reader's time zone.
 * @param time - ISO text.
 */
export function formatTime(time: string): string {
  const format = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  // A narrow cell breaks only between date and time.
  const isTime = (part: Intl.DateTimeFormatPart | undefined) => /^(hour|minute|dayPeriod)$/.test(part?.type ?? '')
  return format
    .formatToParts(new Date(time))
    .map(({ value }, index, parts) =>
      isTime(parts[index - 1]) === isTime(parts[index + 1]) ? value.replaceAll(' ', '\u00a0') : value,
    )
    .join('')
}

/** @param time - ISO text of a time, or of a day, which is independent of the time zone. */
export function formatDay(time: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(time)
  return new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' }).format(
    new Date(isDay ? `${time}T12:00` : time),
  )
}

/**
 * Day and month, for narrow space.
 * @param day - Such as 2026-11-21.
 */
export function formatShortDay(day: string): string {
  const parts = { day: 'numeric', month: 'numeric' } as const
  return new Intl.DateTimeFormat(formatLocale(), parts).format(new Date(`${day}T12:00`))
}

/** `45 seconds`; from one minute on, whole minutes, rounded up. */
export function formatSeconds(seconds: number): string {
  const [value, unit] = seconds < minuteSeconds ? [seconds, 'second'] : [Math.ceil(seconds / minuteSeconds), 'minute']
  return new Intl.NumberFormat(formatLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** `120 ms`. */
export const formatMilliseconds = (milliseconds: number): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }).format(
    milliseconds,
  )

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(time: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(time) - nowMs) / 1000)
  const size = Math.abs(seconds)
  const format = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' })
  if (size < minuteSeconds) return format.format(seconds, 'second')
  if (size < hourSeconds) return format.format(Math.round(seconds / minuteSeconds), 'minute')
  if (size < daySeconds) return format.format(Math.round(seconds / hourSeconds), 'hour')
  return format.format(Math.round(seconds / daySeconds), 'day')
}

/** Whether a decimal text is larger than another. */
export function isMore(amount: string, limit: string): boolean {
  const decimals = Math.max(...[amount, limit].map((text) => text.split('.')[1]?.length ?? 0))
  const units = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(decimals, '0'))
  }
  return units(amount) > units(limit)
}
