/** The currencies of the symbols that are known. A configuration names the currency of any other symbol itself. */
export const knownCurrencies: Readonly<Record<string, string>> = { USDC: 'USD', USDT: 'USD', PYUSD: 'USD', EURC: 'EUR' }
