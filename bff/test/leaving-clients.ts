import { TransactionRefused, type WalletPayments } from '@stablecoin-checkout/bff/testing/chain'

type Verify = WalletPayments['verifySubmission']

/** Longer than any test. */
export const longWaitMs = 120_000

/**
 * Clients of `/payments/process` that disconnect once the service has verified their transaction and may verify it again. The
 * service then responds with its result, however long the verification took; a wait that ends by the clock would depend on a busy
 * machine's progress. For tests.
 * @param waitMs - How long the service waits, for tests of the wait, whose clients stay.
 */
export function createLeavingClients(waitMs: number | undefined) {
  const present = new Map<AbortController, string>()

  function leave(id: string): void {
    for (const [client, paymentId] of present) if (paymentId === id) client.abort()
  }

  return {
    /** How long the service waits. */
    waitMs: waitMs ?? longWaitMs,
    /** The service's verification, observed by the clients. */
    observed:
      (verify: Verify): Verify =>
      async (submission, signal) => {
        try {
          return await verify(submission, signal)
        } catch (error) {
          const isFinal = error instanceof TransactionRefused && !error.isOpen
          // By then the service holds the result, and pauses before it verifies again.
          if (!isFinal && waitMs === undefined) setImmediate(leave, submission.id)
          throw error
        }
      },
    /** @param send - Sends the request for the payment, with the signal that disconnects its client. */
    async ask<T>(id: string, send: (leaving: AbortSignal) => Promise<T>): Promise<T> {
      const client = new AbortController()
      present.set(client, id)
      try {
        return await send(client.signal)
      } finally {
        present.delete(client)
      }
    },
  }
}
