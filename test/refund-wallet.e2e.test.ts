import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { type PaymentBody, runBeside } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { confirmationsRequired } from './harness/chain.ts'
import { isSent, openRefundsToPay } from './harness/refunds-to-pay.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const rates = { USDC: { EUR: 0.5, USD: 1 }, USDT: { EUR: 0.5, USD: 1 } }
const story = await openStory('refund-wallet', {
  settings: { rates: { fixed: { asOf: new Date().toISOString(), ...rates } } },
})
const { bff, chain, files, sweep, wallets } = story
const { browser, owner, wallet, ask, read, site, requested, expectPaid } = await openRefundsToPay(story)

test('a wallet pays a refund to the unit: network added and switched, first rejected, then sent', async () => {
  const refund = await requested('5.25')
  wallet.state.behaviour = 'reject'
  await browser.visit(site(), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await reads('Pay with a wallet')
    await expectAccessible(page, 'narrow')
    await portray('refund-wallet')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads('You rejected the request. Nothing was sent.')
    expect(wallet.state.chainId).toBe(chain.node().facts.chainId)
    expect(await read(refund)).toMatchObject({ status: 'to_pay', prompt: null })
    wallet.state.behaviour = 'honest'
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(isSent)
    await expectAccessible(page, 'dark')
    await portray('refund-wallet-sent')
  })
  await expectPaid(refund, 5_250_000n)
})

test('a page that is closed while the wallet sends has another page say so, and the refund is paid once', async () => {
  const refund = await requested('3.00')
  wallet.state.behaviour = 'silent'
  const sent = wallet.next()
  await browser.visit(site(), async ({ page }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await sent
  })
  wallet.state.behaviour = 'honest'
  expect(await read(refund)).toMatchObject({ status: expect.not.stringMatching('paid') })
  await expectPaid(refund, 3_000_000n)
})

test('nobody pays again what a wallet was asked for in another tab, but a person who says with the passkey that nothing was sent', async () => {
  const refund = await requested('2.00')
  const before = wallet.sent.length
  await browser.visit({ ...site(), tolerated: /409/ }, async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).waitFor()
    // A second owner is faster.
    await ask('/refunds/prompts', { refundIds: [refund.id], account: wallets.merchant })
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads('A wallet was asked at')
    expect(
      wallet.sent
        .slice(before)
        .flat()
        .every(({ data }) => data.startsWith('0x095ea7b3')),
    ).toBe(true)
    expect(await page.getByRole('button', { name: 'Pay with Test wallet' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Pay again' }).click()
    await reads('Otherwise the customer may get the money twice.')
    await expectAccessible(page, 'narrow')
    await portray('refund-wallet-asked')
    await page.getByRole('button', { name: 'Nothing was sent, pay again' }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(isSent)
  })
  await expectPaid(refund, 2_000_000n)
})

test('several refunds are paid by one signature where the wallet does that, each to the unit', async () => {
  const [one, other] = [await requested('1.000001'), await requested('4.00')]
  wallet.state.isAtomic = true
  const before = wallet.sent.length
  await browser.visit(site(), async ({ page, reads, portray }) => {
    const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
    await expect.poll(() => boxes.count()).toBe(2)
    for (const box of await boxes.all()) await box.check()
    await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
    await reads('With one signature if your wallet supports that')
    await portray('refund-wallet-several')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(isSent)
  })
  expect(wallet.sent.length - before).toBe(1)
  await expectPaid(one, 1_000_001n)
  await expectPaid(other, 4_000_000n)
})

test('refunds whose batch the network reverted are not shown as sent, and are paid by the next', async () => {
  const [one, other] = [await requested('1.25'), await requested('2.75')]
  wallet.state.isAtomic = true
  wallet.state.isReverted = true
  const payBoth = (says: string | RegExp) =>
    browser.visit(site(), async ({ page, reads }) => {
      const boxes = page.getByRole('checkbox', { name: 'Select the refund of' })
      await expect.poll(() => boxes.count()).toBe(2)
      for (const box of await boxes.all()) await box.check()
      await page.getByRole('button', { name: 'Pay the selected refunds' }).click()
      await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
      await reads(says)
    })
  await payBoth('The network did not execute the payment.')
  await chain.mine(confirmationsRequired)
  wallet.state.isReverted = false
  await payBoth(isSent)
  await expectPaid(one, 1_250_000n)
  await expectPaid(other, 2_750_000n)
})

test('a refund is asked for in the currency of the price, and the form says what it comes to', async () => {
  const { body } = await bff.postDeposit({ amount: undefined as never, price: '10.00', priceCurrency: 'EUR' })
  const { depositAddress, id } = body['payment'] as PaymentBody
  await chain.pay(depositAddress, '20.00')
  await chain.mine(confirmationsRequired)
  await sweep([body['payment'] as PaymentBody])
  await browser.visit(owner.site(`payments/${id}`), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Enter the amount in').selectOption('EUR')
    const ask = page.locator('refund-form form').getByRole('button', { name: 'Refund', exact: true })
    const amount = page.getByLabel('Amount in EUR')
    await amount.fill('5.00')
    await reads('The customer gets')
    await page.keyboard.press('Escape')
    await amount.waitFor({ state: 'detached' })
    // Opened again, the form is empty, and says nothing of the amount before.
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await amount.waitFor()
    expect(await page.getByText('The customer gets').count()).toBe(0)
    await amount.fill('10.01')
    await ask.click()
    // More than was paid is refused before a passkey is asked for.
    await page.locator('amount-input .refused').getByText('Up to 20.00').waitFor()
    expect(await page.getByText('Refund requested').count()).toBe(0)
    await amount.fill('3.33')
    await page.getByLabel('Exchange rate').selectOption('now')
    await reads('The customer gets 6.66')
    await expectAccessible(page, 'narrow')
    await portray('refund-in-currency')
    await ask.click()
    await reads('Refund requested')
  })
  const { refunds } = await ask(`/payments/${id}/refunds`)
  expect(refunds).toMatchObject([{ amount: '6.66', price: '3.33', priceCurrency: 'EUR', rateOf: 'now' }])
})

test('the whole price of a payment within the tolerance is refunded with what came, as the form says', async () => {
  await runBeside(['merchants', 'set', bff.merchant.merchantId, '--tolerance', '100,1.50'], files.env)
  const priced = { amount: undefined as never, price: '10.00', priceCurrency: 'EUR' }
  let payment: PaymentBody | undefined
  // The service remembers a key's merchant for a second.
  await until('the tolerance to be that of new payments', async () => {
    payment = (await bff.postDeposit(priced)).body['payment'] as PaymentBody
    const [row] = await bff.query<{ least: string }>('select least from payments where id = ?', payment.id)
    return row?.least === '19800000'
  })
  const { id, depositAddress } = payment as PaymentBody
  await chain.pay(depositAddress, '19.90')
  await chain.mine(confirmationsRequired)
  await sweep([payment as PaymentBody])
  await browser.visit(owner.site(`payments/${id}`), async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Enter the amount in').selectOption('EUR')
    await page.getByLabel('Amount in EUR').fill('10.00')
    await reads('The customer gets 19.90')
    await page.locator('refund-form form').getByRole('button', { name: 'Refund', exact: true }).click()
    await reads('Refund requested')
  })
  const { refunds } = await ask(`/payments/${id}/refunds`)
  expect(refunds).toMatchObject([{ amount: '19.90', price: '10.00' }])
})

test('a refund is typed as the reader’s language writes it', async () => {
  const payment = await bff.createDeposit({ amount: '12.50' })
  const { id, depositAddress } = payment
  await chain.pay(depositAddress, '12.50')
  await chain.mine(confirmationsRequired)
  await sweep([payment])
  const inGerman = (page: Page) => page.addInitScript(() => localStorage.setItem('language', 'de'))
  await browser.visit(owner.site(`payments/${id}`, inGerman), async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Erstatten', exact: true }).click()
    const amount = page.getByLabel('Betrag in USDC')
    expect(await amount.inputValue()).toBe('12,50')
    await amount.fill('1.2')
    await amount.press('Tab')
    await reads('Schreiben Sie den Betrag wie 1.250,00 oder 0,50.')
    await amount.fill('1,250')
    await reads('Der Kunde bekommt 1,25')
    await page.locator('refund-form form').getByRole('button', { name: 'Erstatten', exact: true }).click()
    await reads('Erstattung angefordert')
  })
  const { refunds } = await ask(`/payments/${id}/refunds`)
  expect(refunds).toMatchObject([{ amount: '1.25' }])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
