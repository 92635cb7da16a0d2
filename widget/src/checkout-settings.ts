import { type CSSResult, LitElement, type PropertyDeclarations } from 'lit'
import { attributeOf, type Metadata, metaOf, parseMetadata } from './terms.ts'

type Theme = 'light' | 'dark' | 'auto'

/** Settings reflected to attributes unless they have their default. */
const texts = [
  'apiBase',
  'publicKey',
  'amount',
  'currency',
  'network',
  'orderId',
  'customerEmail',
  'callbackUrl',
  'paymentId',
  'clientSecret',
  'walletconnectProjectId',
  'splitter',
  'merchantWallet',
  'maxFeeBps',
  'tokenAddress',
  'display',
  'price',
  'priceCurrency',
  'theme',
]
const text = { reflect: true, useDefault: true, converter: { toAttribute: (value: string) => value || null } }

/**
 * The settings of the element, by attribute or property, and its styling.
 * @slot header - The top of the card; by default the price, if the tag has one.
 * @slot footer - The bottom of the card.
 * @slot button - The button's label, with `display="button"`.
 *
 * @csspart card - The whole card.
 * @csspart qr - The QR code.
 * @csspart amount - The amount with its token.
 * @csspart address - The deposit address.
 * @csspart countdown - The time left.
 * @csspart status - The payment's status line.
 * @csspart price - The price that the amount was converted from, with its rate.
 * @csspart return - The link back to the shop.
 * @csspart button - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart close - The button that closes the dialog.
 * @cssproperty [--sc-accent=light-dark(#2b50c8, #93adff)] - Buttons, links, focus outline.
 * @cssproperty [--sc-on-accent=light-dark(#fff, #0c1226)] - Text on accent-coloured buttons. With another accent: black
 *   or white by contrast.
 * @cssproperty [--sc-background=light-dark(#fff, #15171c)] - The card.
 * @cssproperty [--sc-surface=light-dark(#f4f5f8, #20232b)] - Panels on the card.
 * @cssproperty [--sc-text=light-dark(#151922, #f2f4f8)] - Text.
 * @cssproperty [--sc-muted=light-dark(#59616f, #a7adba)] - Secondary text.
 * @cssproperty [--sc-border=light-dark(#dde1e8, #363b46)] - Lines.
 * @cssproperty [--sc-success=light-dark(#0a7548, #57cc96)] - Success.
 * @cssproperty [--sc-warning=light-dark(#85560a, #f2b950)] - Warnings.
 * @cssproperty [--sc-danger=light-dark(#b3261e, #ff958a)] - Errors, and the countdown's last minute.
 * @cssproperty [--sc-radius=16px] - Corners of the card; smaller ones follow.
 * @cssproperty [--sc-font=system-ui, sans-serif] - Text font.
 * @cssproperty [--sc-font-mono=ui-monospace, Menlo, Consolas, monospace] - Font of addresses.
 * @cssproperty [--sc-shadow=0 12px 32px -14px #10182840] - The card's shadow.
 * @cssproperty [--sc-max-width=26rem] - Maximum width of the card.
 * @cssproperty [--sc-backdrop=#000a] - The backdrop of the dialog.
 */
export abstract class CheckoutSettings extends LitElement {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(texts.map((name) => [name, { ...text, attribute: attributeOf(name) }])),
    metadata: { converter: { fromAttribute: parseMetadata } },
  }

  /** Lit creates an open shadow root. @protected */
  declare readonly renderRoot: ShadowRoot

  /** URL of the payment service; by default from the page's `<meta>`, else from the script's URL. */
  apiBase: string = metaOf('api') || new URL(import.meta.url).origin
  /**
   * The shop's public key, starting with `pk_`; by default from the page's `<meta>`. Or the id of a payment link,
   * starting with `pl_`.
   */
  publicKey: string = metaOf('public-key')
  /** Decimal text in whole tokens, like `25.00`. */
  amount = ''
  /** Symbol of the token, like `USDC`. */
  currency = ''
  /** Short name of the network, like `base`. */
  network = ''
  /** The shop's own reference; a paid order stays paid after a reload. */
  orderId = ''
  /** The customer's e-mail address, stored with the payment. */
  customerEmail = ''
  /** URL for the webhooks of this payment. */
  callbackUrl = ''
  /** A flat object (JSON in the attribute), included in webhooks. */
  metadata: Metadata | null = null
  /** A payment created on your server, to follow instead of creating one; only `apiBase` is then required. */
  paymentId = ''
  /** The `clientSecret` of `paymentId`, which allows the customer to set a refund address. */
  clientSecret = ''
  /** Your Reown project id: offers WalletConnect in addition to browser wallets. */
  walletconnectProjectId = ''
  /** The payment splitters that wallets may call; by default the one this project deploys on every EVM chain. */
  splitter = ''
  /**
   * Your wallets, one per network, separated by spaces: wallets may pay no other. By default the service names the
   * payee.
   */
  merchantWallet = ''
  /** With `merchantWallet`: the basis points that others may receive, such as the platform's fee; default 0. */
  maxFeeBps = ''
  /** Token contract (on Solana: mint); by default the network's known USDC or USDT. */
  tokenAddress = ''
  /**
   * `inline`, a dialog opened by `open()` (`modal`), or one behind a `button`. The payment is created when it opens.
   */
  display: 'inline' | 'modal' | 'button' = 'inline'
  /** Decimal text in `priceCurrency`, instead of `amount`: converted at the service's rate. */
  price = ''
  /** ISO 4217 code, like `EUR`. */
  priceCurrency = ''

  /** `auto` follows the customer's system setting. */
  theme: Theme = 'auto'
}

/** Adds the styles of a lazily loaded part. */
export function adoptStyles({ renderRoot }: CheckoutSettings, { styleSheet }: CSSResult): void {
  if (styleSheet) renderRoot.adoptedStyleSheets.push(styleSheet)
}
