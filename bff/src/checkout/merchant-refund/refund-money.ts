import { PaymentError, ValidationError } from '../../core/errors.ts'
import { currencyOf, type Networks } from '../../core/families.ts'
import { type BaseUnits, excess, formatAmount, parseAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { RefundPrice, RefundRate } from '../../payment/merchant-refund.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'
import { settledOf } from '../../payment/payment-sums.ts'
import { refundsPerPaymentMax } from '../../payment/store/merchant-refund-store.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import { tokensFor } from '../../rates/tokens-for.ts'
import { askedPriceOf, createPriceConversion } from '../price.ts'

/** The money fields of a refund request. All undefined: everything that is left. */
export type RefundMoneyAsked = {
  amount?: string | number | undefined
  price?: string | number | undefined
  priceCurrency?: string | undefined
  rate?: RefundRate | undefined
}

/** `tokens`: whole tokens as text. `isRounded`: rounded up to a cent of the token. Null: everything that is left. */
export type RefundMoney = { amount: { tokens: string; isRounded: boolean } | null; price: RefundPrice | null }

/** Converts the money of a refund request. */
export function createRefundMoney({
  networks,
  ...deps
}: {
  networks: Networks
  readRates: ReadRates
  runtime: Runtime
}) {
  const convert = createPriceConversion(deps)

  /** @throws {ValidationError} naming the field, or {PaymentError} NO_RATE. */
  return async function moneyOf(payment: Payment, asked: RefundMoneyAsked): Promise<RefundMoney> {
    const { amount, price, rate } = asked
    if (amount === undefined && price === undefined) {
      if (asked.priceCurrency === undefined && rate === undefined) return { amount: null, price: null }
      throw new ValidationError('price is required with priceCurrency or rate')
    }
    const priceCurrency = price === undefined ? asked.priceCurrency : (asked.priceCurrency ?? payment.price?.currency)
    const priced = askedPriceOf({ amount, price, priceCurrency })
    if (priced === null) {
      if (rate !== undefined) throw new ValidationError('rate must not be sent with amount, which is in tokens')
      return { amount: { tokens: String(amount), isRounded: false }, price: null }
    }
    const isOfPayment = payment.price?.currency === priced.currency
    const rateOf = rate ?? (isOfPayment ? 'then' : 'now')
    if (rateOf === 'then') {
      if (!payment.price || !isOfPayment)
        throw new PaymentError('NO_RATE', `The payment has no rate of its time in ${priced.currency}; send rate: now.`)
      const tokens = tokensFor(priced.amount, payment.price.rate)
      return { amount: { tokens, isRounded: true }, price: { ...priced, rate: payment.price.rate, rateOf } }
    }
    const { currency: symbol } = payment
    const token = { symbol, currency: currencyOf(networks, symbol) ?? symbol }
    const { amount: tokens, converted } = await convert(priced, token)
    return { amount: { tokens, isRounded: true }, price: { ...priced, rate: converted.rate, rateOf } }
  }
}

/**
 * The amount in base units.
 * @param left - The maximum.
 * @throws {PaymentError} REFUND_TOO_LARGE with the maximum.
 */
export function refundAmountOf(payment: Payment, asked: RefundMoney['amount'], left: BaseUnits): BaseUnits {
  if (asked === null) return left
  const amount = parseAmount(asked.tokens, payment.tokenDecimals)
  if (amount <= left) return amount
  // Each conversion rounds up to a cent, so the last of several partial refunds may exceed the rest by some cents.
  const roundingMax = 10n ** BigInt(Math.max(0, payment.tokenDecimals - 2)) * BigInt(refundsPerPaymentMax)
  // The price of a payment that was accepted with less than the amount due is refunded with what came.
  const short = outcomeOf(payment) === 'paid' ? excess(payment.due, settledOf(payment)) : 0n
  if (asked.isRounded && amount - left < roundingMax + short) return left
  const [text, max] = [formatAmount(amount, payment.tokenDecimals), formatAmount(left, payment.tokenDecimals)]
  throw new PaymentError('REFUND_TOO_LARGE', `At most ${max} ${payment.currency} can still be refunded, not ${text}.`)
}
