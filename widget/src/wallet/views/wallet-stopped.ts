import { html, nothing, type TemplateResult } from 'lit'
import type { MessageKey } from '../../locales/en.ts'
import { formatAmount, t } from '../../locales/locale.ts'
import type { Payment } from '../../payment.ts'
import { explainFault } from '../../views/fault-text.ts'
import { viewButton, viewMessage } from '../../views/frame.ts'
import type { View } from '../../views/view.ts'
import type { Stop, WalletScreen, WalletView } from '../wallet-state.ts'
import { viewOtherMethods } from './choose-wallet.ts'

/** Wallets return whole stack traces; the cause is at the beginning. */
const messageLengthMax = 240

/** Title and text of each reason to stop. */
const stopKeys: Record<Stop['why'], [title: MessageKey, text: MessageKey]> = {
  rejected: ['stopRejected', 'stopRejectedText'],
  busy: ['stopBusy', 'stopBusyText'],
  locked: ['stopLocked', 'stopLockedText'],
  network: ['stopNetwork', 'stopNetworkText'],
  unknownNetwork: ['stopUnknownNetwork', 'stopUnknownNetworkText'],
  balance: ['stopBalance', 'stopBalanceText'],
  fee: ['stopFee', 'stopFeeText'],
  late: ['stopLate', 'stopLateText'],
  paid: ['stopPaid', 'stopPaidText'],
  reverted: ['stopReverted', 'stopRevertedText'],
  gone: ['stopGone', 'stopGoneText'],
  unsure: ['stopUnsure', 'stopUnsureText'],
  unsureTransfer: ['stopUnsureTransfer', 'stopUnsureTransferText'],
  refused: ['stopRefused', 'stopRefusedText'],
  failed: ['stopFailed', 'stopFailedText'],
  service: ['stopService', 'stopServiceText'],
}

/** Why the wallet is asked nothing more, and what the customer can do. */
export function viewWalletStopped(
  { following }: View,
  { stop, canRepeat }: Extract<WalletScreen, { at: 'stopped' }>,
  wallet: Pick<WalletView, 'onAgain' | 'onChoose' | 'onBack'>,
): TemplateResult {
  const { title, text } = explain(stop, following.answer.payment, canRepeat)
  const message = 'fault' in stop ? explainFault(stop.fault) : 'message' in stop ? stop.message : ''
  const reason = message ? html`<p class="panel reason">${message.slice(0, messageLengthMax)}</p>` : nothing
  const isFee = stop.why === 'fee'
  const exact = isFee
    ? html`<details class="panel reason"><summary>${t('feeExact')}</summary><code dir="ltr">${stop.exact}</code> ${stop.coin}</details>`
    : nothing
  return html`${viewMessage(stop.why === 'rejected' ? 'clock' : 'warning', title, text, reason, 'alert')} ${exact}
    ${canRepeat ? viewButton(t(repeatKeys[stop.why] ?? 'tryAgain'), () => wallet.onAgain(false)) : nothing}
    ${isFee ? viewButton(t('payAnyway'), () => wallet.onAgain(true), 'quiet') : nothing}
    ${viewOtherMethods(wallet)}`
}

const repeatKeys: Partial<Record<Stop['why'], MessageKey>> = {
  unsure: 'askAgain',
  unsureTransfer: 'askAgainAnyway',
  fee: 'checkAgain',
}

function explain(stop: Stop, { currency, network }: Payment, canRepeat: boolean): { title: string; text: string } {
  const isOpen = !canRepeat && (stop.why === 'unsure' || stop.why === 'unsureTransfer' || stop.why === 'gone')
  const [title, text] = isOpen ? openQuestionKeys : stopKeys[stop.why]
  const unit = stop.why === 'fee' ? stop.coin : currency
  const missing = 'missing' in stop ? `${formatAmount(stop.missing)} ${unit}` : ''
  const account = 'account' in stop ? shorten(stop.account) : ''
  const values = [missing, stop.why === 'fee' ? stop.coin : network, account]
  return { title: t(title, ...values), text: t(text, ...values) }
}

const openQuestionKeys: [MessageKey, MessageKey] = ['stopOpenQuestion', 'stopOpenQuestionText']

function shorten(account: string): string {
  return `${account.slice(0, 6)}…${account.slice(-4)}`
}
