import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import {
  AbstractPaymentProvider,
  BigNumber,
  MedusaError,
  ModuleProvider,
  Modules,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils'
import { CheckoutError, type Client, createClient, verifyWebhook } from '@stablecoin-checkout/client'

type Options = {
  /** The URL of your stablecoin-checkout service, without `/api`. */
  checkoutUrl: string
  apiKey: string
  apiSecret: string
  /** The merchant's webhook secret, `whsec_…`. */
  webhookSecret: string
  /** The public https URL of this Medusa, to which the service posts its webhooks. */
  backendUrl: string
  /** The provider's `id` in `medusa-config.ts`. */
  id: string
  /** The URL that the payment page returns the customer to. */
  returnUrl?: string
  /** Whether to create payments in the service's sandbox, in which no money moves. */
  isTest?: boolean
}

/** The data of a payment session that Medusa stores and shows to the storefront. `url`: the page on which the customer pays. */
type Session = {
  session_id: string
  linkId: string
  url: string
  price: string
  currency: string
  /** `url`: the page on which the customer names an address. Send it to the customer only. */
  refunds?: { id: string; url: string | null }[]
}

const required = ['checkoutUrl', 'apiKey', 'apiSecret', 'webhookSecret', 'backendUrl', 'id'] as const

/**
 * Takes USDC and USDT in Medusa 2. Each payment session is a payment link with the session's price; the customer chooses
 * network and token on the link's page. The service's signed webhook captures the payment and completes the cart.
 */
export class StablecoinCheckoutProvider extends AbstractPaymentProvider<Options> {
  static identifier = 'stablecoin-checkout'
  readonly #options: Options
  readonly #checkout: Client

  static validateOptions(options: Record<string, unknown>): void {
    const missing = required.filter((name) => typeof options[name] !== 'string' || options[name] === '')
    if (missing.length === 0) return
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `stablecoin-checkout needs the options ${missing.join(', ')}.`,
    )
  }

  constructor(container: Record<string, unknown>, options: Options) {
    super(container, options)
    const { checkoutUrl, apiKey, apiSecret } = options
    this.#options = options
    this.#checkout = createClient({ baseUrl: checkoutUrl, apiKey, apiSecret })
  }

  async initiatePayment({ data, amount, currency_code }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = String(data?.['session_id'])
    const session = await this.#open(sessionId, { amount, currency_code }, sessionId)
    return { id: session.linkId, data: session }
  }

  /** The terms of a link never change: with another price the session gets another link, and nobody can pay the old one. */
  async updatePayment({ data, amount, currency_code }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const session = sessionIn(data)
    const isSame = session.price === textOf(amount) && session.currency === currency_code.toUpperCase()
    if (isSame) return { data: session }
    await this.#end(session)
    const { session_id, linkId } = session
    return { data: await this.#open(session_id, { amount, currency_code }, `after ${linkId}`) }
  }

  /** Called by Medusa when the customer completes the cart, and when a webhook reports that the payment is paid. */
  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return await this.#statusOf(sessionIn(data))
  }

  /** Changes nothing, because a paid payment is captured. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const session = sessionIn(data)
    if ((await this.#statusOf(session)).status !== PaymentSessionStatus.CAPTURED) throw notAllowed('It is not paid.')
    return { data: session }
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return await this.#statusOf(sessionIn(data))
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const session = sessionIn(data)
    return { data: { ...session, state: (await this.#read(session)).state } }
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const session = sessionIn(data)
    await this.#end(session)
    return { data: session }
  }

  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    // A session that could not be initiated has no link.
    if (data?.['linkId'] !== undefined) await this.#end(sessionIn(data))
    return { data: data ?? {} }
  }

  /**
   * Requests a refund in the price's currency, at the rate of the payment. Your wallet pays it: it waits in the dashboard until the
   * customer has named an address and you have paid.
   * @throws {MedusaError} while a refund is open that Medusa has not recorded.
   */
  async refundPayment({ data, amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const session = sessionIn(data)
    const payment = (await this.#paymentsOf(session)).find(({ outcome }) => outcome === 'paid')
    if (!payment) throw notAllowed('It is not paid.')
    const before = Array.isArray(session.refunds) ? session.refunds : []
    const paid = await this.#unrecordedPaid(payment.id, before)
    if (paid && textOf(paid.price ?? '0') === textOf(amount)) return recorded(session, before, paid)
    if (paid) {
      const { id, price, amount: tokens, currency } = paid
      throw notAllowed(`Its refund ${id} of ${tokens} ${currency} was paid: record it first, by a refund of ${price}.`)
    }
    // Medusa's key of this refund. The client repeats the request with it if a response was lost.
    const key = context?.idempotency_key
    const { refund } = await this.#checkout
      .POST('/payments/{paymentId}/refunds', {
        params: {
          path: { paymentId: payment.id },
          header: key === undefined ? {} : { 'Idempotency-Key': key },
        },
        body: { price: textOf(amount), priceCurrency: session.currency, rate: 'then' },
      })
      .catch(throwRefusal)
    if (refund.status === 'cancelled') throw notAllowed(`Its refund ${refund.id} was cancelled.`)
    return recorded(session, before, refund)
  }

  /**
   * If all responses were lost, Medusa forgets its refund and uses another key for the next one: the service would treat it as another
   * refund, and you would pay both.
   * @returns such a refund that you have paid meanwhile. Excludes refunds requested by a person in the dashboard.
   * @throws {MedusaError} while such a refund is open.
   */
  async #unrecordedPaid(paymentId: string, recordedBefore: readonly { id: string }[]) {
    const path = { paymentId }
    const { refunds } = await this.#checkout.GET('/payments/{paymentId}/refunds', { params: { path } })
    const found = refunds.filter(
      ({ id, status }) => status !== 'cancelled' && !recordedBefore.some((known) => known.id === id),
    )
    const open = found.find(({ status }) => status !== 'paid')
    if (!open) return found.find(({ price, requestedBy }) => price !== null && requestedBy === null)
    const { amount, currency, id } = open
    throw notAllowed(
      `Its refund ${id} of ${amount} ${currency} is open: pay or cancel it in the service's dashboard first.`,
    )
  }

  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const { rawData, headers } = payload
    const secret = this.#options.webhookSecret
    const event = verifyWebhook({ secret, body: rawData, headers: headers as Record<string, string> })
    const ignored = { action: PaymentActions.NOT_SUPPORTED }
    if (event.type === 'webhook.test') return ignored
    const { linkId, metadata, outcome, isFinal, isTest, price, amountReceived } = event.data
    const sessionId = metadata['session_id']
    // Anybody with the public key can create a payment with this URL and any metadata; only our links have a link's id.
    if (linkId === null || typeof sessionId !== 'string' || price === null) return ignored
    if (isTest !== (this.#options.isTest ?? false)) return ignored
    const data = { session_id: sessionId, amount: new BigNumber(price) as never }
    if (outcome === 'paid') return { action: PaymentActions.SUCCESSFUL, data }
    if (outcome === 'failed' && isFinal) return { action: PaymentActions.FAILED, data }
    return amountReceived === null ? ignored : { action: PaymentActions.PENDING, data }
  }

  /** @param idempotencyKey - A repeat, such as after a lost response, gets the same link. */
  async #open(
    sessionId: string,
    { amount, currency_code }: Pick<InitiatePaymentInput, 'amount' | 'currency_code'>,
    idempotencyKey: string,
  ): Promise<Session> {
    const { backendUrl, id, returnUrl, isTest = false } = this.#options
    const price = textOf(amount)
    const currency = currency_code.toUpperCase()
    const body = {
      price,
      priceCurrency: currency,
      callbackUrl: `${backendUrl}/hooks/payment/${StablecoinCheckoutProvider.identifier}_${id}`,
      metadata: { session_id: sessionId },
      orderId: orderIdOf(sessionId, price, currency),
      isTest,
      maxPayments: 1,
      ...(returnUrl !== undefined && { returnUrl }),
    }
    const { link } = await this.#checkout.POST('/links', {
      params: { header: { 'Idempotency-Key': idempotencyKey } },
      body,
    })
    if (link.url === null) throw new Error('The service gave the link no address.')
    return { session_id: sessionId, linkId: link.id, url: link.url, price, currency }
  }

  async #read({ linkId }: Session) {
    const { link } = await this.#checkout.GET('/links/{linkId}', { params: { path: { linkId } } })
    return link
  }

  async #statusOf(session: Session) {
    const { state, paid, isTest } = await this.#read(session)
    if (isTest !== (this.#options.isTest ?? false)) throw notAllowed('It belongs to the other mode.')
    const { CAPTURED, PENDING, CANCELED } = PaymentSessionStatus
    // Paid first: a link that was ended afterwards stays paid.
    return { status: paid > 0 ? CAPTURED : state === 'open' ? PENDING : CANCELED, data: session }
  }

  /** The open and paid payments of the session's link; excludes those that ended unpaid. */
  async #paymentsOf({ linkId, session_id, price, currency }: Session) {
    const search = orderIdOf(session_id, price, currency)
    const { payments } = await this.#checkout.GET('/payments', { params: { query: { search } } })
    const unfinished = payments.filter(({ outcome }) => outcome !== 'failed')
    const records = unfinished.map(({ paymentId }) =>
      this.#checkout.GET('/payments/{paymentId}', { params: { path: { paymentId } } }),
    )
    return (await Promise.all(records)).map(({ payment }) => payment).filter((payment) => payment.linkId === linkId)
  }

  /** @throws {MedusaError} when the customer has paid or is paying: then neither the price nor the method can change. */
  async #end(session: Session): Promise<void> {
    const refuse = () => notAllowed('The customer has paid it, or is paying it.')
    const isPaying = (await this.#paymentsOf(session)).some(({ amountDetected }) => amountDetected !== null)
    if (isPaying) throw refuse()
    await this.#checkout.POST('/links/{linkId}/end', { params: { path: { linkId: session.linkId } } })
    for (const { id } of await this.#paymentsOf(session)) {
      const { skipped } = await this.#checkout.POST('/payments/fail', { body: { paymentId: id, status: 'cancelled' } })
      if (skipped) throw refuse()
    }
  }
}

/** The order id of a link's payments, by which they are found. */
const orderIdOf = (sessionId: string, price: string, currency: string) => `${sessionId} ${price} ${currency}`

const notAllowed = (why: string) =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, `The stablecoin payment cannot be changed. ${why}`)

/** The session data that Medusa stores after a refund. */
function recorded(
  session: Session,
  before: NonNullable<Session['refunds']>,
  { id, pageUrl }: { id: string; pageUrl?: string | null },
): RefundPaymentOutput {
  const others = before.filter((known) => known.id !== id)
  return { data: { ...session, refunds: [...others, { id, url: pageUrl ?? null }] } }
}

/** @throws {MedusaError} with the service's refusal: Medusa's admin shows no other error's message. */
function throwRefusal(error: unknown): never {
  const isRefusal = error instanceof CheckoutError && error.body !== undefined && error.status < 500
  throw isRefusal ? notAllowed(error.message) : error
}

/** Plain decimal text. The service refuses more decimals than the currency has, and never rounds. */
const textOf = (amount: BigNumberInput): string => new BigNumber(amount).bigNumber?.toFixed() ?? String(amount)

function sessionIn(data: Record<string, unknown> | undefined): Session {
  if (typeof data?.['linkId'] !== 'string') throw notAllowed('The session has no payment link.')
  return data as Session
}

// biome-ignore lint/style/noDefaultExport: Medusa reads a module's default export.
export default ModuleProvider(Modules.PAYMENT, { services: [StablecoinCheckoutProvider] })
