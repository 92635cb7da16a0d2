import { withTimeout } from '@stablecoin-checkout/bff/testing/core'

/** A local node answers in milliseconds; a dump of a long chain takes up to a second. */
const timeoutMs = 10_000

/**
 * One JSON-RPC call without retries.
 * @throws {Error} when the node is unreachable, times out, or returns an error.
 */
export async function rpcCall(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await withTimeout(timeoutMs, [], async (signal) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    return (await response.json()) as { result?: unknown; error?: { message?: string } }
  })
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message ?? 'unknown error'}`)
  return answer.result
}
