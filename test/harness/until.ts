import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 25

/** Much more than anything here takes, because the machine may be busy with other work. */
const boundMsDefault = 60_000

/**
 * Looks until there is something to see. Faults count as "not yet": what is waited for may be starting.
 * @returns the first value that is neither false nor undefined.
 * @throws {Error} after `boundMs`, naming what was waited for.
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | false | undefined> | Value | false | undefined,
  boundMs = boundMsDefault,
): Promise<Value> {
  const deadlineMs = Date.now() + boundMs
  for (;;) {
    let fault: unknown
    try {
      const value = await look()
      if (value !== false && value !== undefined) return value
    } catch (error) {
      fault = error
    }
    if (Date.now() > deadlineMs) throw new Error(`Waited ${boundMs} ms in vain for ${what}`, { cause: fault })
    await sleep(lookEveryMs)
  }
}
