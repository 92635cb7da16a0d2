import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { signInto } from './harness/dashboard.ts'
import { holdBack } from './harness/hold-back.ts'
import { openRefundsToPay } from './harness/refunds-to-pay.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

// What a page shows and sends while it waits for an answer, or while something else changes.
const story = await openStory('dashboard-late-answers')
const { bff, chain, files, sweep } = story
const { ask, browser, owner, requested, site } = await openRefundsToPay(story)

async function paid(amount: string, orderId: string) {
  const payment = await bff.createDeposit({ amount, orderId })
  await chain.pay(payment.depositAddress, amount)
  await chain.mine(2)
  await sweep([payment])
  return payment
}

test('of two refunds whose dialogs are asked for, the last one is shown, however late the first answers', async () => {
  const first = await requested('2.25')
  const last = await requested('3.75')
  await browser.visit(site(), async ({ page, reads }) => {
    const pay = (amount: string) =>
      page.getByRole('row').filter({ hasText: amount }).getByRole('button', { name: 'Pay', exact: true }).click()
    const held = await holdBack(page, 'GET', new RegExp(`/refunds/${first.id}\\?include=qr`))
    await pay('2.25')
    await held.isAnswered
    await pay('3.75')
    await reads('Send exactly 3.75 USDC')
    await held.release()
    expect(await page.locator('wa-dialog[open] .copied code').textContent()).toBe(last.address)
    expect(await page.getByText('Send exactly 2.25 USDC').count()).toBe(0)
  })
})

test('of two links that are opened, the code of the last one is shown, however late the first answers', async () => {
  const made = async (description: string) =>
    (await ask('/links', { description, amount: '4.00' }))['link'] as { id: string }
  const first = await made('First table')
  await made('Last table')
  await browser.visit(owner.site('links'), async ({ page }) => {
    const held = await holdBack(page, 'GET', new RegExp(`/links/${first.id}\\?include=qr`))
    await page.getByRole('button', { name: 'First table', exact: true }).click()
    await held.isAnswered
    await page.keyboard.press('Escape')
    await page.locator('wa-dialog[open]').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Last table', exact: true }).click()
    await page.locator('wa-dialog[open] svg.qr').waitFor()
    await held.release()
    expect(await page.locator('wa-dialog[open]').getAttribute('label')).toBe('Last table')
  })
})

test('a page goes on with the payments that it shows, whatever another tab chooses', async () => {
  await browser.visit(owner.site('links'), async ({ page, reads }) => {
    await reads('First table')
    const other = await page.context().newPage()
    await other.goto(page.url())
    const isReloaded = other.waitForEvent('load')
    await other.getByRole('checkbox', { name: 'Test data' }).click()
    await isReloaded
    await other.getByText('These are test payments').waitFor()
    await page.getByRole('button', { name: 'Create a link' }).first().click()
    await page.getByLabel('What for').fill('Real table')
    await page.locator('amount-input').getByRole('textbox').fill('6.00')
    const isMade = page.waitForResponse(
      (response) => response.url().endsWith('/links') && response.request().method() === 'POST',
    )
    await page.locator('wa-dialog[open]').getByRole('button', { name: 'Create a link' }).click()
    const { link } = (await (await isMade).json()) as { link: { isTest: boolean } }
    expect(link.isTest).toBe(false)
    await other.close()
  })
})

test('what is typed into a refund’s form outlives a read that fails, and an older answer offers nothing', async () => {
  const payment = await paid('12.00', 'order-typed')
  const away = { ...owner.site(`payments/${payment.id}`), tolerated: /ERR_FAILED/ }
  await browser.visit(away, async ({ page }) => {
    await page.locator('refund-form').getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Reason, shown to the customer').fill('A cup broke')
    const url = new RegExp(`/payments/${payment.id}/refunds`)
    const isFailed = page.waitForEvent('requestfailed', (request) => url.test(request.url()))
    await page.route(url, (route) => route.abort(), { times: 1 })
    await bff.createDeposit({ amount: '1.00' })
    await isFailed
    const held = await holdBack(page, 'GET', url)
    await bff.createDeposit({ amount: '1.00' })
    await held.isAnswered
    expect(await page.getByLabel('Reason, shown to the customer').inputValue()).toBe('A cup broke')
    await page.locator('wa-dialog[open] form').getByRole('button', { name: 'Refund' }).click()
    await page.getByRole('link', { name: 'Refund requested' }).waitFor()
    await page.locator('refund-form').getByRole('button', { name: 'Refund' }).waitFor({ state: 'hidden' })
    await held.release()
    expect(await page.locator('refund-form').getByRole('button', { name: 'Refund' }).count()).toBe(0)
  })
})

test('whoever returns money confirms the sum that is owed now', async () => {
  const payment = await bff.createDeposit({ amount: '20.00', orderId: 'order-more' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, { refund: { state: 'address_needed' } })
  await browser.visit(owner.site(`payments/${payment.id}`), async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Return money: 5.00' }).click()
    await reads(/5\.00.USDC will be returned/)
    await page.getByLabel('Address on').fill('0x90F79bf6EB2c4f870365E785982E1f101E93b906')
    await chain.pay(payment.depositAddress, '40.00')
    await chain.mine(2)
    await page.getByRole('button', { name: 'Return money: 45.00', includeHidden: true }).waitFor({ state: 'attached' })
    expect(await page.locator('wa-dialog[open]').textContent()).toMatch(/45\.00/)
    expect(await page.getByLabel('Address on').inputValue()).toBe('0x90F79bf6EB2c4f870365E785982E1f101E93b906')
  })
})

test('after a return that failed, the sum that is owed now is confirmed; where the dialog was closed, the page says what failed', async () => {
  const payment = await bff.createDeposit({ amount: '20.00', orderId: 'order-failed-return' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, { refund: { state: 'address_needed' } })
  const site = { ...owner.site(`payments/${payment.id}`), tolerated: /503/ }
  await browser.visit(site, async ({ page }) => {
    let fail = () => {}
    let hear = () => {}
    await page.route('**/deposits/refund-request/*', async (route) => {
      hear()
      await new Promise<void>((resolve) => {
        fail = resolve
      })
      await route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'Not now.' } })
    })
    const send = async () => {
      const isAsked = new Promise<void>((resolve) => {
        hear = resolve
      })
      await page.getByLabel('Address on').fill('0x90F79bf6EB2c4f870365E785982E1f101E93b906')
      await page.getByLabel('I have confirmed').check()
      await page.locator('wa-dialog[open] form').getByRole('button', { name: 'Refund', exact: true }).click()
      await isAsked
    }
    await page.getByRole('button', { name: 'Return money: 5.00' }).click()
    await send()
    await chain.pay(payment.depositAddress, '40.00')
    await chain.mine(2)
    await page.getByRole('button', { name: 'Return money: 45.00', includeHidden: true }).waitFor({ state: 'attached' })
    fail()
    await page.locator('wa-dialog[open]').getByRole('alert').waitFor()
    expect(await page.locator('wa-dialog[open]').textContent()).toMatch(/45\.00/)
    await send()
    await page.keyboard.press('Escape')
    await page.locator('wa-dialog[open]').waitFor({ state: 'hidden' })
    fail()
    await page.locator('payment-actions').getByRole('alert').waitFor()
  })
})

test('one press returns all that is owed on a network, and the button and its dialog name each sum', async () => {
  const payment = await bff.createDeposit({ amount: '20.00', orderId: 'order-two-tokens' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.pay(payment.depositAddress, '3.00', { token: 'USDT' })
  await chain.mine(2)
  await bff.shows(payment.id, { refund: { state: 'address_needed' }, unmatched: [{ amount: '3.00' }] })
  const customer = getAddress(`0x${randomBytes(20).toString('hex')}`)
  await browser.visit(owner.site(`payments/${payment.id}`), async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Return money: 5.00 USDC + 3.00 USDT' }).click()
    await reads(/5\.00.USDC \+ 3\.00.USDT will be returned/)
    await page.getByLabel('Address on').fill(customer)
    await page.getByLabel('I have confirmed').check()
    await page.locator('wa-dialog[open] form').getByRole('button', { name: 'Refund', exact: true }).click()
    await reads(`Goes to ${customer.toLowerCase()}`)
  })
  await sweep([payment])
  await until('both to reach the customer', async () => {
    await chain.mine(1)
    const held = await Promise.all([chain.balance('USDC', customer), chain.balance('USDT', customer)])
    return held.join() === '5000000,3000000'
  })
})

test('of more links than a page lists, each stays listed and says what became of it while others are made', async () => {
  const made: Record<string, unknown>[] = []
  for (let number = 0; number < 52; number++)
    made.push((await ask('/links', { description: `Seat ${number}`, amount: '4.00' }))['link'] as never)
  await browser.visit(owner.site('links'), async ({ page }) => {
    const seats = page.getByRole('row').filter({ hasText: /Seat \d+/ })
    await expect.poll(() => seats.count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => seats.count()).toBe(52)
    await ask('/links', { description: 'Seat 52', amount: '4.00' })
    await ask(`/links/${made[0]?.['id']}/end`, {})
    await bff.createDeposit({ amount: '1.00' })
    await expect.poll(() => seats.count()).toBe(53)
    expect(await seats.filter({ hasText: 'Seat 0' }).textContent()).toContain('Ended')
  })
})

test('sums stand under the period and the month that they are of, also while others are read', async () => {
  await browser.visit(owner.site(''), async ({ page, reads }) => {
    await reads(/The 7 days before/)
    const held = await holdBack(page, 'GET', /\/reports\/summary/)
    await page.getByLabel('Period').selectOption('30 days')
    await held.isAnswered
    await reads(/The 7 days before/)
    await held.release()
    await reads(/The 30 days before/)
  })
  await browser.visit(owner.site('reports'), async ({ page }) => {
    const totals = page.getByRole('region', { name: 'The month' })
    await totals.waitFor()
    const held = await holdBack(page, 'GET', /\/reports\/month\?/)
    await page.locator('input[type=month]').fill('2024-05')
    await held.isAnswered
    expect(await totals.count()).toBe(0)
    await held.release()
  })
})

test('a page that stays open overnight reads the sums of the new day', async () => {
  const inAfternoon = (page: Page) => page.clock.install({ time: new Date(2026, 3, 2, 15) })
  const asked = (page: Page, day: string) =>
    page.waitForRequest((request) => request.url().includes('/reports/summary') && request.url().includes(`to=${day}`))
  await browser.visit({ ...owner.site('', inAfternoon), tolerated: /status of 4/ }, async ({ page, reads }) => {
    await reads(/The 7 days before/)
    const isAsked = asked(page, '2026-04-03')
    await page.clock.fastForward('15:00:00')
    await isAsked
  })
})

test('sums stay those of the days that were read while the new day cannot be read', async () => {
  await bff.createDeposit({ amount: '1.00' })
  const row = { day: '2026-03-27', network: 'devnet', currency: 'USDC', decimals: 6, created: 1, paid: 1 }
  const sums = { ...row, received: '10000000', refunded: '0' }
  const inAfternoon = async (page: Page) => {
    await page.clock.install({ time: new Date(2026, 3, 2, 15) })
    await page.route('**/reports/summary?*', (route) =>
      route.request().url().includes('to=2026-04-02')
        ? route.fulfill({ json: { success: true, days: [sums], totals: [sums] } })
        : route.abort(),
    )
  }
  await browser.visit({ ...owner.site('', inAfternoon), tolerated: /ERR_FAILED|status of 4/ }, async ({ page }) => {
    const figure = page.locator('.figure').first()
    await expect.poll(() => figure.textContent()).toContain('10.00')
    await page.clock.fastForward('15:00:00')
    await page.getByRole('alert').waitFor()
    expect(await figure.textContent()).toContain('10.00')
  })
})

test('the request of a webhook stays with its webhook when another one is sent', async () => {
  const payment = await bff.createDeposit({ amount: '20.00', orderId: 'order-webhooks' })
  await chain.pay(payment.depositAddress, '5.00')
  await chain.mine(2)
  await bff.shows(payment.id, { amountReceived: '5.00' })
  await browser.visit(owner.site(`payments/${payment.id}`), async ({ page }) => {
    await page.getByRole('tab', { name: 'Developers' }).click()
    const summaries = page.locator('payment-deliveries summary')
    await summaries.first().click()
    await page.getByRole('button', { name: 'Show the request' }).first().click()
    const body = page.locator('payment-deliveries details[open] [data-body]')
    const { type } = JSON.parse((await body.textContent()) ?? '') as { type: string }
    const before = await summaries.count()
    await chain.pay(payment.depositAddress, '15.00')
    await chain.mine(2)
    await expect.poll(() => summaries.count()).toBeGreaterThan(before)
    const open = page.locator('payment-deliveries details[open]')
    expect(await open.locator('summary').textContent()).toContain(type)
    expect(JSON.parse((await body.textContent()) ?? '')).toMatchObject({ type })
  })
  await sweep([payment])
})

test('a wallet is entered for the network whose change was chosen last', async () => {
  await browser.visit(owner.site('wallets'), async ({ page }) => {
    const change = page.getByRole('button', { name: 'Change' })
    const field = page.locator('wallets-page input[name=address]')
    await change.nth(0).click()
    await field.fill(`0x${'5e'.repeat(20)}`)
    const held = await holdBack(page, 'POST', /\/dashboard\/wallets\/proofs/)
    await page.locator('wallets-page form').getByRole('button', { name: 'Continue' }).click()
    await held.isAnswered
    await change.nth(1).click()
    expect(await field.inputValue()).toBe('')
    await field.fill(`0x${'7f'.repeat(20)}`)
    await held.release()
    expect(await field.inputValue()).toBe(`0x${'7f'.repeat(20)}`)
    expect(await page.locator('[data-message]').count()).toBe(0)
  })
})

test('why the browser’s wallet gave no signature is said', async () => {
  const withWallet = owner.site('wallets', (page) =>
    page.addInitScript(() => {
      const info = { uuid: 'declining', name: 'Declining wallet', icon: '', rdns: 'declining.example' }
      const provider = {
        request: async ({ method }: { method: string }) => {
          if (method !== 'personal_sign') return []
          throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
        },
      }
      window.addEventListener('eip6963:requestProvider', () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
      )
    }),
  )
  await browser.visit(withWallet, async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Change' }).first().click()
    await page.locator('wallets-page input[name=address]').fill(`0x${'5e'.repeat(20)}`)
    await page.locator('wallets-page form').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Sign with the wallet of this browser' }).click()
    await reads('You rejected the request.')
  })
})

test('decisions of an agent are listed once for two presses, and those of the agent that was chosen last are shown', async () => {
  const policy = (agentId: string) => ({
    agentId,
    maxPerTransaction: null,
    dailyBudget: null,
    monthlyBudget: null,
    spentToday: '0.00',
    spentThisMonth: '0.00',
    allowedNetworks: null,
    allowedCurrencies: null,
    autonomousAllowed: true,
    expiresAt: null,
  })
  const decision = (rule: string) => ({
    decidedAt: '2026-04-02T10:00:00.000Z',
    isAllowed: true,
    rule,
    amount: '1.00',
    currency: 'USDC',
    paymentId: null,
  })
  /** The answer that waits, and what gives it. */
  let held = 'first newer'
  let release = () => {}
  const mocked = owner.site('agents', async (page) => {
    await page.route('**/merchants/agent-policies?*', (route) =>
      route.fulfill({ json: { policies: [policy('first'), policy('last')], next: null } }),
    )
    await page.route('**/merchants/agent-policies/*/decisions?*', async (route) => {
      const url = new URL(route.request().url())
      const isOlder = url.searchParams.has('before')
      const [, agentId] = /policies\/(\w+)\//.exec(url.pathname) ?? []
      const rule = `${agentId} ${isOlder ? 'older' : 'newer'}`
      const isHeld = rule === held
      if (isHeld) held = ''
      if (isHeld)
        await new Promise<void>((resolve) => {
          release = resolve
        })
      await route.fulfill({ json: { decisions: [decision(rule)], next: isOlder ? null : 7 } })
    })
  })
  await browser.visit(mocked, async ({ page, reads }) => {
    /** Gives the answer that waits, and lets the page show it. */
    const answer = async () => {
      const isAnswered = page.waitForResponse(/decisions/)
      release()
      await (await isAnswered).finished()
      await page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)))
    }
    const show = page.getByRole('button', { name: 'Decisions' })
    await show.nth(0).click()
    await show.nth(1).click()
    await reads('last newer')
    await answer()
    expect(await page.getByText('first newer').count()).toBe(0)
    held = 'last older'
    const more = page.getByRole('button', { name: 'Show more' })
    await more.click()
    await more.click()
    await reads('last older')
    await answer()
    expect(await page.getByText('last older').count()).toBe(1)
  })
})

test('a role that was not given is not shown', async () => {
  await signInto(owner.url, files, 'viewer')
  const refused = { ...owner.site('people'), tolerated: /403/ }
  await browser.visit(refused, async ({ page }) => {
    await page.route('**/api/v1/dashboard/people/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { success: false, code: 'FORBIDDEN', message: 'Not now.' } })
        : route.fallback(),
    )
    const role = page.getByRole('row').filter({ hasNotText: '(you)' }).getByLabel('Role')
    const before = await role.inputValue()
    await role.selectOption('owner')
    await page.getByRole('alert').waitFor()
    await expect.poll(() => role.inputValue()).toBe(before)
  })
})

test('a kind of notice that was not switched off is shown as on', async () => {
  const channel = {
    id: 'channel',
    kind: 'email',
    label: 'a@example.com',
    kinds: ['paid', 'refund'],
    isConfirmed: true,
    failingSince: null,
  }
  const refused = { ...owner.site('notices'), tolerated: /400/ }
  await browser.visit(refused, async ({ page }) => {
    await page.route('**/api/v1/dashboard/notices', (route) =>
      route.fulfill({ json: { channels: [channel], hasMail: true, pushKey: '' } }),
    )
    // The service refuses the change: the channel is made up here.
    const refusal = await holdBack(page, 'PATCH', /notices\/channel$/)
    await page.reload()
    const refunds = page.locator('input[name=refund]')
    await refunds.uncheck()
    await refusal.release()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => refunds.isChecked()).toBe(true)
  })
})

test('two presses of Enter add one endpoint', async () => {
  await browser.visit(owner.site('webhooks'), async ({ page }) => {
    let posts = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/webhooks/endpoints')) posts += 1
    })
    await page.getByLabel('URL of a new endpoint').fill('https://shop.example/twice')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.locator('#secret').waitFor()
    await page.getByText('https://shop.example/twice').first().waitFor()
    expect(posts).toBe(1)
    expect(await page.locator('h3', { hasText: 'https://shop.example/twice' }).count()).toBe(1)
  })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
