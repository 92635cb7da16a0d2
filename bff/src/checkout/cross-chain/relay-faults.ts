/** The relay refused the request. Retrying does not help. `errorCode` is Relay's, empty if there is none. */
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

/** The relay accepts the order, but would refund it on a chain other than the origin chain. Retrying does not help. */
export class OtherRefundChainError extends Error {
  constructor(chainId: number) {
    super(`The relay would refund on chain ${chainId}.`)
    this.name = 'OtherRefundChainError'
  }
}

/** The relay is unreachable or busy, or its response is invalid. A later request may succeed. */
export class RelayDownError extends Error {
  /** The relay's `Retry-After`, in milliseconds; null: none. */
  readonly retryAfterMs: number | null

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason)
    this.name = 'RelayDownError'
    this.retryAfterMs = retryAfterMs
  }
}
