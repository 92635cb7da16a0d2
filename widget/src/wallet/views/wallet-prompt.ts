import { html, nothing, type TemplateResult } from 'lit'
import type { MessageKey } from '../../locales/en.ts'
import { t } from '../../locales/locale.ts'
import { toSend } from '../../payment.ts'
import { viewButton, viewMessage, withUnit } from '../../views/frame.ts'
import type { View } from '../../views/view.ts'
import type { Prompt, WalletScreen, WalletView } from '../wallet-state.ts'

/** Title and reason of each wallet prompt. */
const promptKeys: Record<Prompt, [title: MessageKey, reason: MessageKey]> = {
  connect: ['askConnect', 'askConnectWhy'],
  switch: ['askSwitch', 'askSwitchWhy'],
  add: ['askAdd', 'askAddWhy'],
  authorize: ['askSign', 'askAuthorizeWhy'],
  batch: ['askBatch', 'askBatchWhy'],
  sign: ['askSign', 'askSignWhy'],
  reset: ['askReset', 'askResetWhy'],
  approve: ['askApprove', 'askApproveWhy'],
  payWithPermit: ['askPay', 'askPayWhy'],
  pay: ['askPay', 'askPayWhy'],
  transfer: ['askPay', 'askPayWhy'],
}

/** An open wallet prompt: what, why, and what to do if the wallet's window is hidden. */
export function viewWalletPrompt(
  { following }: View,
  { prompt, number, total, isSlow }: Extract<WalletScreen, { at: 'asking' }>,
  { name, onStopWaiting }: Pick<WalletView, 'name' | 'onStopWaiting'>,
): TemplateResult {
  const { payment } = following.answer
  const amount = withUnit(toSend(payment), payment)
  const [title, reason] = promptKeys[prompt]
  const values = [amount, payment.merchant || t('theShop'), payment.network]
  const step = total > 1 ? html`<p class="badge">${t('walletStep', number, total)}</p>` : nothing
  const slow = html`<p class="panel" role="alert">${t('walletSlow', name || t('yourWallet'))}</p>`
  return html`${viewMessage('clock', t(title, ...values), t(reason, ...values), step)} ${isSlow ? slow : nothing}
    ${isSlow ? viewButton(t('noRequest'), onStopWaiting, 'quiet') : nothing}`
}
