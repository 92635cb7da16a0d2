import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'

/** How long the button says that it has copied. */
const saysCopiedMs = 2_000

/** @summary Copies a text, and says that it has. */
@customElement('copy-text')
export class CopyText extends LitElement {
  /** The picture is as wide as the icon; without it a browser keeps the room of 300 pixels, beside the page on a narrow screen. */
  static override styles = css`
    wa-icon {
      overflow: hidden;
    }
  `
  @state() private isCopied = false
  @property() text = ''
  /** What is copied, for screen readers: `Copy` stands before it. */
  @property() label = ''

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText(this.text)
    this.isCopied = true
    setTimeout(() => {
      this.isCopied = false
    }, saysCopiedMs)
  }

  protected override render(): unknown {
    const says = this.isCopied ? t('action.copied') : t('action.copy')
    return html`
      <wa-button size="s" appearance="plain" title="${says} ${this.label}" @click=${this.copy}>
        <wa-icon name=${this.isCopied ? 'check' : 'copy'} label="${says} ${this.label}"></wa-icon>
      </wa-button>
    `
  }
}
