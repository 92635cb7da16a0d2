import { isCurrency } from '../core/currency-codes.ts'
import { ValidationError } from '../core/errors.ts'
import { type BaseUnits, formatAmount, multiplied } from '../core/money.ts'
import { formatOriginList } from './origin-list.ts'

/** The accepted shortfall: a share of the amount due, up to the cap. */
export type Tolerance = {
  /** Basis points of the amount due. */
  bps: number
  /** Millionths of a whole token, because decimals belong to a token on a network. */
  maxMicros: bigint
}

/** Late payments: report only, or accept. */
export type LatePayments = 'report' | 'accept'

/** The most that the gas of a payment by signature may cost: a share of the payment, but at least `min` and at most `max`. */
export type GasLimit = {
  /** Basis points of the payment. */
  bps: number
  /** Millionths of a dollar. */
  minMicros: number
  maxMicros: number
}

/** Settings for future payments. A payment keeps the settings from its creation. */
export type MerchantSettings = {
  tolerance: Tolerance
  latePayments: LatePayments
  /** Whether a public key, which is visible in pages, may read the turnover. */
  publicReports: boolean
  signatureGas: GasLimit
  /** Origins from which browsers may use the live public key; empty: any. */
  keyOrigins: readonly string[]
  /** Code of ISO 4217 that the dashboard's totals, new tills and new links begin with; no payment depends on it. Null: not chosen. */
  currency: string | null
}

export const defaultSettings: MerchantSettings = {
  tolerance: { bps: 0, maxMicros: 0n },
  latePayments: 'report',
  publicReports: false,
  signatureGas: { bps: 100, minMicros: 20_000, maxMicros: 1_000_000 },
  keyOrigins: [],
  currency: null,
}

/** 10%: exchanges deduct about a dollar; a larger shortfall would be a discount. */
const toleranceBpsMax = 1_000
export const microsDecimals = 6

/**
 * Parses `BPS,AMOUNT`: `100,1.50` accepts a shortfall of up to 1 %, but no more than 1.50.
 * @throws {ValidationError} naming the rule.
 */
export function parseTolerance(text: string): Tolerance {
  const match = /^(\d{1,4}),(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) {
    throw new ValidationError(
      `tolerance must be BPS,AMOUNT such as 100,1.50 (1 %, at most 1.50 tokens), not "${text.slice(0, 60)}"`,
    )
  }
  const [, bps = '', whole = '', fraction = ''] = match
  if (Number(bps) > toleranceBpsMax) {
    throw new ValidationError(`tolerance must be at most ${toleranceBpsMax} basis points, not ${bps}`)
  }
  return { bps: Number(bps), maxMicros: BigInt(whole + fraction.padEnd(microsDecimals, '0')) }
}

/** @throws {ValidationError} when it is neither `report` nor `accept`. */
export function parseLatePayments(text: string): LatePayments {
  if (text === 'report' || text === 'accept') return text
  throw new ValidationError(`late payments must be report or accept, not "${text.slice(0, 60)}"`)
}

/** @throws {ValidationError} when it is neither a code of ISO 4217 nor `none`. */
export function parseCurrency(text: string): string | null {
  const code = text.toUpperCase()
  if (code === 'NONE') return null
  if (isCurrency(code)) return code
  throw new ValidationError(`currency must be none, or a code of ISO 4217 such as EUR, not "${text.slice(0, 60)}"`)
}

/** @throws {ValidationError} when it is neither `on` nor `off`. */
export function parsePublicReports(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ValidationError(`public reports must be on or off, not "${text.slice(0, 60)}"`)
}

/** The least that is accepted for `due`. Rounded in the merchant's favour, and always above zero. */
export function leastOf(due: BaseUnits, decimals: number, { bps, maxMicros }: Tolerance): BaseUnits {
  const share = (due * BigInt(bps)) / 10_000n
  const cap = (maxMicros * 10n ** BigInt(decimals)) / 10n ** BigInt(microsDecimals)
  return (due - (share < cap ? share : cap)) as BaseUnits
}

/**
 * Parses `BPS,MIN,MAX` or `off`: with `100,0.02,1`, gas may cost 1 % of a payment, but at least 0.02 and at most 1 dollar.
 * @throws {ValidationError} naming the rule.
 */
export function parseGasLimit(text: string): GasLimit {
  if (text === 'off') return { bps: 0, minMicros: 0, maxMicros: 0 }
  const [bps = '', min = '', max = '', ...rest] = text.split(',')
  const isAmount = (amount: string) => /^\d{1,4}(\.\d{1,6})?$/.test(amount)
  if (!/^\d{1,5}$/.test(bps) || Number(bps) > 10_000 || !isAmount(min) || !isAmount(max) || rest.length > 0) {
    throw new ValidationError(
      `signature gas must be off, or BPS,MIN,MAX such as 100,0.02,1 (1 % of the payment, at least 0.02, at most 1 dollar), not "${text.slice(0, 60)}"`,
    )
  }
  const microsOf = (amount: string) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return Number(whole + fraction.padEnd(microsDecimals, '0'))
  }
  if (microsOf(min) > microsOf(max))
    throw new ValidationError('signature gas must have a MIN that is not above its MAX')
  return { bps: Number(bps), minMicros: microsOf(min), maxMicros: microsOf(max) }
}

/**
 * The most that the gas of this payment may cost, in millionths of a dollar.
 * @param dollarRate - Dollars for one whole token. Null: unknown, so only the minimum is allowed.
 */
export function gasLimitOf(
  amount: bigint,
  { tokenDecimals, dollarRate }: { tokenDecimals: number; dollarRate: string | null },
  { bps, minMicros, maxMicros }: GasLimit,
): number {
  if (dollarRate === null) return minMicros
  const scaled = multiplied(amount * 10n ** BigInt(microsDecimals), dollarRate)
  const amountMicros = scaled / 10n ** BigInt(tokenDecimals)
  const share = (amountMicros * BigInt(bps)) / 10_000n
  if (share > BigInt(maxMicros)) return maxMicros
  return Math.max(Number(share), minMicros)
}

/** Whether the merchant pays the gas of any payment by signature. */
export const takesSignatures = ({ signatureGas }: MerchantSettings): boolean => signatureGas.maxMicros > 0

/** In the form that {@link parseGasLimit} takes. */
export function formatGasLimit({ bps, minMicros, maxMicros }: GasLimit): string {
  const amount = (micros: number) => formatAmount(BigInt(micros) as BaseUnits, microsDecimals)
  return maxMicros === 0 ? 'off' : `${bps},${amount(minMicros)},${amount(maxMicros)}`
}

/** In the form that {@link parseTolerance} takes. */
export function formatTolerance({ bps, maxMicros }: Tolerance): string {
  return `${bps},${formatAmount(maxMicros as BaseUnits, microsDecimals)}`
}

/** The settings as text, in the syntax of the commands that change them. */
export function formatSettings(settings: MerchantSettings): string {
  const { tolerance, latePayments, publicReports, signatureGas, keyOrigins, currency } = settings
  const lines = [
    `tolerance ${formatTolerance(tolerance)}`,
    `late payments ${latePayments}`,
    `public reports ${publicReports ? 'on' : 'off'}`,
    `signature gas ${formatGasLimit(signatureGas)}`,
    `key origins ${formatOriginList(keyOrigins)}`,
    `currency ${currency ?? 'none'}`,
  ]
  return lines.join('\n')
}
