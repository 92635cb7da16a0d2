import { PaymentError } from '../../core/errors.ts'
import { OtherRefundChainError, RelayDownError, RelayRefusal } from './relay-faults.ts'

/** For refusals without a code of their own in the API. Retrying does not help. */
function bridgeRefused({ errorCode, message }: RelayRefusal): PaymentError {
  const said = [errorCode, message].filter(Boolean).join(': ') || 'no reason given'
  return new PaymentError('BRIDGE_REFUSED', `The bridge refused the payment: ${said}`)
}

/** Default when the relay sends no `Retry-After`. */
const retryLaterSeconds = 5

function bridgeUnavailable(retryAfterMs: number | null): PaymentError {
  const retryAfterSeconds = retryAfterMs === null ? retryLaterSeconds : Math.max(1, Math.ceil(retryAfterMs / 1000))
  const message = 'The bridge does not answer; try again in a moment, or pay directly.'
  return new PaymentError('BRIDGE_UNAVAILABLE', message, { retryAfterSeconds })
}

/** Relay's codes for orders that it cannot fill; another amount or chain may work. */
const noRoute: ReadonlySet<string> = new Set([
  'AMOUNT_TOO_LOW',
  'NO_QUOTES',
  'NO_SWAP_ROUTES_FOUND',
  'NO_INTERNAL_SWAP_ROUTES_FOUND',
  'UNSUPPORTED_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'SWAP_IMPACT_TOO_HIGH',
  'ROUTE_TEMPORARILY_RESTRICTED',
])

const noOrigin: ReadonlySet<string> = new Set(['UNSUPPORTED_CHAIN', 'CHAIN_DISABLED'])

/**
 * The relay cannot refund the sender on the origin chain. Message texts are not parsed: a refusal without a code is
 * `BRIDGE_REFUSED`.
 */
const noRefund: ReadonlySet<string> = new Set(['INVALID_REFUND_TO'])

const noOriginRefund = (originChainId: number) =>
  new PaymentError(
    'ORIGIN_REFUND_NOT_SUPPORTED',
    `The bridge cannot refund on chain ${originChainId}, so the payment is refused.`,
  )

/** Converts a relay's refusal or fault to the API's error; returns any other error unchanged. */
export function errorOf(fault: unknown, originChainId: number): unknown {
  if (fault instanceof RelayDownError) return bridgeUnavailable(fault.retryAfterMs)
  if (fault instanceof OtherRefundChainError) return noOriginRefund(originChainId)
  if (!(fault instanceof RelayRefusal)) return fault
  const { errorCode, message, status } = fault
  // The relay refuses our API key, which the caller cannot change.
  if (status === 401 || status === 403) return bridgeUnavailable(null)
  if (noRoute.has(errorCode)) {
    const why = errorCode === 'AMOUNT_TOO_LOW' ? 'the amount is too low' : message || errorCode
    return new PaymentError('NO_ROUTE', `The bridge has no route for this payment from chain ${originChainId}: ${why}`)
  }
  if (noOrigin.has(errorCode)) {
    return new PaymentError(
      'ORIGIN_NOT_SUPPORTED',
      `The bridge does not accept payments from chain ${originChainId} right now.`,
    )
  }
  if (noRefund.has(errorCode)) return noOriginRefund(originChainId)
  return bridgeRefused(fault)
}
