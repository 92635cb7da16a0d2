/**
 * Keeps a formatted amount readable in both text directions. Arabic texts begin with a direction mark, after which the `$` of
 * `US$` would move to the other side of its letters.
 * @param formatted - The output of `Intl.NumberFormat`.
 */
export const currencyText = (formatted: string): string =>
  formatted.replace(/^(\u200f.*?)([A-Z]+\p{Sc})/u, '$1\u2066$2\u2069')
