// Made by `npm run describe -w widget`: the element's API for a page's scripts, in one file that can be copied.

/** A QR code drawn by the service: `modules` holds size × size bits, row by row, highest bit first, 1 is dark. */
export type QrModules = { size: number; modules: Uint8Array }

/** The element's view of a payment. Amounts are exact decimal text in whole tokens; empty text means unknown. */
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
  /** Detected on chain, confirmed or not. */
  detected: string
  /** Still to send; detected but unconfirmed transfers count as sent. */
  remaining: string
  excess: string
  currency: string
  network: string
  /** Empty for a contract payment. */
  depositAddress: string
  /** The customer's wallet calls the splitter; the payment has no deposit address. */
  isContract: boolean
  /**
   * The EVM chain id for browser wallets; -1 on Solana, which has none; -2 on Tron in a browser with a Tron wallet; 0 if no wallet can pay,
   * as for test payments, which are on no chain.
   */
  chainId: number
  confirmations: number
  requiredConfirmations: number
  expiresAtMs: number
  transactionHash: string
  isTest: boolean
  explorer: { address: string; transaction: string }
  merchant: string
  /** Image URLs; empty if the service has none. */
  logo: { token: string; network: string }
  qr: { address: QrModules | null; uri: QrModules | null }
}

/** The screen for a payment. Decided by `outcome` and the amounts, never by `status`; unknown values wait. */
export type Stage = 'awaiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'closed'

export type Metadata = Record<string, string | number | boolean | null>

/** The element's events; all bubble and cross shadow roots. Fulfil orders only on the merchant's server. */
export type CheckoutEvents = {
  /** A payment is on screen: created, continued after a reload, or followed by its id. */
  'sc-ready': { payment: Payment }
  /** The service answered a create request. */
  'sc-payment-created': { payment: Payment }
  /** Any visible change. */
  'sc-status-change': { payment: Payment; stage: Stage; previousStage: Stage | null }
  /** Less than the amount was detected; emitted again each time `remaining` changes. */
  'sc-underpaid': { payment: Payment; remaining: string }
  /** The customer's wallet has sent the payment. Not confirmed yet: the transaction may still fail. */
  'sc-transaction-sent': { payment: Payment; transactionHash: string }
  /** The payment is paid. Emitted again after a reload. */
  'sc-paid': { payment: Payment }
  /** The window ended before the payment was paid. */
  'sc-expired': { payment: Payment }
  /** The dialog was opened. */
  'sc-open': Record<string, never>
  /** The dialog was closed; the payment is still followed. */
  'sc-close': Record<string, never>
  /**
   * The tag is invalid, the service refused, or the service is unreachable; `retryable`: the element retries
   * automatically.
   */
  'sc-error': { code: string; message: string; retryable: boolean }
}

/** The attributes, as written in a template. */
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
  /** URL of the payment service; by default from the page's `<meta>`, else from the script's URL. */
  apiBase: string
  /** The shop's public key, starting with `pk_`; by default from the page's `<meta>`. Or the id of a payment link,
starting with `pl_`. */
  publicKey: string
  /** Decimal text in whole tokens, like `25.00`. */
  amount: string
  /** Symbol of the token, like `USDC`. */
  currency: string
  /** Short name of the network, like `base`. */
  network: string
  /** The shop's own reference; a paid order stays paid after a reload. */
  orderId: string
  /** The customer's e-mail address, stored with the payment. */
  customerEmail: string
  /** URL for the webhooks of this payment. */
  callbackUrl: string
  /** A flat object (JSON in the attribute), included in webhooks. */
  metadata: Metadata | null
  /** A payment created on your server, to follow instead of creating one; only `apiBase` is then required. */
  paymentId: string
  /** The `clientSecret` of `paymentId`, which allows the customer to set a refund address. */
  clientSecret: string
  /** Your Reown project id: offers WalletConnect in addition to browser wallets. */
  walletconnectProjectId: string
  /** The payment splitters that wallets may call; by default the one this project deploys on every EVM chain. */
  splitter: string
  /** Your wallets, one per network, separated by spaces: wallets may pay no other. By default the service names the
payee. */
  merchantWallet: string
  /** With `merchantWallet`: the basis points that others may receive, such as the platform's fee; default 0. */
  maxFeeBps: string
  /** Token contract (on Solana: mint); by default the network's known USDC or USDT. */
  tokenAddress: string
  /** `inline`, a dialog opened by `open()` (`modal`), or one behind a `button`. The payment is created when it opens. */
  display: 'inline' | 'modal' | 'button'
  /** Decimal text in `priceCurrency`, instead of `amount`: converted at the service's rate. */
  price: string
  /** ISO 4217 code, like `EUR`. */
  priceCurrency: string
  /** `auto` follows the customer's system setting. */
  theme: 'light' | 'dark' | 'auto'
  /** A wallet prompt is open, or the wallet has sent the payment. */
  readonly isPaying: boolean
  /** The payment on screen, as last returned by the service; null until there is one. */
  readonly payment: Payment | null
  /** Opens the dialog of `display="modal"` or `"button"`, and creates the payment. */
  open(): void
  /** Closes the dialog; the payment is still followed. */
  close(): void
  /** Polls the service now, instead of at the next interval. */
  refresh(): void
  /** Creates another payment with the same terms after one has ended; for a `price`, at the current rate. */
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
