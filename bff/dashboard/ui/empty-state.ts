import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { html, nothing } from 'lit'

/** What a list says while it has nothing to show. `action`: the way to its first entry. */
export const emptyState = (icon: string, text: string, action: unknown = nothing) => html`
  <div class="card empty">
    <wa-icon name=${icon}></wa-icon>
    <p>${text}</p>
    ${action}
  </div>
`
