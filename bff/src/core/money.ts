import { ValidationError } from './errors.ts'

declare const unit: unique symbol

/** Token amount in the token's smallest unit: with 6 decimals, 1_500_000n is 1.50 USDC. */
export type BaseUnits = bigint & { readonly [unit]: 'base-units' }

export const zero = 0n as BaseUnits

/** Nobody pays over a billion tokens on purpose; a larger number is a mistake or an attack. */
export const wholeTokensMax = 1_000_000_000n

/** People expect two decimals of money; more are shown only when they are not zero. */
const shownDecimalsMin = 2

/**
 * A JSON number as decimal text, with the 15 significant digits that every double represents. A computed
 * value such as 0.1 + 0.2 has a 16th digit that is rounding noise.
 */
export const numberText = (value: number): string => String(Number(value.toPrecision(15)))

/**
 * Parses decimal text to base units, exactly; for a JSON number, its 15 significant digits.
 * Refuses what base units cannot hold exactly; viem's `parseUnits` would round 1.0000005 up and accept negatives.
 * @throws {ValidationError} naming `amount` and the rule: no sign, no exponent, at most `decimals` digits after the
 *   point, more than zero, at most a billion whole tokens.
 */
export function parseAmount(input: string | number, decimals: number): BaseUnits {
  const text = typeof input === 'number' ? numberText(input) : input
  const match = /^(\d{1,20})(?:\.(\d{1,40}))?$/.exec(text)
  if (!match)
    throw new ValidationError(`amount must be a plain decimal number such as 25.00, not "${text.slice(0, 60)}"`)
  const whole = match[1] ?? '0'
  // Trailing zeros do not count: "1.5000000" is exact with 6 decimals.
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) {
    throw new ValidationError(`amount has more than the ${decimals} decimals that the token can hold: "${text}"`)
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0')) as BaseUnits
  if (amount === 0n) throw new ValidationError('amount must be more than zero')
  if (amount > wholeTokensMax * 10n ** BigInt(decimals)) {
    throw new ValidationError(`amount must be at most ${wholeTokensMax}, not "${text}"`)
  }
  return amount
}

/** Base units to decimal text, exactly, with at least two decimals: 25_000_000n with 6 decimals is "25.00". */
export function formatAmount(amount: BaseUnits, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${whole}.${fraction.padEnd(shownDecimalsMin, '0')}`
}

/** Base units from their stored text. @throws {SyntaxError} when the text is not an integer: the row is corrupt. */
export const baseUnits = (text: string): BaseUnits => BigInt(text) as BaseUnits

/**
 * The amount times a factor, rounded up.
 * @param factor - Plain decimal text, not negative.
 */
export function multiplied(amount: bigint, factor: string): bigint {
  const { units, decimals } = exact(factor)
  const scale = 10n ** BigInt(decimals)
  return (amount * units + scale - 1n) / scale
}

/** Plain decimal text as `units` / 10^`decimals`. */
export function exact(text: string): { units: bigint; decimals: number } {
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

export const add = (a: BaseUnits, b: BaseUnits): BaseUnits => (a + b) as BaseUnits

/** `a - b`, or zero when b is larger. */
export const excess = (a: BaseUnits, b: BaseUnits): BaseUnits => (a > b ? a - b : 0n) as BaseUnits

export const smaller = <Amount extends bigint>(one: Amount, other: Amount): Amount => (one < other ? one : other)

export const larger = <Amount extends bigint>(one: Amount, other: Amount): Amount => (one > other ? one : other)

/** A hundredth of the amount due: a hundred such transfers cost a payer the whole price. */
const significantShare = 100n

/**
 * Whether a changed sum emits a webhook event: the change is at least 1% of the amount due, or the sum has
 * doubled or halved. Many tiny transfers cause few events; every large change causes one.
 */
export function isSignificantChange(due: BaseUnits, before: BaseUnits, after: BaseUnits): boolean {
  const moved = after > before ? after - before : before - after
  return moved * significantShare >= due || bitsOf(before) !== bitsOf(after)
}

const bitsOf = (sum: bigint): number => (sum === 0n ? 0 : sum.toString(2).length)
