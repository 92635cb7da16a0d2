import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { type Answer, isSameAmount, seenOf, toSend } from '../payment.ts'
import { type Order, parseOrder } from './order.ts'
import type { Pins } from './pins.ts'
import { messageOf } from './provider.ts'
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
  pins: Pins,
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
  return current ? readOrder(current, pins) : { why: 'service', words: '' }
}

async function readOrder({ intent, answer }: Following, pins: Pins): Promise<Prepared> {
  const paymentId = answer.payment.id
  const read = await readNow(intent, paymentId)
  if (!('payment' in read)) return { why: 'service', words: read.message }
  const { outcome } = read.payment
  if (outcome !== 'pending') return { why: outcome === 'paid' ? 'paid' : 'late' }
  try {
    verifyShown(answer, read)
    return { paymentId, order: parseOrder(read, intent, pins) }
  } catch (error) {
    return { why: 'service', words: messageOf(error) }
  }
}

/**
 * What is asked of a wallet is what the customer sees.
 * @throws {RangeError} when the service says something else by now.
 */
export function verifyShown({ payment: shown }: Answer, { payment: now }: Answer): void {
  const names = ['id', 'currency', 'network', 'chainId', 'depositAddress', 'isContract'] as const
  const changed = names.find((name) => shown[name] !== now[name])
  const isOther = changed || !isSameAmount(shown.amount, now.amount) || !isSameAmount(toSend(shown), toSend(now))
  if (isOther)
    throw new RangeError(`The payment on screen has changed (${changed ?? 'amount'}). Look at it and try again.`)
}

function followingOf({ checkout }: CheckoutController): Following | null {
  return checkout.phase === 'following' ? checkout : null
}
