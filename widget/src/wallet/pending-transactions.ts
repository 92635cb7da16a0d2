import { isRetryable, request } from '../api/client.ts'
import { Part } from '../part.ts'
import { toSend } from '../payment.ts'

import { load, save, walletEntryOf } from '../session.ts'
import { sleep, timing } from '../timing.ts'

/**
 * What was asked of the wallet for one payment, kept for the life of the tab from before the wallet is asked: a page that
 * is loaded anew must not ask for the money again while the first request may still go through.
 */
export type PendingTransaction = {
  wallet: string
  account: string
  type: 'contract' | 'transfer'
  /** Hash of the transaction; empty until the wallet has answered. */
  hash: string
  /** Id of a batch (EIP-5792), which has no hash until it is mined. */
  batchId: string
  /** The account's next nonce when it was asked; null when unknown, or when the account is a contract. */
  nonce: number | null
  /** Address of the token. */
  token: string
  /** Base units of it that the account held then, as text. */
  balance: string
  /** What was still to be paid then: when it changes, the service has seen the money. */
  due: string
  /** Unix milliseconds of when the wallet was asked; on Solana alone, where what was sent can land for a while only. */
  askedAtMs?: number
  /** The service itself has sent it: it is not reported to it. */
  isSentByService?: boolean
}

/** What wallets were asked to send, by payment, and the reports of it to page and service. */
export class PendingTransactions extends Part {
  of(paymentId: string): PendingTransaction | null {
    return paymentId ? loadPendingTransaction(paymentId) : null
  }

  /** Null forgets it: nothing was sent, or nothing can come of it any more. */
  keep(paymentId: string, change: Partial<PendingTransaction> | null): void {
    const { following } = this
    const due = following && change?.account !== undefined ? { due: toSend(following.answer.payment) } : {}
    savePendingTransaction(
      paymentId,
      change && { ...(loadPendingTransaction(paymentId) as PendingTransaction), ...change, ...due },
    )
    const payment = following?.answer.payment
    if (!change?.hash || payment?.id !== paymentId) return
    this.emit('sc-transaction-sent', { payment, transactionHash: change.hash })
    this.report(paymentId)
  }

  /** Seen by the service, ended, or no longer on screen. */
  isOver(paymentId: string): boolean {
    const { following } = this
    if (following?.answer.payment.id !== paymentId) return true
    const { stage, answer } = following
    const isOpen = stage === 'awaiting' || (stage === 'underpaid' && !answer.payment.isContract)
    const due = loadPendingTransaction(paymentId)?.due
    return !isOpen || (due !== undefined && due !== toSend(answer.payment))
  }

  /** Reports the hash to the service. Only with a public key: a payment made by the merchant's server is seen without. */
  report(paymentId: string): void {
    const { controller, host, following } = this
    const { hash = '', account = '', isSentByService } = loadPendingTransaction(paymentId) ?? {}
    if (!following || !hash || !host.publicKey || isSentByService) return
    const { intent, answer } = following
    const network = String(answer.wire['network'] ?? '')
    const report = { paymentId, network, transactionHash: hash, senderAddress: account }
    void reportTransaction(intent.apiBase, host.publicKey, report, () => this.isOver(paymentId)).then(
      controller.pollNow,
    )
  }
}

function loadPendingTransaction(paymentId: string): PendingTransaction | null {
  return load<PendingTransaction>(walletEntryOf(paymentId))
}

export function savePendingTransaction(paymentId: string, pending: PendingTransaction | null): void {
  save(walletEntryOf(paymentId), pending)
}

/** As long as a service may verify for: the contract warns that it can take well over thirty seconds. */
const processTimeoutMs = 90_000

/** Times that a transaction is reported until the service has seen it; the watcher sees it without, too. */
const attemptsMax = 40

type Report = { paymentId: string; network: string; transactionHash: string; senderAddress: string }

/** Reports a transaction until the service has verified it, or `isOver`. The service finds it without this too. */
async function reportTransaction(
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
