import { css, html, nothing, svg } from 'lit'
import type { MerchantPayment, PaymentHistory } from '../../src/api-types.ts'
import { t } from '../locales/locale.ts'
import { formatMoney } from '../ui/format.ts'

export const shareStyles = css`
  .share-bar {
    display: block;
    width: 100%;
    height: 0.75rem;
    background: var(--color-raised);
    border-radius: 99px;
  }
  .shares {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .shares li {
    display: flex;
    gap: var(--space-2);
    align-items: center;
  }
  .shares li > :last-child {
    margin-inline-start: auto;
  }
  .share {
    flex: none;
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 3px;
  }
  .merchant {
    fill: var(--color-chart-1);
    background: var(--color-chart-1);
  }
  .fee {
    fill: var(--color-chart-8);
    background: var(--color-chart-8);
  }
  .owed {
    fill: var(--color-chart-3);
    background: var(--color-chart-3);
  }
  .returned {
    fill: var(--color-chart-4);
    background: var(--color-chart-4);
  }
  .missing {
    fill: var(--color-border);
    background: var(--color-border);
  }
`

type Share = { name: string; label: string; amount: string }

const isNothing = (amount: string | null | undefined): boolean => !amount || Number(amount) === 0

/** A payment's shares: those that are not zero, as a bar, and as a list with the requested and received amounts. */
export function renderShares(payment: MerchantPayment, shares: PaymentHistory['shares']) {
  const { amount, amountReceived, amountRemaining, outcome, excessOwed, refund, currency } = payment
  const parts: Share[] = [
    { name: 'merchant', label: t('payment.merchant'), amount: shares.merchant },
    { name: 'fee', label: t('payment.fee'), amount: shares.fee },
    { name: 'owed', label: t('payment.owed'), amount: excessOwed ?? '0.00' },
    { name: 'returned', label: t('payments.refunded'), amount: refund?.amountRefunded ?? '0.00' },
    {
      name: 'missing',
      label: t('payment.remaining'),
      amount: outcome === 'pending' ? (amountRemaining ?? '0.00') : '0.00',
    },
  ].filter((part) => !isNothing(part.amount))
  const whole = parts.reduce((sum, part) => sum + Number(part.amount), 0)
  let x = 0
  return html`
    ${
      whole === 0
        ? nothing
        : html`<svg class="share-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            ${parts.map((part) => {
              const width = (100 * Number(part.amount)) / whole
              x += width
              return svg`<rect class=${part.name} x=${x - width} y="0" width=${width} height="1"></rect>`
            })}
          </svg>`
    }
    <ul class="shares">
      <li><span class="quiet">${t('payment.due')}</span><span class="number">${formatMoney(amount, currency)}</span></li>
      <li>
        <span class="quiet">${t('payment.received')}</span>
        <span class="number">${formatMoney(amountReceived ?? '0.00', currency)}</span>
      </li>
      ${parts.map(
        (part) => html`
          <li>
            <span class="share ${part.name}"></span><span>${part.label}</span>
            <strong class="number">${formatMoney(part.amount, currency)}</strong>
          </li>
        `,
      )}
    </ul>
  `
}
