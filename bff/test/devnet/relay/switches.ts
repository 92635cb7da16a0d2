import type { Outcome } from './order.ts'

/** An error returned for a number of calls. */
export type Fault = {
  /** HTTP status. */
  status: number
  errorCode?: string
  message?: string
  retryAfterSeconds?: number
  /** Part of the path of the affected calls; default: the whole API. */
  path?: string
  /** Number of calls; default: until the switches are reset. */
  times?: number
}

/** The emulator's faults. */
export type Switches = {
  /** Outcome of deposits detected from now on: delivered, half delivered, refunded, or too late. */
  outcome: Outcome
  /** Delay between deposit and delivery; meanwhile the order's status is `delayed`. */
  delayMs: number
  /** Whether orders created from now on detect their deposit only after a reindex request. */
  isBlind: boolean
  /** Overrides the status of every order that is neither waiting nor final. */
  status: string | null
  fault: Fault | null
}

export const noSwitches = (): Switches => ({
  outcome: 'fill',
  delayMs: 0,
  isBlind: false,
  status: null,
  fault: null,
})

const outcomes: readonly Outcome[] = ['fill', 'short', 'refund', 'expire']

/** @throws {TypeError} naming the invalid switch. */
export function parseSwitches(given: unknown): Switches {
  const wished: Record<string, unknown> = { ...noSwitches(), ...Object(given) }
  const { outcome, delayMs, isBlind, status, fault } = wished
  const need = (isRight: boolean, rule: string) => {
    if (!isRight) throw new TypeError(rule)
  }
  need(outcomes.includes(outcome as Outcome), `outcome must be one of ${outcomes.join(', ')}`)
  need(Number.isInteger(delayMs) && Number(delayMs) >= 0, 'delayMs must be milliseconds, 0 or more')
  need(typeof isBlind === 'boolean', 'isBlind must be true or false')
  need(status === null || typeof status === 'string', 'status must be text or null')
  need(fault === null || isFault(fault), 'fault must be null or have an HTTP status from 400 to 599')
  return { outcome, delayMs, isBlind, status, fault } as Switches
}

function isFault(value: unknown): boolean {
  const { status } = Object(value) as Fault
  return Number.isInteger(status) && status >= 400 && status <= 599
}

/** The fault for a call, which counts against its number of calls. */
export function takeFault(switches: Switches, path: string): Fault | null {
  const { fault } = switches
  if (fault === null || (fault.path !== undefined && !path.includes(fault.path))) return null
  if (fault.times !== undefined) {
    fault.times -= 1
    if (fault.times <= 0) switches.fault = null
  }
  return fault
}
