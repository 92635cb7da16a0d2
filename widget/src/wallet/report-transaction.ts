import { isRetryable, request } from '../api/client.ts'
import { sleep, timing } from './timing.ts'

/** As long as a service may verify for: the contract warns that it can take well over thirty seconds. */
const processTimeoutMs = 90_000

/** Times that a transaction is reported until the service has seen it; the watcher sees it without, too. */
const attemptsMax = 40

type Report = { paymentId: string; network: string; transactionHash: string; senderAddress: string }

/** Reports a transaction until the service has verified it, or `isOver`. The service finds it without this too. */
export async function reportTransaction(
  apiBase: string,
  publicKey: string,
  report: Report,
  isOver: () => boolean,
): Promise<void> {
  const options = { publicKey, body: report, timeoutMs: processTimeoutMs }
  for (let attempts = 0; attempts < attemptsMax && !isOver(); attempts++) {
    const reply = await request(apiBase, 'payments/process', options)
    // Not yet confirmed is a 400.
    if (!('fault' in reply) || !(isRetryable(reply.fault) || reply.fault.status === 400)) return
    await sleep(timing.retryMs)
  }
}
