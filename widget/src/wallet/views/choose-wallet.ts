import { html, nothing, type TemplateResult } from 'lit'
import { t } from '../../locales/locale.ts'
import { hide } from '../../ui/icon.ts'
import { drawQr } from '../../ui/qr.ts'
import { viewButton } from '../../views/frame.ts'
import type { WalletLink } from '../wallet-links.ts'
import type { WalletOption, WalletView } from '../wallet-state.ts'

/** This browser's wallets, WalletConnect, links into a phone's wallets, and the QR code for another device. */
export function viewWalletChoice<Wallet extends WalletOption>(isSearching: boolean, view: WalletView<Wallet>) {
  const { wallets, hasWalletConnect, links, sites, qr, onPick, onPickWalletConnect, onBack } = view
  const isEmpty = wallets.length === 0
  const title = isSearching ? t('walletSearching') : isEmpty ? t('noWallet') : t('chooseWallet')
  // Links open this payment in an app; where they cannot, a wallet has to be installed first.
  const needsWallet = isEmpty && !isSearching && links.length === 0
  const advice = onBack ? t('noWalletText') : t('noWalletOnly')
  return html`<div class="middle">
      <p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${title}</p>
      ${needsWallet ? viewSites(advice, sites) : nothing}
      <div class="wallets">
        ${wallets.map((wallet) => viewOption(wallet, () => onPick(wallet)))}
        ${hasWalletConnect ? viewOption({ name: 'WalletConnect', icon: '' }, onPickWalletConnect) : nothing}
      </div>
      ${links.length > 0 ? viewLinks(links) : nothing}
      ${qr && !isSearching ? html`<p class="label">${t('scanWithWallet')}</p>${drawQr(qr, t('scanWithWallet'))}` : nothing}
    </div>
    ${viewOtherMethods(view)}`
}

function viewSites(advice: string, sites: WalletLink[]): TemplateResult {
  const links = sites.map(
    ({ name, url }) => html`<a href=${url} target="_blank" rel="noopener noreferrer"><bdi>${name}</bdi></a>`,
  )
  return html`<p class="label">${advice}</p><p class="links">${links}</p>`
}

function viewOption({ name, icon: image }: WalletOption, onPick: () => void): TemplateResult {
  const picture = image ? html`<img src=${image} alt="" @error=${hide} />` : nothing
  return html`<button type="button" @click=${onPick}>${picture}<bdi>${name || t('browserWallet')}</bdi></button>`
}

function viewLinks(links: WalletLink[]): TemplateResult {
  return html`<p class="label">${t('openInWallet')}</p>
    <p class="links">${links.map(({ name, url }) => html`<a href=${url} rel="noopener">${name}</a>`)}</p>`
}

/** Another wallet, or the deposit address. */
export function viewOtherMethods({ onChoose, onBack }: Pick<WalletView, 'onChoose' | 'onBack'>): TemplateResult {
  return html`${onChoose ? viewButton(t('otherWallet'), onChoose, 'quiet') : nothing}
    ${onBack ? viewButton(t('payByAddress'), onBack, 'quiet') : nothing}`
}
