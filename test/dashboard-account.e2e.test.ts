import { serve } from '@hono/node-server'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { openDashboardFiles } from '@stablecoin-checkout/bff/testing/service'
import { accept, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { openTillStage } from '@stablecoin-checkout/rig/till-stage'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, type Site } from './harness/browser.ts'
import { holdPasskey } from './harness/dashboard.ts'

// The service without a chain: what owners do on the pages Till, Keys and Audit log, and the sign-in.
const rates = { USDC: { EUR: '0.9', JPY: '150', USD: '1' }, USDT: { EUR: '0.9', JPY: '150', USD: '1' } }
const bff = await openApp({
  dashboardFiles: openDashboardFiles(),
  readRates: async () => ({ rates, asOfMs: Date.now(), provider: 'fixed' }),
})
const server = serve({ fetch: bff.app.fetch, port: 0, hostname: '127.0.0.1' })
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
const url = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
const browser = await openBrowser()
const owner = await signedIn(bff)
// Of another passkey: the browser has counted the owner's further.
const colleague = await signedIn(bff, 'owner', 'Cleo')
const stage = openTillStage(
  () => bff,
  () => colleague,
)
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  await bff.close()
})

/** The dashboard as the owner's browser opens it. */
const site = (path: string, prepare?: (page: Page) => Promise<unknown>, tolerated?: RegExp): Site => ({
  url: `${url}/dashboard/${path}`,
  origins: [url],
  ...(tolerated && { tolerated }),
  async prepare(page) {
    const [name = '', value = ''] = owner.cookie().split('=')
    await page.context().addCookies([{ name, value, url }])
    await holdPasskey(page, owner.passkey)
    await prepare?.(page)
  },
})

const tills = async () =>
  (await owner.ask('GET', '/dashboard/tills')).body['tills'] as { id: string; name: string; isBlocked: boolean }[]

test('an owner adds a till, connects its device, gives it a new PIN, unblocks it and removes it', async () => {
  await browser.visit(site('tills'), async ({ page, reads, press, portray }) => {
    await reads('No till yet.')
    await page.getByLabel('Name', { exact: true }).fill('Counter')
    await page.getByLabel('PIN for your staff').fill('123456')
    await press('Add a till')
    expect(await page.locator('input:invalid').count(), 'digits in a row are no PIN').toBe(1)
    await page.getByLabel('PIN for your staff').fill('204816')
    await press('Add a till')
    await reads('Scan this with the phone or tablet')
    const link = (await page.locator('[data-link]').textContent()) ?? ''
    expect(link).toMatch(/\/till#pair=[\w-]{43}$/)
    await expectAccessible(page, 'light')
    await page.keyboard.press('Escape')
    await page.locator('[data-link]').waitFor({ state: 'detached' })

    const device = openPage(bff)
    const open = async (pin: string) => (await device.ask('POST', '/till/open', { pin })).status
    expect((await device.ask('POST', '/till/pair', { token: link.split('=').at(-1) })).status).toBe(200)
    expect(await open('204816')).toBe(200)

    await press('New PIN')
    await page.locator('wa-dialog form').getByLabel('PIN for your staff').fill('918273')
    await expectAccessible(page, 'dark')
    await press('Save')
    await reads('Saved. Tell your staff the new PIN.')
    expect(await open('204816')).toBe(403)
    expect(await open('918273')).toBe(200)

    for (let guess = 0; guess < 5; guess++) await open('111222')
    await page.reload()
    await reads('Blocked: wrong PIN')
    await portray('dashboard-tills')
    await press('Unblock')
    await reads('Connected')
    expect(await open('918273')).toBe(200)

    await press('Remove')
    await page.locator('confirm-dialog').getByRole('button', { name: 'Remove: Counter' }).click()
    await reads('No till yet.')
    expect(await open('918273')).toBe(401)
  })
  expect(await tills()).toEqual([])
})

test('an owner chooses the shop’s currency: Home, new tills and new links begin with it', async () => {
  const { body } = await bff.create(order, bff.keys.secret)
  await bff.deps.ledger.apply(body.payment['id'] as PaymentId, {
    type: 'transfer.confirmed',
    transfer: transferTo(body.payment['id'] as PaymentId, 25_000_000n),
    atMs: bff.nowMs(),
  })
  await browser.visit(site('settings'), async ({ page, reads, press, portray }) => {
    const currency = page.getByRole('combobox', { name: 'Currency', exact: true })
    const choices = () => currency.getByRole('option').allTextContents()
    await expect.poll(choices).toEqual(['Not chosen (USD)', 'EUR', 'JPY', 'USD'])
    await currency.selectOption('EUR')
    await press('Save')
    await reads('Saved for payments created from now on.')
    await expectAccessible(page, 'narrow')
    await portray('dashboard-currency-settings')
    const goTo = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).first().click()
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    }
    await goTo('Home')
    await expect.poll(() => currency.inputValue()).toBe('EUR')
    await expectAccessible(page, 'narrow')
    await portray('dashboard-currency-home')
    // For this browser alone, until the shop has another.
    await currency.selectOption('USD')
    await goTo('Links')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByLabel('Amount', { exact: true }).fill('12.50')
    await page.getByText(/^Customers pay 12.50\sEUR$/).waitFor()
    expect(await page.getByLabel('Currency or token').inputValue()).toBe('price EUR')
    await portray('dashboard-currency-link')
    await page.keyboard.press('Escape')
    await goTo('Till')
    await expect.poll(() => page.getByLabel('Amounts in').inputValue()).toBe('EUR')
    await portray('dashboard-currency-till')
    await goTo('Home')
    await expect.poll(() => currency.inputValue()).toBe('USD')
    await goTo('Settings')
    await currency.selectOption('JPY')
    await press('Save')
    await reads('Saved for payments created from now on.')
    await goTo('Home')
    await expect.poll(() => currency.inputValue()).toBe('JPY')
    await goTo('Settings')
    await currency.selectOption('')
    await press('Save')
    await reads('Saved for payments created from now on.')
    await goTo('Till')
    await expect.poll(() => page.getByLabel('Amounts in').inputValue()).toBe('USD')
  })
})

test('an owner renames a key and names the websites of the public ones', async () => {
  await browser.visit(site('keys', undefined, /status of 400/), async ({ page, reads, press, portray }) => {
    await page.getByLabel('Name', { exact: true }).fill('Web shop')
    await press('Create a key')
    await press('Rename: Web shop')
    await page.locator('td').getByLabel('Name', { exact: true }).fill('Shop server')
    await page.locator('td').getByRole('button', { name: 'Save' }).click()
    await reads('Shop server')
    await page.getByLabel('One per line').fill('shop.example')
    await page.locator('form').filter({ hasText: 'Websites' }).getByRole('button', { name: 'Save' }).click()
    await reads('shop.example')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('One per line').fill('https://shop.example\nhttps://www.shop.example')
    await page.locator('form').filter({ hasText: 'Websites' }).getByRole('button', { name: 'Save' }).click()
    await reads('Saved. It takes effect within a second.')
    await expectAccessible(page, 'dark')
    await portray('dashboard-keys-renamed')
  })
  const { body } = await owner.ask('GET', '/merchants/key-origins')
  expect(body['origins']).toEqual(['https://shop.example', 'https://www.shop.example'])
})

test('the audit log is read as sentences, and by person and kind', async () => {
  const bea = openPage(bff)
  await accept(bea, await inviteTo(bff, { role: 'staff', name: 'Bea' }))
  await bea.ask('POST', '/links', { amount: '12.50' })
  await stage.make()
  await browser.visit(site('audit'), async ({ page, reads, portray }) => {
    await reads('added the till')
    await reads('created the link')
    await expectAccessible(page, 'light')
    await portray('dashboard-audit-log')
    await page.getByLabel('Person').selectOption('Bea')
    await page.getByText('added the till').first().waitFor({ state: 'detached' })
    await reads('created the link')
    await page.getByLabel('Change').selectOption('Till')
    await reads('Nothing here yet.')
  })
})

test('the list of links leaves out what the tills sell', async () => {
  await owner.ask('POST', '/links', { amount: '7.00', description: 'Course' })
  await stage.sell(await stage.openTill(), '31.00')
  await browser.visit(site('links'), async ({ page, reads }) => {
    await reads('Course')
    expect(await page.getByText(/^31.00/).count()).toBe(0)
  })
})

test('the sign-in shows the shop that this browser knows, a choice of language, and what to do without a passkey', async () => {
  await browser.visit(site(''), async ({ page, reads, portray }) => {
    await page.locator('header .shop').waitFor()
    // What the page still asks for must not be refused for want of the cookie.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${url}/dashboard/sign-in`)
    await reads('Corner Coffee')
    await page.getByText('Lost your passkey?').click()
    await reads('Ask an owner of the shop to invite you again.')
    await expectAccessible(page, 'dark')
    await portray('dashboard-sign-in')
    await page.getByLabel('Language').selectOption('Deutsch')
    await reads('Passkey verloren?')
  })
})
