import { currencyText } from '../../src/core/currency-text.ts'
import { formatLocale } from '../locales/locale.ts'
import { formatMoney } from '../ui/format.ts'

/** Exact decimal text in a currency, or in tokens. @param currency - ISO 4217 code, or a token's symbol. */
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

/** The longest sum that the large figures hold on a phone. */
const largeMax = 9

/** The class of a sum: a longer one is drawn smaller, so that no amount breaks into two lines. */
export const sumClass = (sum: string): string => (sum.length > largeMax ? 'amount long' : 'amount')

export function formatClock(iso: string): string {
  return new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short' }).format(new Date(iso))
}
