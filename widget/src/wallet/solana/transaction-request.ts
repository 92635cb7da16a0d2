import { isRetryable, request } from '../../api/client.ts'
import { sleep, timing } from '../../timing.ts'

/** The transaction that the wallet is to sign, or why there is none. */
export type TransactionRequest = { transaction: Uint8Array } | { code: string; message: string }

/** The service asks a node for the newest block, and waits up to 10 s for the token account of a new deposit. */
const timeoutMs = 20_000
const attemptsMax = 3

/**
 * Asks the service for the payment as a transaction of that account, as Solana Pay's transaction request does. Never rejects.
 * @param feePayer - Who pays the network's fee.
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
    // The service has waited already for what the payment still needs on the chain.
    const isLast = attempts === attemptsMax || reply.fault.code === 'NOT_READY'
    if (!isRetryable(reply.fault) || isLast) return reply.fault
    await sleep(timing.retryMs)
  }
}

function parseTransaction(base64: unknown): TransactionRequest {
  try {
    return { transaction: Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0)) }
  } catch (error) {
    return { code: 'BAD_ANSWER', message: String(error) }
  }
}
