/** The page's own timer: a test may have replaced it to record the element's. */
const { setTimeout: start } = window

/** Short, because each of hundreds of tests waits several times. */
const pollMs = 10
/** Far more than any condition needs: an unbuilt page loads its files one by one, and a machine may be busy. */
const boundMs = 50_000

/**
 * Waits until the condition holds.
 * @throws {Error} after `boundMs`, with `what` in its message.
 */
export async function waitUntil(condition: () => unknown, what = 'the condition to hold'): Promise<void> {
  const deadlineMs = performance.now() + boundMs
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`Timed out after ${boundMs} ms: ${what}`)
    await new Promise((resolve) => start.call(window, resolve, pollMs))
  }
}

/** Lets all started work of the element run, including its automatic requests. */
export const turnOfPage = (): Promise<void> => new Promise((resolve) => start.call(window, resolve, 0))
