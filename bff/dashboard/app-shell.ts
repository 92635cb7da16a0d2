import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { Router } from '@lit-labs/router'
import { html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, query, state } from 'lit/decorators.js'
import { queryText, signedOutEvent } from './api/client.ts'
import { chooseMode, isTestMode } from './api/mode.ts'
import { isSignedOut, loadSession, may, type Session, signOut } from './api/session.ts'
import { type MessageKey, t } from './locales/locale.ts'
import { type Navigation, type PageEntry, pages } from './pages.ts'
import { faultCallout } from './ui/fault-callout.ts'
import { languageSelect } from './ui/language-select.ts'
import { navigate, navigatedEvent } from './ui/navigate.ts'
import type { Page } from './ui/page.ts'
import { shellStyles } from './ui/shell-styles.ts'
import { rememberShop, shopFace, shopFaceStyles } from './ui/shop-face.ts'
import { baseStyles } from './ui/styles.ts'
import { chooseTheme, chosenTheme, type Theme, themes } from './ui/theme.ts'

/** Shown without a session: sign-in by passkey, or an invitation behind `#`. */
const signInPath = '/dashboard/sign-in'

/** @summary Header, navigation, and the current page. */
@customElement('app-shell')
export class AppShell extends LitElement {
  static override styles = [baseStyles, shopFaceStyles, shellStyles]
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
      rememberShop(this.session.merchant)
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
    this.showTab()
    void this.moveFocus()
  }

  /** On a phone the tabs are wider than the screen. Not by `scrollIntoView`: the next press of Tab would begin there, below the skip button. */
  private showTab(): void {
    const list = this.renderRoot.querySelector('.tabs ul')
    const tab = list?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!list || !tab) return
    const { left, right } = list.getBoundingClientRect()
    list.scrollBy({ left: Math.max(tab.right - right, 0) + Math.min(tab.left - left, 0) })
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

  /** Whether the path shows the page, or one below it. */
  private isAt(path: string): boolean {
    const here = location.pathname
    return here === path || (path !== '/dashboard/' && here.startsWith(`${path}/`))
  }

  private renderEntry({ path, navigation }: ShownEntry, children: readonly ShownEntry[] = []) {
    const isWithin = children.some((child) => this.isAt(child.path))
    return html`
      <li>
        <a href=${path} class=${isWithin ? 'within' : ''} aria-current=${this.isAt(path) ? 'page' : nothing}>
          <wa-icon name=${navigation.icon}></wa-icon>${t(navigation.label)}
        </a>
      </li>
    `
  }

  private renderNavigation({ person, role }: Session) {
    const shown = shownEntries()
    return html`
      <nav id="navigation" class="side ${this.isMenuOpen ? 'open' : ''}" aria-label=${t('app.navigation')}>
        ${groups.map((group) => {
          const entries = shown.filter(({ navigation }) => navigation.group === group && !navigation.under)
          return html`<ul>${entries.map((entry) => this.renderEntry(entry, childrenOf(entry, shown)))}</ul>`
        })}
        <details class="person">
          <summary>
            <wa-icon name="user"></wa-icon>
            <span>${person.name}<br /><span class="small quiet">${t(`role.${role}`)}</span></span>
            <wa-icon name="chevron-up"></wa-icon>
          </summary>
          <div class="preferences">
            ${this.renderPreferences()}
            <wa-button appearance="outlined" size="s" @click=${this.signOut}>
              <wa-icon slot="start" name="sign-out"></wa-icon>${t('app.signOut')}
            </wa-button>
          </div>
        </details>
      </nav>
    `
  }

  /** Tabs of the pages that share a navigation entry with this page. */
  private renderTabs() {
    const shown = shownEntries()
    const here = shown.find(({ path }) => this.isAt(path) && location.pathname === path)
    const parent = here && (shown.find(({ path }) => path === here.navigation.under) ?? here)
    const children = parent ? childrenOf(parent, shown) : []
    if (!parent || children.length === 0) return nothing
    const tab = ({ path }: ShownEntry, label: MessageKey) =>
      html`<li><a href=${path} aria-current=${location.pathname === path ? 'page' : nothing}>${t(label)}</a></li>`
    return html`
      <nav class="tabs" aria-label=${t(parent.navigation.label)}>
        <ul>
          ${tab(parent, parent.navigation.tab ?? parent.navigation.label)}
          ${children.map((child) => tab(child, child.navigation.label))}
        </ul>
      </nav>
    `
  }

  /** The bar on a phone: the pages that a shop needs at the counter. The others are in the menu. */
  private renderBar() {
    return html`
      <nav class="bar" aria-label=${t('app.mainPages')}>
        <ul>
          ${shownEntries()
            .filter(({ navigation }) => navigation.isInBar)
            .map((entry) => this.renderEntry(entry))}
          <li>
            <button type="button" aria-controls="navigation" aria-expanded=${this.isMenuOpen} @click=${this.toggleMenu}>
              <wa-icon name="bars"></wa-icon>${t('app.menu')}
            </button>
          </li>
        </ul>
      </nav>
    `
  }

  private readonly toggleMenu = (): void => {
    this.isMenuOpen = !this.isMenuOpen
  }

  private readonly search = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const text = String(new FormData(form).get('search')).trim()
    form.reset()
    navigate(`/dashboard/payments${text && `?${queryText({ search: text })}`}`)
  }

  private renderPreferences() {
    const onTheme = (event: Event) => chooseTheme((event.target as HTMLSelectElement).value as Theme)
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
      ${languageSelect()}
    `
  }

  /** The list of payments has its own search. */
  private renderSearch() {
    if (location.pathname === '/dashboard/payments') return html`<span class="search"></span>`
    return html`
      <form class="search" role="search" @submit=${this.search}>
        <wa-icon name="magnifying-glass"></wa-icon>
        <input
          name="search"
          type="search"
          maxlength="200"
          aria-label=${t('app.search')}
          placeholder=${t('app.search')}
          autocomplete="off"
        />
      </form>
    `
  }

  private renderSignedIn(session: Session) {
    const onMode = (event: Event) => chooseMode((event.target as HTMLInputElement).checked)
    return html`
      <button type="button" class="skip" @click=${this.skip}>${t('app.skip')}</button>
      <header class="top">
        ${shopFace(session.merchant)}
        ${this.renderSearch()}
        <label class="row mode">
          <input type="checkbox" .checked=${isTestMode()} @change=${onMode} />
          ${t('app.testData')}
        </label>
      </header>
      <div class="layout">
        ${this.renderNavigation(session)}
        <div class="page">
          ${isTestMode() ? html`<aside class="test-mode small" aria-label=${t('app.testData')}>${t('app.testData.note')}</aside>` : nothing}
          <div class="column">
          ${this.renderTabs()}
          <main id="main" tabindex="-1" data-page=${this.router.link()}>${this.router.outlet()}</main>
          </div>
        </div>
        ${this.renderBar()}
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

const groups = ['sell', 'connect', 'manage'] as const

type ShownEntry = PageEntry & { navigation: Navigation }

/** The entries that the signed-in person may open, in navigation order. */
function shownEntries(): ShownEntry[] {
  return pages.flatMap((entry) => {
    const { navigation, reads } = entry
    return navigation && (reads === undefined || may(reads)) ? [{ ...entry, navigation }] : []
  })
}

const childrenOf = ({ path }: ShownEntry, shown: readonly ShownEntry[]): ShownEntry[] =>
  shown.filter(({ navigation }) => navigation.under === path)

function routeOf({ path, load, render }: PageEntry) {
  return { path, render, enter: async () => !!(await load()) }
}
