import { html, type TemplateResult } from 'lit'

/**
 * An address in groups of four with room between but no spaces in them, so that a selection copies it as it is. Its ends,
 * which a customer compares, stand out.
 */
export function viewGroups(address: string): TemplateResult[] {
  const parts = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return parts.map((part, index) => {
    const isEnd = index === 0 || index === parts.length - 1
    return html`<span>${isEnd ? html`<b>${part}</b>` : part}</span><wbr />`
  })
}
