import type { Caller } from '../access/context/caller.ts'
import type { MerchantRefundViewer } from '../checkout/merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from '../checkout/merchant-refund/merchant-refunds.ts'
import { PaymentError } from '../core/errors.ts'
import { add, type BaseUnits, excess, formatAmount } from '../core/money.ts'
import type { RefundRate } from '../payment/merchant-refund.ts'
import { isDirect, outcomeOf, type Payment, type PaymentId } from '../payment/payment.ts'
import { dueKeptOf, refundableOf, refundsOfExcess, settledOf } from '../payment/payment-sums.ts'
import { checkoutLinkOf, type ReadInvoice } from './invoice-view.ts'
import type { Invoices } from './invoices.ts'
import { refuse, refuseField } from './refusal.ts'

export const refundVariants = ['RateThen', 'CurrentRate', 'Fiat', 'OverpaidAmount', 'Custom'] as const

export type RefundTerms = {
  variant: (typeof refundVariants)[number]
  /** Decimal text in `customCurrency`; only for `Custom`. */
  customAmount: string | null
  customCurrency: string | null
  /** Percent with at most two decimals. */
  subtractPercentage: number
  reason: string | undefined
}

/** A refund as the calls return it. `pageUrl`: where the customer names the address. */
export type MadeRefund = {
  id: string
  amount: string
  currency: string
  /** Null: the refund was requested in tokens. */
  price: string | null
  priceCurrency: string | null
  pageUrl: string | null
}

/** Order ids that are read from a refund's name, and invoices that are compared with them; more is a mistake of the shop. */
const matchesMax = 50

/** No currency of ISO 4217 has a smaller unit. */
const decimalsMax = 4

/** The amount less a percentage, as decimal text, rounded down. */
export function lessPercentage(amount: string, percent: number): string {
  if (percent === 0) return amount
  const [whole = '', fraction = ''] = amount.split('.')
  const units = BigInt(whole + fraction.padEnd(decimalsMax, '0').slice(0, decimalsMax))
  const kept = (units * BigInt(10_000 - Math.round(percent * 100))) / 10_000n
  const digits = kept.toString().padStart(decimalsMax + 1, '0')
  return `${digits.slice(0, -decimalsMax)}.${digits.slice(-decimalsMax)}`
}

/**
 * The texts in a refund's name that may be an order id: each word, and each ending of the name, because order ids may contain
 * spaces. The text after a semicolon is not read: it is the reason, where the shop's staff may name other orders.
 */
function orderIdsOf(name: string): string[] {
  const words = (name.split(';')[0] ?? '').split(/\s+/).filter((word) => word !== '')
  const endings = words.map((_, index) => words.slice(index).join(' '))
  const plain = words.map((word) => word.replace(/^[#:]+|[,:.]+$/g, ''))
  return [...new Set([...words, ...plain, ...endings])].filter((one) => one !== '').slice(0, matchesMax)
}

type Deps = {
  invoices: Invoices
  merchantRefunds: MerchantRefunds
  refundViewer: MerchantRefundViewer
}

/** Refunds that a shop requests. The merchant's wallet pays them to the address that the customer names on the refund's page. */
export function createStoreRefunds({ invoices, merchantRefunds, refundViewer }: Deps) {
  type Asked = Parameters<MerchantRefunds['request']>[2]

  async function request(caller: Caller, invoice: ReadInvoice, asked: Asked, origin: string | null) {
    const payment = invoice.state.decider?.payment
    if (!payment) throw refuse(400, 'non-refundable', 'Nothing was paid for this invoice')
    return await requestOf(caller, payment.id, asked, origin)
  }

  async function requestOf(caller: Caller, id: PaymentId, asked: Asked, origin: string | null): Promise<MadeRefund> {
    try {
      const { refund } = await merchantRefunds.request(caller, id, asked, undefined)
      return refundViewer.merchant(await merchantRefunds.byId(refund.id), caller, origin)
    } catch (error) {
      if (!(error instanceof PaymentError) || error.status >= 500) throw error
      const code = error.code === 'NOTHING_TO_REFUND' ? 'non-refundable' : error.code.toLowerCase().replaceAll('_', '-')
      throw refuse(400, code, error.message)
    }
  }

  /**
   * Refunds an overpayment. The service holds the excess of a deposit, and returns it to the address named on the payment's
   * page: only by the browser that paid, never by whoever has the shop's key. Money that went to the merchant (a second full
   * payment, or the excess of a direct payment) is refunded by the merchant's wallet.
   */
  async function ofExcess(caller: Caller, invoice: ReadInvoice, terms: RefundTerms, origin: string | null) {
    const { state, payments } = invoice
    if (!state.isOver) throw refuseField('refundVariant', 'The invoice is not overpaid')
    if (terms.subtractPercentage > 0) {
      throw refuseField('subtractPercentage', 'must be absent: what was paid too much goes back in full')
    }
    const paid = payments.map(({ payment }) => payment).filter((payment) => outcomeOf(payment) === 'paid')
    const direct = paid.find((payment) => isDirect(payment) && directExcessOf(payment) > 0n)
    if (direct) {
      const amount = formatAmount(directExcessOf(direct), direct.tokenDecimals)
      return await requestOf(caller, direct.id, { amount, reason: terms.reason }, origin)
    }
    const over = paid.find((payment) => !isDirect(payment) && refundableOf(payment) > 0n)
    if (over) return excessOf(over, checkoutLinkOf(invoice, origin))
    const kept = paid.filter((payment) => dueKeptOf(payment) > 0n)
    // One payment pays the invoice: the deciding one, or another one once that has gone back.
    const decider = kept.find((payment) => payment === state.decider?.payment)
    const price = decider ?? kept.find((payment) => dueKeptOf(payment) >= payment.least) ?? kept[0]
    const second = kept.find((payment) => payment !== price)
    if (second) return await requestOf(caller, second.id, { reason: terms.reason }, origin)
    throw refuse(400, 'non-refundable', 'What was paid too much is not confirmed yet, or went back already')
  }

  /** What the merchant received above the amount due, less refunds of it that the merchant's wallet has paid or still has to pay. */
  const directExcessOf = (payment: Payment): BaseUnits =>
    excess(excess(add(payment.received, payment.late), settledOf(payment)), refundsOfExcess(payment))

  const excessOf = (payment: Payment, pageUrl: string): MadeRefund => ({
    id: payment.id,
    amount: formatAmount(refundableOf(payment), payment.tokenDecimals),
    currency: payment.currency,
    price: null,
    priceCurrency: null,
    pageUrl,
  })

  return {
    /**
     * Refunds the order that the text names, in the form of WooCommerce's plug-in: `Refund of order 1000; broken`.
     * @throws {Refusal} when the text names no paid order, or several.
     */
    async ofOrder(caller: Caller, text: string, price: string, currency: string, origin: string | null) {
      const orderIds = orderIdsOf(text)
      const filter = {
        orderIds,
        sinceMs: null,
        untilMs: null,
        text: null,
        hasArchived: true,
        statuses: null,
        take: matchesMax,
        skip: 0,
      }
      const paid = (await invoices.list(caller.merchantId, filter)).filter(
        ({ state }) => state.status === 'Settled' && state.decider !== null,
      )
      const [invoice] = paid
      if (!invoice) throw refuse(400, 'non-refundable', `No paid invoice has the order that "${text}" names`)
      if (paid.length > 1) {
        throw refuse(
          400,
          'ambiguous-order',
          `"${text}" names several paid invoices: refund the payment in the dashboard`,
        )
      }
      const asked = { price, priceCurrency: currency, reason: text }
      return await request(caller, invoice, asked, origin)
    },

    /** @throws {Refusal} `non-refundable` when nothing was paid, or nothing is left to refund. */
    async ofInvoice(caller: Caller, id: string, terms: RefundTerms, origin: string | null) {
      const invoice = await invoices.read(caller.merchantId, id)
      const { price } = invoice.link
      const { variant, customAmount, customCurrency, subtractPercentage, reason } = terms
      if (!price) throw new Error(`The invoice ${id} has no price.`)
      const priced = (amount: string, priceCurrency: string, rate?: RefundRate) => ({
        price: lessPercentage(amount, subtractPercentage),
        priceCurrency,
        rate,
        reason,
      })
      switch (variant) {
        case 'RateThen':
          return await request(caller, invoice, priced(price.amount, price.currency, 'then'), origin)
        case 'CurrentRate':
        case 'Fiat':
          return await request(caller, invoice, priced(price.amount, price.currency, 'now'), origin)
        case 'OverpaidAmount':
          return await ofExcess(caller, invoice, terms, origin)
        case 'Custom': {
          if (customAmount === null) throw refuseField('customAmount', 'is required with refundVariant Custom')
          if (customCurrency === null) throw refuseField('customCurrency', 'is required with refundVariant Custom')
          const token = invoice.state.decider?.payment.currency
          const asked =
            customCurrency === token
              ? { amount: lessPercentage(customAmount, subtractPercentage), reason }
              : priced(customAmount, customCurrency)
          return await request(caller, invoice, asked, origin)
        }
        default:
          return variant satisfies never
      }
    },
  }
}
