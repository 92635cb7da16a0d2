import { PaymentError } from '../../core/errors.ts'
import { RefundElsewhereError, RelayDownError, RelayRefusal } from './relay-faults.ts'

/** The four refusals that the contract names; clients read the code. */
export type CrossChainCode = 'ORIGIN_NOT_SUPPORTED' | 'ORIGIN_REFUND_NOT_SUPPORTED' | 'NO_DESTINATION' | 'NO_ROUTE'

export class CrossChainError extends PaymentError {
  constructor(code: CrossChainCode, message: string) {
    super(code, message, { status: 400 })
  }
}

/** Relay refused for a reason that is none of the four; repeating the request does not help. */
class BridgeRefusedError extends PaymentError {
  constructor({ errorCode, message }: RelayRefusal) {
    const said = [errorCode, message].filter(Boolean).join(': ') || 'no reason given'
    super('BRIDGE_REFUSED', `The bridge refused the payment: ${said}`, { status: 400, error: 'Refused by the bridge' })
  }
}

/** Seconds, when the relay did not say when to come back. */
const retryAfterSeconds = 5

class BridgeUnavailableError extends PaymentError {
  constructor(retryAfterMs: number | null) {
    const seconds = retryAfterMs === null ? retryAfterSeconds : Math.max(1, Math.ceil(retryAfterMs / 1000))
    super('BRIDGE_UNAVAILABLE', 'The bridge does not answer; try again in a moment, or pay directly.', {
      status: 503,
      error: 'Bridge unavailable',
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

/** Relay's codes for orders that it cannot fill: another amount or chain may work. */
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

/** The relay cannot return money to the sender on the origin chain. Its words are never read: a refusal without a code is `BRIDGE_REFUSED`. */
const noRefund: ReadonlySet<string> = new Set(['INVALID_REFUND_TO'])

const noOriginRefund = (originChainId: number) =>
  new CrossChainError(
    'ORIGIN_REFUND_NOT_SUPPORTED',
    `The bridge cannot refund on chain ${originChainId}, so the payment is refused.`,
  )

/** The caller's error for a refusal or a fault of the relay; any other error is returned unchanged. */
export function errorOf(fault: unknown, originChainId: number): unknown {
  if (fault instanceof RelayDownError) return new BridgeUnavailableError(fault.retryAfterMs)
  if (fault instanceof RefundElsewhereError) return noOriginRefund(originChainId)
  if (!(fault instanceof RelayRefusal)) return fault
  const { errorCode, message, status } = fault
  // The relay refuses our API key: the caller can do nothing about it.
  if (status === 401 || status === 403) return new BridgeUnavailableError(null)
  if (noRoute.has(errorCode)) {
    const why = errorCode === 'AMOUNT_TOO_LOW' ? 'the amount is too low' : message || errorCode
    return new CrossChainError(
      'NO_ROUTE',
      `The bridge has no route for this payment from chain ${originChainId}: ${why}`,
    )
  }
  if (noOrigin.has(errorCode)) {
    return new CrossChainError(
      'ORIGIN_NOT_SUPPORTED',
      `The bridge does not accept payments from chain ${originChainId} right now.`,
    )
  }
  if (noRefund.has(errorCode)) return noOriginRefund(originChainId)
  return new BridgeRefusedError(fault)
}
