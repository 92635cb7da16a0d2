import '@awesome.me/webawesome/dist/components/badge/badge.js'
import { html } from 'lit'
import { t, tOrNull } from '../locales/locale.ts'
import { formatMoney } from './format.ts'

const variants: Readonly<Record<string, string>> = { paid: 'success', pending: 'brand', failed: 'neutral' }

/** Whether an amount in the service's format is zero or missing. */
const isNothing = (amount: string | null | undefined): boolean => !amount || /^0(\.0*)?$/.test(amount)

type Progress = {
  outcome: string
  status: string
  currency: string
  amountReceived: string | null
  amountRemaining: string | null
  /** The amount detected, confirmed or not; absent in lists. */
  amountDetected?: string | null
}

/** Whether part of the money has arrived and part is missing. */
const isPartlyPaid = ({ outcome, amountReceived, amountDetected, amountRemaining }: Progress): boolean =>
  outcome === 'pending' && !isNothing(amountDetected ?? amountReceived) && !isNothing(amountRemaining)

/** The payment's outcome as a word and a colour. An open payment that is partly paid is shown as such. */
export function outcomeBadge(payment: Progress) {
  const { outcome } = payment
  const isPartly = isPartlyPaid(payment)
  return html`
    <wa-badge variant=${isPartly ? 'warning' : (variants[outcome] ?? 'neutral')} appearance="filled-outlined">
      ${isPartly ? t('outcome.partly') : (tOrNull(`outcome.${outcome}`) ?? outcome)}
    </wa-badge>
  `
}

/** What the payment waits for, with the missing amount, or how it ended. */
export function statusText(payment: Progress): string {
  const { outcome, status, amountDetected, amountRemaining, currency } = payment
  if (isPartlyPaid(payment)) return t('status.partly', formatMoney(amountRemaining ?? '', currency))
  if (outcome === 'pending' && !isNothing(amountDetected) && isNothing(amountRemaining)) return t('status.confirming')
  return tOrNull(`status.${status}`) ?? status
}

type RefundProgress = {
  status: string
  prompt: { transactionHash: string | null; batchId: string | null } | null
}

/** The state of a refund that the merchant's wallet pays. A sent refund that is not yet paid is shown as sent. */
export function refundBadge({ status, prompt }: RefundProgress) {
  const isSent = status === 'to_pay' && (prompt?.transactionHash ?? prompt?.batchId ?? null) !== null
  const variant = status === 'paid' ? 'success' : status === 'cancelled' ? 'neutral' : 'brand'
  return html`
    <wa-badge variant=${variant} appearance="filled-outlined">
      ${isSent ? t('refunds.status.sent') : (tOrNull(`refunds.status.${status}`) ?? status)}
    </wa-badge>
  `
}

/** The action that the payment needs. */
export function attentionBadge(attention: string) {
  return html`
    <wa-badge variant="warning" appearance="filled-outlined">
      ${tOrNull(`attention.${attention}`) ?? t('attention.other')}
    </wa-badge>
  `
}
