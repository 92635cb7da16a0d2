import { expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('stream', { keepsPort: true })
const { bff, chain } = story
const browser = await openBrowser()

/** Sooner than the page would ask by itself while it is told by the stream. */
const soonMs = 10_000

test('a page hears of each change from the service, and asks for it once', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'stream-1' })
  await browser.visit({ url: `${bff.url()}/pay/${payment.id}`, origins: [bff.url()] }, async (customer) => {
    const asked: string[] = []
    customer.page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await customer.page.waitForResponse((answer) => answer.url().endsWith('/events'))
    await customer.reads('Waiting for your payment')
    asked.length = 0
    await chain.pay(payment.depositAddress, '25.00')
    await customer.page.getByText('Payment seen').first().waitFor({ timeout: soonMs })
    await chain.mine(2)
    await customer.page.getByText('Paid', { exact: true }).first().waitFor({ timeout: soonMs })
    // Seen, each confirmation, paid: as many looks as there was news, and none for waiting.
    expect(asked.filter((path) => path === payment.id).length).toBeLessThanOrEqual(6)
  })
})

test('a service that is told to stop ends its streams at once, and the page goes on with the next one', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'stream-2' })
  const site = { url: `${bff.url()}/pay/${payment.id}`, origins: [bff.url()], tolerated: /ERR_CONNECTION_REFUSED/ }
  await browser.visit(site, async (customer) => {
    await customer.page.waitForResponse((answer) => answer.url().endsWith('/events'))
    await customer.reads('Waiting for your payment')
    const startedMs = performance.now()
    expect(await bff.stop()).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(soonMs)
    await chain.pay(payment.depositAddress, '25.00')
    await bff.start()
    await customer.reads('Payment seen')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
  })
})
