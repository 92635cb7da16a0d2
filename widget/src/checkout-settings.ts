import { type Metadata, parseMetadata } from './terms.ts'
import { SmallElement } from './ui/small-element.ts'
import { metaOf, scriptUrl } from './wallet-loader.ts'

/** Set by nothing but the element itself. */
export const own = { attribute: false } as const

type Theme = 'light' | 'dark' | 'auto'

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
  apiBase: string = metaOf('api') || (scriptUrl ? new URL(scriptUrl).origin : '')
  /** The shop's public key, beginning with `pk_`; by default what the page's `<meta>` says. */
  publicKey: string = metaOf('public-key')
  /** Decimal text in whole tokens, like `25.00`. */
  amount = ''
  /** Symbol of the token, like `USDC`. */
  currency = ''
  /** Short name of the network, like `base`. */
  network = ''
  /** The shop's own reference; a paid order still says "paid" after a reload. */
  orderId = ''
  /** Given to the payment as it is. */
  customerEmail = ''
  /** Where the service posts webhooks of this payment. */
  callbackUrl = ''
  /** A flat object (in the attribute: JSON), returned in webhooks. */
  metadata: Metadata | null = null
  /** Follows this payment, made on your server, instead of creating one; then only `apiBase` is needed. */
  paymentId = ''
  /** Offers WalletConnect beside the browser's wallets; your own project at Reown. */
  walletconnectProjectId = ''
  /** `inline`, a dialog that `open()` opens (`modal`), or one behind a `button`. No payment is made before it is opened. */
  display: 'inline' | 'modal' | 'button' = 'inline'
  /** Decimal text in `priceCurrency`, in place of `amount`: converted at the service's rate, rounded up to a cent of the token. */
  price = ''
  /** ISO 4217 code, like `EUR`. */
  priceCurrency = ''

  /** `light`, `dark`, or `auto` (the default), which follows the customer's system. Only the styles read it. */
  get theme(): Theme {
    return (this.getAttribute('theme') ?? 'auto') as Theme
  }

  set theme(theme: Theme) {
    this.setAttribute('theme', theme)
  }
}
