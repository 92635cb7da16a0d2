import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { expectPaper } from './harness/link-paper.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('dashboard-payments')
const { bff, chain, sweep, openTill, hears } = story
const browser = await openBrowser()
const owner = await openDashboard(story)
const viewer = await openDashboard(story, 'viewer')

/** What the audit log's newest entry says about the subject. */
async function expectAudited(subject: string, says: string): Promise<void> {
  await browser.visit(owner.site('audit'), async ({ page }) => {
    await page.getByRole('listitem').filter({ hasText: subject }).filter({ hasText: says }).first().waitFor()
    await expectAccessible(page)
  })
}

const inGerman = (page: Page) => page.addInitScript(() => localStorage.setItem('language', 'de'))

/** Presses the button, and the one of the same name in the dialog that asks. */
async function pressAndConfirm({ page }: Visit, button: string): Promise<void> {
  await page.locator('payment-actions').getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: button })
  await dialog.waitFor()
  await expectAccessible(page)
  await page.locator('wa-dialog[open] form').getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** A text that becomes a script where somebody writes it as HTML. */
const hostile = '<img src=x onerror="window.hacked=true">'

test('a payment arrives in the list while somebody looks at it, and its page shows how it is paid', async () => {
  await bff.createDeposit({ amount: '7.00', orderId: hostile })
  let beginStream = () => {}
  const isBegun = new Promise<void>((resolve) => {
    beginStream = resolve
  })
  const holdStream = (page: Page) =>
    page.route('**/payments/events*', async (route) => {
      await isBegun
      await route.continue()
    })
  await browser.visit(owner.site('payments', holdStream), async ({ page, reads, portray }) => {
    await reads(hostile)
    const payment = await bff.createDeposit({
      amount: '1234.50',
      orderId: 'order-live',
      customerEmail: 'ada@example.com',
    })
    // Also what was made after the list was read, and before the stream of changes had begun.
    beginStream()
    const row = page.getByRole('row').filter({ hasText: 'order-live' })
    await row.getByText('1,234.50').waitFor()
    await row.getByText('Open').waitFor()
    await chain.pay(payment.depositAddress, '1234.50')
    await chain.mine(2)
    await row.getByText('Paid').first().waitFor()
    await sweep([payment])
    await expectAccessible(page, 'dark')
    await portray('dashboard-payments')
    await page.getByRole('link', { name: 'order-live' }).click()
    await reads('Paid out')
    expect(
      await page.evaluate(
        () => document.activeElement?.shadowRoot?.querySelector('payment-page')?.shadowRoot?.activeElement?.tagName,
      ),
    ).toBe('H1')
    expect(await page.title()).toBe('order-live · Checkout')
    await reads('1,215.9825')
    await page.locator('stablecoin-checkout .title').waitFor()
    await page.getByText('1,234.50 USDC arrived from').waitFor()
    // By the keyboard, as tabs are used.
    await page.getByRole('tab', { name: 'Overview' }).press('ArrowRight')
    await page.getByRole('tabpanel', { name: 'Developers' }).getByText('payment.completed').first().waitFor()
    await expectAccessible(page, 'dark')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expectAccessible(page, 'narrow')
    await portray('dashboard-payment')
    await page.goBack()
    await row.waitFor()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })
})

test('an order id of a hundred characters leaves amount and status in sight, and is whole where it has the focus', async () => {
  const orderId = `${'A-very-long-order-id-'.repeat(4)}0123456789end`
  await bff.createDeposit({ amount: '7.77', orderId })
  await browser.visit(owner.site('payments'), async ({ page, portray }) => {
    const link = page.getByRole('link').filter({ hasText: orderId })
    const widthOf = async () => (await link.boundingBox())?.width ?? 0
    await page.getByText('7.77').waitFor()
    for (const [width, most] of [
      [1100, 300],
      [320, 280],
    ] as const) {
      await page.setViewportSize({ width, height: 700 })
      expect(await widthOf()).toBeLessThan(most)
      expect(await page.getByText('7.77').evaluate((one) => one.getBoundingClientRect().right)).toBeLessThan(width)
    }
    const widthOfMiddle = () => link.locator('.rest').evaluate((one) => one.getBoundingClientRect().width)
    expect(await widthOfMiddle()).toBe(0)
    await link.focus()
    expect(await widthOfMiddle()).toBeGreaterThan(0)
    await portray('dashboard-long-order')
  })
})

test('a payment that is partly paid says so, with the sum that is missing, in the list and on its page', async () => {
  const payment = await bff.createDeposit({ amount: '10.00', orderId: 'order-half' })
  await chain.pay(payment.depositAddress, '4.000001')
  await chain.mine(2)
  await bff.shows(payment.id, { amountReceived: '4.000001' })
  await browser.visit(owner.site('payments'), async ({ page, reads }) => {
    await page.getByRole('row').filter({ hasText: 'order-half' }).getByText('Partly paid').waitFor()
    await page.getByRole('link', { name: 'order-half' }).click()
    await reads('Partly paid: 5.999999 USDC is missing')
    expect(await page.getByText('Waiting for the customer', { exact: true }).count()).toBe(0)
  })
})

test('a payment that does not exist is not offered to be read again', async () => {
  const unknown = crypto.randomUUID()
  await browser.visit({ ...owner.site(`payments/${unknown}`), tolerated: /404|500/ }, async ({ page, reads }) => {
    await reads('There is no such payment in this shop.')
    expect(await page.getByText('Try again').count()).toBe(0)
  })
})

test('filters stand in the address, a search finds by e-mail, and columns are remembered', async () => {
  await browser.visit(owner.site('payments'), async ({ page, reads }) => {
    // As somebody types or pastes it: without a button.
    await page.getByLabel('Search', { exact: true }).fill(' ADA@example.com ')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?search=ADA%40example.com')
    await page.getByText('Columns').click()
    await page.getByLabel('E-mail').check()
    await reads('ada@example.com')
    await page.reload()
    await reads('ada@example.com')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(5)
    const name = async () => page.getByRole('row').nth(1).locator('.orderId').textContent()
    await page.getByRole('button', { name: 'Partly paid' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect([await name(), new URL(page.url()).search]).toEqual(['order-half', '?kind=partly_paid'])
    await page.getByText('Save this filter', { exact: true }).click()
    await page.getByLabel('Name of the filter').fill('Half')
    await page.getByLabel('Name of the filter').press('Enter')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(csv.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/paymentId,orderId/),
      expect.stringContaining(',order-half,'),
    ])
    await page.getByRole('button', { name: /^All\b/ }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(5)
    await page.reload()
    await page.getByRole('button', { name: 'Half', exact: true }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expectAccessible(page, 'narrow')
    await page.getByRole('button', { name: 'Remove the filter Half' }).click()
    expect(await page.getByRole('button', { name: 'Half', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: /^All\b/ }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(5)
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Amount from').fill('1,000')
    await page.getByLabel('Amount from').press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  })
})

test('money that is owed goes back by a button, to the unit; a viewer sees no such button', async () => {
  const payment = await bff.createDeposit({ amount: '20.00', orderId: 'order-over' })
  await chain.pay(payment.depositAddress, '25.000001')
  await chain.mine(2)
  await bff.shows(payment.id, { refund: { state: 'address_needed' } })
  const path = `payments/${payment.id}`
  await browser.visit(viewer.site(path), async ({ page, reads }) => {
    await reads('Owed to the customer')
    await page.getByText('5.000001').first().waitFor()
    expect(await page.getByRole('button', { name: 'Return money' }).count()).toBe(0)
  })
  const customer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  await browser.visit(owner.site(path), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Return money: 5.000001' }).click()
    await page.getByLabel('Address on').fill(customer)
    await page.getByLabel('I have confirmed').check()
    await expectAccessible(page, 'light')
    await portray('dashboard-refund')
    await page.locator('payment-actions').getByRole('button', { name: 'Refund', exact: true }).click()
    await reads('The money is paid out automatically.')
    await reads(`Goes to ${customer.toLowerCase()}`)
  })
  await sweep([payment])
  await until('the refund to reach the customer', async () => {
    await chain.mine(1)
    const { body } = await bff.get(`/payments/${payment.id}`)
    return (body['payment'] as { refund: { amountRefunded: string } }).refund.amountRefunded === '5.000001'
  })
})

test('a paid order is refunded by a form, the customer names an address, and the queue says what to send', async () => {
  const payment = await bff.createDeposit({ amount: '12.00', orderId: 'order-refund' })
  await chain.pay(payment.depositAddress, '12.00')
  await chain.mine(2)
  await sweep([payment])
  const customer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await browser.visit(owner.site(`payments/${payment.id}`), async ({ page, reads, portray }) => {
    await page.locator('refund-form').getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Amount in USDC').fill('5.00')
    await page.getByLabel('Reason, shown to the customer').fill('A cup broke')
    await page.locator('wa-dialog[open] form').getByRole('button', { name: 'Refund' }).click()
    const link = (await page.locator('refund-form copy-text').getAttribute('text')) ?? ''
    await page.getByRole('link', { name: 'Refund requested' }).click()
    const row = page.getByRole('row').filter({ hasText: 'A cup broke' })
    await row.getByText('Waiting for an address').waitFor()
    await row.getByRole('button', { name: 'Show link' }).click()
    expect(await row.locator('copy-text').getAttribute('text')).toBe(link)
    // The browser reports the refused address.
    const site = { url: link, origins: [new URL(link).origin], tolerated: /400/ }
    await browser.visit(site, async ({ page: theirs }) => {
      await theirs.getByRole('heading', { name: 'Refund of 5.00 USDC' }).waitFor()
      await expectAccessible(theirs, 'narrow')
      await theirs.getByLabel('Your address').fill('0x12')
      await theirs.getByRole('button', { name: 'Send the refund here' }).click()
      await theirs.getByText('This address can’t be paid').waitFor()
      await theirs.getByLabel('Your address').fill(customer)
      await theirs.getByRole('button', { name: 'Send the refund here' }).click()
      await theirs.getByRole('heading', { name: 'Address received' }).waitFor()
      await expectAccessible(theirs, 'dark')
    })
    await page.reload()
    await row.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('Send exactly 5.00 USDC').waitFor()
    await page.getByRole('img', { name: 'QR code of the transfer' }).waitFor()
    await reads(customer)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const cut = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
    expect(await page.getByRole('region', { name: 'To be paid' }).evaluate(cut)).toBe(0)
    await row.getByRole('link', { name: '5.00' }).click()
    await page.getByRole('button', { name: 'Show link' }).click()
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(() => page.locator('.copied').count()).toBeGreaterThan(3)
    expect(await page.locator('.copied').evaluateAll(besideTheirText)).not.toContain(false)
    await portray('dashboard-refund-to-pay')
  })
})

/** Runs in the page. Whether each copy button is beside its text, not below it. */
function besideTheirText(all: Element[]): boolean[] {
  return all.map((one) => {
    const [text, button] = [...one.children].map((part) => part.getBoundingClientRect())
    return text !== undefined && button !== undefined && button.top < text.bottom && button.bottom > text.top
  })
}

test('a link is made on the page, paid by a customer, and counted', async () => {
  await browser.visit(owner.site('links'), async ({ page, reads, portray }) => {
    await reads('A link is a page where people pay you')
    await page.getByRole('button', { name: 'Create a link' }).click()
    // What the link is for comes first, and can be typed at once.
    await page.getByLabel('What for').and(page.locator(':focus')).waitFor()
    const preview = page.getByRole('figure', { name: 'What customers see' })
    const amount = page.getByLabel('Amount', { exact: true })
    // Refused with how to write it, and nothing is made: fifty tokens are no twelve.
    await amount.fill('12,50')
    await page.getByRole('button', { name: 'Create a link' }).last().click()
    await reads('Write the amount like 1,250.00 or 0.50.')
    await amount.fill('1,250')
    await reads('Customers pay 1,250.00 USDC / USDT')
    await preview.getByText(/^1,250.00\sUSDC \/ USDT$/).waitFor()
    await preview.getByText('How do you want to pay?').waitFor()
    const unit = page.getByLabel('Currency or token')
    await unit.selectOption({ label: 'USDT' })
    await page.getByText(/^Customers pay 1,250.00\sUSDT$/).waitFor()
    await page.getByText('More options').click()
    // A token on its network is the unit, too.
    await page.getByLabel('Network').selectOption({ label: 'USDC · Devnet' })
    await page.getByText(/^Customers pay 1,250.00\sUSDC$/).waitFor()
    await preview.getByText(/^USDC on Devnet$/).waitFor()
    expect(await unit.inputValue()).toBe('token USDC')
    await page.getByLabel('Network').selectOption({ label: 'The customer chooses' })
    await unit.selectOption('')
    await amount.fill('12.50')
    await page.getByLabel('What for').fill(hostile)
    await preview.getByText(hostile).waitFor()
    await expectAccessible(page, 'dark')
    await portray('dashboard-link-form')
    await page.getByRole('button', { name: 'Create a link' }).last().click()
    const code = page.getByRole('img', { name: 'QR code of the link' })
    await code.waitFor()
    await expectAccessible(page, 'narrow')
    await portray('dashboard-link')
    const isSaved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = await isSaved
    expect(saved.suggestedFilename()).toMatch(/^pl_[\w-]{24}\.png$/)
    const png = readFileSync(await saved.path())
    // The light margin, and the first finder pattern's dark corner within it.
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1_000)
    expect(
      await browser.readDarkness(png, [
        [0.01, 0.01],
        [0.1, 0.1],
      ]),
    ).toEqual([false, true])
    await expectPaper(page)
    const url = await page.getByRole('link', { name: '/pay/pl_' }).getAttribute('href')
    const id = url?.split('/').at(-1) ?? ''
    await page.keyboard.press('Escape')
    await browser.visit({ url: `${bff.url()}/pay/${id}`, origins: [bff.url()] }, async (customer) => {
      await customer.page.locator('stablecoin-checkout').waitFor()
    })
    const made = await bff.ask(`/api/v1/links/public/${id}/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ network: 'devnet', currency: 'USDC' }),
    })
    const payment = made.body['payment'] as { id: string; depositAddress: string }
    await chain.pay(payment.depositAddress, '12.50')
    await chain.mine(2)
    await reads('1 of 1')
    await page.locator('wa-badge').getByText('Paid').waitFor()
    await expectAccessible(page, 'light')
    await portray('dashboard-links')
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })
})

test('a test link is made, opened, and its payment moved to paid by buttons that a viewer has not', async () => {
  const inTestMode = (page: Page) => page.addInitScript(() => localStorage.setItem('mode', 'test'))
  let path = ''
  // The browser notes a refusal in its console.
  await browser.visit({ ...owner.site('links'), tolerated: /409/ }, async ({ page, reads, press, portray }) => {
    await page.getByRole('checkbox', { name: 'Test data' }).click()
    await reads('A link is a page where people pay you')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByLabel('Amount', { exact: true }).fill('13.00')
    await page.getByRole('button', { name: 'Create a link' }).last().click()
    const url = await page.getByRole('link', { name: '/pay/pl_' }).getAttribute('href')
    const link = `${bff.url()}/pay/${url?.split('/').at(-1)}`
    await browser.visit({ url: link, origins: [bff.url()] }, async (customer) => {
      await customer.page.getByRole('button', { name: /USDC on Devnet Conf/ }).click()
      await customer.reads('Waiting for your payment')
      path = `payments/${await customer.page.locator('stablecoin-checkout').getAttribute('payment-id')}`
      await page.goto(`${owner.url}/dashboard/${path}`)
      await reads('Test payment: no real money.')
      await press('Pay half')
      await reads('6.50')
      await press('Pay in full')
      await reads('Paid out')
      await expect.poll(customer.title).toBe('Paid')
    })
    await press('Make the payout fail')
    await reads('its payout cannot fail any more')
    await expectAccessible(page, 'dark')
    await portray('dashboard-test-payment')
  })
  await browser.visit(viewer.site(path, inTestMode), async ({ page, reads }) => {
    await reads('Paid out')
    expect(await page.getByRole('button', { name: 'Pay in full' }).count()).toBe(0)
  })
  await browser.visit(owner.site('payments'), async ({ page, reads }) => {
    await reads('order-live')
    expect(await page.getByText('13.00').count(), 'no test payment is in the live list').toBe(0)
    await page.getByRole('link', { name: 'order-live' }).click()
    await page.waitForURL(/payments\/[\w-]{36}$/)
    await page.getByRole('checkbox', { name: 'Test data' }).click()
    await page.waitForURL(/payments$/)
    await reads('13.00')
    expect(await page.getByText('order-live').count(), 'no live payment is in the test list').toBe(0)
  })
})

test('what came in another token goes back by a button, and nothing is offered any more', async () => {
  const payment = await bff.createDeposit({ amount: '11.00', orderId: 'order-unmatched' })
  await chain.pay(payment.depositAddress, '11.000001', { token: 'USDT' })
  await chain.mine(2)
  await bff.shows(payment.id, {
    unmatched: [{ currency: 'USDT', amount: '11.000001', refund: { state: 'address_needed' } }],
  })
  const customer = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
  const before = await chain.balance('USDT', customer)
  await browser.visit(owner.site(`payments/${payment.id}`), async ({ page, reads }) => {
    const button = page.getByRole('button', { name: 'Return money: 11.000001 USDT' })
    await button.click()
    await page.getByLabel('Address on Devnet').fill(customer)
    await page.getByLabel('I have confirmed').check()
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await reads('The money is paid out automatically.')
    await until('the tokens to be back', async () => (await chain.balance('USDT', customer)) === before + 11_000_001n)
    await chain.mine(2)
    await bff.shows(payment.id, { unmatched: [{ amount: '0.00', amountRefunded: '11.000001' }] })
    await expect.poll(() => button.count()).toBe(0)
  })
  await expectAudited(payment.id, 'returned the money of')
})

test('a payment that the merchant ends is not paid, and the customer is told so', async () => {
  const payment = await bff.createDeposit({ amount: '8.00', orderId: 'order-ended' })
  await browser.visit(owner.site(`payments/${payment.id}`), async (visit) => {
    await pressAndConfirm(visit, 'Cancel this payment')
    await visit.reads('Cancelled')
    await expect.poll(() => visit.page.getByRole('button', { name: 'Cancel this payment' }).count()).toBe(0)
  })
  await bff.shows(payment.id, { status: 'cancelled', outcome: 'failed', isFinal: true })
  await hears(payment, ['payment.created', 'payment.cancelled'])
  await expectAudited(payment.id, 'ended the payment')
})

// Last, because the chain's clock goes ahead of the service's: what is created from then on is late at once.
test('money that came too late is taken by a button, and forwarded like every other', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'order-late' })
  await chain.mine(1)
  await chain.travel(901)
  await bff.shows(payment.id, { status: 'expired', isFinal: true })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, { status: 'expired', excessOwed: '25.00' })
  await browser.visit(owner.site(`payments/${payment.id}`), async (visit) => {
    await visit.reads('Expired')
    await pressAndConfirm(visit, 'Accept the late money')
    await sweep([payment])
    await visit.reads('Paid out')
    expect(await visit.page.getByRole('button', { name: 'Return money' }).count()).toBe(0)
  })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, ['payment.created', 'payment.expired', 'payment.late', 'payment.completed', 'deposit.swept'])
  await expectAudited(payment.id, 'accepted the late money of')
  await browser.visit(owner.site(`payments/${payment.id}`, inGerman), async ({ reads }) => {
    for (const says of ['Zahlung erstellt', 'Geld kam zu spät', 'Auszahlung bestätigt: ']) await reads(says)
  })
  await browser.visit(owner.site('audit', inGerman), ({ reads }) => reads('hat das späte Geld von'))
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
