import type { SetupState } from './setup-api.ts'

/** One whole token counts as one of these without exchange rates. */
const tokenCurrency = 'USD'

/** An example's sum, as the currency writes it. */
function examplePrice(currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits === 0 ? '2500' : '25.00'
}

/**
 * The tag that a shop puts into its page, in the shop's language; prices in another currency than US dollars are converted by the
 * service.
 * @param publicKey - Null for a placeholder.
 */
export function setupSnippet(
  { origin, answers: { shop, networks }, offered }: Pick<SetupState, 'origin' | 'answers' | 'offered'>,
  publicKey: string | null,
): string {
  const network = networks[0]?.network ?? 'base'
  const [symbol = 'USDC'] = offered.find((one) => one.network === network)?.symbols ?? []
  const currency = shop?.currency ?? tokenCurrency
  const money =
    currency === tokenCurrency
      ? ['amount="25.00"']
      : [`price="${examplePrice(currency)}"`, `price-currency="${currency}"`]
  const attributes = [
    `public-key="${publicKey ?? 'pk_live_…'}"`,
    ...money,
    `currency="${symbol}"`,
    `network="${network}"`,
    'order-id="A-1042"',
    `lang="${shop?.language ?? 'en'}"`,
  ]
  return `<script type="module" src="${origin}/stablecoin-checkout.js"></script>\n\n<stablecoin-checkout ${attributes.join('\n  ')}></stablecoin-checkout>`
}
