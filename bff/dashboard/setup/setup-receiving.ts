import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { offeredWith, type SetupState } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'
import './setup-account.ts'
import './setup-deposits.ts'
import './setup-wallets.ts'

/** The families whose payments the service forwards to a wallet. */
const familiesOf = (setup: SetupState) => [...new Set(offeredWith('forwarder', setup).map(({ family }) => family))]

const needsAccount = (setup: SetupState): boolean => offeredWith('xpub', setup).length > 0

/** The addresses of the wallets that the networks need; null while one is missing. */
export function receivingAddresses(setup: SetupState): readonly string[] | null {
  const { networks, wallets, account } = setup.answers
  const families = familiesOf(setup)
  const needed = wallets.filter(({ family }) => families.includes(family))
  if (networks.length === 0 || needed.length < families.length) return null
  const addresses = needed.map(({ address }) => address)
  if (!needsAccount(setup)) return addresses
  return account && [...addresses, account.address]
}

/** @summary Where the money of each network arrives. */
@customElement('setup-receiving')
export class SetupReceiving extends SetupStep {
  protected override render(): unknown {
    const { setup } = this
    const { networks } = setup.answers
    const choosing = setup.offered.filter(
      (one) => one.canChooseDeposits && networks.some(({ network }) => network === one.network),
    )
    return html`
      <div class="stack">
        <p>${s('wallets.text')}</p>
        ${repeat(
          choosing,
          ({ network }) => network,
          (network) => html`<setup-deposits .setup=${setup} .network=${network}></setup-deposits>`,
        )}
        ${repeat(
          familiesOf(setup),
          (family) => family,
          (family) => html`<setup-wallet .setup=${setup} family=${family}></setup-wallet>`,
        )}
        ${needsAccount(setup) ? html`<setup-account .setup=${setup}></setup-account>` : nothing}
        ${
          receivingAddresses(setup)
            ? html`
              <div class="row">
                <wa-button variant="brand" @click=${() => this.answered()}>${s('continue')}</wa-button>
              </div>
            `
            : nothing
        }
      </div>
    `
  }
}
