import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import type { Problem } from '../terms.ts'
import { viewMessage } from './frame.ts'

/** What each attribute must be, for the merchant who reads it on the card. In English, as the documentation is. */
export const rules: Readonly<Record<string, string>> = {
  'api-base': 'an address beginning with https:// or http://',
  'public-key': 'a public key, beginning with pk_; a secret key that stands there must be replaced at once',
  amount: 'a decimal number above 0, like 25.00',
  currency: 'the symbol of a token, like USDC, or none: then the customer chooses',
  network: 'the short name of a network, like base, or none: then the customer chooses',
  metadata: 'a JSON object',
  splitter: 'the address of a contract (0x and 40 hex digits), or several with spaces between',
  'merchant-wallet': 'an address of yours, or several with spaces between',
  'max-fee-bps': 'a whole number of basis points, like 150',
  'token-address': 'the address of a token',
  'client-secret': 'a client secret, beginning with cs_',
  'payment-id': 'the id of a payment (a UUID)',
}

/** The tag is wrong: each attribute with its rule, for the merchant; one kind sentence for a customer. */
export function viewMisconfigured(problems: Problem[]): TemplateResult {
  const list = problems.map(
    ({ attribute, rule }) => html`<p class="panel"><code>${attribute}</code>${rule || rules[attribute]}</p>`,
  )
  return viewMessage('warning', t('misconfigured'), t('misconfiguredText'), list, 'alert')
}
