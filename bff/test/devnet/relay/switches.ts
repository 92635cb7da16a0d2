import type { Outcome } from './order.ts'

/** Answers a number of calls with a fault instead. */
export type Fault = {
  /** Of the HTTP answer. */
  status: number
  errorCode?: string
  message?: string
  retryAfterSeconds?: number
  /** Part of the path of the calls that are meant; default: all of the API. */
  path?: string
  /** How many calls; default: until the switches are put back. */
  times?: number
}

/** How the emulator misbehaves. */
export type Switches = {
  /** Of the deposits that are seen from now on: delivered, delivered by half, given back, or come too late. */
  outcome: Outcome
  /** Between the deposit and the delivery; the order says `delayed` then. */
  delayMs: number
  /** Orders made from now on do not see their deposit until they are asked to look again. */
  isBlind: boolean
  /** Told as the status of every order that is neither waiting nor over. */
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

/** @throws {TypeError} naming the switch that is wrong. */
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

/** The fault that a call meets, counted. */
export function takeFault(switches: Switches, path: string): Fault | null {
  const { fault } = switches
  if (fault === null || (fault.path !== undefined && !path.includes(fault.path))) return null
  if (fault.times !== undefined) {
    fault.times -= 1
    if (fault.times <= 0) switches.fault = null
  }
  return fault
}
