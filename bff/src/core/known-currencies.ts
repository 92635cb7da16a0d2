/** The currencies of known symbols. For any other symbol, the configuration names the currency. */
export const knownCurrencies: Readonly<Record<string, string>> = { USDC: 'USD', USDT: 'USD', PYUSD: 'USD', EURC: 'EUR' }
