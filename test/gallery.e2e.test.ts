import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { exhibits } from '../demo/storefront/gallery/fixtures.ts'
import { galleryRoutes } from '../demo/storefront/gallery/gallery.routes.ts'
import { openBrowser } from './harness/browser.ts'
import { listen } from './harness/listen.ts'

const dist = fileURLToPath(new URL('../widget/dist/', import.meta.url))
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src data:"

const app = new Hono()
galleryRoutes(app, policy)
app.get('/:file{[\\w.-]+js}', (c) =>
  c.body(readFileSync(join(dist, c.req.param('file'))), 200, { 'Content-Type': 'text/javascript' }),
)
const { origin, close } = await listen(createAdaptorServer({ fetch: app.fetch }) as Server)
afterAll(close)
const browser = await openBrowser()

/** In each look: light, dark, and as narrow as a small telephone. */
const looks = 3

test('the gallery shows every screen in light, dark and 320 px, and nothing on it is cut off', () =>
  browser.visit(
    // The screens of a service that refuses or does not answer are among them.
    { url: `${origin}/gallery`, origins: [origin], tolerated: /status of (400|401|503)/ },
    async ({ page }) => {
      const cards = page.locator('figure stablecoin-checkout')
      const words = () => cards.evaluateAll((all) => all.map(({ shadowRoot }) => shadowRoot?.textContent ?? ''))
      await expect.poll(async () => (await words()).filter((text) => text.includes('Loading')).length).toBe(0)
      expect(await cards.count()).toBeGreaterThanOrEqual(exhibits.length * looks)
      for (const text of [
        ...['How do you want to pay?', 'Still to send', 'Payment seen', '2 of 3', 'Paid', 'Get 5.00 USDC back'],
        ...['on their way back', 'were sent back', 'Time is up', 'came too late', 'Payment cancelled', 'Simulate'],
        ...['You sent 7.50 USDT on Polygon', 'cannot be paid on right now', 'could not be loaded', 'not set up'],
      ])
        await expect.poll(async () => (await words()).filter((one) => one.includes(text)).length).toBeGreaterThan(2)
      const cut = await cards.evaluateAll((all) =>
        all
          .filter(({ clientWidth, shadowRoot }) => (shadowRoot?.querySelector('.card')?.scrollWidth ?? 0) > clientWidth)
          .map((card) => card.closest('section')?.querySelector('h2')?.textContent),
      )
      expect(cut).toEqual([])
    },
  ))
