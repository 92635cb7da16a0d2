import { html } from 'lit'
import { t } from '../locales/locale.ts'

/** An English message of the service, a node or a library, folded under a heading in the reader's language. */
export const technicalDetails = (text: string) => html`
  <details class="small">
    <summary>${t('fault.details')}</summary>
    <span lang="en">${text}</span>
  </details>
`
