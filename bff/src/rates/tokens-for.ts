import { exact } from '../core/money.ts'

/** Prices are converted to whole cents of the token. */
export const centDecimals = 2

/**
 * @param rate - Units of the currency for one whole token. @returns whole tokens, rounded up to a cent of the token.
 */
export function tokensFor(price: string, rate: string): string {
  const [asked, each] = [exact(price), exact(rate)]
  const numerator = asked.units * 10n ** BigInt(each.decimals + centDecimals)
  const denominator = each.units * 10n ** BigInt(asked.decimals)
  const cents = String((numerator + denominator - 1n) / denominator).padStart(centDecimals + 1, '0')
  return `${cents.slice(0, -centDecimals)}.${cents.slice(-centDecimals)}`
}
