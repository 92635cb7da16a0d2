import { fileURLToPath } from 'node:url'
import type { Route } from 'playwright-core'
import QRCode from 'qrcode'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { openBrowser, serviceAway, type Visit } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('checkout', { keepsPort: true })
const { bff, chain, openTill, sweep } = story
const shop = await openStorefront(story)
const browser = await openBrowser()

const dist = fileURLToPath(new URL('../widget/dist', import.meta.url))

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

const buy = (
  use: (customer: Visit) => Promise<void>,
  { choice = '', ...site }: { choice?: string; tolerated?: RegExp } = {},
) => browser.visit({ url: shop.checkout(choice), origins: [shop.url, bff.url()], ...site }, use)

/** The payment on the screen. */
async function paymentOf(customer: Visit) {
  const address = await customer.address()
  const [row] = await bff.query<{ id: string }>('select id from payments where deposit_address = ?', address)
  return await bff.read(row?.id ?? '')
}

const paymentsOf = (orderId: string) =>
  bff.query<{ id: string; deposit_address: string }>(
    'select id, deposit_address from payments where order_id = ?',
    orderId,
  )

async function receives(paymentId: string, types: readonly string[]): Promise<void> {
  const lines = async () => (await shop.received(paymentId)).map(({ type, verified }) => [type, verified])
  await expect.poll(lines).toEqual(types.map((type) => [type, true]))
}

test('a customer opens the shop, pays, sees it confirmed and paid, and the shop ships for verified webhooks', () =>
  buy(async (customer) => {
    const earned = await openTill()
    await customer.reads('Waiting for your payment')
    expect(await customer.amount()).toBe('25.00 USDC')
    const payment = await paymentOf(customer)
    await customer.portray('1-deposit')

    await customer.press('Pay as the test customer')
    await customer.reads('Payment detected')
    await customer.portray('2-confirming')

    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    await customer.reads('Being paid out to the shop.')
    await sweep([payment])
    await customer.reads('The shop has received the money.')
    await customer.reads('Paid — ship it')
    await customer.portray('3-paid')

    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    expect(await bff.read(payment.id)).toMatchObject({ status: 'swept', settlement: { state: 'settled' } })
    await receives(payment.id, paidInFull)
    expect(await shop.order(customer.orderId())).toMatchObject({ state: 'paid', paymentId: payment.id })
    // The page hears of what the shop has received a moment later.
    const mine = customer.page.locator('.event.mine')
    await expect.poll(() => mine.getByText('✓ signature verified').count()).toBe(4)
    expect(await mine.count()).toBe(4)
  }))

/** Both names of this machine: the page's own requests are answered by each. */
test.each(['127.0.0.1', 'localhost'])(
  'a customer of %s fills a cart, pays its sum with the drawer closed, and a developer opens it by the keyboard',
  (name) => {
    const url = shop.url.replace('127.0.0.1', name)
    return browser.visit({ url, origins: [url, bff.url()] }, async ({ page, press, reads, portray, title, amount }) => {
      await expectAccessible(page, 'light')
      await portray('shop-home')
      await press('Add to cart: Sidamo beans, 1 kg')
      await press('One more of Sidamo beans, 1 kg')
      await reads('$50.00')
      await portray('shop-cart')
      await page.getByRole('link', { name: 'Check out' }).click()
      await reads('Waiting for your payment')
      expect(await amount()).toBe('50.00 USDC')
      const drawer = page.getByRole('complementary', { name: 'Developer' })
      expect(await drawer.isVisible()).toBe(false)
      await portray('shop-checkout')
      await press('Pay as the test customer')
      await reads('Payment detected')
      await chain.mine(2)
      await expect.poll(title).toBe('Paid')
      await reads('Thank you! Your order ships today.')

      const button = page.getByRole('button', { name: 'Developer' })
      await button.press('Enter')
      await drawer.getByText('Paid — ship it').waitFor()
      await expectAccessible(page, 'dark')
      await portray('shop-drawer')
      await page.keyboard.press('Escape')
      expect(await drawer.isVisible()).toBe(false)
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.goto(`${url}/cart`)
      await reads('Your cart is empty')
    })
  },
)

test('a customer who sends half is shown what is left, sends it, and has paid', () =>
  buy(
    async (customer) => {
      const earned = await openTill({ token: 'USDT' })
      await customer.reads('Waiting for your payment')
      const payment = await paymentOf(customer)
      await customer.press('Pay half')
      await customer.reads('Still to send')
      expect(await customer.amount()).toBe('12.50 USDT')
      await customer.reads('12.50 of 25.00 USDT received')
      expect((await customer.address()).toLowerCase()).toBe(payment.depositAddress.toLowerCase())
      await customer.portray('4-underpaid')

      await customer.press('Pay as the test customer')
      await customer.reads('Payment detected')
      await chain.mine(2)
      await expect.poll(customer.title).toBe('Paid')
      await sweep([payment])
      expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
      await receives(payment.id, [
        ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.completed', 'deposit.swept'],
      ])
    },
    { choice: 'currency=USDT' },
  ))

test('a customer who sends too much reads that the rest is not lost', () =>
  buy(async (customer) => {
    const earned = await openTill()
    await customer.reads('Waiting for your payment')
    const payment = await paymentOf(customer)
    await customer.press('Pay too much')
    await customer.reads('Payment detected')
    await chain.mine(2)
    await customer.reads('You sent 5.00 USDC too much.')
    await sweep([payment])
    await customer.portray('5-paid-too-much')
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
    expect(await chain.balance('USDC', payment.depositAddress)).toBe(5_000_000n)
  }))

test('the QR code on the screen reads as the address, and by choice as a payment link with the amount', () =>
  buy(async (customer) => {
    await customer.reads('Waiting for your payment')
    const payment = await paymentOf(customer)
    await expectQr(customer, payment.depositAddress)

    await customer.page.getByText('Address + amount').click()
    await customer.reads('Check that yours shows 25.00 USDC')
    const { body } = await bff.get(`/payments/public/${payment.id}`)
    const { paymentUri } = body['payment'] as { paymentUri: string }
    expect(paymentUri).toMatch(
      /^ethereum:0x[0-9a-fA-F]{40}@31337\/transfer\?address=0x[0-9a-fA-F]{40}&uint256=25000000$/,
    )
    expect(paymentUri).toContain(payment.depositAddress)
    await expectQr(customer, paymentUri)
    await customer.portray('6-payment-link')
  }))

test('a reload continues the same payment', () =>
  buy(async (customer) => {
    await customer.reads('Waiting for your payment')
    const address = await customer.address()
    for (let times = 0; times < 3; times++) {
      await customer.page.reload()
      await customer.reads('Waiting for your payment')
      expect(await customer.address()).toBe(address)
    }
    expect(await paymentsOf(customer.orderId())).toHaveLength(1)

    // The shop's script may come after the element has emitted the payment.
    const afterTheElement = async (route: Route) => {
      await customer.reads('Waiting for your payment')
      await route.continue()
    }
    await customer.page.route('**/developer.client.js', afterTheElement, { times: 1 })
    await customer.page.reload({ waitUntil: 'commit' })
    await customer.press('Pay as the test customer')
    await customer.reads('Payment detected')
    await customer.page.reload()
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
  }))

test('with the keyboard alone a customer copies, chooses, and pays', () =>
  buy(async (customer) => {
    const { keyboard } = customer.page
    await customer.reads('Waiting for your payment')
    const address = await customer.address()
    const payment = await paymentOf(customer)
    const clipboard = () => customer.page.evaluate(() => navigator.clipboard.readText())

    await tabTo(customer, 'Copy', 'Amount to send')
    await keyboard.press('Enter')
    await customer.reads('Copied')
    expect(await clipboard()).toBe('25.00')
    await tabTo(customer, '', 'Address')
    await keyboard.press('ArrowRight')
    await customer.reads('Check that yours shows 25.00 USDC')
    await tabTo(customer, 'Copy', 'Send to this address')
    await keyboard.press('Enter')
    await customer.reads(`check that it ends in ${address.slice(-6)}`)
    expect(await clipboard()).toBe(address)

    await tabTo(customer, 'Pay as the test customer')
    await keyboard.press('Enter')
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    await sweep([payment])
  }))

test('a customer who pays while the service is down sees it as soon as it is back', () =>
  buy(
    async (customer) => {
      const earned = await openTill()
      await customer.reads('Waiting for your payment')
      const payment = await paymentOf(customer)
      await customer.page.clock.install()
      await bff.kill()
      await chain.pay(payment.depositAddress, '25.00')
      await customer.readsAhead('If you already paid, it still counts. This page updates by itself.')
      await customer.portray('8-service-down')
      await bff.start()
      await customer.readsAhead('Payment detected')
      await chain.mine(2)
      await expect.poll(customer.title).toBe('Paid')
      await sweep([payment])
      expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
      await receives(payment.id, paidInFull)
    },
    { tolerated: serviceAway },
  ))

test('the shop’s server makes the payment with the page: the element shows it before it asks, and asks for no other', () =>
  buy(
    async (customer) => {
      const asked: string[] = []
      customer.page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
      // Nothing that is asked of the service is answered.
      await customer.page.route('**/api/v1/**', () => {})
      await customer.page.goto(`${shop.url}/checkout?product=filters`)
      await customer.reads('Waiting for your payment')
      const [row, ...more] = await paymentsOf(customer.orderId())
      expect(more).toEqual([])
      expect((await customer.address()).toLowerCase()).toBe(row?.deposit_address.toLowerCase())
      expect(await customer.amount()).toBe('4.80 USDC')
      await expect.poll(() => asked).toContain(`GET /api/v1/payments/public/${row?.id}`)
      expect(asked.filter((one) => one.includes('/create'))).toEqual([])
    },
    { tolerated: /ERR_/ },
  ))

test('a page that is made while the service is down makes its payment by itself once it is back', () =>
  buy(
    async (customer) => {
      await customer.reads('Waiting for your payment')
      await bff.kill()
      const { page } = customer
      // The browser has the element from that visit.
      await page.route('**/stablecoin-checkout*', (route) => {
        const headers = { 'Access-Control-Allow-Origin': '*' }
        return route.fulfill({ path: `${dist}${new URL(route.request().url()).pathname}`, headers })
      })
      await page.clock.install()
      await page.goto(shop.checkout())
      await customer.readsAhead('The payment couldn’t be loaded')
      await bff.start()
      await customer.readsAhead('Waiting for your payment')
      expect(await paymentsOf(customer.orderId())).toHaveLength(1)
    },
    { tolerated: serviceAway },
  ))

// Last, because it takes the chain's clock ahead of ours.
test('a customer who comes too late sees it, and starts again with another payment', () =>
  buy(
    async (customer) => {
      await customer.reads('Waiting for your payment')
      const first = await customer.address()
      await chain.mine(1)
      await chain.travel(901)
      await expect.poll(customer.title).toBe('Time is up')
      await customer.reads('The full amount didn’t arrive in time.')
      await customer.portray('7-expired')

      await customer.press('Start again')
      await customer.reads('Waiting for your payment')
      const second = await customer.address()
      expect(second).not.toBe(first)
      expect(await paymentsOf(customer.orderId())).toHaveLength(2)
      const payment = await paymentOf(customer)
      await customer.press('Pay as the test customer')
      await customer.reads('Payment detected')
      await chain.mine(2)
      await expect.poll(customer.title).toBe('Paid')
      await sweep([payment])
      await receives(payment.id, paidInFull)
    },
    { choice: 'by=page' },
  ))

/** White modules on each side of the code. */
const quietZone = 4

/** Looks at the middle of each module in a picture of the code, as a camera would. */
async function expectQr({ page }: Visit, text: string): Promise<void> {
  const png = await page.locator('stablecoin-checkout [part=qr]').screenshot({ animations: 'disabled' })
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules
  const side = size + 2 * quietZone
  const points = Array.from({ length: side ** 2 }, (_, at) => {
    return [((at % side) + 0.5) / side, (Math.floor(at / side) + 0.5) / side] as const
  })
  const expected = points.map((_, at) => {
    const [column, row] = [(at % side) - quietZone, Math.floor(at / side) - quietZone]
    return column >= 0 && row >= 0 && column < size && row < size && Boolean(data[row * size + column])
  })
  expect(await browser.readDarkness(png, points)).toEqual(expected)
}

/** Presses Tab until this has the focus, as somebody without a mouse does. */
async function tabTo({ page }: Visit, name: string, description = ''): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
      const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent?.trim() : ''
      const words = active instanceof HTMLElement ? (active.textContent ?? '').trim() : ''
      return { words, description: active?.getAttribute('aria-description') ?? label ?? '' }
    })
    if (focused.words === name && focused.description.startsWith(description)) return
  }
  throw new Error(`Tab never came to "${name}" (${description})`)
}
