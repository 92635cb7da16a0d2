import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 25

/** Much more than anything here takes. On a quiet machine: the bound counts looks, and where the machine is slow or busy each takes longer. */
const boundMsDefault = 60_000

/**
 * Looks until there is something to see. Faults count as "not yet": what is waited for may be starting.
 * @returns the first value that is neither false nor undefined.
 * @throws {Error} after as many looks as fit into `boundMs`, naming what was waited for.
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | false | undefined> | Value | false | undefined,
  boundMs = boundMsDefault,
): Promise<Value> {
  for (let looks = 1; ; looks += 1) {
    let fault: unknown
    try {
      const value = await look()
      if (value !== false && value !== undefined) return value
    } catch (error) {
      fault = error
    }
    if (looks * lookEveryMs > boundMs) throw new Error(`Looked ${looks} times in vain for ${what}`, { cause: fault })
    await sleep(lookEveryMs)
  }
}
