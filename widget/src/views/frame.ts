import { html, nothing, type TemplateResult } from 'lit'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { record, webUrl } from '../api/parse-answer.ts'
import { formatAmount, t } from '../locales/locale.ts'
import type { Answer, Payment } from '../payment.ts'
import { icon } from '../ui/icon.ts'
import { viewLogo } from '../ui/logo.ts'

export function withUnit(amount: string, payment: Payment): string {
  return `${formatAmount(amount)} ${payment.currency}`
}

/** The card's first line: who is paid, and what stands at its end. */
export function viewTop(payment: Payment, end: unknown = nothing): TemplateResult {
  return html`${payment.isTest ? html`<p class="test">${t('test')}</p>` : nothing}
  <p class="row top">
    <span><bdi>${t('payTo', payment.merchant || t('theShop'))}</bdi></span>
    ${end}
  </p>`
}

/** The number that a copy button copies. Selected in its place, it is with a decimal point, as wallets read it. */
export function viewNumber(name: string, amount: string): TemplateResult {
  const shown = formatAmount(amount)
  return shown === amount
    ? html`<span data-source=${name}>${amount}</span>`
    : html`${shown}<span class="sr" aria-hidden="true" data-source=${name}>${amount}</span>`
}

export function viewAmount(amount: string, { currency, network, logo }: Payment): TemplateResult {
  return html`<p class="amount" part="amount"><bdi>${viewNumber('amount', amount)} <small>${currency}</small></bdi></p>
    <p class="label">${viewLogo(logo.token, logo.network)}${t('on', network)}</p>`
}

/** The middle of a screen that says how things stand: a seal, a title, what it means. */
export function viewMessage(
  seal: Parameters<typeof icon>[0],
  title: string,
  text: string,
  more: unknown = nothing,
  role: 'alert' | 'none' = 'none',
): TemplateResult {
  return html`<div class="middle" role=${role}>
    <span class="seal ${seal}">${icon(seal)}</span>
    <p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${title}</p>
    ${more}
    <p class="label">${text}</p>
  </div>`
}

export function viewButton(words: string, onClick: () => void, look = ''): TemplateResult {
  return html`<button type="button" class="main ${look}" @click=${onClick}>${words}</button>`
}

export function viewLink(url: string, words: string): TemplateResult | typeof nothing {
  return url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${words}</a>` : nothing
}

/** A transaction on the explorer that the service's configuration names; empty where it names none. */
export function explorerLink({ wire }: Answer, txHash: string): string {
  // Solana's explorer tells its clusters apart by a query, which stays behind the path.
  const { explorerUrl } = record<PublicPayment['Network']>(wire.Network)
  const [base = '', query] = webUrl(explorerUrl).split('?')
  return base && txHash && `${base.replace(/\/+$/, '')}/tx/${txHash}${query ? `?${query}` : ''}`
}

/** How the payment stands, in a word: all that is said while the file with the whole screen has not come. */
export function viewPlain(payment: Payment, title: string, seal: 'check' | 'clock' = 'clock'): TemplateResult {
  return html`${viewTop(payment)} ${viewMessage(seal, title, '')}`
}
