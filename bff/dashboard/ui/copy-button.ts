import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'

/** How long the button shows that it copied. */
const saysCopiedMs = 2_000

/** @summary Copies a text, with a confirmation. */
@customElement('copy-text')
export class CopyText extends LitElement {
  /** The icon needs a size; without it a browser reserves 300 pixels, which overflow a narrow screen. */
  static override styles = css`
    wa-icon {
      overflow: hidden;
    }
  `
  @state() private isCopied = false
  @property() text = ''
  /** Describes the copied text to screen readers, after `Copy`. */
  @property() label = ''
  /** `button`: with the word beside the icon. `main`: where copying is the next step. */
  @property() look: 'icon' | 'button' | 'main' = 'icon'

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText(this.text)
    this.isCopied = true
    setTimeout(() => {
      this.isCopied = false
    }, saysCopiedMs)
  }

  protected override render(): unknown {
    const says = this.isCopied ? t('action.copied') : t('action.copy')
    const icon = this.isCopied ? 'check' : 'copy'
    if (this.look !== 'icon') {
      const isMain = this.look === 'main'
      return html`
        <wa-button
          variant=${isMain ? 'brand' : 'neutral'}
          appearance=${isMain ? 'accent' : 'outlined'}
          title="${says} ${this.label}"
          @click=${this.copy}
        >
          <wa-icon slot="start" name=${icon}></wa-icon>${says}
        </wa-button>
      `
    }
    return html`
      <wa-button size="s" appearance="plain" title="${says} ${this.label}" @click=${this.copy}>
        <wa-icon name=${icon} label="${says} ${this.label}"></wa-icon>
      </wa-button>
    `
  }
}
