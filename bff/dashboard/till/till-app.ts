import { html, LitElement, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { CurrentSale, isUnderWay } from './current-sale.ts'
import { isZero, type KeyedAmount, keyed, noAmount, textOf } from './keyed-amount.ts'
import {
  codeOf,
  type Day,
  isAway,
  isOutdated,
  keptSale,
  lockTill,
  type OwnTill,
  openTill,
  pairTill,
  readDay,
  readTill,
  type Sale,
  sentenceOf,
} from './till-api.ts'
import { renderDay } from './till-day.ts'
import { renderKeypad, renderMessage, renderPin } from './till-keys.ts'
import { s } from './till-locale.ts'
import { renderPaid, renderSale } from './till-sale.ts'
import { allowSound, keepAwake, playPaid } from './till-signals.ts'

type Screen = 'loading' | 'unpaired' | 'ended' | 'away' | 'pin' | 'blocked' | 'keypad' | 'sale' | 'day'

const pinDigits = 6

/** @summary A till: keys in an amount, shows the code, follows the payment. It holds a session of its own that can do nothing else. */
@customElement('till-app')
export class TillApp extends LitElement {
  @state() private screen: Screen = 'loading'
  @state() private till: OwnTill | null = null
  @state() private amount: KeyedAmount = noAmount(null)
  @state() private pin = ''
  /** Null: no wrong PIN yet. */
  @state() private attemptsLeft: number | null = null
  @state() private day: Day | null = null
  @state() private fault = ''
  /** Shows the link's code in place of that of the till's own token. */
  @state() private isOther = false
  /** Of the pairing link, until the service has answered. */
  private token: string | null = null
  private isStarting = false
  private readonly current = new CurrentSale(this, {
    paid: () => {
      playPaid()
      this.fault = ''
      this.isOther = false
    },
    refused: (fault) => this.refused(fault),
  })

  protected override createRenderRoot(): this {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('keydown', this.onKey)
    addEventListener('mousedown', this.dropFocus)
    document.title = s('title')
    keepAwake()
    void isOutdated()
    void this.start()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('keydown', this.onKey)
    removeEventListener('mousedown', this.dropFocus)
  }

  private readonly start = async (): Promise<void> => {
    // The link of a device that is pairing is used up: a second press would be told so.
    if (this.isStarting) return
    this.isStarting = true
    this.token ??= new URLSearchParams(location.hash.slice(1)).get('pair')
    // A reload must not use the link again.
    history.replaceState(null, '', location.pathname)
    try {
      if (this.token !== null) await pairTill(this.token)
      this.token = null
      this.till = await readTill()
      this.amount = noAmount(this.till.priceCurrency)
      if (this.till.isBlocked) this.screen = 'blocked'
      else if (this.till.isOpen) this.enter()
      else this.screen = 'pin'
    } catch (fault) {
      if (!isAway(fault)) this.token = null
      this.refused(fault)
    }
    this.isStarting = false
  }

  /** The PIN was entered. */
  private enter(): void {
    this.pin = ''
    this.attemptsLeft = null
    this.fault = ''
    this.screen = 'keypad'
    if (this.current.amount !== null || keptSale() !== null) {
      this.screen = 'sale'
      this.current.continueKept()
    }
  }

  private refused(fault: unknown): void {
    const code = codeOf(fault)
    if (code === 'PAIRING_ENDED') this.screen = 'ended'
    else if (code === 'TILL_ENDED' || code === 'UNAUTHORIZED') this.screen = 'unpaired'
    else if (code === 'TILL_LOCKED') this.screen = 'pin'
    else if (code === 'TILL_BLOCKED') this.screen = 'blocked'
    else if (isAway(fault)) {
      if (this.till === null) this.screen = 'away'
      // The next answer to the sale ends it.
      else if (this.screen === 'sale') this.current.unanswered()
      else this.fault = s('offline.idle')
    } else {
      if (this.screen === 'sale' && this.current.sale === null) this.next()
      this.fault = sentenceOf(fault)
      if (this.till === null) this.screen = 'away'
    }
  }

  private async enterPin(): Promise<void> {
    const { pin } = this
    try {
      await openTill(pin)
      this.enter()
    } catch (fault) {
      this.pin = ''
      if (codeOf(fault) === 'PIN_WRONG') {
        const till = await readTill().catch(() => null)
        this.attemptsLeft = till?.attemptsLeft ?? null
      } else this.refused(fault)
    }
  }

  private readonly press = (key: string): void => {
    allowSound()
    this.fault = ''
    if (this.screen === 'pin') {
      if (key === 'Backspace') this.pin = this.pin.slice(0, -1)
      else if (key === 'Escape') this.pin = ''
      else if (/^\d$/.test(key) && this.pin.length < pinDigits) {
        this.pin += key
        if (this.pin.length === pinDigits) void this.enterPin()
      }
    } else if (this.screen === 'keypad') {
      if (key === 'Enter') this.charge()
      else this.amount = keyed(this.amount, key)
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement
    if (event.key === 'Enter' && isButton) return
    if (!/^(\d|Backspace|Escape|Enter)$/.test(event.key)) return
    this.press(event.key)
  }

  /** After a tap no button has the focus: Enter charges the amount, and presses neither a digit nor the list of the day again. */
  private readonly dropFocus = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || !event.target.closest('button')) return
    event.preventDefault()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }

  private readonly charge = (): void => {
    if (isZero(this.amount)) return
    allowSound()
    this.fault = ''
    this.isOther = false
    this.screen = 'sale'
    this.current.start(textOf(this.amount))
  }

  private readonly next = (): void => {
    this.current.leave()
    this.fault = ''
    this.amount = keyed(this.amount, 'Escape')
    this.isOther = false
    this.screen = 'keypad'
    void this.reloadIfOutdated()
  }

  /** Between two sales, where a reload disturbs nobody. */
  private async reloadIfOutdated(): Promise<void> {
    if ((await isOutdated()) && this.screen === 'keypad' && isZero(this.amount)) location.reload()
  }

  private readonly cancel = async (): Promise<void> => {
    try {
      await this.current.cancel()
      // It was not created yet.
      if (this.screen === 'sale' && this.current.amount === null) this.next()
    } catch (fault) {
      this.refused(fault)
    }
  }

  private readonly showDay = async (): Promise<void> => {
    try {
      const day = await readDay()
      // The next customer's sale may have begun meanwhile.
      if (this.screen !== 'keypad') return
      this.day = day
      this.screen = 'day'
    } catch (fault) {
      this.refused(fault)
    }
  }

  private readonly resume = (sale: Sale): void => {
    this.screen = 'sale'
    this.current.resume(sale)
  }

  private readonly lock = async (): Promise<void> => {
    try {
      await lockTill()
      this.pin = ''
      this.screen = 'pin'
    } catch (fault) {
      this.refused(fault)
    }
  }

  protected override updated(): void {
    const isGreen = this.screen === 'sale' && this.current.sale?.state === 'paid'
    document.documentElement.classList.toggle('paid', isGreen)
    // The next tap or key is for the next customer.
    if (isGreen) this.querySelector<HTMLButtonElement>('[data-next]')?.focus()
  }

  private renderScreen(): unknown {
    const { till, current } = this
    const currency = till?.priceCurrency ?? till?.symbols.join(' / ') ?? ''
    switch (this.screen) {
      case 'loading':
        return nothing
      case 'unpaired':
        return renderMessage(s('unpaired.title'), s('unpaired.text'))
      case 'ended':
        return renderMessage(s('unpaired.title'), s('pairing.ended'))
      case 'away':
        return renderMessage(s('offline.idle'), this.fault, { label: s('again'), act: this.start })
      case 'blocked':
        return renderMessage(s('blocked.title'), s('blocked.text'), { label: s('again'), act: this.start })
      case 'pin':
        return renderPin({ length: this.pin.length, of: pinDigits, attemptsLeft: this.attemptsLeft, press: this.press })
      case 'day':
        return renderDay(this.day, { back: this.next, resume: this.resume })
      case 'sale': {
        const actions = { next: this.next, cancel: this.cancel, other: this.other }
        if (current.sale?.state === 'paid') return renderPaid(current.sale, actions)
        return renderSale(current.sale, { amount: current.amount ?? '', currency, isOther: this.isOther, ...actions })
      }
      case 'keypad':
        return renderKeypad({ amount: this.amount, currency, press: this.press, charge: this.charge })
    }
  }

  private readonly other = (): void => {
    this.isOther = !this.isOther
  }

  private renderHead(): unknown {
    const { till } = this
    if (till === null) return nothing
    const isIdle = this.screen === 'keypad'
    return html`
      <header>
        <h1><bdi>${till.merchantName}</bdi> <span><bdi>${till.name}</bdi></span></h1>
        ${
          isIdle
            ? html`<button class="quiet" type="button" @click=${this.showDay}>${s('day')}</button>
                <button class="quiet" type="button" @click=${this.lock}>${s('lock')}</button>`
            : nothing
        }
      </header>
      ${till.isTest ? html`<p class="test">${s('test')}</p>` : nothing}
    `
  }

  protected override render(): unknown {
    const { current } = this
    const isKept = this.screen === 'sale' && (current.sale === null || isUnderWay(current.sale))
    const away = current.isOffline ? s(isKept ? 'offline' : 'offline.idle') : ''
    return html`
      ${this.renderHead()}
      <main class=${this.screen}>${this.renderScreen()}</main>
      <p class="notice" role="status">${away || this.fault}</p>
    `
  }
}
