import type { Link } from '../checkout/link/link.ts'
import { pageTexts } from '../checkout/pay-page/page-language.ts'
import type { Token } from '../core/families.ts'
import { add, type BaseUnits, exact, excess, formatAmount, zero } from '../core/money.ts'
import type { MerchantSettings } from '../merchant/merchant-settings.ts'
import { lateWindowMs, type Payment } from '../payment/payment.ts'
import { transferView } from './invoice-events.ts'
import { expirationMs, type InvoicePayment, type InvoiceState, marksOf, receivedOf } from './invoice-state.ts'
import type { StoredInvoice } from './invoice-store.ts'
import { Verbatim } from './json-text.ts'
import { methodIdOf, type PaymentMethod } from './payment-methods.ts'

export type ReadInvoice = {
  invoice: StoredInvoice
  link: Link
  payments: readonly InvoicePayment[]
  state: InvoiceState
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

const minuteMs = 60_000

/** A store's values for those BTCPay settings that this service does not have. Confirmations are the network's. */
export const storeDefaults = { speedPolicy: 'MediumSpeed', expirationMinutes: 15 } as const

/** The merchant's currency, or dollars if none is set, as on the page Settings. */
export const storeCurrency = ({ currency }: Pick<MerchantSettings, 'currency'>): string => currency ?? 'USD'

/** What the view of an invoice needs beside the invoice: the caller's values for options that were not sent. */
export type Shop = {
  /** This service's own origin. */
  origin: string | null
  methods: readonly PaymentMethod[]
  /** The merchant's share, without its cap. */
  toleranceBps: number
}

/** No ISO 4217 currency has a smaller unit. */
const currencyDecimals = 4

/** The value of tokens in the price's currency, rounded down. @param rate - Units of the currency for one whole token. */
function inCurrency(units: bigint, decimals: number, rate: string): string {
  const perToken = exact(rate)
  const numerator = units * perToken.units * 10n ** BigInt(currencyDecimals)
  return formatAmount((numerator / 10n ** BigInt(decimals + perToken.decimals)) as BaseUnits, currencyDecimals)
}

/** What the deciding payment received, in the invoice's currency; exactly the price where exactly the amount due was paid. */
function paidAmount({ link, state }: ReadInvoice): string {
  const payment = state.decider?.payment
  if (!payment?.price || !link.price) return '0'
  const paid = receivedOf(payment)
  return paid === payment.due ? link.price.amount : inCurrency(paid, payment.tokenDecimals, payment.price.rate)
}

/** The payment page's URL, with the shop's language and whether to return by itself. @param origin - This service's. */
export function checkoutLinkOf(
  { invoice, link }: Pick<ReadInvoice, 'invoice' | 'link'>,
  origin: string | null,
): string {
  const { defaultLanguage, redirectAutomatically } = invoice.checkout
  const language = defaultLanguage?.toLowerCase().split('-')[0] ?? ''
  const query = new URLSearchParams()
  if (Object.hasOwn(pageTexts, language)) query.set('lang', language)
  if (redirectAutomatically && link.returnUrl !== null) query.set('return', 'auto')
  return `${origin ?? ''}/pay/${link.id}${query.size > 0 ? `?${query}` : ''}`
}

/** The invoice as Greenfield returns it: amounts are text, times are seconds. */
export function invoiceView(read: ReadInvoice, { origin, methods, toleranceBps }: Shop) {
  const { invoice, link, payments, state } = read
  const { paymentMethods, paymentTolerance, monitoringMinutes, speedPolicy } = invoice.checkout
  const expiresAtMs = expirationMs({ link, payments })
  return {
    id: link.id as string,
    storeId: link.merchantId as string,
    amount: link.price?.amount ?? '0',
    paidAmount: paidAmount(read),
    currency: link.price?.currency ?? '',
    type: 'Standard',
    checkoutLink: checkoutLinkOf(read, origin),
    createdTime: seconds(invoice.createdAtMs),
    expirationTime: seconds(expiresAtMs),
    monitoringExpiration: seconds(expiresAtMs + lateWindowMs),
    status: state.status,
    additionalStatus: state.additional,
    availableStatusesForManualMarking: marksOf(state),
    archived: invoice.isArchived,
    metadata: new Verbatim(invoice.metadata),
    checkout: {
      ...invoice.checkout,
      // Options that the plug-in did not send have the store's values.
      speedPolicy: speedPolicy ?? storeDefaults.speedPolicy,
      monitoringMinutes: monitoringMinutes ?? lateWindowMs / minuteMs,
      paymentTolerance: paymentTolerance ?? toleranceBps / 100,
      paymentMethods: paymentMethods ?? methods.map(({ id }) => id),
      redirectURL: link.returnUrl,
    },
  }
}

/** What is still to be paid; nothing once the tolerance accepts what was received. */
function restOf(payment: Payment): BaseUnits {
  const received = receivedOf(payment)
  return received >= payment.least ? zero : excess(payment.due, received)
}

/**
 * One entry for each token that the customer may choose.
 * @param rateOf - The current rate of a token that nobody has chosen yet; `'0'` when none is known.
 */
export function invoiceMethodsView(
  read: ReadInvoice,
  { methods: known, origin }: Shop,
  rateOf: (token: Token) => string,
) {
  const asked = read.invoice.checkout.paymentMethods
  const methods = asked === null ? known : known.filter(({ id }) => asked.includes(id))
  return methods.map(({ id, token }) => {
    const own = read.payments.filter(({ payment }) => methodIdOf(payment.currency, payment.network) === id)
    const shown = own.find((one) => one === read.state.decider) ?? own[0]
    const none = { paymentMethodId: id, currency: token.symbol, paymentMethodFee: '0', networkFee: '0' }
    if (!shown) {
      const zeros = { paymentMethodPaid: '0', totalPaid: '0', due: '0', amount: '0' }
      const rate = rateOf(token)
      return { ...none, ...zeros, destination: '', paymentLink: '', rate, activated: false, payments: [] }
    }
    const { payment } = shown
    const format = (units: BaseUnits) => formatAmount(units, payment.tokenDecimals)
    // Money in one token on one network is added up, whichever of the customer's payments received it.
    const paid = format(own.reduce((sum, one) => add(sum, receivedOf(one.payment)), 0n as BaseUnits))
    return {
      ...none,
      destination: payment.mode === 'deposit' ? payment.depositAddress : '',
      paymentLink: checkoutLinkOf(read, origin),
      rate: payment.price?.rate ?? '1',
      paymentMethodPaid: paid,
      totalPaid: paid,
      due: format(restOf(payment)),
      amount: format(payment.due),
      activated: true,
      payments: own.flatMap((one) => one.transfers.map((transfer) => transferView(one.payment, transfer))),
    }
  })
}
