import { type CSSResult, LitElement, type PropertyDeclarations } from 'lit'
import { attributeOf, type Metadata, metaOf, parseMetadata } from './terms.ts'

type Theme = 'light' | 'dark' | 'auto'

/** The settings that stand in their attributes too, unless they have their default. */
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
 * @csspart price - The price that the amount was made of, with its rate.
 * @csspart return - The way back to the shop.
 * @csspart button - The button that opens the dialog.
 * @csspart dialog - The dialog.
 * @csspart close - The button that closes the dialog.
 *
 * @cssproperty [--sc-accent=light-dark(#2b50c8, #93adff)] - Buttons, links, the focus.
 * @cssproperty [--sc-on-accent=light-dark(#fff, #0c1226)] - Words on a button of the accent's colour.
 * @cssproperty [--sc-background=light-dark(#fff, #15171c)] - The card.
 * @cssproperty [--sc-surface=light-dark(#f4f5f8, #20232b)] - Panels on the card.
 * @cssproperty [--sc-text=light-dark(#151922, #f2f4f8)] - Text.
 * @cssproperty [--sc-muted=light-dark(#59616f, #a7adba)] - Secondary text.
 * @cssproperty [--sc-border=light-dark(#dde1e8, #363b46)] - Lines.
 * @cssproperty [--sc-success=light-dark(#0a7548, #57cc96)] - Success.
 * @cssproperty [--sc-warning=light-dark(#85560a, #f2b950)] - Warnings.
 * @cssproperty [--sc-danger=light-dark(#b3261e, #ff958a)] - The last minute.
 * @cssproperty [--sc-radius=16px] - Corners of the card; smaller ones follow.
 * @cssproperty [--sc-font=system-ui, sans-serif] - Text font.
 * @cssproperty [--sc-font-mono=ui-monospace, Menlo, Consolas, monospace] - Font of addresses.
 * @cssproperty [--sc-shadow=0 12px 32px -14px #10182840] - The card's shadow.
 * @cssproperty [--sc-max-width=26rem] - The card's greatest width.
 * @cssproperty [--sc-backdrop=#000a] - The backdrop of the dialog.
 */
export abstract class CheckoutSettings extends LitElement {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(texts.map((name) => [name, { ...text, attribute: attributeOf(name) }])),
    metadata: { converter: { fromAttribute: parseMetadata } },
  }

  /** Lit makes an open shadow root. @protected */
  declare readonly renderRoot: ShadowRoot

  /** Address of the payment service; by default of the page's `<meta>`, else of the script. */
  apiBase: string = metaOf('api') || new URL(import.meta.url).origin
  /** The shop's public key, beginning with `pk_`; by default of the page's `<meta>`. Or the id of a payment link, beginning with `pl_`. */
  publicKey: string = metaOf('public-key')
  /** Decimal text in whole tokens, like `25.00`. */
  amount = ''
  /** Symbol of the token, like `USDC`. */
  currency = ''
  /** Short name of the network, like `base`. */
  network = ''
  /** The shop's own reference; a paid order still says "paid" after a reload. */
  orderId = ''
  /** The customer's e-mail address, stored with the payment. */
  customerEmail = ''
  /** URL for the webhooks of this payment. */
  callbackUrl = ''
  /** A flat object (in the attribute: JSON), returned in webhooks. */
  metadata: Metadata | null = null
  /** A payment made on your server, to be followed instead of creating one; then only `apiBase` is needed. */
  paymentId = ''
  /** The `clientSecret` of `paymentId`, with which the customer can name a refund address. */
  clientSecret = ''
  /** Your project at Reown: offers WalletConnect beside the browser's wallets. */
  walletconnectProjectId = ''
  /**
   * The payment splitter, or several, that wallets may be asked to call; by default the one that this project deploys on every
   * EVM chain.
   */
  splitter = ''
  /**
   * Your own wallets, one for each network, separated by spaces: wallets are asked to pay nobody else. By default the service
   * says who is paid.
   */
  merchantWallet = ''
  /** With `merchantWallet`: the basis points of a payment that others may get, like the platform's fee; by default 0. */
  maxFeeBps = ''
  /** Contract (on Solana: mint) of the token; by default of the network's known USDC or USDT. */
  tokenAddress = ''
  /** `inline`, a dialog that `open()` opens (`modal`), or one behind a `button`. No payment is made before it is opened. */
  display: 'inline' | 'modal' | 'button' = 'inline'
  /** Decimal text in `priceCurrency`, instead of `amount`: converted at the service's rate. */
  price = ''
  /** ISO 4217 code, like `EUR`. */
  priceCurrency = ''

  /** `auto` follows the customer's system. */
  theme: Theme = 'auto'
}

/** Adds the styles of a part that was loaded later. */
export function adoptStyles({ renderRoot }: CheckoutSettings, { styleSheet }: CSSResult): void {
  if (styleSheet) renderRoot.adoptedStyleSheets.push(styleSheet)
}
