/** The codes of ISO 4217, with those that are no longer used. */
const isoCurrencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Providers of rates list coins of three letters beside the currencies. */
export const isCurrency = (code: string): boolean => isoCurrencies.has(code)
