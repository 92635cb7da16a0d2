import { html } from 'lit'
import { t } from '../locales/locale.ts'

/** What the service, a node or a library says in English, behind a heading in the reader's language. */
export const technicalDetails = (text: string) => html`
  <details class="small">
    <summary>${t('fault.details')}</summary>
    <span lang="en">${text}</span>
  </details>
`
