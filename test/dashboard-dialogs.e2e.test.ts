import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import type { LanguageCode, MessageKey } from '../bff/dashboard/locales/locale.ts'
import { looks, openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { dashboardPaths, showPage } from './harness/dashboard-pages.ts'
import { faultsFor, visitedLanguages } from './harness/said.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-dialogs')
const { bff, merchant } = story
const browser = await openBrowser()
const owner = await openDashboard(story)
const paths = await dashboardPaths(story)

const post = async (path: string, body: object) =>
  await bff.ask(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
    body: JSON.stringify(body),
  })
await post('links', { amount: '5.00', orderId: '9' })
await post('webhooks/endpoints', { url: 'http://127.0.0.1:9/' })
const open = await bff.createDeposit({ amount: '3.00', orderId: '10' })

/** The buttons that open a dialog, with the page that has them. */
const openers: readonly (readonly [path: string, button: MessageKey])[] = [
  [`/dashboard/payments/${open.id}`, 'payment.end'],
  ['/dashboard/refunds', 'refunds.pay'],
  ['/dashboard/refunds', 'refunds.cancel'],
  ['/dashboard/links', 'links.make'],
  ['/dashboard/links', 'links.qr'],
  ['/dashboard/tills', 'tills.pair.new'],
  ['/dashboard/tills', 'tills.pin.new'],
  ['/dashboard/tills', 'tills.remove'],
  ['/dashboard/keys', 'keys.rotate'],
  ['/dashboard/keys', 'keys.revoke'],
  ['/dashboard/webhooks', 'webhooks.remove'],
]

async function textsOf(language: LanguageCode): Promise<Readonly<Record<MessageKey, string>>> {
  return (await import(`../bff/dashboard/locales/${language}.ts`)).messages
}

/** The owner's dashboard in this language on a telephone. `tolerated`: what the browser reports of refusals. */
const siteIn = (language: LanguageCode, tolerated?: RegExp) => ({
  ...owner.site('', async (page) => {
    await page.addInitScript((code) => localStorage.setItem('language', code), language)
    await page.setViewportSize(looks.narrow.viewport)
  }),
  ...(tolerated && { tolerated }),
})

test('a till is made, so that its dialogs can be opened', async () => {
  await browser.visit(owner.site('tills'), async ({ page, press, reads }) => {
    await page.getByLabel('Name', { exact: false }).first().fill('Counter')
    await page.locator('input[name=pin]').first().fill('246810')
    await press('Add a till')
    await reads('Counter')
  })
})

test.each(visitedLanguages)('in "%s" no dialog says a word of English or scrolls sideways', async (language) => {
  const texts = await textsOf(language)
  const found: string[] = []
  await browser.visit(siteIn(language), async ({ page }) => {
    await page.locator('main h1').first().waitFor()
    for (const [path, opener] of openers) {
      await showPage(page, path)
      await page.locator('main').getByRole('button', { name: texts[opener] }).first().click()
      await page.getByRole('dialog').waitFor()
      found.push(...(await faultsFor(language, page, `${path} ${opener}`)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
  })
  expect([...new Set(found)]).toEqual([])
})

const refused = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { success: false, code, message: 'Refused.' }, headers: { 'retry-after': '30' } })

/** What a page may get in place of its data. */
const refusals: readonly ((route: Route) => Promise<void>)[] = [
  (route) => route.abort(),
  refused(403, 'ROLE_NOT_ALLOWED'),
  refused(404, 'NOT_FOUND'),
  refused(409, 'REFUND_PROMPTED'),
  refused(429, 'RATE_LIMITED'),
  refused(500, 'INTERNAL_ERROR'),
]

const whileRefused = async (page: Page, answer: (route: Route) => Promise<void>, use: () => Promise<void>) => {
  await page.route('**/api/v1/**', answer)
  await use()
  await page.unroute('**/api/v1/**')
}

test.each(visitedLanguages)(
  'in "%s" a page whose data is refused says so without a word of English',
  async (language) => {
    const found: string[] = []
    let refusedPages = 0
    await browser.visit(siteIn(language, /.*/), async ({ page }) => {
      await page.locator('main h1').first().waitFor()
      for (const [index, path] of paths.entries()) {
        await whileRefused(page, refusals[index % refusals.length] as (typeof refusals)[0], async () => {
          await showPage(page, path)
          found.push(...(await faultsFor(language, page, path)))
          if ((await page.locator('main [role=alert]').count()) > 0) refusedPages++
        })
      }
      await showPage(page, '/dashboard/payments')
    })
    expect([...new Set(found)]).toEqual([])
    // The others have no data to be refused.
    expect(refusedPages).toBeGreaterThan(paths.length / 2)
  },
)
