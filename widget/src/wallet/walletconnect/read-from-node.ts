import { withDeadline } from '../../deadline.ts'

/** Chain reads of a wallet payment. Everything else goes to the wallet. */
const reads = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
])

export const isRead = (method: string): boolean => reads.has(method)

/** A public node answers within a second. */
const timeoutMs = 10_000

type Reply = { result?: unknown; error?: { code?: unknown; message?: unknown; data?: unknown } }

/**
 * Calls a node by JSON-RPC.
 * @throws an error with the node's `code` and `data`, like a wallet's.
 */
export function readFromNode(rpcUrl: string, method: string, params: unknown): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] })
  return withDeadline(timeoutMs, async (signal) => {
    const response = await fetch(rpcUrl, { method: 'POST', credentials: 'omit', headers, body, signal })
    const { result, error } = (await response.json()) as Reply
    if (error) throw Object.assign(new Error(String(error.message)), { code: error.code, data: error.data })
    return result
  })
}
