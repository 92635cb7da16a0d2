/** Lanes that are remembered without a try in hand: forgetting one costs eight hanging tries at the most. */
const silentMax = 10_000

type Lane = {
  inHand: number
  /** Tries since the last answer that ended without one. */
  silences: number
}

export type LaneLimits = {
  /** Tries in hand at once, over all receivers. */
  inHandMax: number
  /** Tries in hand at once to one receiver: an endpoint, or what one merchant's callbackUrls have at one origin. */
  perLaneMax: number
}

/**
 * Who may start a try: bounded overall and per receiver, so that a receiver that hangs takes up its own lane only. One
 * that left a whole lane of tries unanswered gets one at a time until it answers, so that many of them together do not
 * take up everything.
 */
export function createLanes({ inHandMax, perLaneMax }: LaneLimits) {
  const lanes = new Map<string, Lane>()
  let inHand = 0
  return {
    isFull: () => inHand >= inHandMax,
    /** Takes a place; false when there is none. */
    enter(name: string): boolean {
      const lane = lanes.get(name) ?? { inHand: 0, silences: 0 }
      const isSilent = lane.silences >= perLaneMax
      if (inHand >= inHandMax || lane.inHand >= (isSilent ? 1 : perLaneMax)) return false
      lanes.set(name, lane)
      lane.inHand += 1
      inHand += 1
      return true
    },
    /** Gives the place back. `hasAnswered` is undefined when there was no try after all. */
    leave(name: string, hasAnswered: boolean | undefined): void {
      const lane = lanes.get(name)
      if (!lane) return
      inHand -= 1
      lane.inHand -= 1
      if (hasAnswered !== undefined) lane.silences = hasAnswered ? 0 : lane.silences + 1
      // Set anew, it is the youngest: the map's order is the order of forgetting.
      lanes.delete(name)
      if (lane.inHand > 0 || lane.silences > 0) lanes.set(name, lane)
      if (lanes.size > silentMax + inHandMax) forgetOldest()
    },
  }

  function forgetOldest(): void {
    for (const [name, lane] of lanes) {
      if (lane.inHand > 0) continue
      lanes.delete(name)
      return
    }
  }
}
