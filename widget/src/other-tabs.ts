import type { ReactiveController } from 'lit'
import { readPayment } from './api/payments.ts'
import { cancelPayment } from './api/replace-payment.ts'
import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { type CheckoutHost, Part } from './part.ts'
import { type Answer, isSameAmount, seenOf } from './payment.ts'

/** `paymentId` paid the order; empty asks the other tabs whether one has. */
type Message = { order: string; paymentId: string }

/**
 * The shop's tabs inform each other that an order is paid, so that a customer who has the shop open twice does not pay twice.
 * The word of another tab is only a hint: the payment it names is read from the service.
 */
export class OtherTabs extends Part implements ReactiveController {
  /** The payment that another tab has paid, once it is on this screen. */
  paidInOtherTab = ''
  private channel: BroadcastChannel | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addEventListener('sc-paid', () => this.announcePaid())
    host.addController(this)
    this.hostConnected()
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

  /** Only a shop's own reference makes two payments the same purchase. */
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
    // Meanwhile money may have come for this one, too: then it is the one to show.
    const now = this.following
    if (!now || order !== this.order || this.host.isPaying || !isUntouched(now)) return
    if (!('payment' in answer) || !isSamePurchase(now.answer, answer)) return
    this.paidInOtherTab = paymentId
    const { apiBase } = now.intent
    this.controller.adopt(answer, false)
    // Nobody must pay it any more. Without this it ends with its window.
    await cancelPayment(apiBase, this.host.publicKey, now.answer.payment.id)
  }
}

function isUntouched({ stage, answer }: Following): boolean {
  return stage !== 'paid' && !seenOf(answer.payment)
}

function isSamePurchase({ payment: own }: Answer, { payment: other }: Answer): boolean {
  return other.outcome === 'paid' && other.currency === own.currency && isSameAmount(other.amount, own.amount)
}
