import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Checkout, Following } from './checkout.ts'
import { CheckoutController } from './checkout-controller.ts'
import { CheckoutSettings, own } from './checkout-settings.ts'
import { OfferLoader } from './offer-loader.ts'
import type { Payment, Stage } from './payment.ts'
import { ScreensLoader } from './screens-loader.ts'
import { load, walletEntryOf } from './session.ts'
import { Speaker } from './speaker.ts'
import { cardStyles } from './styles/card.ts'
import { controlStyles } from './styles/controls.ts'
import { parseSettings } from './terms.ts'
import { type CopyState, sayCopied, writeClipboard } from './ui/copy.ts'
import { Countdown } from './ui/countdown.ts'
import { viewDeposit } from './views/deposit.ts'
import { viewButton, viewPlain } from './views/frame.ts'
import { viewSkeleton } from './views/skeleton.ts'
import { viewBanner, viewStopped, viewUnreached } from './views/trouble.ts'
import type { QrChoice, View } from './views/view.ts'
import type { WalletPath } from './wallet/paths.ts'
import { loadWallet } from './wallet-loader.ts'
import { type Language, say, speak, type WordName, word } from './words/say.ts'

/**
 * @summary Takes one payment in USDC or USDT, to a deposit address or from a wallet in the browser, and follows it until it is paid.
 */
export class StablecoinCheckout extends CheckoutSettings {
  static override styles = cardStyles + controlStyles

  static override properties = {
    ...CheckoutSettings.properties,
    qrChoice: own,
    copyState: own,
    wallet: own,
    walletTries: own,
  }

  private qrChoice: QrChoice = 'address'
  private copyState: CopyState = null
  private wallet: WalletPath | null = null
  /** Times in a row that the code for wallets could not be loaded. */
  private walletTries = 0
  private readonly speaker = new Speaker(this)
  private readonly loader = new ScreensLoader()
  private readonly controller = new CheckoutController(this)
  private readonly around = new OfferLoader(this, this.controller, (words) => {
    if (words) this.speaker.learn(words, 'screens')
    this.configure()
  })
  private readonly countdown = new Countdown(this, (minutesLeft) => this.markTime(minutesLeft))
  private copyTimer: ReturnType<typeof setTimeout> | undefined
  private statusBefore = ''
  private hadFocus = false

  /** A wallet is asked, or has sent. */
  get isPaying(): boolean {
    return this.wallet?.isBusy ?? false
  }

  /** The payment on screen, as the service told it last; null before there is one. Also for scripts that came after `sc-ready`. */
  get payment(): Payment | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout.answer.payment : null
  }

  /** Opens the dialog of `display="modal"` or `"button"`, and makes the payment; does nothing in the page's flow. */
  open(): void {
    this.around.open()
  }

  /** Closes the dialog; the payment is still followed. */
  close(): void {
    this.around.offer?.close()
  }

  /** Asks the service now, instead of at the next turn. */
  refresh(): void {
    this.controller.lookNow()
  }

  /** Makes another payment with the same terms in place of one that has ended; for a `price`, at the rate of now. */
  restart(): void {
    const { around, controller } = this
    ;(around.offer ?? controller).restart()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.copyTimer)
    this.copyState = null
  }

  protected override willUpdate(isTold: boolean): void {
    // Not on every update: what was refused once must not be asked again because a second has passed.
    this.speaker.follow()
    if (isTold) this.configure()
    const { checkout } = this.controller
    const isOpen = checkout.phase === 'following' && (checkout.stage === 'awaiting' || checkout.stage === 'underpaid')
    this.countdown.aim(isOpen ? checkout.endsAtMs : null)
    this.hadFocus ||= this.renderRoot.activeElement !== null
    if (checkout.phase === 'loading') this.qrChoice = 'address'
    if (checkout.phase === 'following' && !this.wallet && !this.walletTries && isForWallet(checkout.answer.payment))
      void this.useWallet({ type: '' })
  }

  private configure(): void {
    // Not while the customer's wallet is asked: other terms now would hide what it is asked for.
    if (this.isPaying) return
    const { offer, isWanted } = this.around
    const wish = offer ? offer.wish() : isWanted ? this.around.load() : parseSettings(this)
    if (wish) this.controller.configure(wish)
  }

  protected override updated(): void {
    const status = this.find('[part=status]')?.textContent ?? ''
    if (status !== this.statusBefore) this.announce(status)
    this.statusBefore = status
    // A screen that took its buttons away must not drop a keyboard user at the top of the page.
    const goal = this.find('.title, [data-copy]:not([inert] *)')
    if (this.hadFocus && goal && !this.renderRoot.activeElement) goal.focus()
    this.hadFocus &&= !goal
    const { checkout } = this.controller
    if (checkout.phase !== 'idle' && checkout.phase !== 'loading')
      void this.loader.want(checkout, this, this.controller, this.speaker)
  }

  private get language(): Language {
    return this.speaker.language
  }

  private find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector(selector)
  }

  /** Tells a screen reader, after what it is saying. */
  private announce(words: string): void {
    const region = this.find('[role=status]')
    if (region) region.textContent = words
  }

  private markTime(minutesLeft: number): void {
    const words = this.loader.screens?.sayLeft(minutesLeft, this.language) ?? ''
    if (minutesLeft > 0) this.announce(words)
    else this.controller.lookNow()
  }

  private readonly copyText = async (name: string, text: string): Promise<void> => {
    const isCopied = await writeClipboard(text, this.find(`[data-source=${name}]`))
    if (!this.isConnected) return
    this.copyState = { name, isCopied }
    speak(this.language)
    this.announce(sayCopied(text, isCopied))
    clearTimeout(this.copyTimer)
    this.copyTimer = setTimeout(() => {
      this.copyState = null
    }, copiedShownMs)
  }

  private readonly useWallet = async ({ type }: { type: string }): Promise<void> => {
    try {
      const { WalletPath } = await loadWallet(this.walletTries)
      this.wallet ??= new WalletPath(this, this.controller)
      this.speaker.learn(WalletPath.english, 'wallet')
      this.walletTries = 0
      if (type === 'click') this.wallet.open()
    } catch {
      // A look ahead that failed is no news yet.
      if (type !== 'focus' && type !== 'pointerenter') this.walletTries++
    }
  }

  private readonly chooseQr = (choice: QrChoice): void => {
    this.qrChoice = choice
  }

  protected override render(): TemplateResult | typeof nothing {
    const { checkout } = this.controller
    const { language } = this
    const { offer } = this.around
    speak(language)
    const { code, isRtl } = language
    // Of the words, not of the page: English in one that runs from right to left would fall out of its order.
    const card = html`<section class="card" part="card" lang=${code} dir=${isRtl ? 'rtl' : 'ltr'} aria-label=${say('card')}>
      <slot name="header">${offer?.price(language)}</slot>
      ${this.renderScreen(checkout)}
      ${checkout.phase === 'following' ? viewBanner(checkout.line, this.walletTries > 0) : nothing}
      <p class="sr" role="status"></p>
      <slot name="footer"></slot>
    </section>`
    return offer ? offer.frame(card, language) : this.display === 'inline' ? card : nothing
  }

  private renderScreen(checkout: Checkout): TemplateResult {
    const { retry } = this.controller
    const restart = () => this.restart()
    switch (checkout.phase) {
      case 'misconfigured':
      case 'refused':
        return this.loader.screens?.viewStopped(checkout, this.language, restart) ?? viewStopped(checkout)
      case 'choosing':
        return this.loader.screens?.viewChoice(checkout.intent, this.language) ?? viewSkeleton()
      case 'idle':
        return viewSkeleton()
      case 'loading':
        return checkout.line.failures > 0 ? viewUnreached(checkout.line, retry) : viewSkeleton()
      case 'following':
        return this.renderPayment(checkout)
      default:
        return checkout satisfies never
    }
  }

  private renderPayment(following: Following): TemplateResult {
    const view: View = {
      language: this.language,
      following,
      leftMs: this.countdown.leftMs,
      qrChoice: this.qrChoice,
      copyState: this.copyState,
      onCopy: (name, text) => void this.copyText(name, text),
      onChooseQr: this.chooseQr,
      onRestart: () => this.restart(),
      onWallet: this.useWallet,
    }
    const screen = this.wallet?.view(view) ?? this.loader.screens?.view(view)
    if (screen) return screen
    const { stage, answer } = following
    const { payment } = answer
    if ((stage === 'awaiting' || stage === 'underpaid') && view.leftMs > 0) {
      if (payment.depositAddress) return viewDeposit(view, this.loader.screens?.viewMore(view))
      return this.walletTries ? viewButton(say('tryAgain'), () => void this.useWallet({ type: '' })) : viewSkeleton()
    }
    return viewPlain(payment, say(plainTitles[stage]), stage === 'paid' ? 'check' : 'clock')
  }
}

const timeUp = word('timeUp')

/** What is said of each stage while the file with its screen has not come. */
const plainTitles: Record<Stage, WordName> = {
  awaiting: timeUp,
  underpaid: timeUp,
  expired: timeUp,
  confirming: word('confirming'),
  paid: word('paid'),
  closed: word('closed'),
}

/** How long a button says that it copied. */
const copiedShownMs = 5000

/** Only a wallet can pay it, or one was asked to before the page was loaded anew. */
function isForWallet({ id, isContract }: Payment): boolean {
  return isContract || load(walletEntryOf(id)) !== null
}

declare global {
  interface HTMLElementTagNameMap {
    'stablecoin-checkout': StablecoinCheckout
  }
}
