import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { ask, askService, type Created, SetupFault, type SetupState } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { setupSnippet } from './setup-snippet.ts'
import { SetupStep } from './setup-step.ts'
import './setup-payment.ts'
import '../ui/copy-button.ts'

const pollMs = 500
/** The service verifies its networks before it responds; a node may be slow. After this the page asks the owner. */
const startingMaxMs = 120_000

/** Whether the service responds, with the owner's session. */
const isServed = (): Promise<boolean> =>
  askService('GET', 'dashboard/session', false).then(
    () => true,
    () => false,
  )

type Phase = 'ready' | 'starting' | 'started' | 'paid'

/** @summary Starts the service, makes a test payment, and shows what comes next. */
@customElement('setup-start')
export class SetupStart extends SetupStep {
  @state() private phase: Phase = 'ready'
  @state() private paymentId: string | null = null
  @state() private hasRealPayment = false
  /** Kept, because the set-up no longer responds once the service has started. */
  private created: Created | null = null
  private answers: SetupState['answers'] | null = null

  private readonly start = (): void =>
    void this.attempt(async () => {
      this.created = this.setup.created
      this.answers = this.setup.answers
      await ask('POST', 'start', {}).catch(async (fault: unknown) => {
        // Another tab may have started the service.
        if (!(await isServed())) throw fault
      })
      this.phase = 'starting'
      this.dispatchEvent(new Event('setup-started', { bubbles: true, composed: true }))
      await this.untilServed()
      this.phase = 'started'
    })

  /** The service may have been started by hand meanwhile, or only have been slow. */
  private readonly askAgain = (): void =>
    void this.attempt(async () => {
      await this.untilServed()
      this.phase = 'started'
    })

  /** @throws {SetupFault} when the service does not respond with the owner's session. */
  private async untilServed(): Promise<void> {
    for (const endsAtMs = performance.now() + startingMaxMs; performance.now() < endsAtMs; ) {
      if (await isServed()) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
    throw new SetupFault('UNREACHABLE', null, '')
  }

  private readonly makePayment = (): void =>
    void this.attempt(async () => {
      type Answer = { payment: { id: string } }
      const { payment } = await askService<Answer>('POST', 'sandbox/payments/create', true, {
        amount: '1.00',
        currency: 'USDC',
      })
      this.paymentId = payment.id
    })

  private readonly pay = (): void =>
    void this.attempt(async () => {
      await askService('POST', `sandbox/payments/${this.paymentId}/simulate`, true, { action: 'complete' })
      this.phase = 'paid'
    })

  private snippet(): string {
    const { origin, offered } = this.setup
    const answers = this.answers ?? this.setup.answers
    return setupSnippet({ origin, offered, answers }, this.created?.merchant.publicKey ?? null)
  }

  private renderPayment() {
    if (this.phase === 'paid') {
      return html`<wa-callout variant="success" role="status">${s('test.paid')}</wa-callout>`
    }
    if (this.paymentId === null) {
      return html`
        <p>${s('test.text')}</p>
        <div class="row">
          <wa-button variant="brand" ?loading=${this.isBusy} @click=${this.makePayment}>${s('test.make')}</wa-button>
        </div>
      `
    }
    return html`
      <p>${s('test.waiting')}</p>
      <div class="row">
        <wa-button appearance="outlined" href="/pay/${this.paymentId}" target="_blank">
          <wa-icon slot="start" name="external"></wa-icon>${s('test.open')}
        </wa-button>
        <wa-button variant="brand" ?loading=${this.isBusy} @click=${this.pay}>${s('test.pay')}</wa-button>
      </div>
    `
  }

  /** Test networks have free tokens, so that a whole payment can be tried: from a wallet, on a chain, to the shop's own wallet. */
  private renderRealPayment() {
    const chosen = (this.answers ?? this.setup.answers).networks.map(({ network }) => network)
    const networks = this.setup.offered.filter(({ network, isTestnet }) => isTestnet && chosen.includes(network))
    const publicKey = this.created?.merchant.publicKey
    if (networks.length === 0 || publicKey === undefined) return nothing
    return html`
      <setup-payment
        .publicKey=${publicKey}
        .networks=${networks.filter(({ symbols }) => symbols.includes('USDC'))}
        @setup-paid=${() => {
          this.hasRealPayment = true
        }}
      ></setup-payment>
    `
  }

  protected override render(): unknown {
    if (this.phase === 'ready') {
      return html`
        <div class="stack">
          <p>${s('start.text')}</p>
          ${this.renderFault()}
          <div class="row">
            <wa-button variant="brand" ?loading=${this.isBusy} @click=${this.start}>${s('start.button')}</wa-button>
          </div>
        </div>
      `
    }
    if (this.phase === 'starting') {
      if (this.fault === undefined) return html`<p role="status">${s('start.starting')}</p>`
      return html`
        <div class="stack">
          ${this.renderFault()}
          <div class="row"><wa-button variant="brand" @click=${this.askAgain}>${t('action.retry')}</wa-button></div>
        </div>
      `
    }
    return html`
      <div class="stack">
        <p role="status">✓ ${s('start.started')}</p>
        <h3>${s('test.title')}</h3>
        ${this.renderPayment()} ${this.renderFault()} ${this.renderRealPayment()}
        ${
          this.phase === 'paid' || this.hasRealPayment
            ? html`
              <h3>${s('next.title')}</h3>
              <p>${s('next.snippet')}</p>
              <pre tabindex="0">${this.snippet()}</pre>
              <div class="row">
                <copy-text look="button" .text=${this.snippet()} .label=${s('next.snippet')}></copy-text>
                <wa-button href="/dashboard/links" appearance="outlined">${s('next.link')}</wa-button>
                <wa-button href="/dashboard/stores" appearance="outlined">${t('page.stores')}</wa-button>
              </div>
            `
            : nothing
        }
        <div class="row"><wa-button variant="brand" href="/dashboard/">${s('next.dashboard')}</wa-button></div>
      </div>
    `
  }
}
