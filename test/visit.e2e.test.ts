import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'

const browser = await openBrowser()
const origin = await openPages(new Map([['/', { body: pageOf('', '<h1>Shop</h1>') }]]))
const site = { url: `${origin}/`, origins: [origin] }

/** What a page finds of an earlier visit. */
const traces = (page: Page) =>
  page.evaluate(async () => ({
    cookies: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    isAnnounced: 'announced' in window,
    isFunction: 'askTest' in window,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    width: innerWidth,
  }))

test('a visit finds nothing of the one before, neither what pages have stored nor what its story has arranged', async () => {
  let before: Awaited<ReturnType<typeof traces>> | undefined
  await browser.visit(site, async ({ page }) => {
    before = await traces(page)
  })
  const arrange = async (page: Page) => {
    await page.addInitScript(() => Object.assign(window, { announced: true }))
    await page.exposeFunction('askTest', () => 1)
    await page.context().addCookies([{ name: 'session', value: 'a', url: origin }])
  }
  await browser.visit({ ...site, prepare: arrange }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(async () => {
      localStorage.setItem('language', 'de')
      sessionStorage.setItem('step', '2')
      await new Promise((resolve) => Object.assign(indexedDB.open('till'), { onsuccess: resolve }))
      await caches.open('files')
    })
    expect(await traces(page)).toEqual({
      cookies: 'session=a',
      local: { language: 'de' },
      session: { step: '2' },
      databases: ['till'],
      caches: ['files'],
      isAnnounced: true,
      isFunction: true,
      isDark: true,
      width: 320,
    })
  })
  await browser.visit(site, async ({ page }) => expect(await traces(page)).toEqual(before))
})

test('after a visit whose story has moved the clock, or has gone offline, time passes and the site answers', async () => {
  await browser.visit(site, async ({ page }) => {
    await page.clock.setFixedTime(0)
    expect(await page.evaluate(() => Date.now())).toBe(0)
    await page.context().setOffline(true)
  })
  await browser.visit(site, async ({ page }) => expect(await page.evaluate(() => Date.now())).toBeGreaterThan(0))
})

test('two visits at once share nothing', async () => {
  await browser.visit(site, async ({ page }) => {
    await page.evaluate(() => localStorage.setItem('language', 'de'))
    await browser.visit(site, async ({ page: other }) => expect((await traces(other)).local).toEqual({}))
    expect((await traces(page)).local).toEqual({ language: 'de' })
  })
})
