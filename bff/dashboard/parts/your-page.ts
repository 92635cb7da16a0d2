import '@awesome.me/webawesome/dist/components/button/button.js'
import { css, html, LitElement, nothing, type PropertyValues, unsafeCSS } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { grounds, pageColorsOf } from '../../src/merchant/page-colors.ts'
import { t } from '../locales/locale.ts'
import { formatMoney } from '../ui/format.ts'
import { shrinkPicture } from '../ui/shrink-picture.ts'
import { baseStyles } from '../ui/styles.ts'

const links = ['termsUrl', 'privacyUrl', 'imprintUrl', 'supportUrl'] as const

export type PageSettings = { name: string; color: string | null; logo: string | null } & Record<
  (typeof links)[number],
  string | null
>

/** The body of the request that saves them. Without `logo`, the stored one stays. */
export type PageChanges = Partial<Omit<PageSettings, 'name'>>

/** The element's own accent (`widget/src/styles/card.ts`). */
const standard = { light: '#2b50c8', onLight: '#ffffff', dark: '#93adff', onDark: '#0c1226' }

const styles = css`
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
 * @summary Logo, colour and links of the merchant's hosted pages, with a preview in both themes.
 * @event page-change - With the changes to save in `detail`.
 */
@customElement('your-page')
export class YourPage extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) settings!: PageSettings
  @property({ type: Boolean }) isFixed = false
  @property({ type: Boolean }) isBusy = false
  @state() private color: string | null = null
  /** A `data:` URL of a new logo; null: none; undefined: the stored one. */
  @state() private logo: string | null | undefined
  @state() private isBad = false

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('settings')) return
    this.color = this.settings.color
    this.logo = undefined
    this.isBad = false
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

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const urls = links.map((name) => [name, String(form.get(name) ?? '').trim() || null])
    const detail: PageChanges = { color: this.color, ...Object.fromEntries(urls) }
    if (this.logo !== undefined) detail.logo = this.logo?.replace(/^.*,/, '') ?? null
    this.dispatchEvent(new CustomEvent<PageChanges>('page-change', { detail }))
  }

  protected override render(): unknown {
    const { isFixed } = this
    return html`
      <form class="card" aria-labelledby="your-page" @submit=${this.save}>
        <h2 id="your-page">${t('yourPage.title')}</h2>
        <p>${t('yourPage.text')}</p>
        ${this.renderLogo()} ${this.renderColor()}
        ${links.map(
          (name) => html`
            <label class="field">
              ${t(`yourPage.${name}`)}
              <input
                name=${name}
                type="url"
                pattern="https://.*"
                maxlength="300"
                placeholder="https://"
                autocomplete="off"
                .value=${this.settings[name] ?? ''}
                ?disabled=${isFixed}
              />
            </label>
          `,
        )}
        <div class="grid">
          ${this.renderPreview('light', t('yourPage.preview.light'))} ${this.renderPreview('dark', t('yourPage.preview.dark'))}
        </div>
        ${
          isFixed
            ? nothing
            : html`<div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('yourPage.publish')}</wa-button></div>`
        }
      </form>
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
    return this.logo === undefined ? this.settings.logo : this.logo
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
      <label class="field">
        ${t('yourPage.color')}
        <input type="color" .value=${color ?? standard.light} @input=${pick} ?disabled=${isFixed} />
      </label>
      <label class="row">
        <input type="checkbox" .checked=${color === null} @change=${toggle} ?disabled=${isFixed} />
        ${t('yourPage.color.standard')}
      </label>
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
          ${logo === null ? nothing : html`<img src=${logo} alt="" />`}<span dir="auto">${this.settings.name}</span>
        </div>
        <div class="inner">
          <strong>${formatMoney('25.00', 'USDC')}</strong>
          <div class="pay">${t('yourPage.preview.pay')}</div>
          <span class="link">${t('yourPage.supportUrl')}</span>
        </div>
      </figure>
    `
  }

  /** The page's policy refuses styles in markup, but not those that a script sets. */
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
