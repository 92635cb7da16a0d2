import type { CheckoutController } from '../checkout-controller.ts'
import { toSend } from '../payment.ts'
import type { ControllerHost } from '../ui/small-element.ts'
import type { PinSettings } from './pins.ts'
import { loadSending, type Sending, saveSending } from './record.ts'
import { reportTransaction } from './service.ts'

/** The element, as far as the wallet path asks anything of it. */
export type WalletHost = ControllerHost &
  PinSettings & {
    readonly renderRoot: ShadowRoot
    readonly publicKey: string
    readonly walletconnectProjectId: string
  }

/** What wallets were asked to send, by payment, and who is told of it. */
export class Sendings {
  private readonly host: WalletHost
  private readonly controller: CheckoutController

  constructor(host: WalletHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  of(paymentId: string): Sending | null {
    return paymentId ? loadSending(paymentId) : null
  }

  /** Null forgets it: nothing was sent, or nothing can come of it any more. */
  keep(paymentId: string, change: Partial<Sending> | null): void {
    const { checkout } = this.controller
    const isNew = change?.account !== undefined && checkout.phase === 'following'
    const due = isNew ? { due: toSend(checkout.answer.payment) } : {}
    saveSending(paymentId, change && { ...(loadSending(paymentId) as Sending), ...change, ...due })
    if (change?.hash) this.tell(paymentId, change.hash)
  }

  /** Seen by the service, ended, or no longer on screen. */
  isOver(paymentId: string): boolean {
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== paymentId) return true
    const { stage, answer } = checkout
    const isOpen = stage === 'awaiting' || (stage === 'underpaid' && !answer.payment.isContract)
    const due = loadSending(paymentId)?.due
    return !isOpen || (due !== undefined && due !== toSend(answer.payment))
  }

  /** Tells the service where to look. Only with a public key: a payment made by the merchant's server is seen without. */
  report(paymentId: string): void {
    const { controller, host } = this
    const { checkout } = controller
    const { hash = '', account = '' } = loadSending(paymentId) ?? {}
    if (checkout.phase !== 'following' || !hash || !host.publicKey) return
    const { intent, answer } = checkout
    const network = String(answer.wire['network'] ?? '')
    const report = { paymentId, network, transactionHash: hash, senderAddress: account }
    void reportTransaction(intent.apiBase, host.publicKey, report, () => this.isOver(paymentId)).then(
      controller.lookNow,
    )
  }

  private tell(paymentId: string, transactionHash: string): void {
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== paymentId) return
    const detail = { payment: checkout.answer.payment, transactionHash }
    this.host.dispatchEvent(new CustomEvent('sc-transaction-sent', { detail, bubbles: true, composed: true }))
    this.report(paymentId)
  }
}
