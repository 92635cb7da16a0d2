import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { dashboardPaths, showPage } from './harness/dashboard-pages.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-failing', { settings: { parts: { stores: true } } })
const browser = await openBrowser()
const owner = await openDashboard(story)

const paths = await dashboardPaths(story)

/** What stops answers, and what the page says then. */
const failures: [string, (page: Page) => Promise<unknown>][] = [
  ['the connection is gone', (page) => page.route('**/api/v1/**', (route) => route.abort('connectionreset'))],
  [
    'the service answers an error of its own',
    (page) =>
      page.route('**/api/v1/**', (route) =>
        route.fulfill({
          status: 500,
          json: { success: false, error: 'Internal error', message: 'Internal error', code: 'INTERNAL_ERROR' },
        }),
      ),
  ],
  [
    'a proxy in between answers with a page',
    (page) =>
      page.route('**/api/v1/**', (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      ),
  ],
]

test.each(failures)('while %s each page says so, and shows its content by one button afterwards', async (_, fail) => {
  await browser.visit({ ...owner.site(), tolerated: /Failed to load resource/ }, async ({ page }) => {
    await page.locator('main h1').first().waitFor()
    // The code of each page is read once: what fails afterwards is the service.
    for (const path of paths) await showPage(page, path)
    const wrong: string[] = []
    for (const path of paths) {
      await fail(page)
      await showPage(page, path)
      const again = page.locator('main').getByRole('button', { name: 'Try again' }).first()
      expect(await again.count(), path).toBeGreaterThan(0)
      for (const raw of ['Bad gateway', 'undefined', '[object', 'Error:'])
        if ((await page.locator('main').getByText(raw).count()) > 0) wrong.push(`${path} says ${raw}`)
      await page.unroute('**/api/v1/**')
      // In one step: a page that follows changes may have read again by itself in between.
      await again.evaluateAll((buttons) => {
        for (const button of buttons as HTMLElement[]) button.click()
      })
      await expect.poll(() => page.locator('main [aria-busy=true]').count(), { message: path }).toBe(0)
      await expect.poll(() => page.locator('main').getByRole('button', { name: 'Try again' }).count()).toBe(0)
    }
    expect(wrong).toEqual([])
  })
})
