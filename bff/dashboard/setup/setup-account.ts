import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { ask, offeredWith } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** Pause in typing after which the service is asked. */
const settleMs = 600

/** @summary The account of the merchant's own wallet that customers pay to. Its first address proves that the key is the wallet's. */
@customElement('setup-account')
export class SetupAccount extends SetupStep {
  @state() private key = ''
  @state() private first = ''
  private timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  private typed(field: 'key' | 'first', text: string): void {
    this[field] = text
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.check(), settleMs)
  }

  private given() {
    return { key: this.key.trim(), first: this.first.trim() }
  }

  /** Ignores the response if the fields have changed meanwhile. */
  private async check(): Promise<void> {
    const { key, first } = this.given()
    if (key === '') return
    try {
      await ask('POST', 'account/check', first === '' ? { key } : { key, first })
    } catch (fault) {
      const now = this.given()
      if (now.key === key && now.first === first) this.fault = fault
    }
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    clearTimeout(this.timer)
    void this.attempt(async () => {
      await ask('PUT', 'account', this.given())
      this.key = ''
      this.first = ''
      this.answered()
    })
  }

  private renderField(field: 'key' | 'first', label: string, lengthMax: number) {
    return html`
      <label class="field">
        ${label}
        <input
          name=${field}
          spellcheck="false"
          autocomplete="off"
          maxlength=${lengthMax}
          .value=${this[field]}
          aria-invalid=${this.isWrong(field)}
          aria-describedby="error-${field}"
          @input=${(event: Event) => this.typed(field, (event.target as HTMLInputElement).value)}
        />
      </label>
      ${this.errorOf(field)}
    `
  }

  protected override render(): unknown {
    const names = offeredWith('xpub', this.setup).map(({ name }) => name)
    const { account } = this.setup.answers
    return html`
      <form class="stack" @submit=${this.save} novalidate>
        <h3>${s('account.title')}</h3>
        <p>${t('wallets.ownText', names.join(', '))}</p>
        ${
          account
            ? html`<p>✓ <code>${account.address}</code> <span class="quiet small">${s('account.proven')}</span></p>`
            : nothing
        }
        ${this.renderField('key', t('wallets.key'), 200)} ${this.renderField('first', t('wallets.first'), 100)}
        ${this.renderFault('key', 'first')}
        <div class="row">
          <wa-button type="submit" appearance="outlined" ?loading=${this.isBusy}>${s('account.use')}</wa-button>
        </div>
      </form>
    `
  }
}
