/** The page's own: a test may have replaced it by one that records what the element waits for. */
const { setTimeout: start } = window

/** Often, because each of hundreds of tests waits several times. */
const pollMs = 10
/** Much more than anything takes: the files of a page that is not built come one by one, and a machine may be busy. */
const boundMs = 50_000

/**
 * Waits until the condition holds.
 * @throws {Error} after `boundMs`, naming what was waited for.
 */
export async function waitUntil(condition: () => unknown, what = 'the condition to hold'): Promise<void> {
  const deadlineMs = performance.now() + boundMs
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`Waited ${boundMs} ms in vain: ${what}`)
    await new Promise((resolve) => start.call(window, resolve, pollMs))
  }
}

/** Lets everything run that the element has begun: what it asks of the service by itself has been asked then. */
export const turnOfPage = (): Promise<void> => new Promise((resolve) => start.call(window, resolve, 0))
