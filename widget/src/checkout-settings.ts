import { type CSSResult, LitElement } from 'lit'
import { property } from 'lit/decorators.js'
import { type Metadata, parseMetadata } from './terms.ts'

type Theme = 'light' | 'dark' | 'auto'

/** Text that stands in its attribute, too, unless it is the default. */
const setting = (attribute: string) =>
  property({
    attribute,
    reflect: true,
    useDefault: true,
    converter: { toAttribute: (text: string) => text || null },
  })

/** What a page says once for all its elements: `<meta name="stablecoin-checkout:api" content="https://…">`. */
const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="stablecoin-checkout:${name}"]`)?.content ?? ''

/**
 * What a page sets, by attribute or by property, and how it makes the element its own.
 *
 * @slot header - At the head of the card; by default the price, where the tag has one.
 * @slot footer - At the foot of the card.
 * @slot button - What the button says, with `display="button"`.
 *
 * @csspart card - The whole card.
 * @csspart qr - The QR code.
 * @csspart amount - The amount with its token.
 * @csspart address - The deposit address.
 * @csspart countdown - The time left.
 * @csspart status - The line that says how the payment stands.
 * @csspart button - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart close - The button that closes the dialog.
 *
 * @cssproperty [--sc-accent=light-dark(#2b50c8, #93adff)] - Buttons, links, the focus.
 * @cssproperty [--sc-on-accent=light-dark(#fff, #0c1226)] - Words on a button of the accent's colour.
 * @cssproperty [--sc-background=light-dark(#fff, #15171c)] - The card.
 * @cssproperty [--sc-surface=light-dark(#f4f5f8, #20232b)] - Panels on the card.
 * @cssproperty [--sc-text=light-dark(#151922, #f2f4f8)] - Words.
 * @cssproperty [--sc-muted=light-dark(#59616f, #a7adba)] - Words of less weight.
 * @cssproperty [--sc-border=light-dark(#dde1e8, #363b46)] - Lines.
 * @cssproperty [--sc-success=light-dark(#0a7548, #57cc96)] - What is done.
 * @cssproperty [--sc-warning=light-dark(#85560a, #f2b950)] - What to mind.
 * @cssproperty [--sc-danger=light-dark(#b3261e, #ff958a)] - The last minute.
 * @cssproperty [--sc-radius=16px] - Corners of the card; smaller ones follow.
 * @cssproperty [--sc-font=system-ui, sans-serif] - Letters.
 * @cssproperty [--sc-font-mono=ui-monospace, Menlo, Consolas, monospace] - Letters of addresses.
 * @cssproperty [--sc-shadow=0 12px 32px -14px #10182840] - The card's shadow.
 * @cssproperty [--sc-max-width=26rem] - The card is no wider.
 * @cssproperty [--sc-backdrop=#000a] - What lies behind the dialog.
 */
export abstract class CheckoutSettings extends LitElement {
  /** Lit makes an open shadow root. @protected */
  declare readonly renderRoot: ShadowRoot

  /** Address of the payment service; by default what the page's `<meta>` says, else where the script came from. */
  @setting('api-base')
  apiBase: string = metaOf('api') || new URL(import.meta.url).origin
  /** The shop's public key, beginning with `pk_`; by default what the page's `<meta>` says. */
  @setting('public-key')
  publicKey: string = metaOf('public-key')
  /** Decimal text in whole tokens, like `25.00`. */
  @setting('amount')
  amount = ''
  /** Symbol of the token, like `USDC`. */
  @setting('currency')
  currency = ''
  /** Short name of the network, like `base`. */
  @setting('network')
  network = ''
  /** The shop's own reference; a paid order still says "paid" after a reload. */
  @setting('order-id')
  orderId = ''
  /** Given to the payment as it is. */
  @setting('customer-email')
  customerEmail = ''
  /** Where the service posts webhooks of this payment. */
  @setting('callback-url')
  callbackUrl = ''
  /** A flat object (in the attribute: JSON), returned in webhooks. */
  @property({ converter: { fromAttribute: parseMetadata } })
  metadata: Metadata | null = null
  /** Follows this payment, made on your server, instead of creating one; then only `apiBase` is needed. */
  @setting('payment-id')
  paymentId = ''
  /**
   * What the create of `paymentId` answered as `clientSecret`: with it, the customer can name the address that money goes back
   * to. A payment that the element creates needs none.
   */
  @setting('client-secret')
  clientSecret = ''
  /** Offers WalletConnect beside the browser's wallets; your own project at Reown. */
  @setting('walletconnect-project-id')
  walletconnectProjectId = ''
  /**
   * The payment splitter that wallets are asked to call, or several; by default the one that this project deploys at one
   * address on every EVM chain. A service that names another is refused.
   */
  @setting('splitter')
  splitter = ''
  /**
   * Your own wallets, separated by spaces: one for each network you take money on. Wallets are then asked to pay nobody else,
   * whatever the service says. By default the service says who is paid.
   */
  @setting('merchant-wallet')
  merchantWallet = ''
  /** With `merchantWallet`: the share in basis points that others may get of a payment, like the platform's fee. By default 0. */
  @setting('max-fee-bps')
  maxFeeBps = ''
  /** Contract (on Solana: mint) of the token; by default that of the known USDC or USDT of the network. */
  @setting('token-address')
  tokenAddress = ''
  /** `inline`, a dialog that `open()` opens (`modal`), or one behind a `button`. No payment is made before it is opened. */
  @setting('display')
  display: 'inline' | 'modal' | 'button' = 'inline'
  /** Decimal text in `priceCurrency`, in place of `amount`: converted at the service's rate, rounded up to a cent of the token. */
  @setting('price')
  price = ''
  /** ISO 4217 code, like `EUR`. */
  @setting('price-currency')
  priceCurrency = ''

  /** `light`, `dark`, or `auto`, which follows the customer's system. Only the styles read it. */
  @setting('theme')
  theme: Theme = 'auto'
}

/** Adds the styles of a part that was loaded later. */
export function adoptStyles({ renderRoot }: CheckoutSettings, { styleSheet }: CSSResult): void {
  if (styleSheet) renderRoot.adoptedStyleSheets.push(styleSheet)
}
