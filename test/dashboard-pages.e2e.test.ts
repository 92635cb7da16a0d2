import type { MonthProgress } from '@stablecoin-checkout/bff/api-types'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { looks, openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('dashboard-pages')
const { bff, chain, receiver, sweep } = story
const browser = await openBrowser()
const owner = await openDashboard(story)

/** A text that becomes a script where somebody writes it as HTML. */
const hostile = '<img src=x onerror="window.hacked=true">'

/** Runs in the page: what the button that has the focus says. */
function focused(): string {
  let element = document.activeElement
  while (element && element.localName !== 'wa-button' && element.shadowRoot?.activeElement) {
    element = element.shadowRoot.activeElement
  }
  return element?.localName === 'wa-button' ? (element.textContent ?? '').trim() : `${element?.localName}`
}

test('whoever has no payment yet is led to the first one', async () => {
  await browser.visit(owner.site(), async ({ page, reads }) => {
    await reads('First steps')
    for (const step of ['Create a payment link', 'Put the checkout on your website', 'Make a test payment'])
      await page.getByRole('link', { name: step }).waitFor()
    await expectAccessible(page, 'dark')
    await page.goto(owner.site('payments').url)
    await reads('No payments yet.')
    await page.locator('payments-page').getByRole('link', { name: 'Links' }).click()
    await reads('Create a link')
  })
})

/** Runs in the page. */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

test('an owner adds an endpoint and replaces its secret by the passkey, sees each secret once, and a test event arrives', async () => {
  const url = `${receiver.url}/of-the-page`
  await browser.visit(owner.site('webhooks'), async ({ page, reads, press, portray }) => {
    await page.getByLabel('URL of a new endpoint').fill(url)
    await press('Add')
    await reads(`The secret of ${url}. It is shown only once.`)
    const secret = () => page.locator('wa-callout .copied code').textContent()
    const first = await secret()
    expect(first).toMatch(/^whsec_/)
    // On a phone the button is far below the place of the secret.
    await page.setViewportSize({ width: 320, height: 300 })
    await press('New secret')
    await expect.poll(secret).not.toBe(first)
    expect(await page.locator('wa-callout .copied code').evaluate(isInView)).toBe(true)
    await page.setViewportSize(looks.light.viewport)
    await reads('the old secret also signs until')
    await press('Send a test event')
    await reads('webhook.test')
    await page.reload()
    await reads('webhook.test')
    expect(await page.locator('wa-callout').count()).toBe(0)
    const remove = page.locator('webhooks-page').getByRole('button', { name: 'Remove' })
    const dialog = page.locator('confirm-dialog')
    await remove.click()
    await reads(`Remove ${url}?`)
    // By the keyboard: the focus is at Cancel, goes back to where it was, and Escape means no.
    await expect.poll(() => page.evaluate(focused)).toBe('Cancel')
    await expectAccessible(page, 'light')
    await portray('dashboard-confirm')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(focused)).toBe('Remove')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(focused)).toBe('Cancel')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(focused)).toBe('Remove')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(focused)).toBe('Cancel')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => page.evaluate(focused)).toBe('Remove')
    await page.keyboard.press('Enter')
    await reads('No endpoint yet.')
  })
})

test('a person adds a chat by the passkey, chooses what comes there, and removes it', async () => {
  const url = `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=-1001`
  await browser.visit(owner.site('notices'), async ({ page, reads, press, portray }) => {
    await page.getByRole('button', { name: 'Telegram' }).waitFor()
    // Whichever tab is shown, the keyboard begins at the skip button.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe('skip')
    await press('Telegram')
    await page.getByRole('textbox', { name: 'Telegram' }).fill(url)
    await press('Add a place')
    await reads('-1001')
    const late = page.getByRole('checkbox', { name: 'An order is paid late' })
    await late.uncheck()
    await expect.poll(() => late.isEnabled()).toBe(true)
    await page.reload()
    await reads('-1001')
    expect(await late.isChecked()).toBe(false)
    expect(await page.getByRole('checkbox', { name: 'An order is paid', exact: true }).isChecked()).toBe(true)
    await expectAccessible(page, 'light')
    await expectAccessible(page, 'dark')
    await portray('dashboard-notices')
    await page.locator('notices-page').getByRole('button', { name: 'Remove' }).click()
    await page.locator('confirm-dialog').getByRole('button', { name: 'Remove' }).click()
    await until('the chat is gone', async () => (await page.getByText('-1001').count()) === 0)
  })
})

test('a person names a passkey, and the page of people and keys says when each was last used', async () => {
  await browser.visit(owner.site('people'), async ({ page, reads, portray }) => {
    await reads('Your passkeys')
    const name = page.getByRole('textbox', { name: 'Name of the passkey' })
    await name.fill('Blue stick')
    await name.press('Tab')
    await expect
      .poll(async () => (await page.request.get(`${new URL(page.url()).origin}/api/v1/dashboard/passkeys`)).text())
      .toContain('Blue stick')
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Blue stick')
    await expectAccessible(page, 'light')
    await portray('dashboard-people')
  })
})

/** A month has its payments by when they were created. The page shows the month of its clock at first, so its clock is put there. */
let createdAt = new Date()
const inMonth = (page: Page) => page.clock.setFixedTime(createdAt)

/** Both in one month: where it has ended between them, another one in the new month. */
async function createInOneMonth() {
  const create = (amount: string, orderId: string) => bff.createDeposit({ amount, orderId })
  const createdAtOf = async ({ id }: PaymentBody) => {
    const [row] = await bff.query<{ ms: number }>('select created_at_ms as ms from payments where id = ?', id)
    return new Date(Number(row?.ms))
  }
  const monthOf = async (payment: PaymentBody) => (await createdAtOf(payment)).toISOString().slice(0, 7)
  const [first, second] = [await create('33.333333', hostile), await create('25.00', 'short')]
  createdAt = await createdAtOf(second)
  const isOneMonth = (await monthOf(first)) === (await monthOf(second))
  return [isOneMonth ? first : await create('33.333333', hostile), second] as const
}

test('a month exported from the page equals the books of the chain to the unit, and home says what came in', async () => {
  const [paid, late] = await createInOneMonth()
  await chain.payTogether([
    { to: paid.depositAddress, amount: '34.00' },
    { to: late.depositAddress, amount: '4.000001' },
  ])
  await chain.mine(3)
  await sweep([paid])
  await bff.shows(paid.id, { refund: { state: 'address_needed' } })
  await browser.visit(owner.site('reports', inMonth), async ({ page, portray }) => {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download as CSV' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
    const [head = '', ...lines] = Buffer.concat(chunks).toString('utf8').trimEnd().split('\r\n')
    // A line for each day, of which there are two where the payments were created before and after midnight.
    const cell = (name: string) =>
      lines
        .map((line) => line.split(',')[head.split(',').indexOf(name)] ?? '')
        .map((amount) => BigInt(amount.replace(/\.(\d*)$/, (_, digits: string) => digits.padEnd(6, '0'))))
        .reduce((sum, units) => sum + units, 0n)
    const statement = (await expectBooksToClose(story)).networks.find(({ network }) => network === 'devnet')?.statement
    const usdc = statement?.find((one) => one['symbol'] === 'USDC')
    expect(usdc).toMatchObject({
      came: String(cell('received') + cell('receivedLate')),
      merchant: String(cell('merchantAmount')),
      fee: String(cell('platformFee')),
      refunded: String(cell('refunded')),
      returned: String(cell('returned')),
    })
    expect(cell('received')).toBe(38_000_001n)
    await portray('dashboard-reports')
    await expectAccessible(page, 'light')
  })
  await browser.visit(owner.site(), async ({ page, reads, portray }) => {
    await reads('To do')
    await page.getByText(hostile).first().waitFor()
    await page.getByText('38.000001').first().waitFor()
    // The sum that is owed, not the price of the order, and the button that settles it.
    const need = page.getByRole('region', { name: 'To do' }).getByRole('listitem').filter({ hasText: hostile })
    await need.getByText('0.666667 USDC owed to the customer').waitFor()
    expect(await need.getByText('33.333333').count()).toBe(0)
    expect(await need.getByRole('link', { name: 'Return money' }).getAttribute('href')).toContain(paid.id)
    await page.locator('home-page .bars rect').first().waitFor()
    // Today's bar stands above today's day, also where texts are read from right to left.
    for (const dir of ['ltr', 'rtl']) {
      const [bar, day] = await page.locator('home-page .bars').evaluate((bars, direction) => {
        document.documentElement.dir = direction
        const middles = ['rect', '.bar-days span'].map((selector) => {
          const { left, width } = [...bars.querySelectorAll(selector)].at(-1)?.getBoundingClientRect() ?? new DOMRect()
          return left + width / 2
        })
        document.documentElement.dir = 'ltr'
        return middles
      }, dir)
      expect(Math.abs((bar ?? 0) - (day ?? 99)), dir).toBeLessThan(2)
    }
    // One total at the rates of the service, a stablecoin being a dollar.
    await page.getByText('$38.00').waitFor()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await portray('dashboard-home')
    await expectAccessible(page, 'narrow')
  })
})

test('a month that takes long to be added up shows how far it is, and then the month', async () => {
  let go = () => {}
  const isSeen = new Promise<void>((resolve) => {
    go = resolve
  })
  // A shop of this size is answered at once: the first answers are those of a large one.
  const answers: { progress: MonthProgress }[] = [
    { progress: { read: 0, payments: 410_000 } },
    { progress: { read: 123_456, payments: 410_000 } },
  ]
  const patience: (string | undefined)[] = []
  const slow = async (page: Page) => {
    await inMonth(page)
    await page.route('**/reports/month?*', async (route) => {
      patience.push(route.request().headers()['prefer'])
      const json = answers.shift()
      if (json) return await route.fulfill({ status: 202, json: { success: true, ...json } })
      await isSeen
      await route.continue()
    })
  }
  await browser.visit(owner.site('reports', slow), async ({ page, reads, portray }) => {
    await reads('123,456 of 410,000 payments')
    const bar = page.getByRole('progressbar', { name: '123,456 of 410,000 payments' })
    expect(await bar.evaluate((one: HTMLProgressElement) => Math.round(one.position * 100))).toBe(30)
    await portray('dashboard-reports-reading')
    await expectAccessible(page)
    go()
    await page.getByRole('link', { name: 'Download as CSV' }).waitFor()
    await page.getByText('38.000001').first().waitFor()
    expect(await bar.count()).toBe(0)
    expect(patience).toEqual(['wait=2', 'wait=2', 'wait=2'])
  })
})

test('an endpoint that failed is sent again from the page, and what it answered is text', async () => {
  receiver.answer(() => 500)
  const { body } = await bff.ask('/api/v1/webhooks/endpoints', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': story.merchant.apiKey,
      'x-api-secret': story.merchant.apiSecret,
    },
    body: JSON.stringify({ url: receiver.url, description: hostile }),
  })
  const endpoint = body['endpoint'] as { id: string }
  const payment = await bff.createDeposit({ amount: '5.00', callbackUrl: undefined })
  const attempts = async () => {
    const [row] = await bff.query<{ attempts: number }>(
      'select attempts from deliveries where payment_id = ? and endpoint_id = ?',
      payment.id,
      endpoint.id,
    )
    return row?.attempts ?? 0
  }
  await until('an attempt that failed', async () => (await attempts()) > 0)
  receiver.answer()
  await browser.visit(owner.site('webhooks'), async ({ page, reads, portray }) => {
    await reads('Enabled')
    await page.getByText(hostile).first().waitFor()
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Payment', { exact: true }).fill(payment.id)
    await page.getByLabel('Payment', { exact: true }).press('Enter')
    // The columns' names, the delivery, and its attempts.
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    const before = await attempts()
    await page.getByRole('row').getByRole('button', { name: 'Send again' }).click()
    await reads('The delivery is due and will be sent now.')
    await until('another attempt', async () => (await attempts()) > before)
    await page.getByRole('row').locator('summary').click()
    await page.getByRole('button', { name: 'Show the request' }).click()
    await page.locator('delivery-request pre[data-body]').waitFor()
    // What is shown is what was posted: body and headers stand the check that a receiver makes.
    const [shown = '', ...headers] = (await page.locator('delivery-request pre').allTextContents()).reverse()
    const lines = headers.reverse().flatMap((text) => text.split('\n').map((line) => line.split(': ')))
    const event = new Webhook(String(body['secret'])).verify(shown, Object.fromEntries(lines))
    expect(event).toMatchObject({ type: 'payment.created', data: { id: payment.id } })
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await portray('dashboard-webhooks')
    await expectAccessible(page, 'narrow')
  })
})

test('the attempts of a delivery are open at no other one when others are listed', async () => {
  const payments = [await bff.createDeposit({ amount: '5.00' }), await bff.createDeposit({ amount: '6.00' })]
  await until('both to be delivered', () => payments.every(({ id }) => receiver.tries(id).length === 1))
  await browser.visit(owner.site('webhooks'), async ({ page }) => {
    await page.locator('tr.more summary').first().click()
    const open = page.locator('tr.more details[open]')
    expect(await open.count()).toBe(1)
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Payment', { exact: true }).fill(payments[0]?.id ?? '')
    await page.getByLabel('Payment', { exact: true }).press('Enter')
    await expect.poll(() => page.locator(`tr a[href$="${payments[1]?.id}"]`).count()).toBe(0)
    expect(await open.count()).toBe(0)
  })
})

test('what was posted since a time is sent again by one button: what was not delivered, or all of it', async () => {
  receiver.answer()
  const payments = [await bff.createDeposit({ amount: '5.00' }), await bff.createDeposit({ amount: '6.00' })]
  const tries = () => payments.map(({ id }) => receiver.tries(id).length)
  await until('both to be delivered', () => String(tries()) === '1,1')
  await browser.visit(owner.site('webhooks'), async ({ page, portray }) => {
    const card = page.locator('section').filter({ hasText: 'Send again from a date' })
    const since = card.getByLabel('Since')
    const submit = () => card.getByRole('button', { name: 'Send again' }).click()
    await since.fill(localMinute(Date.now() + 120_000))
    expect(await since.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow), 'the future').toBe(true)
    const hourAgo = localMinute(Date.now() - 3_600_000)
    await since.fill(hourAgo)
    const isSent = page.waitForRequest('**/webhooks/replay')
    await submit()
    const order = { since: new Date(hourAgo).toISOString(), isTest: false }
    expect((await isSent).postDataJSON()).toEqual({ ...order, only: 'undelivered' })
    // Beside the button: the page is long.
    await card.getByText('being sent again.').waitFor()
    await card.getByLabel('including delivered ones').check()
    const isSentAgain = page.waitForRequest('**/webhooks/replay')
    await submit()
    expect((await isSentAgain).postDataJSON()).toEqual(order)
    await until('both to be delivered again', () => String(tries()) === '2,2')
    const ids = payments.map(({ id }) => new Set(receiver.tries(id).map((one) => one.id)).size)
    expect(ids, 'the receiver knows each by its id').toEqual([1, 1])
    await portray('dashboard-replay')
    await expectAccessible(page)
  })
})

/** As a field of date and time takes it, in the time zone of this process and the browser. */
function localMinute(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

test('agents, developers and the system are shown, and doctor says what it finds', async () => {
  await browser.visit(owner.site('agents'), async ({ page, reads }) => {
    await reads('No agent has a policy')
    await expectAccessible(page)
    const { apiKey, apiSecret } = story.merchant
    await bff.ask('/api/v1/merchants/agent-policies/shopper-7', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      body: JSON.stringify({ maxPerTransaction: '50.00', dailyBudget: '200.00' }),
    })
    const agent = { agentId: 'shopper-7', agentOwner: 'Ada' }
    await bff.createDeposit({ amount: '12.25', ...agent })
    await expect(bff.createDeposit({ amount: '60.00', ...agent })).rejects.toThrow('AGENT_CONSTRAINT_VIOLATED')
    await page.reload()
    await reads('$12.25 of $200.00')
    await page.getByRole('button', { name: 'Decisions' }).click()
    await page.getByRole('row').filter({ hasText: 'Refused' }).getByText('60.00').waitFor()
    await page.getByRole('row').filter({ hasText: 'Allowed' }).getByText('12.25').waitFor()
    await expectAccessible(page, 'narrow')
  })
  await browser.visit(owner.site('developers'), async ({ page, reads, portray }) => {
    await reads('Embed the element')
    await reads('network="devnet"')
    // The tag can be pasted as it stands.
    await reads(`public-key="${story.merchant.publicKey}"`)
    // A tag without a language has that of the page around it.
    expect(await page.locator('developers-page pre').textContent()).not.toContain('lang=')
    await page.locator('developers-page').getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Deutsch' })
    await reads('lang="de"')
    await page.getByRole('button', { name: 'Preview with a test payment' }).click()
    await page.locator('stablecoin-checkout .card').first().waitFor()
    await page.locator('developers-page').getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Dark' })
    await expect.poll(() => page.locator('stablecoin-checkout').getAttribute('theme')).toBe('dark')
    await portray('dashboard-developers')
    await expectAccessible(page, 'dark')
  })
  const nothingPayable = (page: Page) =>
    page.route('**/networks/payable/stablecoins', (route) => route.fulfill({ json: { stablecoins: [] } }))
  await browser.visit(owner.site('developers', nothingPayable), async ({ page, reads }) => {
    await reads('Nothing can be paid now, so there is no snippet yet.')
    expect(await page.locator('pre').count()).toBe(0)
    await page.getByRole('link', { name: 'Check that a network accepts payments' }).click()
    await page.getByRole('heading', { name: 'System', exact: true }).waitFor()
  })
  await browser.visit(owner.site('system'), async ({ page, reads, portray }) => {
    await reads('Payments can be accepted')
    // Queues name a network as every other page does.
    await page
      .locator('td')
      .filter({ hasText: /^Devnet$/ })
      .first()
      .waitFor()
    expect(
      await page
        .locator('td')
        .filter({ hasText: /^devnet$/ })
        .count(),
    ).toBe(0)
    await page.getByRole('button', { name: 'Check everything' }).click()
    const problem = page.getByRole('article').filter({ hasText: 'The service isn’t running' })
    await problem.waitFor({ timeout: 60_000 })
    await reads('Start the service, then check again.')
    await page.getByText('Passed checks: ').click()
    await reads('It responds, on the right network.')
    await portray('dashboard-system')
    await expectAccessible(page, 'light')
    await page.evaluate(() => localStorage.setItem('language', 'ar'))
    await page.reload()
    // Within half a minute the same findings are shown.
    await page.getByRole('button', { name: 'فحص كل شيء' }).click()
    await page.getByText('شغّل الخدمة، ثم افحص مجددًا.').waitFor({ timeout: 60_000 })
    await portray('dashboard-system-arabic')
    await expectAccessible(page, 'narrow')
  })
})
