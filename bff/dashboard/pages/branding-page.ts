import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../parts/your-page.ts'
import type { PageChanges, PageSettings } from '../parts/your-page.ts'
import { ChangingPage } from '../ui/changing-page.ts'

/** @summary What customers see around a payment: colour, logo and links. */
@customElement('branding-page')
export class BrandingPage extends ChangingPage<PageSettings> {
  protected heading(): string {
    return t('yourPage.title')
  }

  protected async load(signal: AbortSignal): Promise<PageSettings> {
    return (await request<{ settings: PageSettings }>('dashboard/settings', { signal })).settings
  }

  protected renderData(settings: PageSettings): unknown {
    const save = ({ detail: body }: CustomEvent<PageChanges>) =>
      this.change('page', () => requestConfirmed('dashboard/settings', { method: 'PATCH', body }), t('yourPage.saved'))
    return html`<your-page
      .settings=${settings}
      ?isFixed=${!may('patch /dashboard/settings')}
      ?isBusy=${this.isBusy}
      @page-change=${save}
    ></your-page>
    ${this.renderResult('page')}`
  }
}
