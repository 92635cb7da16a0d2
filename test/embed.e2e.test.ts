import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ConsoleMessage, Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import type {} from '../widget/types/stablecoin-checkout.d.ts'
import { openBrowser, type Site, type Visit } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('embed')
const { bff, chain } = story
const browser = await openBrowser()

const path = (relative: string) => fileURLToPath(new URL(`../widget/${relative}`, import.meta.url))
const hashes = JSON.parse(readFileSync(path('dist/integrity.json'), 'utf8')) as Record<string, string>

/** The strictest rules that the element's README promises to work under, with nothing `unsafe` in them. */
const strict = (service: string) =>
  [
    "default-src 'none'",
    `script-src ${service}`,
    `connect-src ${service}`,
    "style-src 'none'",
    `img-src ${service} data:`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** A shop on another origin than the service, under the strictest rules, sent as a header. Any refusal fails the visit. */
async function shop(
  head: string,
  body: string,
  use: (customer: Visit) => Promise<void>,
  site: Pick<Site, 'tolerated' | 'prepare'> = {},
) {
  const headers = { 'Content-Security-Policy': strict(bff.url()) }
  const url = await openPages(new Map([['/', { body: pageOf(head, body), headers }]]))
  await browser.visit({ url, origins: [url, bff.url()], ...site }, use)
}

const script = (name: string, more = '') =>
  `<script src="${bff.url()}/${name}" integrity="${hashes[name]}" crossorigin async ${more}></script>`
const tag = (orderId: string, more = '') =>
  `<stablecoin-checkout public-key="${bff.merchant.publicKey}" currency="USDC" network="devnet" order-id="${orderId}" ${more}></stablecoin-checkout>`

const isShown = (customer: Visit, index: number) =>
  customer.page
    .locator('stablecoin-checkout')
    .nth(index)
    // Not the skeleton's.
    .locator('[part=address]:not([inert] *)')
    .waitFor()

test('on the strictest page: two elements, the script twice and the module, each with its hash, hold two payments', () =>
  shop(
    `${script('stablecoin-checkout.js')}${script('stablecoin-checkout.js', 'data-again')}${script('stablecoin-checkout.mjs', 'type="module"')}`,
    `${tag('strict-1', 'amount="25.00"')}${tag('strict-2', 'amount="12.00"')}`,
    async ({ page }) => {
      await isShown({ page } as Visit, 0)
      await isShown({ page } as Visit, 1)
      const shown = await page.evaluate(() =>
        [...document.querySelectorAll('stablecoin-checkout')].map((element) => element.payment?.depositAddress ?? ''),
      )
      expect(new Set(shown).size).toBe(2)
      await chain.pay(shown[1] as `0x${string}`, '12.00')
      await chain.mine(2)
      await page.locator('stablecoin-checkout').nth(1).getByText('Paid').first().waitFor()
      expect(await page.locator('stablecoin-checkout').nth(0).locator('[part=address]').count()).toBe(1)
    },
  ))

test('on the strictest page: a price in dollars behind a button, in a dialog that Escape closes', () =>
  shop(
    script('stablecoin-checkout.js'),
    tag('strict-3', 'price="19.99" price-currency="USD" display="button"'),
    async (customer) => {
      const { page } = customer
      const button = page.getByRole('button', { name: 'Pay $19.99' })
      await button.waitFor()
      const made = async () => (await bff.query("select id from payments where order_id = 'strict-3'")).length
      expect(await made()).toBe(0)
      await button.focus()
      await page.keyboard.press('Enter')
      await customer.reads('Waiting for your payment')
      expect(await customer.amount()).toBe('19.99 USDC')
      expect(await made()).toBe(1)
      await page.keyboard.press('Escape')
      await page.locator('stablecoin-checkout dialog').waitFor({ state: 'hidden' })
      const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('part'))
      await expect.poll(focused).toBe('button')
    },
  ))

test('a script that is not the one of the hash does not run', () => {
  let refusal: Promise<ConsoleMessage> | undefined
  return shop(
    script('stablecoin-checkout.js').replace(/sha384-..../, 'sha384-AAAA'),
    tag('strict-4', 'amount="25.00"'),
    async ({ page }) => {
      // The browser has loaded it, and says why it does not run.
      expect((await refusal)?.text()).toContain('Failed to find a valid digest')
      expect(await page.evaluate(() => customElements.get('stablecoin-checkout') === undefined)).toBe(true)
      // The rules are in force: text may not become markup.
      const markUp = () => page.evaluate("document.body.innerHTML = '<b></b>'")
      await expect(markUp()).rejects.toThrow('TrustedHTML')
    },
    {
      tolerated: /integrity|TrustedHTML/,
      async prepare(page) {
        refusal = page.waitForEvent('console', (message) => message.text().includes('integrity'))
        // A visit that fails before is not a second fault.
        refusal.catch(() => undefined)
      },
    },
  )
})

const paymentsOf = (orderId: string) =>
  bff.query<{ metadata: string | null; customer_email: string | null }>(
    'select metadata, customer_email from payments where order_id = ?',
    orderId,
  )
const module = `<script type="module" src="${bff.url()}/stablecoin-checkout.js"></script>`
const isCreate = (request: Request) => request.method() === 'POST' && request.url().includes('/deposits/create')

/** The element's own code comes only after its create has left and the page's scripts have run. */
async function holdElement(page: Page): Promise<void> {
  const ready = Promise.all([page.waitForRequest(isCreate), page.waitForEvent('load')])
  await page.route('**/stablecoin-checkout-element-*', async (route) => {
    await ready
    await route.continue()
  })
}

test('the create leaves before the element has come, with what the page’s scripts have set by then', () =>
  shop(
    module,
    tag('early-1', 'amount="25.00" customer-email="a@b.example"'),
    async (customer) => {
      await customer.reads('Waiting for your payment')
      expect(await paymentsOf('early-1')).toEqual([{ metadata: '{"table":4}', customer_email: 'c@d.example' }])
    },
    {
      async prepare(page) {
        await holdElement(page)
        await page.addInitScript(() =>
          document.addEventListener('DOMContentLoaded', () => {
            const properties = { metadata: { table: 4 }, customerEmail: 'c@d.example' }
            Object.assign(document.querySelector('stablecoin-checkout') ?? {}, properties)
          }),
        )
      },
    },
  ))

test('what changes between that create and the element makes no second payment of the same terms', () =>
  shop(
    module,
    `${tag('early-2', 'amount="25.00"')}${tag('early-2', 'amount="25.00"')}${tag('early-3', 'amount="25.00"')}`,
    async ({ page }) => {
      for (const index of [0, 1, 2]) await isShown({ page } as Visit, index)
      expect(await paymentsOf('early-2')).toHaveLength(2)
      // Other terms are another payment, and its amount is what is on screen.
      expect(await page.locator('stablecoin-checkout').nth(2).locator('[part=amount]').textContent()).toContain('30.00')
    },
    {
      async prepare(page) {
        await holdElement(page)
        await page.addInitScript(() =>
          addEventListener('load', () => {
            const [first, , last] = document.querySelectorAll('stablecoin-checkout')
            first?.setAttribute('customer-email', 'late@b.example')
            last?.setAttribute('amount', '30.00')
          }),
        )
      },
    },
  ))

test('a browser that keeps nothing makes one payment all the same', () =>
  shop(
    module,
    tag('early-4', 'amount="25.00"'),
    async (customer) => {
      await customer.reads('Waiting for your payment')
      expect(await paymentsOf('early-4')).toHaveLength(1)
    },
    {
      async prepare(page) {
        await holdElement(page)
        await page.addInitScript(() => {
          const deny = () => {
            throw new DOMException('denied', 'SecurityError')
          }
          Object.defineProperty(window, 'sessionStorage', { get: deny })
        })
      },
    },
  ))
