import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const rates = { fixed: { asOf: new Date().toISOString(), USDC: { EUR: 0.9213 }, USDT: { EUR: 0.92 } } }
const story = await openStory('payment-link', { settings: { rates } })
const { bff, chain, sweep } = story
const browser = await openBrowser()
const owner = await openDashboard(story)

const inGerman = (page: Page) => page.addInitScript(() => localStorage.setItem('language', 'de'))

type Link = { id: string; url: string; state: string; opened: number; paid: number }

async function call(path: string, body?: object): Promise<Link> {
  const { status, body: answer } = await bff.ask(`/api/v1/links${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'x-api-key': bff.merchant.apiKey,
      'x-api-secret': bff.merchant.apiSecret,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(status).toBe(200)
  return answer['link'] as Link
}

const open = ({ url }: Link, use: (customer: Visit) => Promise<void>) =>
  browser.visit({ url, origins: [bff.url()] }, use)

const choose = (customer: Visit, token: string) =>
  customer.page.getByRole('button', { name: new RegExp(`\\d ${token} on Devnet Conf`) }).click()

test('a link with a price in euros is opened, its token chosen, paid, and leads back to the shop', async () => {
  const returnUrl = 'https://shop.example/thanks?order=7'
  const link = await call('', { price: '25.00', priceCurrency: 'EUR', description: 'Table 7', returnUrl })
  expect(link).toMatchObject({ state: 'open', opened: 0, paid: 0, url: `${bff.url()}/pay/${link.id}` })
  let paymentId = ''
  await open(link, async (customer) => {
    expect(await customer.page.title()).toBe('Pay €25.00 to Corner Coffee')
    await customer.reads('Table 7')
    await customer.reads('€25.00')
    await customer.reads('How do you want to pay?')
    await customer.reads('≈ 27.14 USDC')
    const card = customer.page.locator('stablecoin-checkout .card')
    expect((await card.boundingBox())?.height, 'no empty space below the choices').toBeLessThan(400)
    await customer.portray('10-payment-link')
    await choose(customer, 'USDC')
    await customer.reads('Waiting for your payment')
    expect(await customer.amount()).toMatch(/^27\.14 USDC/)
    await customer.reads('€25.00 = 27.14 USDC, rate at')
    const address = await customer.address()
    await customer.portray('11-payment-link-price')

    await customer.page.reload()
    await customer.reads('Waiting for your payment')
    expect(await customer.address()).toBe(address)

    paymentId = (await customer.page.locator('stablecoin-checkout').getAttribute('payment-id')) ?? ''
    await chain.pay(address, '27.14')
    await customer.reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    const back = customer.page.locator('stablecoin-checkout [part=return]')
    expect(await back.textContent()).toBe('Back to Corner Coffee (shop.example)')
    expect(await back.getAttribute('href')).toBe(`${returnUrl}&paymentId=${paymentId}`)
    await customer.portray('12-payment-link-paid')
  })
  expect(await call(`/${link.id}`)).toMatchObject({ state: 'paid', opened: 2, paid: 1 })
  const { body } = await bff.get(`/payments/${paymentId}`)
  expect(body['payment']).toMatchObject({ linkId: link.id, price: '25.00', priceCurrency: 'EUR', rate: '0.9213' })
  await open(link, (customer) => customer.reads('This was already paid'))
  await sweep([await bff.read(paymentId)])
})

test('a customer who chose the wrong token chooses again, and the first payment is cancelled', async () => {
  const link = await call('', { amount: '5.00', maxPayments: 2 })
  await open(link, async (customer) => {
    await choose(customer, 'USDC')
    await customer.reads('Waiting for your payment')
    const first = await customer.page.locator('stablecoin-checkout').getAttribute('payment-id')
    await customer.press('Pay another way')
    await choose(customer, 'USDT')
    await customer.reads('Waiting for your payment')
    expect(await customer.amount()).toMatch(/^5\.00 USDT/)
    await bff.shows(first ?? '', { status: 'cancelled' })
  })
})

test('of two customers who open a link for one payment, the second is told that it was paid', async () => {
  const link = await call('', { amount: '6.00', currency: 'USDC', network: 'devnet' })
  await open(link, async (slow) => {
    await slow.reads('Waiting for your payment')
    await open(link, async (quick) => {
      await quick.reads('Waiting for your payment')
      await chain.pay(await quick.address(), '6.00')
      await chain.mine(3)
      await expect.poll(quick.title).toBe('Paid')
      const id = (await quick.page.locator('stablecoin-checkout').getAttribute('payment-id')) ?? ''
      await sweep([await bff.read(id)])
    })
    await slow.reads('Payment cancelled')
    await slow.press('Start again')
    await slow.reads('This was already paid')
  })
  await until('the count', async () => ((await call(`/${link.id}`)).paid === 1 ? true : undefined))
})

test('an amount typed with a comma is a thousand in English and one and a quarter in German, and the page says which', async () => {
  const asks = async (page: Page, button: string) => {
    const isAsked = page.waitForRequest((one) => one.url().endsWith('/links') && one.method() === 'POST')
    await page.getByRole('button', { name: button }).last().click()
    return (await isAsked).postDataJSON() as { amount: string }
  }
  await browser.visit(owner.site('links'), async ({ page, press }) => {
    await press('Create a link')
    await page.getByLabel('Amount', { exact: true }).fill('1,250')
    expect(await asks(page, 'Create a link')).toMatchObject({ amount: '1250' })
  })
  await browser.visit(owner.site('links', inGerman), async ({ page, reads }) => {
    const make = 'Link erstellen'
    await page.getByRole('button', { name: make }).click()
    const amount = page.getByLabel('Betrag', { exact: true })
    await amount.fill('1.2')
    await page.getByRole('button', { name: make }).last().click()
    await reads('Schreiben Sie den Betrag wie 1.250,00 oder 0,50.')
    await amount.fill('1,250')
    await reads('Kunden zahlen 1,25 USDC / USDT')
    expect(await asks(page, make)).toMatchObject({ amount: '1.250' })
  })
})

/** Axe waits by the page's timers: meanwhile time passes by milliseconds, of which it needs few. */
async function whileTimePasses(page: Page, work: Promise<void>): Promise<void> {
  const end = { isReached: false }
  const working = work.finally(() => {
    end.isReached = true
  })
  while (!end.isReached) await page.clock.runFor(1)
  await working
}

test('a link is copied and shared from its row, ends five seconds after End unless that is undone, and at once when the page is left', async () => {
  const prepare = async (page: Page) => {
    await page.clock.install()
    await page.addInitScript(() => {
      const share = async (shared: ShareData) => {
        document.body.dataset['shared'] = JSON.stringify(shared)
      }
      Object.assign(navigator, { share })
    })
  }
  const stateOf = async ({ id }: { id: string }) => (await call(`/${id}`)).state
  const kept = await call('', { amount: '3.00', description: 'Table 3' })
  const closed = await call('', { amount: '4.00', description: 'Table 4' })
  await browser.visit(owner.site('links', prepare), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Copy Link: Table 3' }).click()
    await page.getByRole('button', { name: 'Copied Link: Table 3' }).waitFor()
    const url = await page.evaluate(() => navigator.clipboard.readText())
    expect(url).toBe(`${owner.url}/pay/${kept.id}`)
    await page.getByRole('button', { name: 'Share: Table 3' }).click()
    const shared = JSON.parse((await page.locator('body[data-shared]').getAttribute('data-shared')) ?? '{}')
    expect(shared).toEqual({ title: 'Corner Coffee', text: 'Table 3', url })

    // From here time passes in the page where the story says so: a slow machine needs longer than a link takes to end.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    const requests: string[] = []
    page.on('request', (one) => requests.push(one.url()))
    const row = page.getByRole('row').filter({ hasText: 'Table 3' })
    await page.getByRole('button', { name: 'End: Table 3' }).click()
    await reads('“Table 3” ends in 5 seconds.')
    await row.getByText('Ending…').waitFor()
    await whileTimePasses(page, expectAccessible(page, 'light'))
    const hidden = await page.locator('.scroll').evaluate((list) => list.scrollWidth - list.clientWidth)
    expect(hidden, 'the buttons are in sight').toBe(0)
    await portray('dashboard-link-ending')
    // The button that ended it has become the one that undoes it, and keeps the focus.
    await page.getByRole('button', { name: 'Undo: Table 3' }).and(page.locator(':focus')).press('Enter')
    await row.getByText('Open').waitFor()
    await page.clock.fastForward(10_000)
    expect(requests.filter((url) => url.endsWith('/end'))).toEqual([])

    await page.getByRole('button', { name: 'End: Table 4' }).click()
    await page.clock.fastForward(5_000)
    await page.getByRole('row').filter({ hasText: 'Table 4' }).getByText('Ended').waitFor()
    expect(await stateOf(closed)).toBe('ended')

    await page.getByRole('button', { name: 'End: Table 3' }).click()
    await row.getByText('Ending…').waitFor()
    expect(await stateOf(kept)).toBe('open')
    await page.goto(`${owner.url}/dashboard/payments`)
    await until('the end', async () => ((await stateOf(kept)) === 'ended' ? true : undefined))
  })
})

test('of more links than a page lists, the last one that is shown stays when another is made', async () => {
  for (let number = 0; number < 51; number++) await call('', { description: `Seat ${number}`, amount: '4.00' })
  await browser.visit(owner.site('links'), async ({ page, press }) => {
    const rows = page.locator('tbody').getByRole('row')
    await expect.poll(() => rows.count()).toBe(50)
    const last = await rows.last().textContent()
    await press('Create a link')
    await page.getByLabel('Amount', { exact: true }).fill('5')
    await page.locator('link-form').getByRole('button', { name: 'Create a link' }).click()
    await page.locator('wa-dialog[open] svg.qr').waitFor()
    await expect.poll(() => rows.count()).toBe(51)
    expect(await rows.last().textContent()).toBe(last)
  })
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
