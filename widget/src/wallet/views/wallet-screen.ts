import { html, nothing, type TemplateResult } from 'lit'
import type { MessageKey } from '../../locales/en.ts'
import { t } from '../../locales/locale.ts'
import { toSend } from '../../payment.ts'
import { formatLeft } from '../../ui/countdown.ts'
import { icon } from '../../ui/icon.ts'
import { viewChecking } from '../../views/ended.ts'
import { viewAmount, viewMessage, viewTop } from '../../views/frame.ts'
import { explorerLink, viewLink } from '../../views/links.ts'
import { viewPrice } from '../../views/price-line.ts'
import type { View } from '../../views/view.ts'
import type { WalletOption, WalletScreen, WalletView } from '../wallet-state.ts'
import { viewWalletChoice } from './choose-wallet.ts'
import { viewWalletPrompt } from './wallet-prompt.ts'
import { viewWalletStopped } from './wallet-stopped.ts'

/** The card of a wallet payment: the amount, and the screen of the current step. */
export function viewWallet<Wallet extends WalletOption>(
  view: View,
  screen: WalletScreen,
  wallet: WalletView<Wallet>,
): TemplateResult {
  const { following, leftMs } = view
  const { payment } = following.answer
  // The splitter accepts the same terms once: what a token deducted cannot be sent afterwards.
  if (payment.isContract && following.stage === 'underpaid')
    return viewChecking(view, t('walletShort'), t('walletShortText'))
  const left = html`<span class="badge" part="countdown" role="timer" aria-live="off">
    ${icon('clock')}<span class="sr">${t('timeLeft')} </span><bdi>${formatLeft(leftMs)}</bdi>
  </span>`
  return html`${viewTop(payment, left)}
    <div><p class="label">${t('toPay')}</p>${viewAmount(toSend(payment), payment)} ${viewPrice(following.answer)}</div>
    ${viewScreen(view, screen, wallet)}`
}

function viewScreen<Wallet extends WalletOption>(view: View, screen: WalletScreen, wallet: WalletView<Wallet>) {
  switch (screen.at) {
    case 'closed':
      return nothing
    case 'choosing':
      return viewWalletChoice(screen.isSearching, wallet)
    case 'working':
      // The submitted signature may be paying by now.
      return viewMessage(
        'clock',
        t(workingKeys[screen.on]),
        t(screen.on === 'submitting' ? 'workingSubmittingText' : 'walletWorkingText'),
      )
    case 'asking':
      return viewWalletPrompt(view, screen, wallet)
    case 'sent':
      return html`${viewMessage('clock', t('walletSent'), t('walletSentText'))}
        ${viewLink(explorerLink(view.following.answer, wallet.hash), t('viewTransaction'))}`
    case 'stopped':
      return viewWalletStopped(view, screen, wallet)
    default:
      return screen satisfies never
  }
}

const workingKeys = {
  reading: 'workingReading',
  creating: 'workingCreating',
  submitting: 'workingSubmitting',
  reset: 'workingReset',
  approve: 'workingApprove',
  walletconnect: 'workingWalletconnect',
} as const satisfies Record<string, MessageKey>
