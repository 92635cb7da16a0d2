import { exampleMoney } from '../ui/example-money.ts'
import type { SetupState } from './setup-api.ts'

/**
 * The tag that a shop puts into its page, in the shop's language; the service converts prices in currencies other than US dollars.
 * @param publicKey - Null for a placeholder.
 */
export function setupSnippet(
  { origin, answers: { shop, networks }, offered }: Pick<SetupState, 'origin' | 'answers' | 'offered'>,
  publicKey: string | null,
): string {
  const network = networks[0]?.network ?? 'base'
  const [symbol = 'USDC'] = offered.find((one) => one.network === network)?.symbols ?? []
  const attributes = [
    `public-key="${publicKey ?? 'pk_live_…'}"`,
    ...exampleMoney(shop?.currency ?? 'USD'),
    `currency="${symbol}"`,
    `network="${network}"`,
    'order-id="A-1042"',
    `lang="${shop?.language ?? 'en'}"`,
  ]
  return `<script type="module" src="${origin}/stablecoin-checkout.js"></script>\n\n<stablecoin-checkout ${attributes.join('\n  ')}></stablecoin-checkout>`
}
