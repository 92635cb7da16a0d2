/**
 * A wallet's error: codes of EIP-1193 (4001…), EIP-3326 (4902), EIP-5792 (57xx) and JSON-RPC (-32602…), or the node's.
 */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: number
  /** The revert data of a call. */
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string) => new WalletError(-32602, message)
