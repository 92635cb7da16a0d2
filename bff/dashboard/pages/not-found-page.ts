import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { Page } from '../ui/page.ts'

/** @summary Shown for an unknown URL. */
@customElement('not-found-page')
export class NotFoundPage extends Page<null> {
  protected heading(): string {
    return t('page.notFound')
  }

  protected async load(): Promise<null> {
    return null
  }

  protected renderData(): unknown {
    return html`
      <div class="card">
        <p>${t('notFound.text')}</p>
        <p><a href="/dashboard/">${t('notFound.home')}</a></p>
      </div>
    `
  }
}
