import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement, nothing } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import { isTestMode } from '../api/mode.ts'
import { merchantName } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { formatMoney, withCents } from '../ui/format.ts'
import type { LinkToken } from '../ui/link-money.ts'
import { symbolsOf } from '../ui/link-money.ts'
import { baseStyles } from '../ui/styles.ts'

/** Payment options that the customer's page shows before "more". */
const shownOptions = 2

const styles = css`
  figure {
    display: grid;
    gap: 0.5rem;
    margin: 0;
  }
  figcaption {
    text-align: center;
  }
  .phone {
    display: grid;
    gap: 0.75rem;
    align-content: start;
    width: min(100%, 17rem);
    min-height: 22rem;
    margin-inline: auto;
    padding: 1.75rem 1rem 1rem;
    background: var(--color-page);
    border: 6px solid var(--color-control);
    border-radius: 1.75rem;
  }
  .shop {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    min-width: 0;
    font-weight: 600;
  }
  .initial {
    display: grid;
    flex: none;
    width: 1.75rem;
    height: 1.75rem;
    place-items: center;
    color: var(--color-on-accent);
    background: var(--color-accent);
    border-radius: var(--radius-s);
  }
  .page {
    display: grid;
    gap: 0.625rem;
    padding: 1rem;
    background: var(--color-surface);
    border: 1px solid var(--color-border);
    border-radius: 1rem;
  }
  .sum {
    font-size: 1.375rem;
    font-weight: 650;
    font-variant-numeric: tabular-nums;
  }
  .unset {
    color: var(--color-muted);
  }
  .what {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .option {
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--color-border);
    border-radius: 0.625rem;
  }
  .more {
    text-align: center;
    color: var(--color-accent);
  }
  .code {
    display: grid;
    place-items: center;
    width: 7rem;
    height: 7rem;
    margin-inline: auto;
    font-size: 4rem;
    color: var(--color-muted);
    border: 1px dashed var(--color-control);
    border-radius: var(--radius-s);
  }
`

/** @summary Preview of the customer's page for the link being created, with the checkout's own texts. */
@customElement('link-preview')
export class LinkPreview extends LitElement {
  static override styles = [baseStyles, styles]
  /** The request body to be sent (`link-terms.ts`). */
  @property({ attribute: false }) terms: Readonly<Record<string, string | number>> = {}
  @property({ attribute: false }) tokens: readonly LinkToken[] = []

  private get options(): readonly LinkToken[] {
    const { network, currency } = this.terms
    return this.tokens.filter(
      ({ symbol, Network }) => (currency ?? symbol) === symbol && (network ?? Network.shortName) === Network.shortName,
    )
  }

  private renderWays() {
    const { options } = this
    const [only] = options
    if (options.length === 1 && only) {
      return html`<span class="small">${t('links.preview.awaiting')}</span>
        <span class="code"><wa-icon name="qr"></wa-icon></span>
        <span class="option small"><bdi>${only.symbol}</bdi> ${t('links.preview.on', only.Network.name)}</span>`
    }
    return html`
      <span class="small">${t('links.preview.choose')}</span>
      ${options
        .slice(0, shownOptions)
        .map(
          ({ symbol, Network }) =>
            html`<span class="option small"><bdi>${symbol}</bdi> ${t('links.preview.on', Network.name)}</span>`,
        )}
      ${options.length > shownOptions ? html`<span class="option more small">${t('links.preview.more', options.length - shownOptions)}</span>` : nothing}
    `
  }

  protected override render(): unknown {
    const { amount, price, priceCurrency, currency, description } = this.terms
    const money = String(price ?? amount ?? '')
    const unit = String(priceCurrency ?? currency ?? symbolsOf(this.tokens))
    const name = merchantName()
    return html`
      <figure aria-label=${t('links.preview')}>
        <div class="phone">
          <div class="shop"><span class="initial" aria-hidden="true">${[...name][0]}</span><bdi>${name}</bdi></div>
          ${isTestMode() ? html`<span class="small">${t('links.preview.test')}</span>` : nothing}
          <div class="page">
            <span class="sum ${money === '' ? 'unset' : ''}">${formatMoney(withCents(money || '0'), unit)}</span>
            ${description ? html`<bdi class="what">${description}</bdi>` : html`<span class="what unset">…</span>`}
            ${this.renderWays()}
          </div>
        </div>
        <figcaption class="small quiet">${t('links.preview')}</figcaption>
      </figure>
    `
  }
}
