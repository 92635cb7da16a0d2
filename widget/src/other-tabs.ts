import type { ReactiveController } from 'lit'
import { readPayment } from './api/payments.ts'
import { cancelPayment } from './api/replace-payment.ts'
import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { type CheckoutHost, Part } from './part.ts'
import { type Answer, isSameAmount, seenOf } from './payment.ts'

/** `paymentId` paid the order; an empty one asks the other tabs for theirs. */
type Message = { order: string; paymentId: string }

/**
 * The shop's tabs notify each other that an order is paid, so that a customer with two open tabs does not pay twice. A
 * message from another tab is only a hint: the payment it names is read from the service.
 */
export class OtherTabs extends Part implements ReactiveController {
  /** The payment paid in another tab, once it is shown here. */
  paidInOtherTab = ''
  private channel: BroadcastChannel | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addEventListener('sc-paid', () => this.announcePaid())
    host.addController(this)
  }

  hostConnected(): void {
    if (typeof BroadcastChannel === 'undefined' || this.channel) return
    this.channel = new BroadcastChannel('stablecoin-checkout')
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => void this.receive(data)
    this.send('')
    this.announcePaid()
  }

  hostDisconnected(): void {
    this.channel?.close()
    this.channel = null
  }

  /** Only the shop's order id makes two payments the same purchase. */
  private get order(): string {
    const intent = this.following?.intent
    if (intent?.type !== 'create' || !intent.terms.orderId) return ''
    return JSON.stringify([intent.apiBase, intent.publicKey, intent.terms.orderId])
  }

  private send(paymentId: string): void {
    const { order } = this
    if (order) this.channel?.postMessage({ order, paymentId } satisfies Message)
  }

  private announcePaid(): void {
    const { following } = this
    if (following?.stage === 'paid') this.send(following.answer.payment.id)
  }

  private async receive({ order, paymentId }: Message): Promise<void> {
    const { following } = this
    if (!following || order !== this.order || this.host.isPaying) return
    if (!paymentId) return this.announcePaid()
    if (paymentId === following.answer.payment.id || !isUntouched(following)) return
    const answer = await readPayment(following.intent.apiBase, paymentId, true)
    // This payment may have received money meanwhile: then it stays on screen.
    const now = this.following
    if (!now || order !== this.order || this.host.isPaying || !isUntouched(now)) return
    if (!('payment' in answer) || !isSamePurchase(now.answer, answer)) return
    this.paidInOtherTab = paymentId
    const { apiBase } = now.intent
    this.controller.adopt(answer, false)
    // The payment is cancelled because nobody must pay it any more. Otherwise it expires with its window.
    await cancelPayment(apiBase, this.host.publicKey, now.answer.payment.id)
  }
}

function isUntouched({ stage, answer }: Following): boolean {
  return stage !== 'paid' && !seenOf(answer.payment)
}

function isSamePurchase({ payment: own }: Answer, { payment: other }: Answer): boolean {
  return other.outcome === 'paid' && other.currency === own.currency && isSameAmount(other.amount, own.amount)
}
