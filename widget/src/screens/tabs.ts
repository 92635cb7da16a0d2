import { readPayment } from '../api.ts'
import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { type Answer, isSameAmount, seenOf } from '../payment.ts'
import { clientSecretField } from '../session.ts'
import type { Controller } from '../ui/small-element.ts'
import { post } from './post.ts'
import type { ScreensHost } from './screens.ts'

/** `paymentId` paid the order; empty asks the other tabs whether one has. */
type Told = { order: string; paymentId: string }

/**
 * The shop's tabs tell each other that an order is paid, so that a customer who has the shop open twice does not pay twice.
 * The word of another tab is only a hint: the payment it names is read from the service.
 */
export class Tabs implements Controller {
  /** The payment that another tab has paid, once it is on this screen. */
  paidElsewhere = ''
  private readonly host: ScreensHost
  private readonly controller: CheckoutController
  private channel: BroadcastChannel | null = null

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
    host.addEventListener('sc-paid', () => this.tell())
    host.addController(this)
    this.hostConnected()
  }

  hostConnected(): void {
    if (typeof BroadcastChannel === 'undefined' || this.channel) return
    this.channel = new BroadcastChannel('stablecoin-checkout')
    this.channel.onmessage = ({ data }: MessageEvent<Told>) => void this.hear(data)
    this.send('')
    this.tell()
  }

  hostDisconnected(): void {
    this.channel?.close()
    this.channel = null
  }

  private get following(): Following | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout : null
  }

  /** Only a shop's own reference makes two payments the same purchase. */
  private get order(): string {
    const intent = this.following?.intent
    if (intent?.type !== 'create' || !intent.terms.orderId) return ''
    return JSON.stringify([intent.apiBase, intent.publicKey, intent.terms.orderId])
  }

  private send(paymentId: string): void {
    const { order } = this
    if (order) this.channel?.postMessage({ order, paymentId } satisfies Told)
  }

  private tell(): void {
    const { following } = this
    if (following?.stage === 'paid') this.send(following.answer.payment.id)
  }

  private async hear({ order, paymentId }: Told): Promise<void> {
    const { following } = this
    if (!following || order !== this.order || this.host.isPaying) return
    if (!paymentId) return this.tell()
    if (paymentId === following.answer.payment.id || !isUntouched(following)) return
    const answer = await readPayment(following.intent.apiBase, paymentId, true, never)
    // Meanwhile money may have come for this one, too: then it is the one to show.
    const now = this.following
    if (!now || order !== this.order || this.host.isPaying || !isUntouched(now)) return
    if (!('payment' in answer) || !isSamePurchase(now.answer, answer)) return
    this.paidElsewhere = paymentId
    const { apiBase } = now.intent
    this.controller.adopt(answer, false)
    // Nobody must pay it any more. Without this it ends with its window.
    await post(`${apiBase}/api/v1/payments/fail`, this.host.publicKey, {
      paymentId: now.answer.payment.id,
      status: 'cancelled',
      ...clientSecretField(now.answer.payment.id),
    })
  }
}

const never = new AbortController().signal

function isUntouched({ stage, answer }: Following): boolean {
  return stage !== 'paid' && !seenOf(answer.payment)
}

function isSamePurchase({ payment: own }: Answer, { payment: other }: Answer): boolean {
  return other.outcome === 'paid' && other.currency === own.currency && isSameAmount(other.amount, own.amount)
}
