import { expect, test } from 'vitest'
import { runBeside } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('late')
const { bff, chain, files, openTill, sweep, hears } = story

/** The window, and a second so that it is over. */
const windowSeconds = 901
const daySeconds = 24 * 60 * 60

test('a deposit that is paid late is only reported, and the merchant takes it with one call', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.mine(1)
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, { status: 'expired', isFinal: true })
  await chain.pay(payment.depositAddress, '26.00')
  await chain.mine(2)
  await bff.shows(payment.id, { status: 'expired', excessOwed: '26.00' })

  const accept = () =>
    bff.ask(`/api/v1/payments/${payment.id}/accept-late`, {
      method: 'POST',
      headers: { 'x-api-key': bff.merchant.apiKey, 'x-api-secret': bff.merchant.apiSecret },
    })
  expect(await accept()).toMatchObject({ status: 200, body: { payment: { outcome: 'paid', excessOwed: '1.00' } } })
  expect((await accept()).status).toBe(200)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await bff.shows(payment.id, {
    paymentState: 'overpaid_refunding',
    refund: { state: 'address_needed', amount: '1.00' },
  })
  await hears(payment, ['payment.created', 'payment.expired', 'payment.late', 'payment.completed', 'deposit.swept'])
})

test('a deposit that is paid late is paid where the merchant accepts it, until its late window closes', async () => {
  const args = ['merchants', 'set', bff.merchant.merchantId, '--late-payments', 'accept']
  expect((await runBeside(args, files.env)).stdout).toMatch(/late payments accept/)
  // It remembers who calls for a second, which may not be over.
  await bff.kill()
  await bff.start()
  const earned = await openTill()
  const [payment, forgotten] = [
    await bff.createDeposit({ amount: '25.00' }),
    await bff.createDeposit({ amount: '9.00' }),
  ]
  await chain.mine(1)
  await chain.travel(windowSeconds)
  const expired = { status: 'expired', outcome: 'failed', isFinal: false, isExpired: true }
  await bff.shows(payment.id, expired)
  await bff.shows(forgotten.id, expired)

  await chain.travel(6 * daySeconds)
  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, { status: 'pending', outcome: 'pending', isFinal: false, confirmations: 1 })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', isFinal: true, paymentState: 'completed', amountReceived: '25.00' })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    ...['payment.created', 'payment.expired', 'payment.detected', 'payment.late', 'payment.completed', 'deposit.swept'],
  ])

  await bff.shows(forgotten.id, expired)
  await chain.travel(daySeconds)
  await bff.shows(forgotten.id, { ...expired, isFinal: true })
  await chain.pay(forgotten.depositAddress, '9.00')
  await chain.mine(2)
  await bff.shows(forgotten.id, { status: 'expired', isFinal: true, excessOwed: '9.00' })
  await hears(forgotten, ['payment.created', 'payment.expired', 'payment.late'])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
