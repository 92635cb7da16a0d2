/** A JSON-RPC error of a Solana node. Codes are Agave's (`rpc-custom-error.rs`). */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string) => new RpcError(-32602, message)
export const blockNotAvailable = (slot: number) => new RpcError(-32004, `Block not available for slot ${slot}`)
export const nodeBehind = (slots: number) =>
  new RpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots })
export const slotSkipped = (slot: number) =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
export const signatureInvalid = () => new RpcError(-32003, 'Transaction signature verification failure')
export const simulationFailed = (message: string, data: unknown) =>
  new RpcError(-32002, `Transaction simulation failed: ${message}`, data)
export const unsupportedVersion = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
export const minContextSlotNotReached = (contextSlot: number) =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })
