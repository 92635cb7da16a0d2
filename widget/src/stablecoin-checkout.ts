import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type { Checkout, Following } from './checkout.ts'
import { CheckoutController } from './checkout-controller.ts'
import { CheckoutSettings } from './checkout-settings.ts'
import { LazyPart } from './lazy-part.ts'
import { setLocale, t } from './locales/locale.ts'
import { LocaleController } from './locales/locale-controller.ts'
import { type Payment, seenOf } from './payment.ts'
import { load, walletEntryOf } from './session.ts'
import { cardStyles } from './styles/card.ts'
import { controlStyles } from './styles/controls.ts'
import { parseSettings } from './terms.ts'
import { type CopyState, copiedText, writeClipboard } from './ui/copy.ts'
import { Countdown } from './ui/countdown.ts'
import { viewBanner, viewStopped, viewUnreached } from './views/connection.ts'
import { viewDeposit } from './views/deposit.ts'
import { viewButton, viewPlain } from './views/frame.ts'
import { viewSkeleton } from './views/skeleton.ts'
import type { QrChoice, View } from './views/view.ts'

const tag = 'stablecoin-checkout'

/** How long a button shows that it copied. */
const copiedShownMs = 5000

/**
 * @summary Takes one payment in USDC or USDT, to a deposit address or from a wallet in the browser, and follows it until it is paid.
 */
export class StablecoinCheckout extends CheckoutSettings {
  static override styles = [cardStyles, controlStyles]
  static override properties = {
    qrChoice: { state: true },
    copyState: { state: true },
    // Every element has a `lang`, which Lit must not replace; the attribute contains the language shown.
    language: { attribute: 'lang' },
  }

  private qrChoice: QrChoice = 'address'
  private copyState: CopyState = null

  private readonly controller = new CheckoutController(this)
  private readonly locales = new LocaleController(this)
  private readonly countdown = new Countdown(this, this.controller.pollNow)
  /** Every screen but the first: loaded as soon as the first is shown. */
  private readonly screens = this.lazyPart(
    () => import('./screens.ts'),
    ({ Screens }) => new Screens(this, this.controller),
  )
  private readonly wallet = this.lazyPart(
    () => import('./wallet/wallet-payments.ts'),
    ({ WalletPayments }) => new WalletPayments(this, this.controller),
  )
  /** The button, the dialog and the price, if the tag has one of them. */
  private readonly modal = this.lazyPart(
    () => import('./modal/modal.ts'),
    ({ Modal }) => new Modal(this, this.controller, () => this.configure()),
  )
  /** The page has called `open()`, which waits for the chunk. */
  private isOpenWanted = false
  private copyTimer: ReturnType<typeof setTimeout> | undefined
  private statusBefore = ''
  private hadFocus = false
  private hasNewSettings = true
  /** Some were set while a wallet prompt was open. */
  private areSettingsWaiting = false

  /** A wallet prompt is open, or the wallet has sent the payment. */
  get isPaying(): boolean {
    return this.wallet.part?.isBusy ?? false
  }

  /** The payment on screen, as last returned by the service; null until there is one. */
  get payment(): Payment | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout.answer.payment : null
  }

  /** Opens the dialog of `display="modal"` or `"button"`, and creates the payment. */
  open(): void {
    this.isOpenWanted = true
    this.modal.part?.open()
  }

  /** Closes the dialog; the payment is still followed. */
  close(): void {
    this.isOpenWanted = false
    this.modal.part?.close()
  }

  /** Polls the service now, instead of at the next interval. */
  refresh(): void {
    this.controller.pollNow()
  }

  /** Creates another payment with the same terms after one has ended; for a `price`, at the current rate. */
  restart(): void {
    if (!this.isPaying) this.controller.restart()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.copyTimer)
    this.copyState = null
  }

  /** A removed element renders nothing: another element may show the same payment by then. */
  protected override shouldUpdate(changed: PropertyValues): boolean {
    this.hasNewSettings ||= [...changed.keys()].some(isSetting)
    return this.isConnected
  }

  protected override willUpdate(): void {
    // Not on every update: a refused request must not be repeated because a second has passed.
    if (this.hasNewSettings || this.areSettingsWaiting) this.configure()
    this.hasNewSettings = false
    if (this.isModalNeeded && !this.modal.part)
      this.modal.want(() => {
        this.configure()
        if (this.isOpenWanted) this.open()
      })
    const { checkout } = this.controller
    const isOpen = checkout.phase === 'following' && (checkout.stage === 'awaiting' || checkout.stage === 'underpaid')
    this.countdown.aim(isOpen ? checkout.endsAtMs : null)
    this.hadFocus ||= this.renderRoot.activeElement !== null
    if (checkout.phase === 'loading') this.qrChoice = 'address'
    if (checkout.phase === 'following' && isForWallet(checkout.answer.payment)) this.wallet.want()
  }

  /** Its texts must be loaded, too. */
  private lazyPart<Module, Part>(importModule: () => Promise<Module>, create: (module: Module) => Part) {
    const importWithTexts = async () => {
      const [module] = await Promise.all([importModule(), this.locales.load()])
      return module
    }
    return new LazyPart(this, importWithTexts, create)
  }

  private get isModalNeeded(): boolean {
    return this.display !== 'inline' || this.price !== ''
  }

  private configure(): void {
    const areLate = this.areSettingsWaiting && !this.hasNewSettings
    // Not while a wallet prompt is open: other terms would hide what the wallet asks. Nor once its money is seen.
    this.areSettingsWaiting = this.isPaying
    if (this.isPaying || (areLate && this.payment && seenOf(this.payment))) return
    const { part } = this.modal
    const intent = part ? part.intent() : this.isModalNeeded ? null : parseSettings(this)
    if (intent) this.controller.configure(intent)
  }

  protected override updated(): void {
    const status = this.find('[part=status]')?.textContent ?? ''
    if (status !== this.statusBefore) this.announce(status)
    this.statusBefore = status
    // A screen that removed the focused button must not move a keyboard user to the top of the page.
    const goal = this.find('.title, [data-copy]:not([inert] *)')
    if (this.hadFocus && goal && !this.renderRoot.activeElement) goal.focus()
    this.hadFocus &&= !goal
    const { phase } = this.controller.checkout
    // After this update's frame: an import takes time.
    if (phase !== 'idle' && phase !== 'loading' && !this.screens.part)
      requestAnimationFrame(() => requestAnimationFrame(() => this.screens.want()))
  }

  private find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector(selector)
  }

  /** Announces a text to screen readers, after the current one. */
  private announce(text: string): void {
    const region = this.find('[role=status]')
    if (region) region.textContent = text
  }

  private readonly copyText = async (name: string, text: string): Promise<void> => {
    const isCopied = await writeClipboard(text, this.find(`[data-source=${name}]`))
    if (!this.isConnected) return
    this.copyState = { name, isCopied }
    setLocale(this.locales.locale)
    this.announce(copiedText(text, isCopied))
    clearTimeout(this.copyTimer)
    this.copyTimer = setTimeout(() => {
      this.copyState = null
    }, copiedShownMs)
  }

  private readonly useWallet = async ({ type }: { type: string }): Promise<void> => {
    const part = await this.wallet.load(type !== 'click')
    if (type === 'click') part?.open()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { locale } = this.locales
    setLocale(locale)
    const { checkout } = this.controller
    const { part } = this.modal
    // The direction of the texts, not of the page: English would be garbled on a right-to-left page.
    const card = html`<section class="card" part="card" lang=${locale.code} dir=${locale.isRtl ? 'rtl' : 'ltr'} aria-label=${t('card')}>
      <slot name="header">${part?.header(checkout)}</slot>
      ${this.renderScreen(checkout)}
      ${checkout.phase === 'following' ? viewBanner(checkout.line, this.wallet.failures > 0) : nothing}
      <p class="sr" role="status"></p>
      <slot name="footer"></slot>
    </section>`
    return part ? part.frame(card) : this.display === 'inline' ? card : nothing
  }

  private renderScreen(checkout: Checkout): TemplateResult {
    const { part } = this.screens
    switch (checkout.phase) {
      case 'misconfigured':
      case 'refused':
        return part?.viewStopped(checkout, this.controller.restart) ?? viewStopped()
      case 'choosing':
        return part?.viewChoice(checkout.intent) ?? viewSkeleton()
      case 'idle':
        return viewSkeleton()
      case 'loading':
        return checkout.line.failures > 0 ? viewUnreached(checkout.line, this.controller.retry) : viewSkeleton()
      case 'following':
        return this.renderPayment(checkout)
      default:
        return checkout satisfies never
    }
  }

  private renderPayment(following: Following): TemplateResult {
    const view: View = {
      language: this.locales.locale,
      following,
      leftMs: this.countdown.leftMs,
      qrChoice: this.qrChoice,
      copyState: this.copyState,
      onCopy: this.copyText,
      onChooseQr: (choice) => {
        this.qrChoice = choice
      },
      onRestart: this.controller.restart,
      onWallet: this.useWallet,
    }
    const screens = this.screens.part
    const screen = this.wallet.part?.view(view) ?? screens?.view(view)
    if (screen) return screen
    const { stage, answer } = following
    const { payment } = answer
    if ((stage === 'awaiting' || stage === 'underpaid') && view.leftMs > 0) {
      if (payment.depositAddress) return viewDeposit(view, screens?.viewMore(view))
      return this.wallet.failures ? viewButton(t('tryAgain'), () => void this.wallet.load()) : viewSkeleton()
    }
    return viewPlain(payment, stage)
  }
}

/** Set by the page, not by the element itself. */
function isSetting(name: PropertyKey): boolean {
  return StablecoinCheckout.getPropertyOptions(name).attribute !== false
}

/** Only a wallet can pay it, or a wallet was asked before the reload. */
function isForWallet({ id, isContract }: Payment): boolean {
  return isContract || load(walletEntryOf(id)) !== null
}

// A page may load the script twice; a defined element stays.
if (!customElements.get(tag)) customElements.define(tag, StablecoinCheckout)

declare global {
  interface HTMLElementTagNameMap {
    'stablecoin-checkout': StablecoinCheckout
  }
}
