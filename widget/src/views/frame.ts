import { html, nothing, type TemplateResult } from 'lit'
import { formatAmount, t } from '../locales/locale.ts'
import type { Payment, Stage } from '../payment.ts'
import { icon, viewLogo } from '../ui/icon.ts'

export function withUnit(amount: string, payment: Payment): string {
  return `${formatAmount(amount)} ${payment.currency}`
}

/** The card's first line: the payee, and a slot at its end. */
export function viewTop(payment: Payment, end: unknown = nothing): TemplateResult {
  return html`${payment.isTest ? html`<p class="test">${t('test')}</p>` : nothing}
  <p class="row top">
    <span><bdi>${t('payTo', payment.merchant || t('theShop'))}</bdi></span>
    ${end}
  </p>`
}

/** The amount as the copy button copies it. Uses a decimal point, as wallets expect. */
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

/** The centre of a status screen: icon, title, explanation. */
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

export function viewButton(label: string, onClick: () => void, kind = ''): TemplateResult {
  return html`<button type="button" class="main ${kind}" @click=${onClick}>${label}</button>`
}

/** The payment's state in a word: shown until the chunk with the full screen is loaded. */
export function viewPlain(payment: Payment, stage: Stage): TemplateResult {
  const title = stage === 'confirming' || stage === 'paid' || stage === 'closed' ? stage : 'timeUp'
  return html`${viewTop(payment)} ${viewMessage(stage === 'paid' ? 'check' : 'clock', t(title), '')}`
}
