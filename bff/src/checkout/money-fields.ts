import { parseAmount } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'
import type { AskedPrice, MoneyAsked } from './price.ts'

/** The money fields of a request: `terms` as canonical text, `asked` as text for a person. */
export type MoneyFields = { terms: string; asked: string }

type Asked = MoneyAsked & { currency: string; network: string }

export const moneyOfPayment = ({ due, currency, network, mode }: Payment, { amount }: MoneyAsked): MoneyFields => ({
  terms: `${due} ${currency} on ${network} by ${mode}`,
  asked: `${amount} ${currency} on ${network}`,
})

/** Of a request with a price: at another rate the same request asks for the same. */
export function moneyOfPrice(price: AskedPrice, { network, currency }: Asked, mode: Payment['mode']): MoneyFields {
  const sum = `${price.amount} ${price.currency}`
  return {
    terms: `price ${sum} in ${currency.toUpperCase()} on ${network.toLowerCase()} by ${mode}`,
    asked: `${sum} in ${currency} on ${network}`,
  }
}

/** More decimals than a token has, so that every spelling of an amount is one text. */
const linkDecimals = 36

/** Of a request that makes a payment link. Null: the customer chooses. */
export function moneyOfLink(
  money: { amount: string; price: null } | { amount: null; price: AskedPrice },
  { currency, network, paymentsMax }: { currency: string | null; network: string | null; paymentsMax: number },
): MoneyFields {
  const sum = money.price ? `${money.price.amount} ${money.price.currency}` : money.amount
  const exact = money.price ? `price ${sum}` : String(parseAmount(money.amount, linkDecimals))
  return {
    terms: `${exact} in ${currency ?? 'any'} on ${network ?? 'any'} by link, ${paymentsMax} times`,
    asked: `${sum} in ${currency ?? 'any token'} on ${network ?? 'any network'}, paid at most ${paymentsMax} times`,
  }
}
