/** Receivers that are remembered without an attempt under way: forgetting one costs at most one more set of unanswered attempts. */
const receiversMax = 10_000

type Receiver = {
  underWay: number
  /** Attempts without a response since the last response. */
  unanswered: number
}

export type EndpointLimits = {
  /** Attempts under way at once, to all receivers. */
  attemptsMax: number
  /** Attempts under way at once to one receiver: an endpoint, or one merchant's callbackUrls at one origin. */
  perReceiverMax: number
  /** Of all, those to callbackUrls, and those to the callbackUrls of one merchant. */
  callbacksMax: number
  callbacksPerMerchantMax: number
}

/** The merchant whose callbackUrls the receiver is; undefined for an endpoint, whose name has no space. */
const merchantOf = (name: string): string | undefined => (name.includes(' ') ? name.split(' ', 1)[0] : undefined)

/**
 * Limits the delivery attempts under way, in all and per receiver, so that a receiver that does not respond uses up its own
 * share only. A receiver that left all attempts of its share unanswered gets one attempt at a time until it responds, so
 * that many such receivers together do not use up everything.
 *
 * Anybody with a public key names callbackUrls at hosts without number, so these have a share of their own: endpoints, which a
 * merchant has registered, and other merchants are not concerned.
 */
export function createEndpointLimiter({
  attemptsMax,
  perReceiverMax,
  callbacksMax,
  callbacksPerMerchantMax,
}: EndpointLimits) {
  const receivers = new Map<string, Receiver>()
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
    enter(name: string): boolean {
      const receiver = receivers.get(name) ?? { underWay: 0, unanswered: 0 }
      const isSilent = receiver.unanswered >= perReceiverMax
      if (underWay >= attemptsMax || receiver.underWay >= (isSilent ? 1 : perReceiverMax)) return false
      if (!hasShare(merchantOf(name))) return false
      countCallback(merchantOf(name), 1)
      receivers.set(name, receiver)
      receiver.underWay += 1
      underWay += 1
      return true
    },
    /** Ends an attempt. `hasAnswered` is undefined when no attempt was made after all. */
    leave(name: string, hasAnswered: boolean | undefined): void {
      const receiver = receivers.get(name)
      if (!receiver) return
      underWay -= 1
      countCallback(merchantOf(name), -1)
      receiver.underWay -= 1
      if (hasAnswered !== undefined) receiver.unanswered = hasAnswered ? 0 : receiver.unanswered + 1
      // Deleted and set again, the entry is the newest: the map keeps the order in which entries are forgotten.
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
