import { html, nothing, type TemplateResult } from 'lit'
import type { Stopped } from '../checkout.ts'
import { t } from '../locales/locale.ts'
import type { ChooseIntent } from '../terms.ts'
import { viewButton, viewMessage } from './frame.ts'

type Refused = Extract<Stopped, { phase: 'refused' }>

/** The service said no; another attempt may only help after something was changed, or after the network has come back. */
export function viewRefused(
  { intent, fault }: Refused,
  onRetry: () => void,
  onChoose: (choice: ChooseIntent) => void,
): TemplateResult {
  const { code, message } = fault
  const choice = intent.type === 'create' && intent.choice
  const isNetworkDown = code === 'NETWORK_UNAVAILABLE'
  const reason = html`<p class="panel">${isNetworkDown ? nothing : html`<code>${code}</code>`}${message}</p>`
  const title = isNetworkDown ? t('networkDown', intent.type === 'create' ? intent.terms.network : '') : t('refused')
  const text = isNetworkDown ? t('networkDownText') : t('misconfiguredText')
  return html`${viewMessage('warning', title, text, reason, 'alert')} ${viewButton(t('tryAgain'), onRetry)}
    ${choice ? viewButton(t('otherOption'), () => onChoose(choice), 'quiet') : nothing}`
}
