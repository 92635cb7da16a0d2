import { type Metadata, parseMetadata } from './terms.ts'
import { SmallElement } from './ui/small-element.ts'
import { metaOf, scriptUrl } from './wallet-loader.ts'

/** Set by nothing but the element itself. */
export const own = { attribute: false } as const

/** What a page sets, by attribute or by property. */
export abstract class CheckoutSettings extends SmallElement {
  static override properties = {
    apiBase: {},
    publicKey: {},
    amount: {},
    currency: {},
    network: {},
    orderId: {},
    customerEmail: {},
    callbackUrl: {},
    metadata: { parse: parseMetadata },
    paymentId: {},
    walletconnectProjectId: {},
    display: {},
    price: {},
    priceCurrency: {},
  }

  /** Address of the payment service; by default what the page's `<meta>` says, else where the script came from. */
  apiBase = metaOf('api') || (scriptUrl ? new URL(scriptUrl).origin : '')
  /** The shop's public key, beginning with `pk_`; by default what the page's `<meta>` says. */
  publicKey = metaOf('public-key')
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
  /** `inline`, a dialog that `open()` opens (`modal`), or one behind a `button`. No payment is made before it is opened. */
  display = 'inline'
  /** Decimal text in `priceCurrency`, in place of `amount`: converted at the service's rate, rounded up to a cent of the token. */
  price = ''
  /** ISO 4217 code, like `EUR`. */
  priceCurrency = ''
  /** `light`, `dark`, or `auto`, which follows the customer's system. Only the styles read it. */
  get theme(): string {
    return this.getAttribute('theme') ?? 'auto'
  }

  set theme(theme: string) {
    this.setAttribute('theme', theme)
  }
}
