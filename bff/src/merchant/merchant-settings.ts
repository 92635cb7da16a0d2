import { ValidationError } from '../core/errors.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'

/** How much less than what is due is accepted: the share, but never more than the cap. */
export type Tolerance = {
  /** Basis points of what is due. */
  bps: number
  /** Millionths of a whole token, because decimals belong to a token on a network. */
  maxMicros: bigint
}

/** Full money that comes after the window is only reported, or it pays. */
export type LatePayments = 'report' | 'accept'

/** What a merchant has decided for all payments to come; a payment keeps what held when it was created. */
export type MerchantSettings = {
  tolerance: Tolerance
  latePayments: LatePayments
  /** Whether a public key, which everybody can read in a page, may read the turnover. */
  publicReports: boolean
}

export const defaultSettings: MerchantSettings = {
  tolerance: { bps: 0, maxMicros: 0n },
  latePayments: 'report',
  publicReports: false,
}

/** A tenth: exchanges take about a dollar, and whoever gives more away wants a discount. */
const toleranceBpsMax = 1_000
const microsDecimals = 6

/**
 * `BPS,AMOUNT` to a tolerance: `100,1.50` accepts what is short by 1 %, but by no more than 1.50.
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

/** @throws {ValidationError} when it is neither `on` nor `off`. */
export function parsePublicReports(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ValidationError(`public reports must be on or off, not "${text.slice(0, 60)}"`)
}

/** The least that is accepted for `due`. Rounded in the merchant's favour; always more than zero. */
export function leastOf(due: BaseUnits, decimals: number, { bps, maxMicros }: Tolerance): BaseUnits {
  const share = (due * BigInt(bps)) / 10_000n
  const cap = (maxMicros * 10n ** BigInt(decimals)) / 10n ** BigInt(microsDecimals)
  return (due - (share < cap ? share : cap)) as BaseUnits
}

/** As {@link parseTolerance} takes it. */
export function formatTolerance({ bps, maxMicros }: Tolerance): string {
  return `${bps},${formatAmount(maxMicros as BaseUnits, microsDecimals)}`
}

/** For whoever has changed them, in the words that change them. */
export function formatSettings({ tolerance, latePayments, publicReports }: MerchantSettings): string {
  const lines = [
    `tolerance ${formatTolerance(tolerance)}`,
    `late payments ${latePayments}`,
    `public reports ${publicReports ? 'on' : 'off'}`,
  ]
  return lines.join('\n')
}
