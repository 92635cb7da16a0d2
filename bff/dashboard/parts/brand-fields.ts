import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing, type PropertyValues, unsafeCSS } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { grounds, pageColorsOf } from '../../src/merchant/page-colors.ts'
import { t } from '../locales/locale.ts'
import { formatMoney } from '../ui/format.ts'
import { shrinkPicture } from '../ui/shrink-picture.ts'
import { baseStyles } from '../ui/styles.ts'

/** `color`: `#rrggbb`; null: the standard colour. `logo`: a new picture in base64; null: none; undefined: keep the stored logo. */
export type BrandChanges = { color: string | null; logo?: string | null }

/** The element's own accent (`widget/src/styles/card.ts`). */
const standard = { light: '#2b50c8', onLight: '#ffffff', dark: '#93adff', onDark: '#0c1226' }

const styles = css`
  .fields,
  .previews {
    display: grid;
    gap: 1rem;
    align-content: start;
    min-width: 0;
  }
  .previews {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr));
  }
  .color {
    display: flex;
    flex-wrap: wrap;
    gap: 1rem 1.5rem;
    align-items: end;
  }
  .color > .row {
    min-height: 2.5rem;
  }
  .all {
    display: grid;
    gap: 1rem;
  }
  input[type='color'] {
    width: 4rem;
    padding: 0.25rem;
  }
  .page {
    display: grid;
    gap: 0.75rem;
    align-content: start;
    margin: 0;
    padding: 1rem;
    border: 1px solid var(--wa-color-surface-border);
    border-radius: 0.5rem;
  }
  .shop {
    display: flex;
    gap: 0.75rem;
    align-items: center;
    font-weight: 600;
  }
  img {
    flex: none;
    width: 3rem;
    height: 3rem;
    object-fit: contain;
    border-radius: 0.625rem;
  }
  .inner {
    display: grid;
    gap: 0.75rem;
    padding: 1rem;
    border-radius: 1rem;
  }
  .page.light {
    color: #151922;
    background: ${unsafeCSS(grounds.light[2])};
  }
  .page.dark {
    color: #f2f4f8;
    background: ${unsafeCSS(grounds.dark[2])};
  }
  .light .inner {
    background: ${unsafeCSS(grounds.light[0])};
  }
  .dark .inner {
    background: ${unsafeCSS(grounds.dark[0])};
  }
  .link {
    color: var(--accent);
  }
  .pay {
    padding: 0.625rem;
    color: var(--on-accent);
    background: var(--accent);
    border-radius: 0.625rem;
    font-weight: 600;
    text-align: center;
  }
`

/**
 * @summary Logo and colour of the merchant's hosted pages, with a preview in both themes.
 */
@customElement('brand-fields')
export class BrandFields extends LitElement {
  static override styles = [baseStyles, styles]
  /** The merchant's name. */
  @property() name = ''
  @property() storedColor: string | null = null
  /** The URL of the stored logo; null: none. */
  @property() storedLogo: string | null = null
  @property({ type: Boolean }) isFixed = false
  @state() private color: string | null = null
  /** A `data:` URL of a new logo; null: none; undefined: the stored one. */
  @state() private logo: string | null | undefined
  @state() private isBad = false

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('storedColor')) this.color = this.storedColor
    if (!changed.has('storedLogo')) return
    this.logo = undefined
    this.isBad = false
  }

  changes(): BrandChanges {
    const { color, logo } = this
    return logo === undefined ? { color } : { color, logo: logo?.replace(/^.*,/, '') ?? null }
  }

  private readonly choose = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement
    const file = input.files?.[0]
    if (!file) return
    try {
      this.logo = await shrinkPicture(file)
      this.isBad = false
    } catch {
      this.isBad = true
    }
    input.value = ''
  }

  protected override render(): unknown {
    return html`
      <div class="all">
        <div class="fields">${this.renderLogo()} ${this.renderColor()}</div>
        <div class="previews">
          ${this.renderPreview('light', t('yourPage.preview.light'))} ${this.renderPreview('dark', t('yourPage.preview.dark'))}
        </div>
      </div>
    `
  }

  private renderLogo() {
    const { isFixed } = this
    const remove = () => {
      this.logo = null
    }
    return html`
      <label class="field">
        ${t('yourPage.logo')}
        <input type="file" accept="image/png,image/jpeg,image/webp" @change=${this.choose} ?disabled=${isFixed} />
        <span class="small quiet">${t('yourPage.logo.hint')}</span>
      </label>
      ${this.isBad ? html`<p class="small" role="alert">${t('yourPage.logo.bad')}</p>` : nothing}
      ${
        this.shownLogo === null || isFixed
          ? nothing
          : html`<div>
              <wa-button size="s" appearance="outlined" @click=${remove}>${t('yourPage.logo.remove')}</wa-button>
            </div>`
      }
    `
  }

  private get shownLogo(): string | null {
    return this.logo === undefined ? this.storedLogo : this.logo
  }

  private get colors(): typeof standard {
    return this.color === null ? standard : pageColorsOf(this.color)
  }

  private renderColor() {
    const { color, isFixed } = this
    const { light, dark } = this.colors
    const pick = (event: Event) => {
      this.color = (event.target as HTMLInputElement).value
    }
    const toggle = (event: Event) => {
      this.color = (event.target as HTMLInputElement).checked ? null : standard.light
    }
    return html`
      <div class="color">
      <label class="field">
        ${t('yourPage.color')}
        <input type="color" .value=${color ?? standard.light} @input=${pick} ?disabled=${isFixed} />
      </label>
      <label class="row">
        <input type="checkbox" .checked=${color === null} @change=${toggle} ?disabled=${isFixed} />
        ${t('yourPage.color.standard')}
      </label>
      </div>
      <div class="small" role="status">
        ${color !== null && light !== color ? html`<p>${t('yourPage.color.light', light)}</p>` : nothing}
        ${color !== null && dark !== color ? html`<p>${t('yourPage.color.dark', dark)}</p>` : nothing}
      </div>
    `
  }

  private renderPreview(theme: 'light' | 'dark', label: string) {
    const logo = this.shownLogo
    return html`
      <figure class="page ${theme}" aria-label=${label}>
        <div class="shop">
          ${logo === null ? nothing : html`<img src=${logo} alt="" />`}<span dir="auto">${this.name}</span>
        </div>
        <div class="inner">
          <strong>${formatMoney('25.00', 'USDC')}</strong>
          <div class="pay">${t('yourPage.preview.pay')}</div>
          <span class="link">${t('yourPage.supportUrl')}</span>
        </div>
      </figure>
    `
  }

  /** The page's CSP refuses styles in markup, but not those set by a script. */
  protected override updated(): void {
    const { light, onLight, dark, onDark } = this.colors
    const values = { light: [light, onLight], dark: [dark, onDark] }
    for (const [theme, [accent, onAccent]] of Object.entries(values)) {
      const page = this.renderRoot.querySelector<HTMLElement>(`.page.${theme}`)
      page?.style.setProperty('--accent', accent ?? '')
      page?.style.setProperty('--on-accent', onAccent ?? '')
    }
  }
}
