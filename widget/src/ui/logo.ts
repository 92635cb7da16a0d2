import { html, nothing, type TemplateResult } from 'lit'

/** The token's picture with the network's at its corner. Decoration only: the text beside it says the same. */
export function viewLogo(token: string, network: string): TemplateResult | typeof nothing {
  if (!token && !network) return nothing
  return html`<span class="logo" aria-hidden="true">${viewImage(token || network)}${token ? viewImage(network) : nothing}</span>`
}

function viewImage(url: string): TemplateResult | typeof nothing {
  return url ? html`<img src=${url} alt="" width="24" height="24" decoding="async" @error=${hide} />` : nothing
}

/** A strict page may allow no pictures. */
export function hide({ target }: Event): void {
  if (target instanceof HTMLElement) target.hidden = true
}
