import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { confirmationsRequired } from './chain.ts'
import type { openStory } from './story.ts'
import { until } from './until.ts'

type Story = Awaited<ReturnType<typeof openStory>>

const pages = readFileSync(new URL('../../bff/dashboard/pages.ts', import.meta.url), 'utf8')

/** The paths of all pages for a signed-in person, with a payment and a refund on the devnet where needed. */
export async function dashboardPaths({ bff, chain, merchant }: Story): Promise<string[]> {
  const { id } = await bff.createDeposit({ amount: '25.00', orderId: '7' })
  const paid = await bff.createDeposit({ amount: '25.00', orderId: '8' })
  await chain.pay(paid.depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await until('the payment to be paid', async () => (await bff.read(paid.id))['outcome'] === 'paid')
  const { body } = await bff.ask(`/api/v1/payments/${paid.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
    body: JSON.stringify({ amount: '5.00', address: `0x${randomBytes(20).toString('hex')}` }),
  })
  const refundId = (body['refund'] as { id: string }).id
  return [...pages.matchAll(/ path: '(\/dashboard\/.*)'/g)]
    .map(([, path = '']) => path.replace(':paymentId', id).replace(':refundId', refundId).replace(':network', 'devnet'))
    .filter((path) => !/sign-in|authorize/.test(path))
}

/** Navigates to a page like a link of the dashboard, and waits until its data is loaded. */
export async function showPage(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    window.dispatchEvent(new Event('navigated'))
  }, path)
  // The address changes first: the previous page stays until the new one's code is loaded.
  await page.locator(`main[data-page="${path}"] h1`).first().waitFor()
  await expect.poll(() => page.locator('main [aria-busy=true]').count(), { message: path }).toBe(0)
}
