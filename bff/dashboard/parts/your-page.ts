import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, LitElement, nothing } from 'lit'
import { customElement, property, query } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { baseStyles } from '../ui/styles.ts'
import './brand-fields.ts'
import type { BrandFields } from './brand-fields.ts'

const links = ['termsUrl', 'privacyUrl', 'imprintUrl', 'supportUrl'] as const

export type PageSettings = { name: string; color: string | null; logo: string | null } & Record<
  (typeof links)[number],
  string | null
>

/** The request body that saves the settings. Without `logo`, the stored logo stays. */
export type PageChanges = Partial<Omit<PageSettings, 'name'>>

/**
 * @summary Logo, colour and links of the merchant's hosted pages, with a preview in both themes.
 * @event page-change - With the changes to save in `detail`.
 */
@customElement('your-page')
export class YourPage extends LitElement {
  static override styles = [baseStyles]
  @property({ attribute: false }) settings!: PageSettings
  @property({ type: Boolean }) isFixed = false
  @property({ type: Boolean }) isBusy = false
  @query('brand-fields') private brand!: BrandFields

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const urls = links.map((name) => [name, String(form.get(name) ?? '').trim() || null])
    const detail: PageChanges = { ...this.brand.changes(), ...Object.fromEntries(urls) }
    this.dispatchEvent(new CustomEvent<PageChanges>('page-change', { detail }))
  }

  protected override render(): unknown {
    const { isFixed } = this
    return html`
      <form class="card" aria-label=${t('yourPage.title')} @submit=${this.save}>
        <p>${t('yourPage.text')}</p>
        <brand-fields
          .name=${this.settings.name}
          .storedColor=${this.settings.color}
          .storedLogo=${this.settings.logo}
          ?isFixed=${isFixed}
        ></brand-fields>
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
        ${
          isFixed
            ? nothing
            : html`<div><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('yourPage.publish')}</wa-button></div>`
        }
      </form>
    `
  }
}
