import { setTimeout as sleep } from 'node:timers/promises'

/** Each poll of a service in this process costs it some milliseconds. */
const pollEveryMs = 50

/** Far more than anything here takes on an idle machine. The bound counts polls, which take longer on a slow or busy one. */
const boundMsDefault = 60_000

/**
 * Polls until there is a value. Errors count as "not yet": the awaited part may be starting.
 * @returns the first value that is neither false nor undefined.
 * @throws {Error} after as many polls as fit into `boundMs`, naming the awaited condition.
 */
export async function until<Value>(
  what: string,
  poll: () => Promise<Value | false | undefined> | Value | false | undefined,
  boundMs = boundMsDefault,
): Promise<Value> {
  for (let polls = 1; ; polls += 1) {
    let fault: unknown
    try {
      const value = await poll()
      if (value !== false && value !== undefined) return value
    } catch (error) {
      fault = error
    }
    if (polls * pollEveryMs > boundMs) throw new Error(`Polled ${polls} times in vain for ${what}`, { cause: fault })
    await sleep(pollEveryMs)
  }
}

/** Repeats an action until the response arrives, or has failed. */
export async function meanwhile<Value>(answer: Promise<Value>, act: () => Promise<unknown>): Promise<Value> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  answer.then(settle, settle)
  await until('an answer', async () => {
    if (!isSettled) await act()
    return isSettled
  })
  return await answer
}
