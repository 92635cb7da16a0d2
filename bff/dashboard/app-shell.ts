import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { Router } from '@lit-labs/router'
import { css, html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, query, state } from 'lit/decorators.js'
import { signedOutEvent } from './api/client.ts'
import { chooseMode, isTestMode } from './api/mode.ts'
import { isSignedOut, loadSession, may, type Session, signOut } from './api/session.ts'
import { chooseLanguage, currentLanguage, languageNames, t } from './locales/locale.ts'
import { type PageEntry, pages } from './pages.ts'
import { faultCallout } from './ui/fault-callout.ts'
import { navigatedEvent } from './ui/navigate.ts'
import type { Page } from './ui/page.ts'
import { baseStyles } from './ui/styles.ts'
import { chooseTheme, chosenTheme, type Theme, themes } from './ui/theme.ts'

/** Shown without a session: sign-in by passkey, or an invitation behind `#`. */
const signInPath = '/dashboard/sign-in'

const styles = css`
  :host {
    min-height: 100vh;
  }
  .skip {
    position: absolute;
    inset-inline-start: 0.5rem;
    top: -4rem;
    z-index: 2;
    padding: 0.5rem 1rem;
    font: inherit;
    color: inherit;
    background: var(--wa-color-surface-default);
    border: 0;
  }
  .skip:focus {
    top: 0.5rem;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    padding: 0.5rem 1rem;
    background: var(--wa-color-surface-default);
    border-bottom: 1px solid var(--wa-color-surface-border);
  }
  .shop {
    flex: 1 1 8rem;
    min-width: 0;
    overflow-wrap: anywhere;
    line-height: 1.25;
  }
  .layout {
    display: grid;
    grid-template-columns: 14rem minmax(0, 1fr);
    max-width: 90rem;
    margin: 0 auto;
  }
  nav {
    padding: 1rem;
  }
  nav ul {
    display: grid;
    gap: 0.125rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  nav a {
    display: flex;
    gap: 0.75rem;
    align-items: center;
    padding: 0.5rem 0.75rem;
    border-radius: 0.5rem;
    color: inherit;
    text-decoration: none;
  }
  nav a:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  nav a[aria-current] {
    background: var(--wa-color-brand-fill-quiet);
    color: var(--wa-color-brand-on-quiet);
    font-weight: 600;
  }
  .preferences {
    display: grid;
    gap: 0.75rem;
    margin-top: 1rem;
    padding-top: 1rem;
    border-top: 1px solid var(--wa-color-surface-border);
  }
  main {
    min-width: 0;
    padding: 1rem;
  }
  .menu {
    display: none;
  }
  .mode {
    gap: 0.5rem;
  }
  .test-mode {
    padding: 0.375rem 1rem;
    text-align: center;
    color: var(--wa-color-warning-on-quiet);
    background: var(--wa-color-warning-fill-quiet);
  }
  .outside {
    max-width: 26rem;
    margin: 10vh auto 0;
  }
  @media (max-width: 50rem) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
    }
    .menu {
      display: block;
    }
    nav:not(.open) {
      display: none;
    }
  }
  @media print {
    header,
    nav,
    .skip {
      display: none;
    }
    .layout {
      display: block;
    }
  }
`

/** @summary Header, navigation, and the current page. */
@customElement('app-shell')
export class AppShell extends LitElement {
  static override styles = [baseStyles, styles]
  @query('main') private mainElement!: HTMLElement
  @state() private session: Session | null = null
  @state() private fault: unknown
  @state() private isMenuOpen = false
  private shownPath = ''

  private readonly router = new Router(this, pages.map(routeOf), {
    fallback: {
      enter: async () => !!(await import('./pages/not-found-page.ts')),
      render: () => html`<not-found-page></not-found-page>`,
    },
  })

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener(navigatedEvent, this.followAddress)
    window.addEventListener(signedOutEvent, this.leave)
    void this.open()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener(navigatedEvent, this.followAddress)
    window.removeEventListener(signedOutEvent, this.leave)
  }

  private readonly followAddress = (): void => void this.router.goto(location.pathname)

  /** Keeps the URL, so that a person who signs in again returns to the same page. */
  private readonly leave = (): void => {
    this.session = null
    if (location.pathname === signInPath) return
    const from = location.pathname + location.search
    location.assign(`${signInPath}?from=${encodeURIComponent(from)}`)
  }

  private async open(): Promise<void> {
    if (location.pathname === signInPath) return
    // An invitation link, or the demo's link.
    if (/^#(invitation|demo)=/.test(location.hash)) return location.replace(signInPath + location.hash)
    try {
      this.session = await loadSession()
      this.fault = undefined
    } catch (fault) {
      if (!isSignedOut(fault)) this.fault = fault
    }
  }

  private async signOut(): Promise<void> {
    await signOut().catch(() => {})
    location.assign(signInPath)
  }

  protected override updated(_changed: PropertyValues): void {
    void this.moveFocus()
  }

  /**
   * Focuses the heading of a page that has replaced another; on the first page the focus stays where the browser put
   * it.
   */
  private async moveFocus(): Promise<void> {
    const path = this.router.link()
    const page = this.mainElement?.firstElementChild as Page<unknown> | null
    if (!page || path === this.shownPath) return
    const isFirst = this.shownPath === ''
    this.shownPath = path
    if (isFirst) return
    this.isMenuOpen = false
    await page.updateComplete
    page.focusHeading()
    window.scrollTo(0, 0)
  }

  private renderNavigation() {
    const here = location.pathname
    const shown = pages.filter(({ navigation, reads }) => navigation && (reads === undefined || may(reads)))
    return html`
      <nav id="navigation" aria-label=${t('app.navigation')} class=${this.isMenuOpen ? 'open' : ''}>
        <ul>
          ${shown.map(({ path, navigation }) => {
            const isHere = here === path || (path !== '/dashboard/' && here.startsWith(`${path}/`))
            return html`
              <li>
                <a href=${path} aria-current=${isHere ? 'page' : nothing}>
                  <wa-icon name=${navigation?.icon ?? ''}></wa-icon>${navigation && t(navigation.label)}
                </a>
              </li>
            `
          })}
        </ul>
        <div class="preferences">
          ${this.renderPreferences()}
          <wa-button appearance="outlined" size="s" @click=${this.signOut}>
            <wa-icon slot="start" name="sign-out"></wa-icon>${t('app.signOut')}
          </wa-button>
        </div>
      </nav>
    `
  }

  private renderPreferences() {
    const onTheme = (event: Event) => chooseTheme((event.target as HTMLSelectElement).value as Theme)
    const onLanguage = (event: Event) => chooseLanguage((event.target as HTMLSelectElement).value)
    return html`
      <label class="field">
        ${t('app.theme')}
        <select @change=${onTheme}>
          ${themes.map(
            (theme) =>
              html`<option value=${theme} ?selected=${theme === chosenTheme()}>${t(`app.theme.${theme}`)}</option>`,
          )}
        </select>
      </label>
      <label class="field">
        ${t('app.language')}
        <select @change=${onLanguage}>
          ${Object.entries(languageNames).map(
            ([code, name]) =>
              html`<option value=${code} lang=${code} ?selected=${code === currentLanguage()}>${name}</option>`,
          )}
        </select>
      </label>
    `
  }

  private renderSignedIn(session: Session) {
    const onMode = (event: Event) => chooseMode((event.target as HTMLInputElement).checked)
    return html`
      <header>
        <button type="button" class="skip" @click=${this.skip}>${t('app.skip')}</button>
        <span class="menu">
          <wa-button
            appearance="outlined"
            size="s"
            aria-controls="navigation"
            aria-expanded=${this.isMenuOpen}
            @click=${() => {
              this.isMenuOpen = !this.isMenuOpen
            }}
          >
            <wa-icon slot="start" name="bars"></wa-icon>${t('app.menu')}
          </wa-button>
        </span>
        <strong class="shop">${session.merchant.name}</strong>
        <label class="row small mode">
          <input type="checkbox" .checked=${isTestMode()} @change=${onMode} />
          ${t('app.testData')}
        </label>
        <span class="small quiet">${session.person.name} · ${t(`role.${session.role}`)}</span>
      </header>
      ${isTestMode() ? html`<aside class="test-mode small" aria-label=${t('app.testData')}>${t('app.testData.note')}</aside>` : nothing}
      <div class="layout">
        ${this.renderNavigation()}
        <main id="main" tabindex="-1">${this.router.outlet()}</main>
      </div>
    `
  }

  private skip(): void {
    this.mainElement.focus()
  }

  protected override render(): unknown {
    if (this.session) return this.renderSignedIn(this.session)
    if (this.fault !== undefined) return html`<main>${faultCallout(this.fault, () => void this.open())}</main>`
    if (location.pathname === signInPath) return html`<main class="outside">${this.router.outlet()}</main>`
    return nothing
  }
}

function routeOf({ path, load, render }: PageEntry) {
  return { path, render, enter: async () => !!(await load()) }
}
