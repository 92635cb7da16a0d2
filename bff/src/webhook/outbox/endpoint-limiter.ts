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
}

/**
 * Limits the delivery attempts under way, in all and per receiver, so that a receiver that does not respond uses up its own
 * share only. A receiver that left all attempts of its share unanswered gets one attempt at a time until it responds, so
 * that many such receivers together do not use up everything.
 */
export function createEndpointLimiter({ attemptsMax, perReceiverMax }: EndpointLimits) {
  const receivers = new Map<string, Receiver>()
  let underWay = 0
  return {
    isFull: () => underWay >= attemptsMax,
    /** @returns whether an attempt may start; it then counts as under way. */
    enter(name: string): boolean {
      const receiver = receivers.get(name) ?? { underWay: 0, unanswered: 0 }
      const isSilent = receiver.unanswered >= perReceiverMax
      if (underWay >= attemptsMax || receiver.underWay >= (isSilent ? 1 : perReceiverMax)) return false
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
