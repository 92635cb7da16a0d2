/** `US$`: beside Arabic the `$` would change to the other side of the letters. */
const symbolAfterLetters = /^[A-Z]+[^A-Z]$/

/**
 * An amount of a currency as the language writes it, for pages that are read from either direction.
 * @param amount - Exact decimal text.
 */
export function currencyText(format: Intl.NumberFormat, amount: string): string {
  if (!/^ar\b/.test(format.resolvedOptions().locale)) return format.format(amount as Intl.StringNumericLiteral)
  return format
    .formatToParts(amount as Intl.StringNumericLiteral)
    .map(({ type, value }) => (type === 'currency' && symbolAfterLetters.test(value) ? `\u2066${value}\u2069` : value))
    .join('')
}
