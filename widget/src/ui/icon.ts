import { html, nothing, type TemplateResult } from 'lit'

const paths = {
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12l5 5 9-9',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 .1 0',
  warning: 'M12 9v5M12 17v.1M12 3L2 20h20z',
}

/** Decoration only: the text beside it says the same. */
export function icon(name: keyof typeof paths): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name]}></path></svg>`
}

/** The token's logo with the network's at its corner. Decoration only: the text beside it says the same. */
export function viewLogo(token: string, network: string): TemplateResult | typeof nothing {
  if (!token && !network) return nothing
  return html`<span class="logo" aria-hidden="true">${viewImage(token || network)}${token ? viewImage(network) : nothing}</span>`
}

function viewImage(url: string): TemplateResult | typeof nothing {
  return url ? html`<img src=${url} alt="" decoding="async" @error=${hide} />` : nothing
}

/** A strict page may block images. */
export function hide({ target }: Event): void {
  if (target instanceof HTMLElement) target.hidden = true
}
