import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { looks, openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { dashboardPaths, showPage } from './harness/dashboard-pages.ts'
import { faultsFor, visitedLanguages } from './harness/said.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-languages')
const browser = await openBrowser()
const owner = await openDashboard(story)
const { id } = await story.bff.createDeposit({ amount: '25.00', orderId: '7' })
const paths = dashboardPaths(id)

test.each(visitedLanguages)(
  'in "%s" no page of the dashboard says a word of English or scrolls sideways on a telephone',
  async (language) => {
    const found: string[] = []
    const { viewport } = looks.narrow
    const site = owner.site('', async (page) => {
      await page.addInitScript((code) => localStorage.setItem('language', code), language)
      await page.setViewportSize(viewport)
    })
    await browser.visit(site, async ({ page }) => {
      await page.locator('main h1').first().waitFor()
      for (const [index, path] of paths.entries()) {
        await showPage(page, path)
        found.push(...(await faultsFor(language, page, path)))
        // Each page in another language: their words differ, their markup does not.
        if (index % visitedLanguages.length === visitedLanguages.indexOf(language))
          await expectAccessible(page, 'narrow')
      }
    })
    expect([...new Set(found)]).toEqual([])
  },
)
