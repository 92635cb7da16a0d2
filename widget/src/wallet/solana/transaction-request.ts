import { type Fault, isRetryable, request } from '../../api/client.ts'
import { sleep, timing } from '../../timing.ts'

/** The transaction for the wallet to sign, or why there is none. */
export type TransactionRequest = { transaction: Uint8Array } | Fault

/** The service reads the newest block from a node, and waits up to 10 s for a new deposit's token account. */
const timeoutMs = 20_000
const attemptsMax = 3

/**
 * Requests the payment as a transaction of the account, by Solana Pay's transaction request. Never rejects.
 * @param feePayer - The account that pays the network fee.
 * @see https://docs.solanapay.com/spec#specification-transaction-request
 */
export async function requestTransaction(
  apiBase: string,
  paymentId: string,
  account: string,
  feePayer: 'service' | 'customer',
): Promise<TransactionRequest> {
  for (let attempts = 1; ; attempts++) {
    const path = `payments/solana-pay/${paymentId}`
    const reply = await request<{ transaction: string }>(apiBase, path, { body: { account, feePayer }, timeoutMs })
    if (!('fault' in reply)) return parseTransaction(reply.body.transaction)
    // The service has already waited for the accounts that the payment needs on chain.
    const isLast = attempts === attemptsMax || reply.fault.code === 'NOT_READY'
    if (!isRetryable(reply.fault) || isLast) return reply.fault
    await sleep(timing.retryMs)
  }
}

function parseTransaction(base64: unknown): TransactionRequest {
  try {
    return { transaction: Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0)) }
  } catch (error) {
    return { code: 'BAD_ANSWER', message: String(error), status: 0, retryAfterMs: 0 }
  }
}
