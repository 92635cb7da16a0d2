import { html, nothing, type TemplateResult } from 'lit'
import { formatAmount, t } from '../locales/locale.ts'
import type { Payment, Stage } from '../payment.ts'
import { icon, viewLogo } from '../ui/icon.ts'

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

export function viewButton(label: string, onClick: () => void, kind = ''): TemplateResult {
  return html`<button type="button" class="main ${kind}" @click=${onClick}>${label}</button>`
}

/** How the payment stands, in a word: all that is said while the file with the whole screen has not come. */
export function viewPlain(payment: Payment, stage: Stage): TemplateResult {
  const title = stage === 'confirming' || stage === 'paid' || stage === 'closed' ? stage : 'timeUp'
  return html`${viewTop(payment)} ${viewMessage(stage === 'paid' ? 'check' : 'clock', t(title), '')}`
}
