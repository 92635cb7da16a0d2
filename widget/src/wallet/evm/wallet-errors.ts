/** Known EIP-1193 and EIP-1474 codes; 0 for none. */
export function codeOf(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  // MetaMask on a phone wraps "unknown chain" (4902) in an internal error.
  const inner = Number(data?.originalError?.code)
  return inner === 4902 ? inner : Number(code) || 0
}

/** The customer refused. Some wallets say so only in the message. */
export function isRefusal(error: unknown): boolean {
  return codeOf(error) === 4001 || /user (rejected|denied|cancel)/i.test(messageOf(error))
}

export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : String(error)
}

/** The wallet has definitely not sent the request. Any other error leaves that open. */
export function isCertainlyUnsent(error: unknown): boolean {
  return isRefusal(error) || unsentCodes.has(codeOf(error))
}

/**
 * Unauthorized, unsupported, unknown chain, unknown method, invalid params. Not 4900 and 4901: a wallet may disconnect
 * after sending.
 */
const unsentCodes = new Set([4100, 4200, 4902, -32601, -32602])

/** The wallet does not support batches after all, or the customer declined the account upgrade. */
export function cannotBatch(error: unknown): boolean {
  return !isRefusal(error) && batchCodes.has(codeOf(error))
}

/**
 * EIP-5792: capability, chain, duplicate, bundle, size, upgrade refused, no atomicity; then JSON-RPC: unknown method or
 * invalid params.
 */
const batchCodes = new Set([5700, 5710, 5720, 5730, 5740, 5750, 5760, 4200, 4100, -32601, -32602])

/** The wallet already has an open request; it shows nothing new until that one is answered. */
export const requestPending = -32002
