import { randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import type { Visit } from './harness/browser.ts'
import { confirmationsRequired } from './harness/chain.ts'
import { openMerchantWallet } from './harness/merchant-wallet.ts'
import { isSent, openRefundsToPay, type Refund } from './harness/refunds-to-pay.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('refund-wallet-states')
const { bff, chain, sweep, wallets } = story
const { browser, owner, wallet, ask, read, site, requested, expectPaid } = await openRefundsToPay(story)
const other = await openMerchantWallet(chain, getAddress(`0x${randomBytes(20).toString('hex')}`), 'Other wallet')

async function openDialog({ page }: Pick<Visit, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('button', { name: 'Pay with Test wallet' }).waitFor()
}

const payWith = ({ page }: Pick<Visit, 'page'>, name = 'Test wallet') =>
  page.getByRole('button', { name: `Pay with ${name}` }).click()

test('a wallet with too little of the token, then of the coin for the fee, is asked for nothing and the page says what is missing', async () => {
  const refund = await requested('25.00')
  const sentBefore = wallet.sent.length
  const { rpc } = chain.node()
  await browser.visit(site(), async (visit) => {
    await openDialog(visit)
    await payWith(visit)
    await visit.reads('This account holds 24.625 USDC, but 25.00 USDC are needed.')
    expect((await read(refund)).prompt).toBe(null)

    await chain.pay(wallets.merchant, '25.00')
    await rpc('anvil_setBalance', wallets.merchant, '0x1')
    await payWith(visit)
    await visit.reads('for the network fee.')
    await expectAccessible(visit.page, 'narrow')
    await visit.portray('refund-wallet-no-fee')
    expect(await read(refund)).toMatchObject({ status: 'to_pay', prompt: null })
    expect(wallet.sent.length).toBe(sentBefore)

    await rpc('anvil_setBalance', wallets.merchant, '0x8ac7230489e80000')
    await payWith(visit)
    await visit.reads(isSent)
  })
  await expectPaid(refund, 25_000_000n)
})

test('of several wallets of the browser the chosen one is asked, and no other', async () => {
  const refund = await requested('1.50')
  const [before, otherBefore] = [wallet.sent.length, other.asked.length]
  const both = owner.site('refunds', async (page) => {
    await other.install(page)
    await wallet.install(page)
  })
  await browser.visit(both, async (visit) => {
    await openDialog(visit)
    expect(await visit.page.getByRole('button', { name: /^Pay with (Test|Other) wallet$/ }).count()).toBe(2)
    await expectAccessible(visit.page, 'narrow')
    await visit.portray('refund-wallets')
    await payWith(visit)
    await visit.reads(isSent)
  })
  expect(other.asked.length).toBe(otherBefore)
  expect(wallet.sent.length).toBeGreaterThan(before)
  await expectPaid(refund, 1_500_000n)
})

test('another account of the merchant pays a refund too, because the call names it', async () => {
  const refund = await requested('1.25')
  await chain.pay(other.state.account, '1.25')
  await browser.visit(owner.site('refunds', other.install), async (visit) => {
    await visit.page.getByRole('button', { name: 'Pay', exact: true }).click()
    await payWith(visit, 'Other wallet')
    await visit.reads(isSent)
  })
  await expectPaid(refund, 1_250_000n)
  expect(await chain.balance('USDC', other.state.account)).toBe(0n)
})

test('a wallet that answers after its page was closed and opened again pays once, and the new page asks no wallet meanwhile', async () => {
  const refund = await requested('2.25')
  wallet.state.behaviour = 'late'
  const asked = wallet.next()
  await browser.visit(site(), async (visit) => {
    await openDialog(visit)
    await payWith(visit)
    await asked
  })
  const sentBefore = wallet.sent.length
  await browser.visit(site(), async (visit) => {
    await visit.page.getByRole('button', { name: 'Pay', exact: true }).click()
    await visit.reads('A wallet was asked at')
    expect(await visit.page.getByRole('button', { name: 'Pay with Test wallet' }).count()).toBe(0)
    wallet.wakeUp()
    await expectPaid(refund, 2_250_000n)
    await visit.reads('The refund is paid.')
  })
  wallet.state.behaviour = 'honest'
  expect(wallet.sent.length).toBe(sentBefore + 1)
})

test('of two tabs one pays: the other is refused in plain words, and learns by itself when the refund is paid', async () => {
  const refund = await requested('2.75')
  wallet.state.behaviour = 'late'
  const asked = wallet.next()
  await browser.visit(site(), async (first) => {
    await browser.visit({ ...site(), tolerated: /409/ }, async (second) => {
      await openDialog(first)
      await openDialog(second)
      await payWith(first)
      await asked
      const sentBefore = wallet.sent.length
      await payWith(second)
      await second.reads('A wallet was asked at')
      await expectAccessible(second.page, 'narrow')
      await second.portray('refund-wallet-second-tab')
      expect(await second.page.getByText('Fix this').count()).toBe(0)
      expect(await second.page.getByRole('button', { name: 'Pay with Test wallet' }).count()).toBe(0)
      expect(wallet.sent.length).toBe(sentBefore)
      wallet.wakeUp()
      await expectPaid(refund, 2_750_000n)
      await second.reads('The refund is paid.')
      expect(wallet.sent.length).toBe(sentBefore + 1)
    })
  })
  wallet.state.behaviour = 'honest'
})

test('another tab learns by itself that a wallet is asked, and that it declined', async () => {
  const refund = await requested('0.51')
  wallet.state.behaviour = 'late'
  const asked = wallet.next()
  await browser.visit(site(), async (first) => {
    await openDialog(first)
    const second = await first.page.context().newPage()
    await wallet.install(second)
    await second.goto(first.page.url())
    await openDialog({ page: second })
    await payWith(first)
    await asked
    await second.getByText('A wallet was asked at').waitFor()
    wallet.state.behaviour = 'reject'
    wallet.wakeUp()
    await second.getByRole('button', { name: 'Pay with Test wallet' }).waitFor()
  })
  wallet.state.behaviour = 'honest'
  await ask(`/refunds/${refund.id}/cancel`, {})
})

test('once the wallet has signed, the page asks for nothing more and says that the network is awaited', async () => {
  const refunds = [await requested('0.31'), await requested('0.32')]
  Object.assign(wallet.state, { isAtomic: true, isBatchPending: true })
  await browser.visit(site(), async ({ page, reads }) => {
    await page.getByRole('checkbox', { name: 'Select the refund of 0.31' }).check()
    await page.getByRole('checkbox', { name: 'Select the refund of 0.32' }).check()
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads('Sent. The service now waits for the network.')
    expect(await page.getByText('in your wallet.').count()).toBe(0)
    wallet.state.isBatchPending = false
    await reads(isSent)
  })
  wallet.state.isAtomic = false
  await expectPaid(refunds[0] as Refund, 310_000n)
  await expectPaid(refunds[1] as Refund, 320_000n)
})

test('a batch that the wallet gives up is not shown as sent: the page says so, and the wallet can be asked again at once', async () => {
  const refunds = [await requested('0.33'), await requested('0.34')]
  Object.assign(wallet.state, { isAtomic: true, givesUpBatch: true })
  await browser.visit(site(), async ({ page, reads }) => {
    await page.getByRole('checkbox', { name: 'Select the refund of 0.33' }).check()
    await page.getByRole('checkbox', { name: 'Select the refund of 0.34' }).check()
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads('Your wallet gave up the payment before the network had it. Nothing was sent. Try again.')
    wallet.state.givesUpBatch = false
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(isSent)
  })
  wallet.state.isAtomic = false
  await expectPaid(refunds[0] as Refund, 330_000n)
  await expectPaid(refunds[1] as Refund, 340_000n)
})

test('an order id that would turn the text around it is shown without its marks', async () => {
  const refund = await requested('0.43')
  await browser.visit(owner.site(`refunds/${refund.id}`), async ({ page }) => {
    await page.route(`**/api/v1/refunds/${refund.id}*`, async (route) => {
      const response = await route.fetch()
      const { refund: shown, ...others } = (await response.json()) as { refund: object }
      await route.fulfill({ response, json: { ...others, refund: { ...shown, orderId: 'A\u202e17\u0007' } } })
    })
    await page.reload()
    const order = page
      .locator('dt')
      .filter({ hasText: /^Order$/ })
      .locator('+ dd')
    await expect.poll(() => order.textContent()).toBe('A 17')
  })
  await ask(`/refunds/${refund.id}/cancel`, {})
})

test('a page that goes back to another refund does not ask to cancel that one', async () => {
  const refund = await requested('0.41')
  const other = await requested('0.42')
  await browser.visit(owner.site(`refunds/${refund.id}`), async ({ page, reads }) => {
    await reads('0.41 USDC')
    await page.getByRole('link', { name: 'All refunds' }).click()
    await page.getByRole('link', { name: '0.42 USDC' }).click()
    await page.getByRole('link', { name: 'All refunds' }).waitFor()
    await page.getByRole('button', { name: 'Cancel refund' }).click()
    await reads('You can request another.')
    await page.evaluate(() => history.go(-2))
    await reads('0.41 USDC')
    expect(await page.getByText('You can request another.').count()).toBe(0)
  })
  for (const { id } of [refund, other]) await ask(`/refunds/${id}/cancel`, {})
})

for (const kind of ['has no batches', 'refuses the batch that it offered'] as const) {
  test(`several refunds of a wallet that ${kind} are paid one after another, each to the unit`, async () => {
    const refunds = [await requested('1.000003'), await requested('3.50'), await requested('0.25')]
    wallet.state.isAtomic = kind !== 'has no batches'
    wallet.state.refusesBatch = true
    const before = wallet.sent.length
    const payments = () =>
      wallet.sent.slice(before).filter((calls) => calls.some(({ data }) => !data.startsWith('0x095ea7b3')))
    // A payment is on its way for a while, as on a real chain: the next one must not count on its approval.
    const { rpc } = chain.node()
    await rpc('evm_setAutomine', false)
    await rpc('evm_setIntervalMining', 1)
    await browser.visit(site(), async ({ page }) => {
      const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
      await expect.poll(() => boxes.count()).toBe(3)
      for (const box of await boxes.all()) await box.check()
      await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
      await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
      await until('all payments to be sent', () => payments().length === 3)
    })
    await rpc('evm_setIntervalMining', 0)
    await rpc('evm_setAutomine', true)
    wallet.state.isAtomic = false
    wallet.state.refusesBatch = false
    expect(payments().map((calls) => calls.length)).toEqual([1, 1, 1])
    for (const [index, amount] of [1_000_003n, 3_500_000n, 250_000n].entries())
      await expectPaid(refunds[index] as Refund, amount)
  })
}

test('while several refunds are paid one after another, the page names the sum that the wallet shows', async () => {
  const refunds = [await requested('1.11'), await requested('2.22')]
  wallet.state.behaviour = 'late'
  await browser.visit(site(), async ({ page }) => {
    const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
    await expect.poll(() => boxes.count()).toBe(2)
    for (const box of await boxes.all()) await box.check()
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
    let asked = wallet.next()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    const named: (string | undefined)[] = []
    for (const _ of refunds) {
      await asked
      const text = page.getByText('Confirm the payment of')
      await expect.poll(async () => named.includes(/[\d.]+/.exec((await text.textContent()) ?? '')?.[0])).toBe(false)
      named.push(/[\d.]+/.exec((await text.textContent()) ?? '')?.[0])
      asked = wallet.next()
      wallet.wakeUp()
      await asked
      asked = wallet.next()
    }
    expect(named.toSorted()).toEqual(['1.11', '2.22'])
  })
  wallet.state.behaviour = 'honest'
  await expectPaid(refunds[0] as Refund, 1_110_000n)
  await expectPaid(refunds[1] as Refund, 2_220_000n)
})

test('refunds of two tokens are named by the sum of each, and what is missing by its token', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', currency: 'USDT' })
  await chain.pay(payment.depositAddress, '25.00', { token: 'USDT' })
  await chain.mine(confirmationsRequired)
  await sweep([payment])
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const refund = async (amount: string) =>
    (await ask(`/payments/${payment.id}/refunds`, { amount, address }))['refund'] as Refund
  const whole = await refund('25.00')
  const other = await requested('1.50')
  wallet.state.isAtomic = true
  const open = async ({ page }: Pick<Visit, 'page'>) => {
    const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
    await expect.poll(() => boxes.count()).toBe(2)
    for (const box of await boxes.all()) await box.check()
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
  }
  await browser.visit(site(), async (visit) => {
    await open(visit)
    await payWith(visit)
    await visit.reads(/This account holds 24\.625.USDT, but 25\.00.USDT are needed/)
  })
  await ask(`/refunds/${whole.id}/cancel`, {})
  const part = await refund('3.00')
  wallet.state.behaviour = 'late'
  await browser.visit(site(), async (visit) => {
    await open(visit)
    const isAsked = wallet.next()
    await payWith(visit)
    await isAsked
    await visit.reads(/Confirm the payment of (3\.00.USDT \+ 1\.50.USDC|1\.50.USDC \+ 3\.00.USDT)/)
    wallet.wakeUp()
    await visit.reads('Sent.')
  })
  wallet.state.behaviour = 'honest'
  wallet.state.isAtomic = false
  await expectPaid(other, 1_500_000n)
  await until('the other token to be paid', async () => {
    await chain.mine(1)
    return (await read(part)).status === 'paid'
  })
})

test('twenty refunds are paid by one signature, and the others can be chosen afterwards', async () => {
  const { paymentId } = await requested('0.01')
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
  for (let count = 1; count < 22; count++) await ask(`/payments/${paymentId}/refunds`, { amount: '0.01', address })
  wallet.state.isAtomic = true
  await browser.visit(site(), async ({ page }) => {
    const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
    await expect.poll(() => boxes.count()).toBe(22)
    for (const box of (await boxes.all()).slice(0, 20)) await box.check()
    expect(await boxes.last().isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await until('the twenty to be paid', async () => {
      await chain.mine(1)
      return (await boxes.count()) === 2
    })
    await page.keyboard.press('Escape')
    await boxes.last().check()
    await boxes.first().check()
  })
  wallet.state.isAtomic = false
})

test('a refund has a page of its own, from its payment: paid there, it says so by itself; another is cancelled there', async () => {
  const refund = await requested('1.75')
  const { paymentId } = refund
  await browser.visit(owner.site(`payments/${paymentId}`, wallet.install), async ({ page, reads, portray }) => {
    await page.getByRole('link', { name: 'Refund: 1.75 USDC' }).click()
    await reads('Refund from your wallet requested')
    await page.getByRole('img', { name: 'QR code of the transfer' }).waitFor()
    await page.getByRole('button', { name: 'Show link' }).click()
    const link = page.getByRole('link', { name: '/refund/' })
    expect(await link.getAttribute('href')).toContain(`/refund/${refund.id}#client_secret=`)
    await expectAccessible(page, 'narrow')
    await portray('refund-page')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(isSent)
    await expectPaid(refund, 1_750_000n)
    await reads('The refund is paid.')
    await reads('Confirmed')
    await reads('Refund paid')
    expect(await page.getByRole('button', { name: 'Cancel refund' }).count()).toBe(0)
    await expectAccessible(page, 'narrow')
    await portray('refund-page-paid')
  })
  const unwanted = (await ask(`/payments/${paymentId}/refunds`, { amount: '2.00' }))['refund'] as Refund
  await browser.visit(owner.site(), async ({ page, portray }) => {
    const task = page.locator('.task').filter({ hasText: 'Waiting for an address' })
    await task
      .getByRole('button', { name: 'Open' })
      .or(task.getByRole('link', { name: 'Open' }))
      .first()
      .waitFor()
    expect(await task.getByText('Pay the refund').count()).toBe(0)
    await portray('home-awaits-address')
  })
  await browser.visit(owner.site(`refunds/${unwanted.id}`), async ({ page, reads, portray }) => {
    await reads('Send the customer the link.')
    await portray('refund-page-unnamed')
    await page.getByRole('button', { name: 'Cancel refund' }).click()
    await reads('You can request another.')
    await page.getByRole('button', { name: 'Cancel refund' }).click()
    await reads('The refund was cancelled.')
  })
  expect(await read(unwanted)).toMatchObject({ status: 'cancelled' })
  const named = (await ask(`/payments/${paymentId}/refunds`, { amount: '2.00' }))['refund'] as Refund
  await ask(`/refunds/${named.id}/address`, { address: other.state.account })
  await browser.visit(owner.site(`refunds/${named.id}`), async ({ reads }) => {
    await reads('The customer’s address was named')
  })
  await ask(`/refunds/${named.id}/cancel`, {})
})

test('a refund that is requested again because the first answer was lost is one refund', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await sweep([payment])
  await browser.visit({ ...owner.site(`payments/${payment.id}`), tolerated: /ERR_FAILED/ }, async ({ page, reads }) => {
    const form = page.locator('refund-form form')
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Amount in USDC').fill('2.00')
    let lost = 0
    await page.route('**/api/v1/payments/*/refunds', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return await route.continue()
      // The service has stored it, and is killed before it answers.
      lost += (await route.fetch()).status() === 200 ? 1 : 0
      await route.abort()
    })
    await form.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.locator('refund-form wa-callout').waitFor()
    expect(lost).toBe(1)
    await form.getByRole('button', { name: 'Refund', exact: true }).click()
    await reads('Refund requested')
  })
  const { refunds, refundable } = (await bff.get(`/payments/${payment.id}/refunds`)).body
  expect({ refunds, refundable }).toMatchObject({ refunds: [{ amount: '2.00' }], refundable: '23.00' })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
