import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { startInTestMode } from '../api/mode.ts'
import type { Role } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { languageSelect } from '../ui/language-select.ts'
import { Page } from '../ui/page.ts'
import { rememberedShop, shopFace, shopFaceStyles } from '../ui/shop-face.ts'

type Invitation = {
  token: string
  options: PublicKeyCredentialCreationOptionsJSON
  merchantName: string
  role: Role
}

const start = '/dashboard/'

/** The page to return to after signing in. URLs of other sites are ignored. */
function wayBack(): string {
  const from = new URLSearchParams(location.search).get('from') ?? start
  return from.startsWith(start) ? from : start
}

const styles = css`
  .shop {
    font-size: var(--text-l);
  }
  .shop .initial,
  .shop .logo {
    width: 2.5rem;
    height: 2.5rem;
  }
  ul {
    display: grid;
    gap: var(--space-2);
    margin: var(--space-2) 0 0;
    padding-inline-start: 1.25rem;
  }
`

/** @summary Signs in by passkey, or creates one from an invitation link. */
@customElement('sign-in-page')
export class SignInPage extends Page<Invitation | null> {
  static override styles = [Page.styles, shopFaceStyles, styles]
  @state() private isBusy = false
  @state() private refusal: unknown

  protected heading(): string {
    return t('page.signIn')
  }

  /** The token is removed from the URL at once, so that it is not copied with it. */
  protected async load(signal: AbortSignal): Promise<Invitation | null> {
    const [, kind, token] = /^#(invitation|demo)=([\w-]+)$/.exec(location.hash) ?? []
    if (!kind || !token) return null
    history.replaceState({}, '', location.pathname)
    if (kind === 'demo') {
      await request('dashboard/demo-sign-in', { body: { token } })
      startInTestMode()
      location.assign(start)
      return new Promise(() => {})
    }
    type Answer = {
      options: PublicKeyCredentialCreationOptionsJSON
      invitation: { merchantName: string; role: Role }
    }
    const { options, invitation } = await request<Answer>('dashboard/invitation/options', { body: { token }, signal })
    return { token, options, ...invitation }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.isBusy = true
    this.refusal = undefined
    try {
      await work()
      location.assign(wayBack())
    } catch (refusal) {
      this.refusal = refusal instanceof WebAuthnError || refusal instanceof DOMException ? 'cancelled' : refusal
      this.isBusy = false
    }
  }

  private readonly signIn = (): void =>
    void this.attempt(async () => {
      type Answer = { options: PublicKeyCredentialRequestOptionsJSON }
      const { options } = await request<Answer>('dashboard/sign-in/options', { method: 'POST' })
      const response = await startAuthentication({ optionsJSON: options })
      await request('dashboard/sign-in', { body: { response } })
    })

  private accept({ token, options }: Invitation): void {
    void this.attempt(async () => {
      const response = await startRegistration({ optionsJSON: options })
      await request('dashboard/invitation/accept', { body: { token, response } })
    })
  }

  private renderRefusal() {
    if (this.refusal === undefined) return nothing
    if (this.refusal !== 'cancelled') return faultCallout(this.refusal)
    return html`<wa-callout variant="warning" role="alert">${t('signIn.cancelled')}</wa-callout>`
  }

  protected renderData(invitation: Invitation | null): unknown {
    if (invitation) {
      return html`
        <div class="card">
          ${shopFace({ name: invitation.merchantName, logo: null })}
          <h2>${t('signIn.welcome', invitation.merchantName, t(`role.${invitation.role}`))}</h2>
          <p>${t('signIn.make.text')}</p>
          ${this.renderRefusal()}
          <wa-button variant="brand" ?loading=${this.isBusy} @click=${() => this.accept(invitation)}>
            <wa-icon slot="start" name="key"></wa-icon>${t('signIn.make')}
          </wa-button>
        </div>
        ${languageSelect(() => history.replaceState({}, '', `${location.pathname}#invitation=${invitation.token}`))}
      `
    }
    const shop = rememberedShop()
    return html`
      <div class="card">
        ${shop === null ? nothing : shopFace(shop)}
        <p>${t('signIn.text')}</p>
        ${this.renderRefusal()}
        <wa-button variant="brand" ?loading=${this.isBusy} @click=${this.signIn}>
          <wa-icon slot="start" name="key"></wa-icon>${t('signIn.button')}
        </wa-button>
        <p class="small">${t('signIn.what')}</p>
        <details class="small">
          <summary>${t('signIn.lost')}</summary>
          <ul>
            <li>${t('signIn.lost.device', t('page.people'))}</li>
            <li>${t('signIn.lost.owner')}</li>
            <li>${t('signIn.lost.host')}</li>
          </ul>
        </details>
      </div>
      ${languageSelect()}
    `
  }
}
