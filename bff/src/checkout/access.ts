import type { Caller } from '../merchant/caller.ts'
import { isUntouched, type Payment } from '../payment/payment.ts'

export type Owner = Pick<Caller, 'merchantId' | 'isTest' | 'kind'>

/** Who asks for a payment's refund or end: a key's holder, the holder of its client secret, or both at once. */
export type Requester = { caller: Caller | null; hasClientSecret: boolean }

/**
 * Whether the payment is one of the caller's merchant, live or test as the key. A live key has the sandbox payments of live
 * keys as well: API key and secret all of them, a public key those that were made with one.
 */
export function isOwn<Found extends Payment>(caller: Owner, payment: Found | undefined): payment is Found {
  if (payment?.merchantId !== caller.merchantId) return false
  if (payment.isTest === caller.isTest) return true
  return payment.isTest && (caller.kind === 'api' ? payment.madeWith !== 'test' : payment.madeWith === 'public')
}

/** A key that is sent must be the merchant's own; where none is, the client secret stands for it. */
export function isOwnOf(requester: Requester, payment: Payment | undefined): payment is Payment {
  if (requester.caller !== null) return isOwn(requester.caller, payment)
  return requester.hasClientSecret && payment !== undefined
}

/**
 * Whether the payment may be ended by hand. Everybody has the public key: with it only what a page made is ended, and only
 * while nothing was sent to it.
 */
export function mayFail({ caller, hasClientSecret }: Requester, payment: Payment): boolean {
  if (caller?.kind === 'api') return true
  return isUntouched(payment) && (hasClientSecret || (caller !== null && payment.madeWith !== 'api'))
}
