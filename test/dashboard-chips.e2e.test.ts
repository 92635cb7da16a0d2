import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('dashboard-chips')
const { bff, chain, sweep } = story
const browser = await openBrowser()
const owner = await openDashboard(story)

test('each chip says how many payments it holds, live', async () => {
  const half = await bff.createDeposit({ amount: '10.00', orderId: 'order-half' })
  const paid = await bff.createDeposit({ amount: '5.00', orderId: 'order-paid' })
  await chain.pay(half.depositAddress, '4.00')
  await chain.pay(paid.depositAddress, '5.00')
  await chain.mine(2)
  await bff.shows(half.id, { amountReceived: '4.00' })
  await sweep([paid])
  await browser.visit(owner.site('payments'), async ({ page, portray }) => {
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    for (const name of ['All 2', 'Paid 1', 'Partly paid 1', 'Overpaid 0', 'To do 0']) await chip(name).waitFor()
    await bff.createDeposit({ amount: '3.00', orderId: 'order-counted' })
    await chip('All 3').waitFor()
    await expectAccessible(page, 'narrow')
    await portray('dashboard-chips')
    // Of these filters the service has no numbers.
    await page.getByLabel('Search', { exact: true }).fill('order-counted')
    await chip('All').waitFor()
    await page.getByLabel('Search', { exact: true }).fill('')
    await chip('All 3').waitFor()
  })
})

test('a chip says 99+ from a hundred on', async () => {
  const many = { all: 100, paid: 99, partly_paid: 1, overpaid: 0, late: 0, refunded: 12, to_do: 100 }
  const countsMany = async (page: Page) => {
    await page.addInitScript(() => localStorage.setItem('language', 'ar'))
    await page.route('**/payments/counts', (route) => route.fulfill({ json: { success: true, counts: many } }))
  }
  await browser.visit(owner.site('payments', countsMany), async ({ page, portray }) => {
    const shown = () => page.locator('.count').allTextContents()
    await expect.poll(shown).toEqual(['99+', '99', '1', '0', '0', '12', '99+'])
    await expectAccessible(page, 'narrow')
    await portray('dashboard-chips-arabic')
  })
})

test('a chip has no number where that is not known, and the list is there', async () => {
  const fails = (page: Page) => page.route('**/payments/counts', (route) => route.fulfill({ status: 500, json: {} }))
  await browser.visit({ ...owner.site('payments', fails), tolerated: /500/ }, async ({ page, reads }) => {
    await reads('order-counted')
    await page.getByRole('button', { name: 'All', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

test('the shop’s receipt names the order, also of a payment by the test key', async () => {
  const headers = { 'content-type': 'application/json', 'x-public-key': bff.merchant.testPublicKey }
  const order = { amount: '3.00', currency: 'USDC', network: 'devnet', orderId: 'order-test' }
  const { body } = await bff.ask('/api/v1/deposits/create', { method: 'POST', headers, body: JSON.stringify(order) })
  const { id } = body['payment'] as { id: string }
  const simulate = { method: 'POST', headers, body: JSON.stringify({ action: 'complete' }) }
  await bff.ask(`/api/v1/sandbox/payments/${id}/simulate`, simulate)
  const inTestMode = (page: Page) => page.addInitScript(() => localStorage.setItem('mode', 'test'))
  await browser.visit(owner.site(`payments/${id}`, inTestMode), async ({ page, reads }) => {
    const receipt = await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')
    await page.goto(`${owner.url}${receipt}`)
    await reads('order-test')
  })
})

test('the last owner can neither be removed nor get another role', async () => {
  await browser.visit(owner.site('people'), async ({ page }) => {
    const row = page.getByRole('row').filter({ hasText: '(you)' })
    await row.waitFor()
    expect(await row.getByLabel('Role').isDisabled()).toBe(true)
    expect(await row.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
