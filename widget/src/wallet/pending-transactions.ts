import type { CheckoutController } from '../checkout-controller.ts'
import type { CheckoutHost } from '../host.ts'
import { toSend } from '../payment.ts'
import { loadPendingTransaction, type PendingTransaction, savePendingTransaction } from './pending-transaction-store.ts'
import { reportTransaction } from './report-transaction.ts'

/** What wallets were asked to send, by payment, and the reports of it to page and service. */
export class PendingTransactions {
  private readonly host: CheckoutHost
  private readonly controller: CheckoutController

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  of(paymentId: string): PendingTransaction | null {
    return paymentId ? loadPendingTransaction(paymentId) : null
  }

  /** Null forgets it: nothing was sent, or nothing can come of it any more. */
  keep(paymentId: string, change: Partial<PendingTransaction> | null): void {
    const { checkout } = this.controller
    const isNew = change?.account !== undefined && checkout.phase === 'following'
    const due = isNew ? { due: toSend(checkout.answer.payment) } : {}
    savePendingTransaction(
      paymentId,
      change && { ...(loadPendingTransaction(paymentId) as PendingTransaction), ...change, ...due },
    )
    if (change?.hash) this.emit(paymentId, change.hash)
  }

  /** Seen by the service, ended, or no longer on screen. */
  isOver(paymentId: string): boolean {
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== paymentId) return true
    const { stage, answer } = checkout
    const isOpen = stage === 'awaiting' || (stage === 'underpaid' && !answer.payment.isContract)
    const due = loadPendingTransaction(paymentId)?.due
    return !isOpen || (due !== undefined && due !== toSend(answer.payment))
  }

  /** Reports the hash to the service. Only with a public key: a payment made by the merchant's server is seen without. */
  report(paymentId: string): void {
    const { controller, host } = this
    const { checkout } = controller
    const { hash = '', account = '' } = loadPendingTransaction(paymentId) ?? {}
    if (checkout.phase !== 'following' || !hash || !host.publicKey) return
    const { intent, answer } = checkout
    const network = String(answer.wire['network'] ?? '')
    const report = { paymentId, network, transactionHash: hash, senderAddress: account }
    void reportTransaction(intent.apiBase, host.publicKey, report, () => this.isOver(paymentId)).then(
      controller.pollNow,
    )
  }

  private emit(paymentId: string, transactionHash: string): void {
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== paymentId) return
    const detail = { payment: checkout.answer.payment, transactionHash }
    this.host.dispatchEvent(new CustomEvent('sc-transaction-sent', { detail, bubbles: true, composed: true }))
    this.report(paymentId)
  }
}
