/** Decimal text to base units. The service wrote it with at most the token's decimals. */
export function parseUnits(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.slice(decimals).match(/[1-9]/)) throw new RangeError(`${text} has more than ${decimals} decimals.`)
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Base units to decimal text without trailing zeros: 1_500_000 with 6 decimals is `1.5`. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  return `${digits.slice(0, cut)}.${digits.slice(cut)}`.replace(/\.?0*$/, '')
}

/** Significant digits of a native coin on screen: more would be noise in an estimate. */
const coinDigits = 3

/** Rounded up, so that a top-up by the displayed amount suffices. */
export function formatCoin(amount: bigint, decimals: number): string {
  const step = 10n ** BigInt(Math.max(0, String(amount).length - coinDigits))
  return formatUnits(((amount + step - 1n) / step) * step, decimals)
}
