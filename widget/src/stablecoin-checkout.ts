import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Checkout, Following } from './checkout.ts'
import { CheckoutController } from './checkout-controller.ts'
import type { Payment } from './payment.ts'
import { ScreensLoader } from './screens-loader.ts'
import { load, walletEntryOf } from './session.ts'
import type { SolanaPath } from './solana/solana-path.ts'
import { cardStyles } from './styles/card.ts'
import { controlStyles } from './styles/controls.ts'
import { type Metadata, parseSettings } from './terms.ts'
import { type CopyState, sayCopied, writeClipboard } from './ui/copy.ts'
import { Countdown } from './ui/countdown.ts'
import { SmallElement } from './ui/small-element.ts'
import { viewDeposit } from './views/deposit.ts'
import { viewButton, viewPlain } from './views/frame.ts'
import { viewSkeleton } from './views/skeleton.ts'
import { viewBanner, viewMisconfigured, viewRefused, viewUnreached } from './views/trouble.ts'
import type { QrChoice, View } from './views/view.ts'
import type { WalletPath } from './wallet/wallet-path.ts'
import { loadSolana, loadWallet, scriptUrl } from './wallet-loader.ts'
import { first } from './words/english.ts'
import { type Language, say, speak, type Words } from './words/say.ts'

/**
 * @summary Takes one payment in USDC or USDT, to a deposit address or from a wallet in the browser, and follows it until it is paid.
 *
 * @event sc-ready - A payment is on screen.
 * @event sc-payment-created - The service answered a create request.
 * @event sc-status-change - Something a customer could notice has changed.
 * @event sc-underpaid - Less than the amount was seen.
 * @event sc-transaction-sent - The customer's wallet has sent the payment; it is not confirmed yet.
 * @event sc-paid - The customer's money is in.
 * @event sc-expired - The window ended before the payment was paid.
 * @event sc-error - The tag is wrong, the service refused, or it cannot be reached.
 *
 * @csspart card - The whole card.
 * @csspart qr - The QR code.
 * @csspart amount - The amount with its token.
 * @csspart address - The deposit address.
 * @csspart countdown - The time left.
 * @csspart status - The line that says how the payment stands.
 */
export class StablecoinCheckout extends SmallElement {
  static override styles = cardStyles + controlStyles

  static override properties = {
    apiBase: { attribute: 'api-base' },
    publicKey: { attribute: 'public-key' },
    amount: { attribute: 'amount' },
    currency: { attribute: 'currency' },
    network: { attribute: 'network' },
    orderId: { attribute: 'order-id' },
    customerEmail: { attribute: 'customer-email' },
    callbackUrl: { attribute: 'callback-url' },
    metadata: { attribute: 'metadata', parse: parseMetadata },
    paymentId: { attribute: 'payment-id' },
    walletconnectProjectId: { attribute: 'walletconnect-project-id' },
    qrChoice: {},
    copyState: {},
    wallet: {},
    walletTries: {},
  }

  /** Address of the payment service; by default where the script came from. */
  apiBase = scriptUrl ? new URL(scriptUrl).origin : ''
  /** The shop's public key, beginning with `pk_`. */
  publicKey = ''
  /** Decimal text in whole tokens, like `25.00`. */
  amount = ''
  /** Symbol of the token, like `USDC`. */
  currency = ''
  /** Short name of the network, like `base`. */
  network = ''
  /** The shop's own reference. */
  orderId = ''
  customerEmail = ''
  /** Where the service posts webhooks of this payment. */
  callbackUrl = ''
  /** Told to the merchant's server with the payment; a flat object. */
  metadata: Metadata | null = null
  /** Follows this payment, made on the merchant's server, instead of creating one. */
  paymentId = ''
  /** Offers WalletConnect too; the merchant's own project at Reown. */
  walletconnectProjectId = ''
  private qrChoice: QrChoice = 'address'
  private copyState: CopyState = null
  private wallet: WalletPath | SolanaPath | null = null
  private isWalletOnSolana = false
  /** Times in a row that the code for wallets could not be loaded. */
  private walletTries = 0
  private language: Language = { code: 'en', isRtl: false, words: first }
  private readonly loader = new ScreensLoader()
  private readonly controller = new CheckoutController(this)
  private readonly countdown = new Countdown(this, (minutesLeft) => this.markTime(minutesLeft))
  private statusBefore = ''
  private hadFocus = false

  /** `light`, `dark`, or `auto`, which follows the customer's system. Only the styles read it. */
  get theme(): string {
    return this.getAttribute('theme') ?? 'auto'
  }

  set theme(theme: string) {
    this.setAttribute('theme', theme)
  }

  /** The payment on screen, or null: for scripts that came after `sc-ready`. */
  get payment(): Payment | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout.answer.payment : null
  }

  protected override willUpdate(changed: ReadonlySet<string>): void {
    // Not on every update: what was refused once must not be asked again because a second has passed.
    // Nor while the customer's wallet is asked: other terms now would hide what it is asked for.
    if (!this.wallet?.isBusy && (!this.hasUpdated || [...changed].some((name) => !ownNames.has(name))))
      this.controller.configure(parseSettings(this))
    const { checkout } = this.controller
    const isOpen = checkout.phase === 'following' && (checkout.stage === 'awaiting' || checkout.stage === 'underpaid')
    this.countdown.aim(isOpen ? checkout.endsAtMs : null)
    this.hadFocus ||= this.renderRoot.activeElement !== null
    if (checkout.phase === 'loading') this.qrChoice = 'address'
    const isWanted = checkout.phase === 'following' && isForWallet(checkout.answer.payment)
    if (isWanted && !this.isWalletFor(checkout.answer.payment) && !this.walletTries) void this.useWallet({ type: '' })
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
    if (checkout.phase === 'following' || checkout.phase === 'refused')
      void this.loader.want(checkout, this, this.controller, (words) => this.learn(words))
  }

  /** More words have come; what the customer's own language said already stays. */
  private learn(words: Words): void {
    const { language } = this
    this.language = { ...language, words: { ...words, ...language.words } }
    this.requestUpdate()
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
    speak(this.language)
    if (minutesLeft > 0) this.announce(say('minutesLeft', minutesLeft))
    else this.controller.lookNow()
  }

  private readonly copyText = async (name: string, text: string): Promise<void> => {
    const isCopied = await writeClipboard(text, this.find(`[data-source=${name}]`))
    const copyState = { name, isCopied }
    this.copyState = copyState
    speak(this.language)
    this.announce(sayCopied(text, isCopied))
    setTimeout(() => {
      if (this.copyState === copyState) this.copyState = null
    }, copiedShownMs)
  }

  private readonly useWallet = async ({ type }: { type: string }): Promise<void> => {
    try {
      const isSolana = this.payment?.isSolana === true
      const Path = isSolana
        ? (await loadSolana(this.walletTries)).SolanaPath
        : (await loadWallet(this.walletTries)).WalletPath
      if (!(this.wallet instanceof Path)) this.wallet = new Path(this, this.controller)
      this.isWalletOnSolana = isSolana
      this.learn(Path.english)
      this.walletTries = 0
      if (type === 'click') this.wallet?.open()
    } catch {
      // A look ahead that failed is no news yet.
      if (type !== 'focus' && type !== 'pointerenter') this.walletTries++
    }
  }

  /** The page may have been given another order, on a network that other wallets pay on. */
  private isWalletFor({ isSolana }: Payment): boolean {
    return this.wallet !== null && this.isWalletOnSolana === isSolana
  }

  private readonly chooseQr = (choice: QrChoice): void => {
    this.qrChoice = choice
  }

  protected override render(): TemplateResult {
    const { checkout } = this.controller
    speak(this.language)
    // The words are English in every page; in one that runs from right to left, amounts would fall out of their order.
    return html`<section class="card" part="card" lang="en" dir="ltr" aria-label=${say('card')}>
      ${this.renderScreen(checkout)}
      ${checkout.phase === 'following' ? viewBanner(checkout.line, this.walletTries > 0) : nothing}
      <p class="sr" role="status"></p>
    </section>`
  }

  private renderScreen(checkout: Checkout): TemplateResult {
    const { retry, restart } = this.controller
    switch (checkout.phase) {
      case 'misconfigured':
        return viewMisconfigured(checkout.problems)
      case 'refused':
        return viewRefused(checkout.fault, restart)
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
      onRestart: this.controller.restart,
      onWallet: this.useWallet,
    }
    const own = this.isWalletFor(following.answer.payment) ? this.wallet?.view(view) : null
    const screen = own ?? this.loader.screens?.view(view)
    if (screen) return screen
    const { payment } = following.answer
    switch (following.stage) {
      case 'awaiting':
      case 'underpaid':
        if (view.leftMs === 0) return viewPlain(payment, 'clock', say('timeUp'))
        if (!payment.isContract) return viewDeposit(view)
        return this.walletTries ? viewButton(say('tryAgain'), () => void this.useWallet({ type: '' })) : viewSkeleton()
      case 'confirming':
        return viewPlain(payment, 'clock', say('confirming'))
      case 'paid':
        return viewPlain(payment, 'check', say('paid'))
      case 'expired':
        return viewPlain(payment, 'clock', say('timeUp'))
      case 'closed':
        return viewPlain(payment, 'clock', say('closed'))
      default:
        return following.stage satisfies never
    }
  }
}

/** How long a button says that it copied. */
const copiedShownMs = 5000

/** Properties that say nothing about the payment. */
const ownNames = new Set(['qrChoice', 'copyState', 'wallet', 'walletTries'])

/** Only a wallet can pay it, or one was asked to before the page was loaded anew. */
function isForWallet({ id, isContract }: Payment): boolean {
  return isContract || load(walletEntryOf(id)) !== null
}

/** Text that is not JSON stays text, for the configuration check to name. */
function parseMetadata(text: string): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stablecoin-checkout': StablecoinCheckout
  }
}
