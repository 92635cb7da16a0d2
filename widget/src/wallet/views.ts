import { html, nothing, type TemplateResult } from 'lit'
import { type Payment, type QrModules, toSend } from '../payment.ts'
import { formatLeft } from '../ui/countdown.ts'
import { icon } from '../ui/icon.ts'
import { drawQr } from '../ui/qr.ts'
import { explorerLink, viewAmount, viewButton, viewLink, viewMessage, viewTop, withUnit } from '../views/frame.ts'
import { viewChecking } from '../views/outcome.ts'
import type { View } from '../views/view.ts'
import { say, speak, type WordName, word } from '../words/say.ts'
import type { WalletLink } from './links.ts'
import type { Wallet } from './provider.ts'
import type { Prompt, Screen, Stop } from './screen.ts'

/** What the wallet's screens draw from, beside the payment, and what their buttons do. */
/** A wallet as its button shows it. */
type Option = { name: string; icon: string }

export type WalletView<W extends Option = Wallet> = {
  wallets: W[]
  hasWalletConnect: boolean
  links: WalletLink[]
  /** The wallet that was picked; empty when it has not said its name. */
  name: string
  hash: string
  /** The code that asks a wallet on a telephone; null or absent where there is none. */
  qr?: QrModules | null
  onPick: (wallet: W) => void
  onPickWalletConnect: () => void
  onAgain: (isFeeIgnored: boolean) => void
  onStopWaiting: () => void
  /** To the list of wallets; null while the wallet may still send what it was asked for. */
  onChoose: (() => void) | null
  /** To the deposit address; null where there is none, and while the wallet may still send. */
  onBack: (() => void) | null
}

export function viewWallet<W extends Option>(view: View, screen: Screen, wallet: WalletView<W>): TemplateResult {
  const { following, leftMs, language } = view
  const { payment } = following.answer
  speak(language)
  // The splitter takes the same terms once: what a token kept for itself cannot be sent after.
  if (payment.isContract && following.stage === 'underpaid')
    return viewChecking(view, say('walletShort'), say('walletShortText'))
  const left = html`<span class="badge" part="countdown" role="timer" aria-live="off">
    ${icon('clock')}<span class="sr">${say('timeLeft')} </span><bdi>${formatLeft(leftMs)}</bdi>
  </span>`
  return html`${viewTop(payment, left)}
    <div><p class="label">${say('toPay')}</p>${viewAmount(toSend(payment), payment)}</div>
    ${viewScreen(view, screen, wallet)}`
}

function viewScreen<W extends Option>(view: View, screen: Screen, wallet: WalletView<W>) {
  switch (screen.at) {
    case 'closed':
      return nothing
    case 'choosing':
      return viewChoice(screen.isSearching, wallet)
    case 'working':
      return viewMessage('clock', say(workingWords[screen.on]), say('walletWorkingText'))
    case 'asking':
      return viewPrompt(view, screen, wallet)
    case 'sent':
      return viewSent(view, wallet)
    case 'stopped':
      return viewStop(view, screen, wallet)
    default:
      return screen satisfies never
  }
}

function viewChoice<W extends Option>(
  isSearching: boolean,
  { wallets, hasWalletConnect, links, qr, onPick, ...more }: WalletView<W>,
) {
  const isEmpty = wallets.length === 0
  const title = isSearching ? say('walletSearching') : isEmpty ? say('noWallet') : say('chooseWallet')
  const isHelpless = isEmpty && !isSearching && links.length === 0 && !hasWalletConnect && !qr
  return html`<div class="middle">
      <p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${title}</p>
      ${isHelpless ? html`<p class="label">${more.onBack ? say('noWalletText') : say('noWalletOnly')}</p>` : nothing}
      <div class="wallets">
        ${wallets.map((wallet) => viewOption(wallet, () => onPick(wallet)))}
        ${hasWalletConnect ? viewOption({ name: 'WalletConnect', icon: '' }, more.onPickWalletConnect) : nothing}
      </div>
      ${isEmpty && links.length > 0 ? viewLinks(links) : nothing}
      ${qr && !isSearching ? html`<p class="label">${say('scanWithWallet')}</p>${drawQr(qr, say('scanWithWallet'))}` : nothing}
    </div>
    ${viewWays(more)}`
}

function viewOption({ name, icon: image }: Option, onPick: () => void): TemplateResult {
  const picture = image ? html`<img src=${image} alt="" @error=${hide} />` : nothing
  return html`<button type="button" @click=${onPick}>${picture}<bdi>${name || say('browserWallet')}</bdi></button>`
}

/** A strict page may allow no pictures. */
function hide({ target }: Event): void {
  if (target instanceof HTMLElement) target.hidden = true
}

function viewLinks(links: WalletLink[]): TemplateResult {
  return html`<p class="label">${say('openInWallet')}</p>
    <p class="links">${links.map(({ name, url }) => html`<a href=${url} rel="noopener">${name}</a>`)}</p>`
}

function viewPrompt(
  { following }: View,
  asking: Extract<Screen, { at: 'asking' }>,
  wallet: Pick<WalletView, 'name' | 'onStopWaiting'>,
) {
  const { payment } = following.answer
  const { prompt, number, total, isSlow } = asking
  const amount = withUnit(toSend(payment), payment)
  const [title, why] = promptWords[prompt]
  const values = [amount, payment.merchant || say('theShop'), payment.network]
  const step = total > 1 ? html`<p class="badge">${say('walletStep', number, total)}</p>` : nothing
  const slow = html`<p class="panel" role="alert">${say('walletSlow', wallet.name || say('yourWallet'))}</p>`
  return html`${viewMessage('clock', say(title, ...values), say(why, ...values), step)} ${isSlow ? slow : nothing}
    ${isSlow ? viewButton(say('noRequest'), wallet.onStopWaiting, 'quiet') : nothing}`
}

const workingWords = {
  reading: word('workingReading'),
  creating: word('workingCreating'),
  reset: word('workingReset'),
  approve: word('workingApprove'),
  walletconnect: word('workingWalletconnect'),
} as const

/** Title and reason of each thing that a wallet is asked. */
const promptWords: Record<Prompt, [WordName, WordName]> = {
  connect: [word('askConnect'), word('askConnectWhy')],
  switch: [word('askSwitch'), word('askSwitchWhy')],
  add: [word('askAdd'), word('askAddWhy')],
  batch: [word('askBatch'), word('askBatchWhy')],
  sign: [word('askSign'), word('askSignWhy')],
  reset: [word('askReset'), word('askResetWhy')],
  approve: [word('askApprove'), word('askApproveWhy')],
  bring: [word('askPay'), word('askPayWhy')],
  pay: [word('askPay'), word('askPayWhy')],
  transfer: [word('askPay'), word('askPayWhy')],
}

function viewSent({ following }: View, { hash }: Pick<WalletView, 'hash'>): TemplateResult {
  return html`${viewMessage('clock', say('walletSent'), say('walletSentText'))}
    ${viewLink(explorerLink(following.answer, hash), say('viewTransaction'))}`
}

function viewStop(
  { following }: View,
  { stop, canRepeat }: Extract<Screen, { at: 'stopped' }>,
  wallet: Pick<WalletView, 'onAgain' | 'onChoose' | 'onBack'>,
) {
  const { payment } = following.answer
  const { title, text } = sayStop(stop, payment, canRepeat)
  const words =
    'words' in stop && stop.words ? html`<p class="panel reason">${stop.words.slice(0, wordsMax)}</p>` : nothing
  const again =
    stop.why === 'unsure'
      ? say('askAgain')
      : stop.why === 'unsureTransfer'
        ? say('askAgainAnyway')
        : stop.why === 'fee'
          ? say('checkAgain')
          : say('tryAgain')
  return html`${viewMessage(stop.why === 'rejected' ? 'clock' : 'warning', title, text, words, 'alert')}
    ${canRepeat ? viewButton(again, () => wallet.onAgain(false)) : nothing}
    ${stop.why === 'fee' ? viewButton(say('payAnyway'), () => wallet.onAgain(true), 'quiet') : nothing}
    ${viewWays(wallet)}`
}

/** Wallets answer with whole stack traces; the cause stands at their beginning. */
const wordsMax = 240

/** Title and text of each reason to stand still. */
const stopWords: Record<Stop['why'], [WordName, WordName]> = {
  rejected: [word('stopRejected'), word('stopRejectedText')],
  busy: [word('stopBusy'), word('stopBusyText')],
  locked: [word('stopLocked'), word('stopLockedText')],
  network: [word('stopNetwork'), word('stopNetworkText')],
  unknownNetwork: [word('stopUnknownNetwork'), word('stopUnknownNetworkText')],
  balance: [word('stopBalance'), word('stopBalanceText')],
  fee: [word('stopFee'), word('stopFeeText')],
  late: [word('stopLate'), word('stopLateText')],
  paid: [word('stopPaid'), word('stopPaidText')],
  reverted: [word('stopReverted'), word('stopRevertedText')],
  gone: [word('stopGone'), word('stopGoneText')],
  unsure: [word('stopUnsure'), word('stopUnsureText')],
  unsureTransfer: [word('stopUnsureTransfer'), word('stopUnsureTransferText')],
  refused: [word('stopRefused'), word('stopRefusedText')],
  failed: [word('stopFailed'), word('stopFailedText')],
  service: [word('stopService'), word('stopServiceText')],
}

function sayStop(stop: Stop, { currency, network }: Payment, canRepeat: boolean): { title: string; text: string } {
  const isOpen = !canRepeat && (stop.why === 'unsure' || stop.why === 'unsureTransfer' || stop.why === 'gone')
  const [title, text] = isOpen ? [word('stopOpenQuestion'), word('stopOpenQuestionText')] : stopWords[stop.why]
  const unit = stop.why === 'fee' ? stop.coin : currency
  const missing = 'missing' in stop ? `${stop.missing} ${unit}` : ''
  const account = 'account' in stop ? shorten(stop.account) : ''
  const values = [missing, stop.why === 'fee' ? stop.coin : network, account]
  return { title: say(title, ...values), text: say(text, ...values) }
}

function shorten(account: string): string {
  return `${account.slice(0, 6)}…${account.slice(-4)}`
}

function viewWays({ onChoose, onBack }: Pick<WalletView, 'onChoose' | 'onBack'>): TemplateResult {
  return html`${onChoose ? viewButton(say('otherWallet'), onChoose, 'quiet') : nothing}
    ${onBack ? viewButton(say('payByAddress'), onBack, 'quiet') : nothing}`
}
