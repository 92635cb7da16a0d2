import type { Page } from 'playwright-core'

/** A response that the service has given and the page has not received. */
type HeldBack = {
  /** The service has answered: what changes from now on is not in the response. */
  isAnswered: Promise<void>
  /** Gives the response to the page, and resolves once its scripts have received it. */
  release(): Promise<void>
}

/** Holds back the next response to a request of this method whose URL matches. */
export async function holdBack(page: Page, method: string, url: RegExp): Promise<HeldBack> {
  let answered = () => {}
  let release = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve
  })
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let isTaken = false
  let given = () => {}
  const isGiven = new Promise<void>((resolve) => {
    given = resolve
  })
  await page.route(url, async (route) => {
    if (isTaken || route.request().method() !== method) return await route.fallback()
    isTaken = true
    const response = await route.fetch()
    answered()
    await isReleased
    await route.fulfill({ response })
    given()
  })
  return {
    isAnswered,
    async release() {
      release()
      await isGiven
      // Two frames: the response's handlers run, and the page renders.
      await page.evaluate(
        () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
      )
    },
  }
}
