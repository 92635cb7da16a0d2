import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openRelay } from './harness/relay.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'

// The shop is paid on devnet, by a customer whose money is on devnet-b.

const relay = await openRelay(inject('devnet'))
afterAll(relay.close)
afterEach(relay.behaves)
const story = await openStory('cross-chain-checkout', { settings: { relay: { baseUrl: relay.url, pollMs: 50 } } })
const { bff, chain, devnet, openTill } = story
const shop = await openStorefront(story)
const browser = await openBrowser()

const buy = (use: (customer: Visit) => Promise<void>) =>
  browser.visit({ url: shop.checkout('by=page'), origins: [shop.url, bff.url()] }, use)

const purse = () => chain.balance('USDC', devnet.customer.address, 'devnet-b')

/** To the address on the other chain. @returns the payment that is now on the screen. */
async function takeTheWay(customer: Visit): Promise<string> {
  await customer.reads('Waiting for your payment')
  await customer.page.getByRole('button', { name: 'Pay from another chain', exact: true }).click()
  await customer.reads('You have money on')
  await customer.portray('20-elsewhere-choice')
  await customer.press('Show me where to send it')
  await customer.reads('Send exactly 25.075 USDC')
  expect(await customer.amount()).toBe('25.075 USDC')
  const [row] = await bff.query<{ payment_id: string; bridge_terms: string }>(
    'select b.* from bridges b join payments p on p.id = b.payment_id order by p.number desc limit 1',
  )
  const terms = JSON.parse(row?.bridge_terms ?? '{}') as { relayDepositAddress: string }
  expect(await customer.address()).toBe(terms.relayDepositAddress)
  return row?.payment_id ?? ''
}

test('a customer with money on another chain chooses it, sends exactly what is asked, and the shop is paid on its own', () =>
  buy(async (customer) => {
    const [earned, before] = [await openTill(), await purse()]
    await relay.misbehaves({ delayMs: 600_000 })
    const id = await takeTheWay(customer)
    await customer.portray('21-elsewhere-send')
    await customer.press('Pay as the test customer')
    await customer.reads('This is taking longer than usual')
    await customer.portray('22-elsewhere-moving')
    // What it has seen survives a reload.
    await customer.page.reload()
    await customer.reads('This is taking longer than usual')
    relay.goesOn()
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    await customer.reads('Paid — ship it')
    const { destination } = (await bff.get(`/payments/cross-chain/status/${id}`)).body['payment'] as {
      destination: { address: string }
    }
    await expect.poll(() => chain.hasCode(destination.address)).toBe(true)
    await chain.mine(2)
    await customer.reads('The shop has received the money.')
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    expect(before - (await purse())).toBe(25_075_000n)
    expect(await shop.order(customer.orderId())).toMatchObject({ state: 'paid', paymentId: id })
  }))

test('a customer whose money the bridge sends back sees that, and can start again', () =>
  buy(async (customer) => {
    const before = await purse()
    await relay.misbehaves({ outcome: 'refund' })
    await takeTheWay(customer)
    await customer.press('Pay as the test customer')
    await customer.reads('Your money was returned')
    await customer.portray('23-elsewhere-returned')
    expect(await purse()).toBe(before)
    await customer.press('Start again')
    await customer.reads('Waiting for your payment')
    expect(await customer.amount()).toBe('25.00 USDC')
    expect(await shop.order(customer.orderId())).toMatchObject({ state: 'awaiting' })
  }))
