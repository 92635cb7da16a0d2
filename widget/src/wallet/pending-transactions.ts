import { isRetryable, request } from '../api/client.ts'
import { Part } from '../part.ts'
import { toSend } from '../payment.ts'

import { load, save, walletEntryOf } from '../session.ts'
import { sleep, timing } from '../timing.ts'

/**
 * A wallet's request for one payment, kept for the life of the tab from before the wallet is asked: after a reload the
 * page must not ask for the money again while the first request may still go through.
 */
export type PendingTransaction = {
  wallet: string
  account: string
  type: 'contract' | 'transfer'
  /** Transaction hash; empty until the wallet has answered. */
  hash: string
  /** Id of a batch (EIP-5792), which has no hash until it is mined. */
  batchId: string
  /** The account's next nonce when the wallet was asked; null when unknown, or for a contract account. */
  nonce: number | null
  /** Token address. */
  token: string
  /** The account's token balance at that time, in base units as text. */
  balance: string
  /** The remaining amount at that time: when it changes, the service has detected the money. */
  due: string
  /** Unix milliseconds of the request; only on Solana, where a transaction can land for a limited time. */
  askedAtMs?: number
  /** The service sent the transaction itself: no report is needed. */
  isSentByService?: boolean
}

/** Wallet requests by payment, and their reports to page and service. */
export class PendingTransactions extends Part {
  of(paymentId: string): PendingTransaction | null {
    return paymentId ? loadPendingTransaction(paymentId) : null
  }

  /** Null removes the record: nothing was sent, or it cannot arrive any more. */
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

  /** Detected by the service, ended, or no longer on screen. */
  isOver(paymentId: string): boolean {
    const { following } = this
    if (following?.answer.payment.id !== paymentId) return true
    const { stage, answer } = following
    const isOpen = stage === 'awaiting' || (stage === 'underpaid' && !answer.payment.isContract)
    const due = loadPendingTransaction(paymentId)?.due
    return !isOpen || (due !== undefined && due !== toSend(answer.payment))
  }

  /**
   * Reports the hash to the service. Requires a public key: a payment created by the merchant's server is detected
   * without a report.
   */
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

/** The time that a service may take to verify: the contract allows well over thirty seconds. */
const processTimeoutMs = 90_000

/** Maximum reports of one transaction; the watcher also detects it without them. */
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
    // An unconfirmed transaction is a 400.
    if (!('fault' in reply) || !(isRetryable(reply.fault) || reply.fault.status === 400)) return
    await sleep(timing.retryMs)
  }
}
