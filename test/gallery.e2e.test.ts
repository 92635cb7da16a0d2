import { mkdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Page } from 'playwright-core'
import { afterAll, type ExpectStatic, expect, test } from 'vitest'
import { exhibits } from '../demo/storefront/gallery/fixtures.ts'
import { galleryRoutes } from '../demo/storefront/gallery/gallery.routes.ts'
import { looks, slug } from '../demo/storefront/gallery/page.ts'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser } from './harness/browser.ts'
import { listen } from './harness/listen.ts'

const dist = fileURLToPath(new URL('../widget/dist/', import.meta.url))
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:"

const app = new Hono()
galleryRoutes(app, policy)
app.get('/:file{[\\w.-]+js}', (c) =>
  c.body(readFileSync(join(dist, c.req.param('file'))), 200, { 'Content-Type': 'text/javascript' }),
)
const { origin, close } = await listen(createAdaptorServer({ fetch: app.fetch }) as Server)
afterAll(close)
const browser = await openBrowser()

const names = exhibits.map(({ name }) => name)
/** The states of a service that refuses or does not answer are among them. */
const tolerated = /status of (400|401|429|503)/
/** The states that a wallet's window belongs to are reached. */
const walletsAsked = (page: Page, expect: ExpectStatic) =>
  expect.poll(() => page.locator('figure[data-wallet]:not([data-shown])').count(), { timeout: 60_000 }).toBe(0)

const screens = fileURLToPath(new URL('./.results/screens/gallery/', import.meta.url))

mkdirSync(screens, { recursive: true })
// Beside one another, because each waits for its page to be quiet: so each has the `expect` of its own test.
for (const name of names)
  test.concurrent(`"${name}" has an address, and nothing on it is cut off in light, dark, 320 px and right to left`, ({
    expect,
  }) =>
    browser.visit({ url: `${origin}/gallery/${slug(name)}`, origins: [origin], tolerated }, async ({ page }) => {
      const cards = page.locator('figure stablecoin-checkout')
      expect(await cards.count()).toBe(looks.length)
      const texts = () => cards.evaluateAll((all) => all.map(({ shadowRoot }) => shadowRoot?.textContent ?? ''))
      await expect
        .poll(async () => (await texts()).every((text) => text !== '' && !text.includes('Loading')))
        .toBe(true)
      await walletsAsked(page, expect)
      // Each look in its language, and everything that comes after the first screen.
      await page.waitForLoadState('networkidle')
      const cut = await cards.evaluateAll((all) =>
        all
          .filter(({ clientWidth, shadowRoot }) => (shadowRoot?.querySelector('.card')?.scrollWidth ?? 0) > clientWidth)
          .map((card) => card.closest('figure')?.id),
      )
      expect(cut).toEqual([])
      for (const look of looks) {
        const figure = page.locator(`figure[id="${slug(name)}.${slug(look.name)}"]`)
        await figure.screenshot({ path: `${screens}${slug(name)}.${slug(look.name)}.png`, animations: 'disabled' })
      }
    }))

for (const { name } of exhibits.filter(({ wallet }) => wallet))
  test.concurrent(`"${name}" is accessible in every look, and in its language`, ({ expect }) => {
    const url = `${origin}/gallery/${slug(name)}`
    return browser.visit({ url, origins: [origin], tolerated }, async ({ page }) => {
      await walletsAsked(page, expect)
      // Only a gallery has several checkouts on one page.
      await expectAccessible(page, ['landmark-unique'])
      for (const look of looks) {
        const title = page.locator(`figure[id="${slug(name)}.${slug(look.name)}"] stablecoin-checkout .title`)
        expect(/\p{Script=Arabic}/u.test((await title.first().textContent()) ?? '')).toBe(look.lang === 'ar')
      }
    })
  })

test('a signature that is waited for shows so, the wallet that does not answer is named, and so is what is sent', () =>
  browser.visit({ url: `${origin}/gallery/pay-without-gas-on-EVM`, origins: [origin] }, async ({ page, reads }) => {
    for (const family of ['EVM', 'Solana'])
      for (const [state, words, isAlert] of [
        ['', 'the shop pays the network fee', false],
        ['-the-wallet-does-not-answer', 'No answer yet. Open Fern Wallet yourself', true],
        ['-being-sent', 'Sending your payment…', false],
      ] as const) {
        await page.goto(`${origin}/gallery/pay-without-gas-on-${family}${state}?look=light`)
        await walletsAsked(page, expect)
        await reads(words)
        expect(await page.locator('stablecoin-checkout [role=alert]').count()).toBe(isAlert ? 1 : 0)
      }
  }))

test('a browser without a wallet is shown as such', () =>
  browser.visit({ url: `${origin}/gallery/pay-with-a-wallet?look=light`, origins: [origin] }, (customer) =>
    customer.reads('No wallet was found'),
  ))

test('one look of a state stands alone at its address, and so does a language', () =>
  browser.visit({ url: `${origin}/gallery/paid?look=dark&lang=de`, origins: [origin] }, async (customer) => {
    await customer.reads('Bezahlt')
    expect(await customer.page.locator('figure').count()).toBe(1)
    expect(await customer.page.locator('stablecoin-checkout').getAttribute('theme')).toBe('dark')
  }))

test('all of them stand side by side on one page', () =>
  browser.visit({ url: `${origin}/gallery`, origins: [origin], tolerated }, async ({ page }) => {
    const cards = page.locator('figure stablecoin-checkout')
    const texts = () => cards.evaluateAll((all) => all.map(({ shadowRoot }) => shadowRoot?.textContent ?? ''))
    expect(await cards.count()).toBeGreaterThanOrEqual(names.length * looks.length)
    for (const text of [
      ...['How do you want to pay?', 'Still to send', 'Payment seen', '2 of 3', 'Paid', 'Get 5.00 USDC back'],
      ...['on their way back', 'were sent back', 'Time is up', 'came too late', 'Payment cancelled', 'Simulate'],
      ...['You sent 7.50 USDT on Polygon', 'cannot be paid on right now', 'could not be loaded', 'not set up'],
      ...['On its way to the shop', 'Your money was sent back'],
      ...['the shop pays the network fee', 'Not confirmed in your wallet', 'Your wallet shows the network fee'],
    ])
      await expect.poll(async () => (await texts()).filter((one) => one.includes(text)).length).toBeGreaterThan(2)
  }))
