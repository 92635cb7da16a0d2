import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { type Answer, seenOf } from '../payment.ts'
import { type Order, parseOrder } from './order.ts'
import type { Stop } from './screen.ts'
import { readNow, switchRoad } from './service.ts'

/** `kept`: money has come in by the other road meanwhile; nothing is to be asked of the wallet. */
export type Prepared = { paymentId: string; order: Order } | Stop | 'kept'

/** `onSwitched`: the answer of the payment to follow from now on. */
type Steps = { onCreating: () => void; onSwitched: (answer: Answer) => void; isDropped: () => boolean }

/**
 * What to pay, read at this moment. The page's own deposit becomes a contract payment first; one that the merchant's server
 * has made, or that has got money already, is paid by a transfer to its address.
 */
export async function prepareOrder(
  controller: CheckoutController,
  { onCreating, onSwitched, isDropped }: Steps,
): Promise<Prepared> {
  const following = followingOf(controller)
  if (!following) return { why: 'late' }
  const { intent, answer } = following
  const { payment } = answer
  if (intent.type === 'create' && !payment.isContract && !seenOf(payment)) {
    onCreating()
    const switched = await switchRoad(intent, payment.id, 'contract')
    if (isDropped() || switched.type === 'kept') return 'kept'
    if (switched.type === 'switched') onSwitched(switched.answer)
    // No splitter on this network: a transfer to the deposit address pays as well.
    else if (switched.fault.status !== 400 && switched.fault.status !== 404)
      return { why: 'service', words: switched.fault.message }
  }
  const current = followingOf(controller)
  return current ? readOrder(current) : { why: 'service', words: '' }
}

async function readOrder({ intent, answer }: Following): Promise<Prepared> {
  const paymentId = answer.payment.id
  const read = await readNow(intent, paymentId)
  if (!('payment' in read)) return { why: 'service', words: read.message }
  const { outcome } = read.payment
  if (outcome !== 'pending') return { why: outcome === 'paid' ? 'paid' : 'late' }
  try {
    return { paymentId, order: parseOrder(read.payment, read.wire) }
  } catch (error) {
    return { why: 'service', words: String(error) }
  }
}

function followingOf({ checkout }: CheckoutController): Following | null {
  return checkout.phase === 'following' ? checkout : null
}
