import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import { strings } from '../strings.ts'
import { icon } from './icon.ts'

/** How long a button says "Copied". */
const shownMs = 4000

export type CopyState = { name: string; isCopied: boolean } | null

/** Copies text and remembers for a while which button did it. */
export class Copier implements ReactiveController {
  /** The button that was pressed last, and whether the clipboard took the text. */
  state: CopyState = null
  private readonly host: ReactiveControllerHost
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: ReactiveControllerHost) {
    this.host = host
    host.addController(this)
  }

  hostDisconnected(): void {
    clearTimeout(this.timer)
  }

  /** @param source - Element that shows the text; selected when the browser does not let us copy. */
  async copy(name: string, text: string, source: Element | null): Promise<boolean> {
    const isCopied = await writeClipboard(text, source)
    this.state = { name, isCopied }
    this.host.requestUpdate()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.state = null
      this.host.requestUpdate()
    }, shownMs)
    return isCopied
  }
}

/** The clipboard needs https and, in a frame, permission; the older way works without, and a selection always does. */
async function writeClipboard(text: string, source: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (source) getSelection()?.selectAllChildren(source)
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let isTaken = false
  const hand = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isTaken = event.clipboardData !== null
  }
  document.addEventListener('copy', hand, { once: true, capture: true })
  try {
    return document.execCommand('copy') && isTaken
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', hand, true)
  }
}

export function copyButton(name: string, what: string, state: CopyState, onClick: () => void): TemplateResult {
  const isCopied = state?.name === name && state.isCopied
  return html`<button type="button" class="copy ${isCopied ? 'done' : ''}" data-copy=${name} @click=${onClick}>
    ${icon(isCopied ? 'check' : 'copy')}<span>${isCopied ? strings.copied : strings.copy}<span class="sr"> ${what}</span></span>
  </button>`
}
