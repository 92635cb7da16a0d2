import type { Caller } from '../access/context/caller.ts'
import { isUntouched, type Payment } from '../payment/payment.ts'

export type CallerAccount = Pick<Caller, 'merchantId' | 'isTest' | 'kind'>

/** The requester of a refund or end: the holder of a key, of the client secret, or of both. */
export type Requester = { caller: Caller | null; hasClientSecret: boolean }

/**
 * Whether the payment belongs to the caller's merchant and is live or test like the caller's key. A live key also has access to
 * the sandbox payments of live keys: API key and secret to all, a public key to those that a public key created.
 */
export function isOfCaller<Found extends Payment>(caller: CallerAccount, payment: Found | undefined): payment is Found {
  if (payment?.merchantId !== caller.merchantId) return false
  if (payment.isTest === caller.isTest) return true
  return payment.isTest && (caller.kind === 'api' ? payment.madeWith !== 'test' : payment.madeWith === 'public')
}

/** With a key, the payment must belong to its merchant; without a key, the client secret is enough. */
export function isOfRequester(requester: Requester, payment: Payment | undefined): payment is Payment {
  if (requester.caller !== null) return isOfCaller(requester.caller, payment)
  return requester.hasClientSecret && payment !== undefined
}

/**
 * Whether the requester may end the payment. The public key is public, so it ends only payments that were not created
 * with API key and secret, and only while no money was detected.
 */
export function mayFail({ caller, hasClientSecret }: Requester, payment: Payment): boolean {
  if (caller?.kind === 'api') return true
  return isUntouched(payment) && (hasClientSecret || (caller !== null && payment.madeWith !== 'api'))
}
