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

/** For a request with a price. The rate is not part of the terms, so a repeat at another rate still matches. */
export function moneyOfPrice(price: AskedPrice, { network, currency }: Asked, mode: Payment['mode']): MoneyFields {
  const sum = `${price.amount} ${price.currency}`
  return {
    terms: `price ${sum} in ${currency.toUpperCase()} on ${network.toLowerCase()} by ${mode}`,
    asked: `${sum} in ${currency} on ${network}`,
  }
}

/** More decimals than any token has, so that every spelling of an amount gives the same text. */
const linkDecimals = 36

/** For a request that creates a payment link. Null: the customer chooses. */
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
