/** The sum of an example, as the currency writes it. */
function examplePrice(currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits === 0 ? '2500' : '25.00'
}

/**
 * The sum's attributes of an example tag: a price in the shop's currency, which the service converts, or tokens where they stand for it.
 * @param tokenCurrency - The currency that one token stands for.
 */
export const exampleMoney = (currency: string, tokenCurrency = 'USD'): string[] =>
  currency === tokenCurrency
    ? [`amount="${examplePrice(currency)}"`]
    : [`price="${examplePrice(currency)}"`, `price-currency="${currency}"`]
