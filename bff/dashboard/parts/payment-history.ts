import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { MerchantPayment, PaymentHistory } from '../../src/api-types.ts'
import { isolated, t, tOrNull } from '../locales/locale.ts'
import { formatMoney, formatTime } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

type Entry = PaymentHistory['history'][number]

const icons: Readonly<Record<string, string>> = {
  event: 'circle',
  transfer: 'download',
  webhook: 'webhook',
  transaction: 'external',
  'refund request': 'rotate',
}

const styles = css`
  ol {
    display: grid;
    gap: 0.75rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.625rem;
  }
  wa-icon {
    margin-top: 0.25rem;
    color: var(--wa-color-text-quiet);
  }
`

/** @summary A payment's history, newest first. */
@customElement('payment-history')
export class PaymentHistoryList extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) entries: readonly Entry[] = []
  @property({ attribute: false }) payment: MerchantPayment | null = null

  private explorerOf(txId: unknown) {
    const { explorerUrl, type } = this.payment?.Network ?? {}
    if (typeof txId !== 'string' || !explorerUrl?.startsWith('https://')) return nothing
    const query = new URL(explorerUrl)
    query.pathname = `${query.pathname.replace(/\/$/, '')}/tx/${txId}`
    return html`
      <a href=${query.href} target="_blank" rel="noreferrer" data-type=${type ?? ''}>${t('history.explorer')}</a>
    `
  }

  /** In the reader's language; what this page does not know yet, as the service says it. A transfer's amount and sender have their own fields. */
  private textOf(entry: Entry) {
    const { kind, says, sentence } = entry
    const text = tOrNull(`says.${sentence.code}`, ...sentence.values.map(isolated))
    if (kind === 'transfer') {
      const amount = formatMoney(String(entry['amount']), this.payment?.currency ?? '')
      return html`<strong class="number">${amount}</strong> <code>${String(entry['payer'])}</code> <span>${text}</span>`
    }
    return html`<span>${text ?? says}</span>`
  }

  protected override render(): unknown {
    if (this.entries.length === 0) return html`<p class="quiet">${t('payment.history.empty')}</p>`
    return html`
      <ol>
        ${[...this.entries].reverse().map(
          (entry) => html`
            <li>
              <wa-icon name=${icons[entry.kind] ?? 'circle'}></wa-icon>
              <div>
                <div class="small quiet">
                  ${formatTime(entry.at)} · ${tOrNull(`history.${entry.kind}`) ?? entry.kind} ${this.explorerOf(entry['txId'])}
                </div>
                <div>${this.textOf(entry)}</div>
              </div>
            </li>
          `,
        )}
      </ol>
    `
  }
}
