import { type Asker, createFairShares } from '../../core/fair-shares.ts'

/** Idle receivers that are remembered. A forgotten receiver can leave at most one more set of attempts unanswered. */
const receiversMax = 10_000

type Receiver = {
  merchantId: string
  underWay: number
  /** Attempts without a response since the last response. */
  unanswered: number
}

export type EndpointLimits = {
  /** Attempts under way at once, to all receivers. */
  attemptsMax: number
  /** Of `attemptsMax`: attempts of one merchant, fewer while others have some under way (`core/fair-shares.ts`). */
  perMerchantMax: number
  /** Attempts under way at once to one receiver: an endpoint, or one merchant's callbackUrls at one origin. */
  perReceiverMax: number
  /** Of `attemptsMax`: attempts to all callbackUrls, and to those of one merchant. */
  callbacksMax: number
  callbacksPerMerchantMax: number
}

/** The merchant whose callbackUrls the receiver is; undefined for an endpoint, whose name contains no space. */
const merchantOf = (name: string): string | undefined => (name.includes(' ') ? name.split(' ', 1)[0] : undefined)

const askerOf = (merchantId: string): Asker => ({ client: null, merchantId })

/**
 * Limits the delivery attempts under way, in all and per receiver, so that an unresponsive receiver uses up only its own
 * share. A receiver that left a full share of attempts unanswered gets one attempt at a time until it responds, so that
 * many such receivers together do not use up everything.
 *
 * Anybody with a public key can name callbackUrls at any number of hosts. These have a share of their own, so that they do
 * not affect registered endpoints or other merchants.
 *
 * A merchant with many unresponsive endpoints, or one that replaces them by new ones, uses up only its own share too.
 */
export function createEndpointLimiter({
  attemptsMax,
  perMerchantMax,
  perReceiverMax,
  callbacksMax,
  callbacksPerMerchantMax,
}: EndpointLimits) {
  const receivers = new Map<string, Receiver>()
  const shares = createFairShares({ perClient: attemptsMax, perMerchant: perMerchantMax, all: attemptsMax })
  const callbacksOf = new Map<string, number>()
  let callbacks = 0
  let underWay = 0

  function hasShare(merchant: string | undefined): boolean {
    if (merchant === undefined) return true
    return callbacks < callbacksMax && (callbacksOf.get(merchant) ?? 0) < callbacksPerMerchantMax
  }

  function countCallback(merchant: string | undefined, change: 1 | -1): void {
    if (merchant === undefined) return
    callbacks += change
    const now = (callbacksOf.get(merchant) ?? 0) + change
    if (now > 0) callbacksOf.set(merchant, now)
    else callbacksOf.delete(merchant)
  }

  return {
    isFull: () => underWay >= attemptsMax,
    /** @returns whether an attempt may start; it then counts as under way. */
    enter(name: string, merchantId: string): boolean {
      const receiver = receivers.get(name) ?? { merchantId, underWay: 0, unanswered: 0 }
      const isSilent = receiver.unanswered >= perReceiverMax
      if (receiver.underWay >= (isSilent ? 1 : perReceiverMax)) return false
      if (!hasShare(merchantOf(name))) return false
      if (!shares.take(askerOf(merchantId))) return false
      countCallback(merchantOf(name), 1)
      receivers.set(name, receiver)
      receiver.underWay += 1
      underWay += 1
      return true
    },
    /** Ends an attempt. `hasAnswered` is undefined when no attempt was made. */
    leave(name: string, hasAnswered: boolean | undefined): void {
      const receiver = receivers.get(name)
      if (!receiver) return
      underWay -= 1
      shares.release(askerOf(receiver.merchantId))
      countCallback(merchantOf(name), -1)
      receiver.underWay -= 1
      if (hasAnswered !== undefined) receiver.unanswered = hasAnswered ? 0 : receiver.unanswered + 1
      // Deleted and set again, the entry becomes the newest: entries are forgotten in the map's order.
      receivers.delete(name)
      if (receiver.underWay > 0 || receiver.unanswered > 0) receivers.set(name, receiver)
      if (receivers.size > receiversMax + attemptsMax) forgetOldest()
    },
  }

  function forgetOldest(): void {
    for (const [name, receiver] of receivers) {
      if (receiver.underWay > 0) continue
      receivers.delete(name)
      return
    }
  }
}
