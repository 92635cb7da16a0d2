/** The amount of an example, with the currency's decimals. */
function examplePrice(currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits === 0 ? '2500' : '25.00'
}

/**
 * The amount attributes of an example tag: a price in the shop's currency, which the service converts, or an amount of tokens that stand
 * for that currency.
 * @param tokenCurrency - The currency that one token stands for.
 */
export const exampleMoney = (currency: string, tokenCurrency = 'USD'): string[] =>
  currency === tokenCurrency
    ? [`amount="${examplePrice(currency)}"`]
    : [`price="${examplePrice(currency)}"`, `price-currency="${currency}"`]
