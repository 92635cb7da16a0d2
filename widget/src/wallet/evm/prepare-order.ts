import { readPaymentNow, replacePayment } from '../../api/payments.ts'
import type { Following } from '../../checkout.ts'
import type { CheckoutController } from '../../checkout-controller.ts'
import { type Answer, seenOf } from '../../payment.ts'
import type { Pins } from '../pins.ts'
import { verifyShown } from '../shown-payment.ts'
import type { Stop } from '../wallet-state.ts'
import { type Order, parseOrder } from './evm-order.ts'
import { messageOf } from './wallet-errors.ts'

/** `kept`: money has come in by the address meanwhile; nothing is to be asked of the wallet. */
export type Prepared = { paymentId: string; order: Order } | Stop | 'kept'

/** `onReplaced`: the answer of the payment to follow from now on. */
type Steps = { onCreating: () => void; onReplaced: (answer: Answer) => void; isDropped: () => boolean }

/**
 * What to pay, read at this moment. The page's own deposit becomes a contract payment first; one that the merchant's server
 * has made, or that has got money already, is paid by a transfer to its address.
 */
export async function prepareOrder(
  controller: CheckoutController,
  pins: Pins,
  { onCreating, onReplaced, isDropped }: Steps,
): Promise<Prepared> {
  const following = followingOf(controller)
  if (!following) return { why: 'late' }
  const { intent, answer } = following
  const { payment } = answer
  if (intent.type === 'create' && !payment.isContract && !seenOf(payment)) {
    onCreating()
    const replacement = { path: 'payments/create', idempotencyKey: `${payment.id}:contract` } as const
    const replaced = await replacePayment(intent, payment.id, replacement)
    if (isDropped() || replaced.type === 'kept') return 'kept'
    if (replaced.type === 'replaced') onReplaced(replaced.answer)
    // No splitter on this network: a transfer to the deposit address pays as well.
    else if (replaced.fault.status !== 400 && replaced.fault.status !== 404)
      return { why: 'service', message: replaced.fault.message }
  }
  const current = followingOf(controller)
  return current ? readOrder(current, pins) : { why: 'service', message: '' }
}

async function readOrder({ intent, answer }: Following, pins: Pins): Promise<Prepared> {
  const paymentId = answer.payment.id
  const read = await readPaymentNow(intent.apiBase, paymentId)
  if (!('payment' in read)) return { why: 'service', message: read.message }
  const { outcome } = read.payment
  if (outcome !== 'pending') return { why: outcome === 'paid' ? 'paid' : 'late' }
  try {
    verifyShown(answer, read)
    return { paymentId, order: parseOrder(read, intent, pins) }
  } catch (error) {
    return { why: 'service', message: messageOf(error) }
  }
}

function followingOf({ checkout }: CheckoutController): Following | null {
  return checkout.phase === 'following' ? checkout : null
}
