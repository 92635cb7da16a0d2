import type { MerchantId } from '../../payment/payment.ts'
import type { TroubleFacts } from '../notice-kinds.ts'
import type { Trouble } from './trouble-store.ts'

const minuteMs = 60_000

/** Time between two notices about one cause. */
export const repeatMs = 6 * 60 * minuteMs

/** A restarting node, or one refused webhook, is no reason to wake a person. */
export const graceMs = 5 * minuteMs

/** A cause is forgotten this long after it ended. */
const forgetMs = 7 * 24 * 60 * minuteMs

/** The current state of a cause. `isWrong` null: unknown, such as a balance that was not read since the start. */
export type Observed = { cause: string; facts: TroubleFacts; isWrong: boolean | null }

type Step = { save: Trouble[]; forget: Trouble[]; notify: Trouble[] }

/**
 * What an observation changes, and what people are notified of: a cause that has lasted, repeated every six hours, and its end.
 * A cause that comes back is reported again only six hours after its last notice. Known causes that are not observed have ended.
 */
export function planTroubles(
  merchantId: MerchantId,
  known: readonly Trouble[],
  observed: readonly Observed[],
  nowMs: number,
): Step {
  const step: Step = { save: [], forget: [], notify: [] }
  const seen = new Map(observed.map((one) => [one.cause, one]))
  for (const { cause, facts, isWrong } of observed) {
    if (isWrong !== true) continue
    const before = known.find((one) => one.cause === cause)
    const open: Trouble = before?.isOpen
      ? before
      : {
          merchantId,
          cause,
          facts,
          isOpen: true,
          sinceMs: nowMs,
          notifiedAtMs: before?.notifiedAtMs ?? null,
          isNotified: false,
        }
    const lasts = nowMs - open.sinceMs >= graceMs
    if (lasts && (open.notifiedAtMs === null || nowMs - open.notifiedAtMs >= repeatMs)) {
      const notified = { ...open, facts, notifiedAtMs: nowMs, isNotified: true }
      step.save.push(notified)
      step.notify.push(notified)
    } else if (open !== before) step.save.push(open)
  }
  for (const before of known) {
    const now = seen.get(before.cause)
    if (now && now.isWrong !== false) continue
    if (before.isOpen) {
      const over = { ...before, isOpen: false, sinceMs: nowMs, facts: { ...before.facts, isOver: true } }
      step.save.push(over)
      if (before.isNotified) step.notify.push(over)
    } else if (nowMs - before.sinceMs >= forgetMs) step.forget.push(before)
  }
  return step
}
