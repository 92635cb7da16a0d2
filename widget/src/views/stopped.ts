import { html, nothing, type TemplateResult } from 'lit'
import { type Fault, isRetryable } from '../api/client.ts'
import type { Stopped } from '../checkout.ts'
import { currentCode, t } from '../locales/locale.ts'
import type { ChooseIntent, Problem } from '../terms.ts'
import { explainFault, referenceOf } from './fault-text.ts'
import { viewButton, viewMessage } from './frame.ts'

/** The rule of each attribute, shown on the card for the merchant. In English, like the documentation. */
export const rules: Readonly<Record<string, string>> = {
  'api-base': 'an address beginning with https:// or http://',
  'public-key':
    'a public key, beginning with pk_, or the id of a payment link; a secret key that stands there must be replaced at once',
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

/** The tag is invalid: each attribute with its rule for the merchant, and one sentence for the customer. */
export function viewMisconfigured(problems: Problem[]): TemplateResult {
  const list = problems.map(
    ({ attribute, rule }) => html`<p class="panel"><code>${attribute}</code>${rule || rules[attribute]}</p>`,
  )
  return viewMessage('warning', t('misconfigured'), t('misconfiguredText'), list, 'alert')
}

type Refused = Extract<Stopped, { phase: 'refused' }>

/** The service refused; retrying helps only after something was changed or the network is available again. */
export function viewRefused(
  { intent, fault }: Refused,
  onRetry: () => void,
  onChoose: (choice: ChooseIntent) => void,
): TemplateResult {
  const { code } = fault
  if (code === 'PAYMENT_NOT_FOUND') return viewMessage('warning', t('notFound'), t('notFoundText'), nothing, 'alert')
  const choice = intent.type === 'create' && intent.choice
  const isNetworkDown = code === 'NETWORK_UNAVAILABLE'
  // A missing rate is temporary; an unsupported currency is the shop's mistake.
  const isRateOld = code === 'NO_RATE' && isRetryable(fault)
  const network = intent.type === 'create' ? intent.terms.network : ''
  const title = isNetworkDown ? t('networkDown', network) : code === 'NO_RATE' ? t('noRate') : t('refused')
  const text = isNetworkDown ? t('networkDownText') : isRateOld ? t('noRateText') : t('misconfiguredText')
  const isSaid = isNetworkDown || isRateOld
  const explained = explainFault(fault)
  const reason = html`<p class="panel">${explained} ${viewDetails(fault, explained)}</p>`
  return html`${viewMessage('warning', title, text, isSaid ? nothing : reason, 'alert')}
    ${viewButton(t('tryAgain'), onRetry)}
    ${choice ? viewButton(t('otherOption'), () => onChoose(choice), 'quiet') : nothing}`
}

/** For the person who set up the checkout. The service's message is English: other languages show only its code. */
function viewDetails(fault: Fault, explained: string): TemplateResult {
  const reference = referenceOf(fault)
  return html`${explained.includes(reference) ? nothing : html`<code>${reference}</code>`}
    ${currentCode() === 'en' ? html`<small>${fault.message}</small>` : nothing}`
}
