import { type Fault, isRetryable } from '../api/client.ts'
import type { MessageKey } from '../locales/en.ts'
import { t } from '../locales/locale.ts'

const tooMany: MessageKey = 'faultBusy'
const otherOption: MessageKey = 'faultOption'

/** What the service's codes mean for a customer. Its own sentences are English, and written for developers. */
const meanings: Readonly<Record<string, MessageKey>> = {
  UNREACHABLE: 'notReached',
  BAD_ANSWER: 'notReached',
  INTERNAL_ERROR: 'notReached',
  NOT_READY: 'notReached',
  RATE_LIMITED: tooMany,
  TOO_MANY_OPEN_PAYMENTS: tooMany,
  TOO_MANY_STREAMS: tooMany,
  TOO_MANY_WAITS: tooMany,
  NETWORK_UNAVAILABLE: otherOption,
  NETWORK_NOT_SUPPORTED: otherOption,
  CURRENCY_NOT_SUPPORTED: otherOption,
  WALLET_MISSING: otherOption,
  NO_DESTINATION: otherOption,
  CONTRACT_PAYMENTS_UNAVAILABLE: otherOption,
  NO_ROUTE: 'crossChainNoRoute',
  ORIGIN_NOT_SUPPORTED: 'crossChainNoRoute',
  ORIGIN_REFUND_NOT_SUPPORTED: 'crossChainNoRoute',
  INSUFFICIENT_FUNDS: 'faultFunds',
  NO_RATE: 'noRateText',
  RATES_UNAVAILABLE: 'noRateText',
  LINK_CLOSED: 'linkEnded',
  PAYMENT_NOT_FOUND: 'notFound',
  LINK_NOT_FOUND: 'notFound',
  PAYMENT_ENDED: 'closedText',
  PAYMENT_NOT_OPEN: 'closedText',
  ORIGIN_NOT_ALLOWED: 'misconfigured',
  UNAUTHORIZED: 'misconfigured',
}

/** Why a request failed, in the customer's language. An unknown code has a general sentence and a reference. */
export function explainFault(fault: Fault): string {
  // A currency that never has a rate is the shop's mistake; waiting does not help.
  const isWithoutRate = fault.code === 'NO_RATE' && !isRetryable(fault)
  const key = fault.status === 0 ? 'notReached' : isWithoutRate ? 'noRate' : meanings[fault.code]
  return key ? t(key) : t('faultGeneral', referenceOf(fault))
}

/** The reference by which the request is found in the service's log. */
export function referenceOf({ code, requestId }: Fault): string {
  return requestId ? `${code} · ${requestId}` : code
}
