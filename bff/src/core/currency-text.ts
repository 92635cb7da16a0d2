/**
 * An amount of a currency in its language, for pages that are read from either direction. Arabic begins with a mark of its
 * direction, in which the `$` of `US$` would change to the other side of its letters.
 * @param formatted - By `Intl.NumberFormat`.
 */
export const currencyText = (formatted: string): string =>
  formatted.replace(/^(\u200f.*?)([A-Z]+\p{Sc})/u, '$1\u2066$2\u2069')
