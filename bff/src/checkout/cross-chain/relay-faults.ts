/** The relay refused the request: repeating it does not help. `errorCode` is Relay's; empty when it gave none. */
export class RelayRefusal extends Error {
  readonly status: number
  readonly errorCode: string

  constructor(status: number, errorCode: string, message: string) {
    super(message)
    this.name = 'RelayRefusal'
    this.status = status
    this.errorCode = errorCode
  }
}

/** The relay takes the order, and would refund it on another chain than the customer's money comes from. Repeating the request does not help. */
export class OtherRefundChainError extends Error {
  constructor(chainId: number) {
    super(`The relay would refund on chain ${chainId}.`)
    this.name = 'OtherRefundChainError'
  }
}

/** The relay could not be reached, was busy, or its response cannot be read: a later request may succeed. */
export class RelayDownError extends Error {
  /** The relay's `Retry-After`, in milliseconds; null: none. */
  readonly retryAfterMs: number | null

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason)
    this.name = 'RelayDownError'
    this.retryAfterMs = retryAfterMs
  }
}
