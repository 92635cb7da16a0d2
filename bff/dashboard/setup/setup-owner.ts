import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { html, nothing } from 'lit'
import { customElement, query } from 'lit/decorators.js'
import { ask } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** @summary The owner's name and passkey. */
@customElement('setup-owner')
export class SetupOwner extends SetupStep {
  @query('input') private nameField!: HTMLInputElement

  private readonly make = (event: SubmitEvent): void => {
    event.preventDefault()
    void this.attempt(async () => {
      const name = this.nameField.value
      type Answer = { options: PublicKeyCredentialCreationOptionsJSON }
      const { options } = await ask<Answer>('POST', 'owner/options', { name })
      const response = await startRegistration({ optionsJSON: options })
      await ask('PUT', 'owner', { name: name.trim(), response })
      this.answered()
    })
  }

  protected override render(): unknown {
    const { origin, isLocal, answers } = this.setup
    return html`
      <form class="stack" @submit=${this.make} novalidate>
        <p>${s('owner.text', new URL(origin).hostname)}</p>
        ${isLocal ? html`<wa-callout variant="neutral">${s('owner.local')}</wa-callout>` : nothing}
        <label class="field">
          ${s('owner.name')}
          <input
            name="name"
            autocomplete="name"
            maxlength="100"
            .value=${answers.owner?.name ?? ''}
            aria-invalid=${this.isWrong('name')}
            aria-describedby="error-name"
          />
        </label>
        ${this.errorOf('name')}
        ${this.renderFault('name')}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>
            <wa-icon slot="start" name="key"></wa-icon>${s('owner.make')}
          </wa-button>
        </div>
      </form>
    `
  }
}
