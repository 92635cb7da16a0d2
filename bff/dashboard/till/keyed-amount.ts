/** As much as fits the screen of a phone: 9,999,999.99. */
const digitsMax = 9

/** An amount in the making: digits from the smallest unit up, as on every till. `1250` with two decimals is 12.50. */
export type KeyedAmount = { digits: string; decimals: number }

/** @param currency - ISO 4217 code; null: tokens, which are keyed in with cents. */
export function noAmount(currency: string | null): KeyedAmount {
  if (currency === null) return { digits: '', decimals: 2 }
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return { digits: '', decimals: maximumFractionDigits ?? 2 }
}

/** @param key - A digit, `00`, `Backspace` or `Escape`, which clears. Other keys, and digits that do not fit, change nothing. */
export function keyed(amount: KeyedAmount, key: string): KeyedAmount {
  const { digits } = amount
  if (key === 'Escape') return { ...amount, digits: '' }
  if (key === 'Backspace') return { ...amount, digits: digits.slice(0, -1) }
  if (!/^(\d|00)$/.test(key)) return amount
  const longer = (digits + key).replace(/^0+/, '')
  return longer.length > digitsMax ? amount : { ...amount, digits: longer }
}

export const isZero = ({ digits }: KeyedAmount): boolean => digits === ''

/** Decimal text for the service. */
export function textOf({ digits, decimals }: KeyedAmount): string {
  const padded = digits.padStart(decimals + 1, '0')
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}
