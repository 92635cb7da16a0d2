import { mkdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { exhibits } from '../demo/storefront/gallery/fixtures.ts'
import { galleryRoutes } from '../demo/storefront/gallery/gallery.routes.ts'
import { groupOf, looks, slug } from '../demo/storefront/gallery/page.ts'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, savesScreenshot } from './harness/browser.ts'
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
const idOf = (name: string, look: string) => `${slug(name)}.${slug(look)}`

/** The states of a service that refuses or does not answer are among them. */
const tolerated = /status of (400|401|429|503)/

/** What a state says in English. Those of later chunks are among them: their screens have come when they say it. */
const sayings: ReadonlyMap<string, string> = new Map([
  ['choose', 'How do you want to pay?'],
  ['short', 'Still to send'],
  ['seen', 'Payment detected'],
  ['confirming', '2 of 3'],
  ['paid', 'Paid'],
  ['too much', 'Get 5.00 USDC back'],
  ['refund under way', 'on its way back'],
  ['refunded', 'was returned'],
  ['wrong token on another network', 'You sent 7.50 USDT on Polygon'],
  ['expired', 'Time is up'],
  ['late', 'came too late'],
  ['cancelled', 'Payment cancelled'],
  ['test', 'Simulate'],
  ['pay with a wallet', 'Fern Wallet'],
  ['on Tempo', 'Send only USDC on Tempo.'],
  ['on Tempo, paid', 'Paid'],
  ['on Tron', 'your wallet pays about 7–14 TRX'],
  ['on Tron, detected', '7 of 19'],
  ['on Tron, paid', 'Paid'],
  ['to the shop’s own wallet, too much', 'Paid'],
  ['in EURC', '25.00 EURC'],
  ['in EURC, paid', '25.00 EURC'],
  ['another chain', 'Send exactly 25.075 USDC'],
  ['another chain, on its way', 'On its way to the shop'],
  ['another chain, sent back', 'Your money was returned'],
  ['pay without gas on EVM', 'The shop pays the network fee'],
  ['pay without gas on Solana', 'The shop pays the network fee'],
  ['pay without gas on EVM, the wallet does not answer', 'No answer yet. Open Fern Wallet:'],
  ['pay without gas on Solana, the wallet does not answer', 'No answer yet. Open Fern Wallet:'],
  ['pay without gas on EVM, declined', 'Not confirmed in your wallet'],
  ['pay without gas on EVM, being sent', 'Sending your payment…'],
  ['pay without gas on Solana, being sent', 'Sending your payment…'],
  ['pay without gas on EVM, refused by the service', 'Your wallet shows the network fee'],
  ['payment link', 'How do you want to pay?'],
  ['payment link, paid', 'This was already paid'],
  ['button', 'Pay 25.00 USDC'],
  ['network down', 'are unavailable right now'],
  ['service unreachable', 'couldn’t be loaded'],
  ['isn’t set up', 'isn’t set up'],
])

/** What the customer is told at once, though another thing has the focus. */
const alerting = /does not answer|declined/

const screens = fileURLToPath(new URL('./.results/screens/gallery/', import.meta.url))

/** A figure, as the page has it. */
type Seen = { id: string; text: string; title: string; lang: string; alerts: number; isReady: boolean; isCut: boolean }

/** Runs in the page: each figure with one checkout of a state in a look. */
function look(): Seen[] {
  return [...document.querySelectorAll('figure')].map((figure) => {
    const element = figure.querySelector('stablecoin-checkout')
    const root = element?.shadowRoot
    const card = root?.querySelector('.card')
    const text = root?.textContent?.replace(/\s+/g, ' ') ?? ''
    const isWallet = figure.dataset['wallet'] !== undefined
    return {
      id: figure.id,
      text,
      title: card?.querySelector('.title')?.textContent ?? '',
      lang: card?.getAttribute('lang') ?? '',
      alerts: root?.querySelectorAll('[role=alert]').length ?? 0,
      // The page's script marks a figure whose wallet has been asked for what leads to its state.
      isReady: text.trim() !== '' && !root?.querySelector('.skeleton') && (!isWallet || 'shown' in figure.dataset),
      isCut: (card?.scrollWidth ?? 0) > (element?.clientWidth ?? 0),
    }
  })
}

test('each state has an address, where it stands in each look', async () => {
  for (const name of names) {
    const page = await (await fetch(`${origin}/gallery/${slug(name)}`)).text()
    const ids = [...page.matchAll(/<figure [^>]*id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual(looks.map((one) => idOf(name, one.name)))
  }
})

test('all of them side by side, in light, dark, 320 px and right to left: each says its state, is cut off nowhere, and accessible', () =>
  browser.visit({ url: `${origin}/gallery/all`, origins: [origin], tolerated }, async ({ page }) => {
    const missing = async () => {
      const seen = new Map((await page.evaluate(look)).map((one) => [one.id, one]))
      return names.flatMap((name) =>
        looks.flatMap(({ name: of, lang = 'en' }) => {
          const id = idOf(name, of)
          const figure = seen.get(id)
          if (!figure?.isReady) return [`${id} is not ready`]
          // The button of a dialog has no card.
          if (name !== 'button' && figure.lang !== lang) return [`${id} speaks ${figure.lang}`]
          const saying = lang === 'en' ? (sayings.get(name) ?? '') : ''
          return figure.text.includes(saying) ? [] : [`${id} says "${figure.text.slice(0, 200)}", not "${saying}"`]
        }),
      )
    }
    // One after the other: each has time of its own, however slow the machine is.
    for (const figure of await page.locator('figure[data-wallet]').all())
      await figure.and(page.locator('[data-shown]')).waitFor({ state: 'attached' })
    await expect.poll(missing, { interval: 250 }).toEqual([])
    const figures = await page.evaluate(look)
    expect(figures.filter(({ isCut }) => isCut).map(({ id }) => id)).toEqual([])
    for (const { name } of exhibits.filter(({ wallet }) => wallet))
      for (const { name: of, lang } of looks) {
        const figure = figures.find(({ id }) => id === idOf(name, of))
        expect(/\p{Script=Arabic}/u.test(figure?.title ?? ''), `${name}, ${of}`).toBe(lang === 'ar')
        expect(figure?.alerts, `${name}, ${of}`).toBe(alerting.test(name) ? 1 : 0)
      }
    // Themes, widths and languages stand beside one another here. Only a gallery has several checkouts on one page.
    await expectAccessible(page, 'light', ['landmark-unique'])
    for (const { id } of figures.filter((one) => savesScreenshot(one.id))) {
      mkdirSync(screens, { recursive: true })
      await page.locator(`figure[id="${id}"]`).screenshot({ path: `${screens}${id}.png`, animations: 'disabled' })
    }
  }))

test('the gallery shows every state once, in its group, with a picture that is drawn when it comes near', () =>
  browser.visit({ url: `${origin}/gallery`, origins: [origin], tolerated }, async ({ page, reads, portray }) => {
    const cards = await page.evaluate(() =>
      [...document.querySelectorAll('section')].flatMap((section) =>
        [...section.querySelectorAll('h3')].map(({ textContent }) => [
          textContent,
          section.querySelector('h2')?.textContent,
        ]),
      ),
    )
    expect(cards.toSorted()).toEqual(names.map((name) => [name, groupOf(name)]).toSorted())
    await page.locator('.miniature').first().locator('.title', { hasText: 'How do you want to pay?' }).waitFor()
    const drawn = () => page.locator('.miniature stablecoin-checkout').count()
    const atFirst = await drawn()
    expect(atFirst).toBeLessThan(names.length)
    await expectAccessible(page, 'light')
    await portray('gallery')
    const last = page.locator('.miniature').last()
    await last.scrollIntoViewIfNeeded()
    await last.locator('stablecoin-checkout .title').waitFor()
    expect(await drawn()).toBeGreaterThan(atFirst)

    await page.getByLabel('Language').selectOption('de')
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Width').selectOption('narrow')
    await page.getByRole('button', { name: 'Show' }).click()
    const element = page.locator('figure.narrow stablecoin-checkout[lang=de][theme=dark]').first()
    await element.waitFor()
    // By the keyboard: a card is one link, and nothing in its picture takes the focus.
    const link = page.getByRole('link', { name: 'paid', exact: true })
    await link.focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('a')
    await link.press('Enter')
    await page.waitForURL(`${origin}/gallery/paid?lang=de&look=320-px`)
    await reads('Bezahlt')
  }))

test('a browser without a wallet is shown as such', () =>
  browser.visit({ url: `${origin}/gallery/pay-with-a-wallet?look=light`, origins: [origin] }, (customer) =>
    customer.reads('No wallet found'),
  ))

test('one look of a state stands alone at its address, and so does a language', () =>
  browser.visit({ url: `${origin}/gallery/paid?look=dark&lang=de`, origins: [origin] }, async (customer) => {
    await customer.reads('Bezahlt')
    expect(await customer.page.locator('figure').count()).toBe(1)
    expect(await customer.page.locator('stablecoin-checkout').getAttribute('theme')).toBe('dark')
  }))
