// Made by `npm run describe -w widget`: what a page's scripts may use of the element, in one file that can be copied.

/** A QR code as the service drew it: `modules` holds size × size bits, row by row, highest bit first, 1 is dark. */
export type QrModules = { size: number; modules: Uint8Array }

/** What the element knows of a payment. Amounts are exact decimal text in whole tokens; empty text is "not said". */
export type Payment = {
  id: string
  outcome: string
  isFinal: boolean
  /** The window ended on the chain's clock, which may be ahead of the service's. */
  isExpired: boolean
  paymentState: string
  settlement: { state: string; message: string }
  amount: string
  /** Confirmed so far. */
  received: string
  /** Seen on chain, confirmed or not. */
  detected: string
  /** Still to send; what is seen but unconfirmed counts as sent. */
  remaining: string
  excess: string
  currency: string
  network: string
  /** Empty for a contract payment. */
  depositAddress: string
  /** The customer's wallet calls the splitter; there is no address to send to. */
  isContract: boolean
  /** Where a browser's wallet can pay it: negative on Solana, which has no number; 0 where none can: test payments are on no chain. */
  chainId: number
  confirmations: number
  requiredConfirmations: number
  expiresAtMs: number
  transactionHash: string
  isTest: boolean
  explorer: { address: string; transaction: string }
  merchant: string
  /** Addresses of pictures; empty where the service has none. */
  logo: { token: string; network: string }
  qr: { address: QrModules | null; uri: QrModules | null }
}

/**
 * The screen a payment calls for. Decided by `outcome` and the amounts, never by `status`; whatever is unknown waits.
 */
export type Stage = 'awaiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'closed'

export type Metadata = Record<string, string | number | boolean | null>

/** What the element emits; all events bubble and cross shadow roots. Fulfilment belongs to the merchant's server. */
export type CheckoutEvents = {
  /** A payment is on screen: created, continued after a reload, or followed by its id. */
  'sc-ready': { payment: Payment }
  /** The service answered a create request. */
  'sc-payment-created': { payment: Payment }
  /** Anything a customer could notice has changed. */
  'sc-status-change': { payment: Payment; stage: Stage; previousStage: Stage | null }
  /** Less than the amount was detected; emitted again each time `remaining` changes. */
  'sc-underpaid': { payment: Payment; remaining: string }
  /** The customer's wallet has sent the payment. Not yet confirmed: it may still fail. */
  'sc-transaction-sent': { payment: Payment; transactionHash: string }
  /** The payment is paid. Emitted again after a reload. */
  'sc-paid': { payment: Payment }
  /** The window ended before the payment was paid. */
  'sc-expired': { payment: Payment }
  /** The dialog was opened. */
  'sc-open': Record<string, never>
  /** The dialog was closed; the payment is still followed. */
  'sc-close': Record<string, never>
  /** The tag is wrong, the service refused, or it cannot be reached; `retryable`: the element retries by itself. */
  'sc-error': { code: string; message: string; retryable: boolean }
}

/** The attributes, as a template writes them. */
export type CheckoutAttributes = {
  'api-base'?: string
  'public-key'?: string
  amount?: string
  currency?: string
  network?: string
  'order-id'?: string
  'customer-email'?: string
  'callback-url'?: string
  metadata?: string
  'payment-id'?: string
  'client-secret'?: string
  'walletconnect-project-id'?: string
  splitter?: string
  'merchant-wallet'?: string
  'max-fee-bps'?: string
  'token-address'?: string
  display?: 'inline' | 'modal' | 'button'
  price?: string
  'price-currency'?: string
  theme?: 'light' | 'dark' | 'auto'
}

/** Takes one payment in USDC or USDT, to a deposit address or from a wallet in the browser, and follows it until it is paid. */
export interface StablecoinCheckout extends HTMLElement {
  /** Address of the payment service; by default of the page's `<meta>`, else of the script. */
  apiBase: string
  /** The shop's public key, beginning with `pk_`; by default of the page's `<meta>`. Or the id of a payment link, beginning with `pl_`. */
  publicKey: string
  /** Decimal text in whole tokens, like `25.00`. */
  amount: string
  /** Symbol of the token, like `USDC`. */
  currency: string
  /** Short name of the network, like `base`. */
  network: string
  /** The shop's own reference; a paid order still says "paid" after a reload. */
  orderId: string
  /** The customer's e-mail address, stored with the payment. */
  customerEmail: string
  /** URL for the webhooks of this payment. */
  callbackUrl: string
  /** A flat object (in the attribute: JSON), returned in webhooks. */
  metadata: Metadata | null
  /** A payment made on your server, to be followed instead of creating one; then only `apiBase` is needed. */
  paymentId: string
  /** The `clientSecret` of `paymentId`, with which the customer can name a refund address. */
  clientSecret: string
  /** Your project at Reown: offers WalletConnect beside the browser's wallets. */
  walletconnectProjectId: string
  /** The payment splitter, or several, that wallets may be asked to call; by default the one that this project deploys on every
EVM chain. */
  splitter: string
  /** Your own wallets, one for each network, separated by spaces: wallets are asked to pay nobody else. By default the service
says who is paid. */
  merchantWallet: string
  /** With `merchantWallet`: the basis points of a payment that others may get, like the platform's fee; by default 0. */
  maxFeeBps: string
  /** Contract (on Solana: mint) of the token; by default of the network's known USDC or USDT. */
  tokenAddress: string
  /** `inline`, a dialog that `open()` opens (`modal`), or one behind a `button`. No payment is made before it is opened. */
  display: 'inline' | 'modal' | 'button'
  /** Decimal text in `priceCurrency`, instead of `amount`: converted at the service's rate. */
  price: string
  /** ISO 4217 code, like `EUR`. */
  priceCurrency: string
  /** `auto` follows the customer's system. */
  theme: 'light' | 'dark' | 'auto'
  /** A wallet is asked, or has sent. */
  readonly isPaying: boolean
  /** The payment on screen, as the service answered last; null before there is one. */
  readonly payment: Payment | null
  /** Opens the dialog of `display="modal"` or `"button"`, and creates the payment. */
  open(): void
  /** Closes the dialog; the payment is still followed. */
  close(): void
  /** Asks the service now, instead of at the next poll. */
  refresh(): void
  /** Creates another payment with the same terms after one that has ended; for a `price`, at the current rate. */
  restart(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'stablecoin-checkout': StablecoinCheckout
  }
  interface GlobalEventHandlersEventMap {
    'sc-ready': CustomEvent<CheckoutEvents['sc-ready']>
    'sc-payment-created': CustomEvent<CheckoutEvents['sc-payment-created']>
    'sc-status-change': CustomEvent<CheckoutEvents['sc-status-change']>
    'sc-underpaid': CustomEvent<CheckoutEvents['sc-underpaid']>
    'sc-transaction-sent': CustomEvent<CheckoutEvents['sc-transaction-sent']>
    'sc-paid': CustomEvent<CheckoutEvents['sc-paid']>
    'sc-expired': CustomEvent<CheckoutEvents['sc-expired']>
    'sc-open': CustomEvent<CheckoutEvents['sc-open']>
    'sc-close': CustomEvent<CheckoutEvents['sc-close']>
    'sc-error': CustomEvent<CheckoutEvents['sc-error']>
  }
}
