/** The page's own timer: a test may have replaced it to record the element's. */
const { setTimeout: start } = window

/** Short, because each of hundreds of tests waits several times. */
const pollMs = 10
/** Far more than any condition needs on a quiet machine. The bound counts polls: where the machine is busy each takes longer. */
const boundMs = 50_000

/**
 * Waits until the condition holds.
 * @throws {Error} after as many polls as fit into `boundMs`, with `what` in its message.
 */
export async function waitUntil(condition: () => unknown, what = 'the condition to hold'): Promise<void> {
  for (let polls = 1; !(await condition()); polls += 1) {
    if (polls * pollMs > boundMs) throw new Error(`Polled ${polls} times in vain for ${what}`)
    await new Promise((resolve) => start.call(window, resolve, pollMs))
  }
}

/** Lets all started work of the element run, including its automatic requests. */
export const turnOfPage = (): Promise<void> => new Promise((resolve) => start.call(window, resolve, 0))
