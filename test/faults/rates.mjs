// What a token is worth, how old that may be, and how amounts are added up.

/** @type {import('./faults.mjs').Fault[]} */
export const rates = [
  {
    name: 'Rates that are too old are refused while newer ones come',
    file: 'bff/src/rates/read-rates.ts',
    from: 'if (asking && !(known && age(known, runtime.nowMs()) <= maxAgeSeconds * 1000)) await asking',
    to: 'if (asking && !known) await asking',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'are waited for while a provider is asked and those that are known are too old',
  },
  {
    name: 'A bank is asked once in three days',
    file: 'bff/src/rates/read-rates.ts',
    from: 'Math.min(halfLifeMs, providers[provider].askEverySeconds * 1000)',
    to: 'halfLifeMs',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'are asked for each hour of a bank whose rates are good for days',
  },
  {
    name: 'A public provider is asked later than its rates may be old',
    file: 'bff/src/rates/read-rates.ts',
    from: 'Math.min(halfLifeMs, providers[provider].askEverySeconds * 1000)',
    to: 'providers[provider].askEverySeconds * 1000',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'are asked for when they are half as old as they may be, where that is earlier',
  },
  {
    name: 'A listed token is a dollar whatever its provider says',
    file: 'bff/src/rates/token-rates.ts',
    from: 'currency === priceCurrency && !isListed(symbol)',
    to: 'currency === priceCurrency',
    test: 'bff/src/checkout/price.test.ts',
    fails: 'in dollars is at the rate of the provider, because a token that it lists is no dollar by definition',
  },
  {
    name: 'Rates of other tokens come from the second token that is listed',
    file: 'bff/src/rates/token-rates.ts',
    from: "listed['USDC'] ?? listed['USDT']",
    to: "listed['USDT'] ?? listed['USDC']",
    test: 'bff/src/rates/token-rates.test.ts',
    fails: 'are computed from USDC where both are there',
  },
  {
    name: 'Two answers have the time of the newer one',
    file: 'bff/src/rates/providers.ts',
    from: '  return Math.min(\n    ...answers',
    to: '  return Math.max(\n    ...answers',
    test: 'bff/src/rates/providers.test.ts',
    fails: 'Coinbase, at the time of the older of its two answers',
  },
  {
    name: 'All tokens are added up in six decimals',
    file: 'bff/src/reports/payment-report.ts',
    from: 'amount * 10n ** BigInt(sumDecimals - decimals)',
    to: 'amount * 10n ** BigInt(sumDecimals - 6)',
    test: 'bff/src/reports/payment-report.test.ts',
    fails: 'amounts of tokens with other decimals are added up to the unit, however long, and euros are no dollars',
  },
  {
    name: 'Euros are added to dollars',
    file: 'bff/src/reports/payment-report.ts',
    from: 'const currency = currencyOf(networks, symbol) ?? symbol',
    to: 'const currency = limitCurrency',
    test: 'bff/src/reports/payment-report.test.ts',
    fails: 'amounts of tokens with other decimals are added up to the unit, however long, and euros are no dollars',
  },
  {
    name: 'A long amount loses a digit where it is added up in two parts',
    file: 'bff/src/reports/payment-report-store.ts',
    from: 'length(due) - 11, 12)',
    to: 'length(due) - 10, 11)',
    test: 'bff/src/reports/payment-report.test.ts',
    fails: 'amounts of tokens with other decimals are added up to the unit, however long, and euros are no dollars',
  },
  {
    name: 'A month that could not be read once is never read again',
    file: 'bff/src/reports/month.ts',
    from: '.finally(() => running.delete(key))',
    to: `.then((found) => {
      running.delete(key)
      return found
    })`,
    test: 'bff/src/reports/kept-sums.test.ts',
    fails: 'a reading that fails is answered to those who wait for it, and to nobody after them',
  },
  {
    name: 'Rates whose age is no number are good for ever',
    file: 'bff/src/rates/fetch-rates.ts',
    from: ' || !(ageSeconds >= 0)',
    to: '',
    test: 'bff/src/rates/providers.test.ts',
    fails: 'whose age is no number',
  },
  {
    name: 'A table of rates is never too old, whatever the setting says',
    file: 'bff/src/rates/rate-settings.ts',
    from: 'maxAgeSeconds: setting.maxAgeSeconds ?? null',
    to: 'maxAgeSeconds: null',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'the setting is a table or a provider, and says so',
  },
]
