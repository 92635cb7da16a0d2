import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import type WaDialog from '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, LitElement } from 'lit'
import { customElement, property, query } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { baseStyles } from './styles.ts'

/**
 * Asks for confirmation of an irreversible change.
 * @param title - The change; also the button's label.
 * @returns whether the person confirmed. Closing the dialog or leaving the page declines.
 */
export function confirmed(title: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = document.createElement('confirm-dialog') as ConfirmDialog
    Object.assign(dialog, { heading: title, text, answer: resolve })
    document.body.append(dialog)
  })
}

/**
 * @summary The dialog of `confirmed`, which removes it after the answer. Focus starts at Cancel, and returns
 *   afterwards.
 */
@customElement('confirm-dialog')
class ConfirmDialog extends LitElement {
  static override styles = baseStyles
  @query('wa-dialog') private dialog!: WaDialog
  @property() heading = ''
  @property() text = ''
  answer: (isSure: boolean) => void = () => {}
  private isSure = false

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('popstate', this.finish)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('popstate', this.finish)
  }

  /** Initially closed: the dialog respects `autofocus` only when it is opened later. */
  protected override async firstUpdated(): Promise<void> {
    await this.dialog.updateComplete
    this.dialog.open = true
  }

  private readonly finish = (): void => {
    this.remove()
    this.answer(this.isSure)
  }

  private close(isSure: boolean): void {
    this.isSure = isSure
    this.dialog.open = false
  }

  protected override render(): unknown {
    return html`
      <wa-dialog label=${this.heading} @wa-after-hide=${this.finish}>
        <div class="stack">
          <p>${this.text}</p>
          <div class="row">
            <wa-button variant="danger" @click=${() => this.close(true)}>${this.heading}</wa-button>
            <wa-button appearance="outlined" autofocus @click=${() => this.close(false)}>${t('action.cancel')}</wa-button>
          </div>
        </div>
      </wa-dialog>
    `
  }
}
