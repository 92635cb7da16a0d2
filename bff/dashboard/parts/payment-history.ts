import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { MerchantPayment, PaymentHistory } from '../../src/api-types.ts'
import { explorerPage } from '../../src/core/explorer-page.ts'
import { isolated, t, tOrNull } from '../locales/locale.ts'
import { cutText } from '../ui/cut-text.ts'
import { formatCount, formatMoney, formatTime } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

type Entry = PaymentHistory['history'][number]

/** Tone and icon of the events; other events are neutral. */
const tones: readonly (readonly [codes: RegExp, tone: string, icon: string])[] = [
  [/\.(completed|swept|confirmed|refunded|unmatched_refunded|refund\.paid)$/i, 'good', 'check'],
  [
    /\.(underpaid|overpaid|late|reorged|reverted|failed|sweep_failed|unmatched_received)$/i,
    'warn',
    'triangle-exclamation',
  ],
  [/^transfer\.|^lateTransfer\.|detected$/, 'money', 'download'],
  [/^refundAddress\./, 'note', 'rotate'],
]

const styles = css`
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    position: relative;
    display: grid;
    grid-template-columns: 1.75rem minmax(0, 1fr);
    gap: var(--space-3);
    padding-bottom: var(--space-4);
  }
  li:not(:last-child)::before {
    position: absolute;
    inset-block: 1.75rem 0;
    inset-inline-start: 0.875rem;
    content: '';
    border-inline-start: 1px solid var(--color-border);
  }
  .mark {
    display: grid;
    place-items: center;
    width: 1.75rem;
    height: 1.75rem;
    font-size: 0.875rem;
    color: var(--color-muted);
    background: var(--color-raised);
    border-radius: 50%;
  }
  .mark.good {
    color: var(--color-success);
    background: var(--color-success-quiet);
  }
  .mark.warn {
    color: var(--color-warning);
    background: var(--color-warning-quiet);
  }
  .mark.money {
    color: var(--color-accent);
    background: var(--color-accent-quiet);
  }
`

/** A sentence with its hashes shortened. Its values are the parts between isolation marks. */
const cutValues = (text: string) =>
  text
    .split(/[\u2068\u2069]/)
    .map((part, index) =>
      index % 2 === 0 ? part : /^\S{40,}$/.test(part) ? html`<code>${cutText(part)}</code>` : isolated(part),
    )

/** @summary A payment's history as sentences, in chronological order, without webhook attempts. A transfer tells how far it is, so that its detection has no line of its own. */
@customElement('payment-history')
export class PaymentHistoryList extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) entries: readonly Entry[] = []
  @property({ attribute: false }) payment: MerchantPayment | null = null

  private explorerOf(txId: unknown) {
    const { explorerUrl, type } = this.payment?.Network ?? {}
    if (typeof txId !== 'string' || !explorerUrl?.startsWith('https://')) return nothing
    return html` · <a href=${explorerPage(explorerUrl, type, 'tx', txId)} target="_blank" rel="noreferrer">${t('history.explorer')}</a>`
  }

  /** Shown while a transfer is being confirmed. */
  private confirmationsOf({ sentence }: Entry) {
    const { confirmations, requiredConfirmations } = this.payment ?? {}
    if (!sentence.code.endsWith('ransfer.seen') || !confirmations || !requiredConfirmations) return nothing
    return html` (${t('payment.confirmations', formatCount(confirmations), formatCount(requiredConfirmations))})`
  }

  /** The sentence in the reader's language; the service's English sentence for codes that this page does not know. */
  private textOf(entry: Entry) {
    const { kind, says, sentence } = entry
    const text = tOrNull(`says.${sentence.code}`, ...sentence.values.map(isolated)) ?? says
    if (kind !== 'transfer') return html`<span>${cutValues(text)}</span>`
    const amount = formatMoney(String(entry['amount']), this.payment?.currency ?? '')
    const [before = '', between = '', after = ''] = t('history.arrived', '\n', '\n').split('\n')
    // The language decides the order of the values.
    const isAmountFirst = t('history.arrived', 'a', 'b').indexOf('a') < t('history.arrived', 'a', 'b').lastIndexOf('b')
    const values = [
      html`<strong class="number">${amount}</strong>`,
      html`<code>${cutText(String(entry['payer']))}</code>`,
    ]
    const [first, second] = isAmountFirst ? values : values.toReversed()
    return html`<div>${before}${first}${between}${second}${after}</div>
      <div class="small quiet">${text}${this.confirmationsOf(entry)}</div>`
  }

  protected override render(): unknown {
    const hasTransfers = this.entries.some(({ kind }) => kind === 'transfer')
    const shown = this.entries.filter(
      ({ kind, sentence }) => kind !== 'webhook' && !(hasTransfers && sentence.code === 'event.payment.detected'),
    )
    if (shown.length === 0) return html`<p class="quiet">${t('payment.history.empty')}</p>`
    return html`
      <ol>
        ${shown.map((entry) => {
          const [, tone = '', icon = 'circle'] = tones.find(([codes]) => codes.test(entry.sentence.code)) ?? []
          return html`
            <li>
              <span class="mark ${tone}"><wa-icon name=${icon}></wa-icon></span>
              <div>
                ${this.textOf(entry)}
                <div class="small quiet">${formatTime(entry.at)}${this.explorerOf(entry['txId'])}</div>
              </div>
            </li>
          `
        })}
      </ol>
    `
  }
}
