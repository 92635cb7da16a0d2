import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import '../ui/copy-button.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

const keys = ['publicKey', 'testPublicKey', 'apiKey', 'apiSecret', 'webhookSecret'] as const

/** @summary The merchant's keys, shown once. */
@customElement('setup-keys')
export class SetupKeys extends SetupStep {
  private readonly download = (): void => {
    const { created } = this.setup
    if (!created) return
    const text = keys.map((key) => `${key} ${created.merchant[key]}`).join('\n')
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: 'checkout-keys.txt' })
    link.click()
    URL.revokeObjectURL(url)
  }

  protected override render(): unknown {
    const { created } = this.setup
    if (!created) return nothing
    const { merchant, files } = created
    return html`
      <div class="stack">
        <p>${s('keys.text')}</p>
        <dl>
          ${keys.map(
            (key) => html`
              <dt>${s(`keys.${key}`)}</dt>
              <dd class="copied"><code data-key=${key}>${merchant[key]}</code><copy-text .text=${merchant[key]} .label=${s(`keys.${key}`)}></copy-text></dd>
            `,
          )}
        </dl>
        ${files.key === null ? nothing : html`<wa-callout variant="warning">${s('keys.backup', files.key)}</wa-callout>`}
        <div class="row">
          <wa-button appearance="outlined" @click=${this.download}>
            <wa-icon slot="start" name="download"></wa-icon>${s('keys.download')}
          </wa-button>
        </div>
      </div>
    `
  }
}
