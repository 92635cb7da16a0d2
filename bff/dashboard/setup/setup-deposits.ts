import { css, html } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { ask, type Deposits, type OfferedNetwork } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

const kinds: readonly Deposits[] = ['forwarder', 'xpub']

/**
 * @summary The kind of deposit address on one network.
 * @event setup-changed - The service has accepted another choice; other wallets may be needed.
 */
@customElement('setup-deposits')
export class SetupDeposits extends SetupStep {
  static override styles = [
    ...SetupStep.styles,
    css`
      input {
        flex: none;
      }
    `,
  ]
  @property({ attribute: false }) network!: OfferedNetwork
  /** The pressed choice, until the service has responded. */
  @state() private asked: Deposits | null = null

  private choose(deposits: Deposits): void {
    if (this.isBusy) return
    this.asked = deposits
    void this.attempt(async () => {
      await ask('PUT', 'deposits', { network: this.network.network, deposits })
      this.dispatchEvent(new Event('setup-changed', { bubbles: true, composed: true }))
    }).then(() => {
      if (this.fault !== undefined) this.asked = null
    })
  }

  protected override render(): unknown {
    const { network, name } = this.network
    const chosen = this.asked ?? this.setup.answers.networks.find((one) => one.network === network)?.deposits
    return html`
      <fieldset>
        <legend>${s('deposits.title', name)}</legend>
        ${kinds.map(
          (kind) => html`
            <label class="row">
              <input
                type="radio"
                name="deposits"
                .checked=${live(kind === chosen)}
                @change=${() => this.choose(kind)}
              />
              <span>
                <strong>${s(`deposits.${kind}`)}</strong> <span class="quiet">${s(`deposits.${kind}.text`)}</span>
              </span>
            </label>
          `,
        )}
        ${this.renderFault()}
      </fieldset>
    `
  }
}
