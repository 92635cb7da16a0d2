import { html, nothing, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import { icon } from './icon.ts'

/** The button pressed last, and whether the clipboard accepted its text. */
export type CopyState = { name: string; isCopied: boolean } | null

/** The clipboard needs https and, in a frame, permission; otherwise the text is selected for the customer to copy. */
export async function writeClipboard(text: string, source: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (source) getSelection()?.selectAllChildren(source)
    return false
  }
}

/** A copy button's interface to its screen. */
type Screen = { copyState: CopyState; onCopy: (name: string, text: string) => void }

export function copyButton(name: string, label: string, text: string, { copyState, onCopy }: Screen): TemplateResult {
  const isCopied = copyState?.name === name && copyState.isCopied
  return html`<button type="button" class=${isCopied ? 'good' : nothing} aria-description=${label} data-copy=${name} @click=${() => onCopy(name, text)}>
    ${icon(isCopied ? 'check' : 'copy')}${isCopied ? t('copied') : t('copy')}
  </button>`
}

/** Characters shown after copying: malware that swaps addresses in the clipboard rarely matches them. */
const endLength = 6

export function copiedText(text: string, isCopied: boolean): string {
  return isCopied ? t('copiedEnd', text.slice(-endLength)) : t('copyFailed')
}

/** A frame with a code and its copy button. The result of copying replaces the label, so that nothing moves. */
export function viewBox(name: string, label: string, text: string, shown: unknown, screen: Screen): TemplateResult {
  const { copyState } = screen
  return html`<p class="label">${copyState?.name === name ? copiedText(text, copyState.isCopied) : label}</p>
    <div class="box">
      <code part=${name} dir="ltr" data-source=${name}>${shown}</code>${copyButton(name, label, text, screen)}
    </div>`
}

/**
 * An address in groups of four, spaced by CSS, so that a selection copies it unchanged. Its ends, which customers
 * compare, stand out.
 */
export function viewGroups(address: string): TemplateResult[] {
  const parts = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return parts.map((part, index) => {
    const isEnd = index === 0 || index === parts.length - 1
    return html`<span>${isEnd ? html`<b>${part}</b>` : part}</span><wbr />`
  })
}
