import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser, serviceAway } from './harness/browser.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('stream', { keepsPort: true })
const { bff, chain } = story
const browser = await openBrowser()

/** Sooner than the page would ask by itself while the stream is open. */
const soonMs = 25_000

/** The page of a payment, and its stream: that may be open before the page has loaded. */
function pageOf({ id }: { id: string }) {
  let opened: Promise<Response> | undefined
  return {
    url: `${bff.url()}/pay/${id}`,
    origins: [bff.url()],
    async prepare(page: Page): Promise<void> {
      opened = page.waitForResponse((answer) => answer.url().endsWith('/events'))
      // Whoever visits waits for it; a visit that fails before is not a second fault.
      opened.catch(() => undefined)
    },
    opened: () => opened,
  }
}

test('a page hears of each change from the service, and asks for it once', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'stream-1' })
  const site = pageOf(payment)
  await browser.visit(site, async (customer) => {
    const asked: string[] = []
    customer.page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await site.opened()
    await customer.reads('Waiting for your payment')
    asked.length = 0
    await chain.pay(payment.depositAddress, '25.00')
    await customer.page.getByText('Payment detected').first().waitFor({ timeout: soonMs })
    await chain.mine(2)
    await customer.page.getByText('Paid', { exact: true }).first().waitFor({ timeout: soonMs })
    // Seen, each confirmation, paid: one poll for each change, and none while nothing changes.
    expect(asked.filter((path) => path === payment.id).length).toBeLessThanOrEqual(6)
  })
})

test('a service that is stopped ends its streams at once, and the page goes on with the next one', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'stream-2' })
  const site = { ...pageOf(payment), tolerated: serviceAway }
  await browser.visit(site, async (customer) => {
    await site.opened()
    await customer.reads('Waiting for your payment')
    const startedMs = performance.now()
    expect(await bff.stop()).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(soonMs)
    await chain.pay(payment.depositAddress, '25.00')
    await bff.start()
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
  })
})
