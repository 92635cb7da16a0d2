import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const pages = readFileSync(new URL('../../bff/dashboard/pages.ts', import.meta.url), 'utf8')

/** The paths of all pages that somebody who is signed in can open, of a payment on the devnet where they name one. */
export const dashboardPaths = (paymentId: string): string[] =>
  [...pages.matchAll(/ path: '(\/dashboard\/.*)'/g)]
    .map(([, path = '']) => path.replace(':paymentId', paymentId).replace(':network', 'devnet'))
    .filter((path) => !/sign-in|authorize/.test(path))

/** Goes to a page as a link of the dashboard does, and waits until it has read what it shows. */
export async function showPage(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    window.dispatchEvent(new Event('navigated'))
  }, path)
  await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('main [aria-busy=true]').count(), { message: path }).toBe(0)
}
