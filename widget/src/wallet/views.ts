import { html, nothing, type TemplateResult } from 'lit/html.js'
import { toSend } from '../payment.ts'
import * as strings from '../strings.ts'
import { formatLeft } from '../ui/countdown.ts'
import { icon } from '../ui/icon.ts'
import { viewAmount, viewButton, viewLink, viewMessage, viewTop, withUnit } from '../views/frame.ts'
import { viewChecking } from '../views/outcome.ts'
import type { View } from '../views/view.ts'
import type { WalletLink } from './links.ts'
import type { Wallet } from './provider.ts'
import type { Prompt, Screen, Stop } from './screen.ts'

/** What the wallet's screens draw from, beside the payment, and what their buttons do. */
export type WalletView = {
  wallets: Wallet[]
  hasWalletConnect: boolean
  links: WalletLink[]
  /** The wallet that was picked; empty when it has not said its name. */
  name: string
  hash: string
  onPick: (wallet: Wallet) => void
  onPickWalletConnect: () => void
  onAgain: (isFeeIgnored: boolean) => void
  onStopWaiting: () => void
  /** To the list of wallets; null while the wallet may still send what it was asked for. */
  onChoose: (() => void) | null
  /** To the deposit address; null where there is none, and while the wallet may still send. */
  onBack: (() => void) | null
}

export function viewWallet(view: View, screen: Screen, wallet: WalletView): TemplateResult {
  const { following, leftMs } = view
  const { payment } = following.answer
  // The splitter takes the same terms once: what a token kept for itself cannot be sent after.
  if (payment.isContract && following.stage === 'underpaid')
    return viewChecking(view, strings.walletShort, strings.walletShortText)
  const left = html`<span class="badge" part="countdown" role="timer" aria-live="off">
    ${icon('clock')}<span class="sr">${strings.timeLeft} </span><bdi>${formatLeft(leftMs)}</bdi>
  </span>`
  return html`${viewTop(payment, left)}
    <div><p class="label">${strings.toPay}</p>${viewAmount(toSend(payment), payment)}</div>
    ${viewScreen(view, screen, wallet)}`
}

function viewScreen(view: View, screen: Screen, wallet: WalletView): TemplateResult | typeof nothing {
  switch (screen.at) {
    case 'closed':
      return nothing
    case 'choosing':
      return viewChoice(screen.isSearching, wallet)
    case 'working':
      return viewMessage('clock', strings.walletWorking[screen.on], strings.walletWorkingText)
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

function viewChoice(isSearching: boolean, { wallets, hasWalletConnect, links, onPick, ...more }: WalletView) {
  const isEmpty = wallets.length === 0
  const title = isSearching ? strings.walletSearching : isEmpty ? strings.noWallet : strings.chooseWallet
  const isHelpless = isEmpty && !isSearching && links.length === 0 && !hasWalletConnect
  return html`<div class="middle">
      <p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${title}</p>
      ${isHelpless ? html`<p class="label">${more.onBack ? strings.noWalletText : strings.noWalletOnly}</p>` : nothing}
      <div class="wallets">
        ${wallets.map((wallet) => viewOption(wallet, () => onPick(wallet)))}
        ${hasWalletConnect ? viewOption({ name: 'WalletConnect', icon: '' }, more.onPickWalletConnect) : nothing}
      </div>
      ${isEmpty && links.length > 0 ? viewLinks(links) : nothing}
    </div>
    ${viewWays(more)}`
}

function viewOption({ name, icon: image }: Pick<Wallet, 'name' | 'icon'>, onPick: () => void): TemplateResult {
  const picture = image ? html`<img src=${image} alt="" @error=${hide} />` : nothing
  return html`<button type="button" @click=${onPick}>${picture}<bdi>${name || strings.browserWallet}</bdi></button>`
}

/** A strict page may allow no pictures. */
function hide({ target }: Event): void {
  if (target instanceof HTMLElement) target.hidden = true
}

function viewLinks(links: WalletLink[]): TemplateResult {
  return html`<p class="label">${strings.openInWallet}</p>
    <p class="links">${links.map(({ name, url }) => html`<a href=${url} rel="noopener">${name}</a>`)}</p>`
}

function viewPrompt({ following }: View, asking: Extract<Screen, { at: 'asking' }>, wallet: WalletView) {
  const { payment } = following.answer
  const { prompt, number, total, isSlow } = asking
  const amount = withUnit(toSend(payment), payment)
  const words = sayPrompt(prompt, amount, payment.network, payment.merchant || strings.theShop)
  const step = total > 1 ? html`<p class="badge">${strings.walletStep(number, total)}</p>` : nothing
  const slow = html`<p class="panel" role="alert">${strings.walletSlow(wallet.name)}</p>`
  return html`${viewMessage('clock', words.title, words.why, step)} ${isSlow ? slow : nothing}
    ${isSlow ? viewButton(strings.noRequest, wallet.onStopWaiting, 'quiet') : nothing}`
}

function sayPrompt(prompt: Prompt, amount: string, network: string, shop: string): { title: string; why: string } {
  const say = strings.walletPrompt
  switch (prompt) {
    case 'connect':
      return say.connect(shop)
    case 'switch':
      return say.switch(network)
    case 'add':
      return say.add(network)
    case 'batch':
      return say.batch(amount, shop)
    case 'sign':
      return say.sign(amount, shop)
    case 'reset':
      return say.reset(amount)
    case 'approve':
      return say.approve(amount, shop)
    case 'bring':
    case 'pay':
    case 'transfer':
      return say.pay(amount, shop)
    default:
      return prompt satisfies never
  }
}

function viewSent({ following }: View, { hash }: WalletView): TemplateResult {
  const { wire } = following.answer
  const { explorerUrl } = (wire['Network'] ?? {}) as { explorerUrl?: unknown }
  const base = /^https?:\/\//i.test(String(explorerUrl)) ? String(explorerUrl).replace(/\/+$/, '') : ''
  return html`${viewMessage('clock', strings.walletSent, strings.walletSentText)}
    ${viewLink(base && hash ? `${base}/tx/${hash}` : '', strings.viewTransaction)}`
}

function viewStop({ following }: View, { stop, canRepeat }: Extract<Screen, { at: 'stopped' }>, wallet: WalletView) {
  const { payment } = following.answer
  const { title, text } = sayStop(stop, payment.currency, payment.network, canRepeat)
  const words =
    'words' in stop && stop.words ? html`<p class="panel reason">${stop.words.slice(0, wordsMax)}</p>` : nothing
  const again =
    stop.why === 'unsure'
      ? strings.askAgain
      : stop.why === 'unsureTransfer'
        ? strings.askAgainAnyway
        : stop.why === 'fee'
          ? strings.checkAgain
          : strings.tryAgain
  return html`${viewMessage(stop.why === 'rejected' ? 'clock' : 'warning', title, text, words, 'alert')}
    ${canRepeat ? viewButton(again, () => wallet.onAgain(false)) : nothing}
    ${stop.why === 'fee' ? viewButton(strings.payAnyway, () => wallet.onAgain(true), 'quiet') : nothing}
    ${viewWays(wallet)}`
}

/** Wallets answer with whole stack traces; the cause stands at their beginning. */
const wordsMax = 240

function sayStop(stop: Stop, currency: string, network: string, canRepeat: boolean): { title: string; text: string } {
  const say = strings.walletStop
  switch (stop.why) {
    case 'balance':
      return say.balance(`${stop.missing} ${currency}`, network, shorten(stop.account))
    case 'fee':
      return say.fee(`${stop.missing} ${stop.coin}`, stop.coin, shorten(stop.account))
    case 'network':
    case 'unknownNetwork':
      return say[stop.why](network)
    case 'unsure':
    case 'unsureTransfer':
    case 'gone':
      return canRepeat ? say[stop.why] : say.openQuestion
    default:
      return say[stop.why]
  }
}

function shorten(account: string): string {
  return `${account.slice(0, 6)}…${account.slice(-4)}`
}

function viewWays({ onChoose, onBack }: Pick<WalletView, 'onChoose' | 'onBack'>): TemplateResult {
  return html`${onChoose ? viewButton(strings.otherWallet, onChoose, 'quiet') : nothing}
    ${onBack ? viewButton(strings.payByAddress, onBack, 'quiet') : nothing}`
}
