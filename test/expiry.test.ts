import { expect, test } from 'vitest'
import { openStory } from './harness/story.ts'

const { bff, chain, receiver, openTill, sweep, hears } = await openStory('expiry')

/** The window, and a second so that it is over. */
const windowSeconds = 901

test('a deposit that nobody pays expires by the chain’s clock, however early it is on ours', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.mine(1)
  await chain.travel(windowSeconds - 120)
  await bff.shows(payment.id, { outcome: 'pending', isExpired: false })
  await chain.travel(121)
  await bff.shows(payment.id, {
    status: 'expired',
    outcome: 'failed',
    isFinal: true,
    paymentState: 'awaiting',
    isExpired: true,
    amountReceived: null,
    excessOwed: '0.00',
  })
  expect(Date.parse(payment.expiresAt)).toBeGreaterThan(Date.now() + 600_000)
  await hears(payment, ['payment.created', 'payment.expired'])
})

test('a deposit that stays short expires, and what arrived is owed back', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '10.00')
  await chain.mine(2)
  await bff.shows(payment.id, { paymentState: 'underpaid', amountReceived: '10.00' })
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, {
    status: 'expired',
    outcome: 'failed',
    paymentState: 'expired_refunding',
    amountReceived: '10.00',
    excessOwed: '10.00',
  })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.underpaid', 'payment.expired'])
  expect(await chain.balance('USDC', payment.depositAddress)).toBe(10_000_000n)
})

test('a deposit that is paid in the window and confirmed after it is paid', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.skip(windowSeconds)
  await bff.shows(payment.id, { outcome: 'pending', confirmations: 2, isExpired: false })
  await chain.mine(1)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
})

test('money that comes after the window is reported, and the payment stays failed', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.mine(1)
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, { status: 'expired' })

  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await bff.shows(payment.id, {
    status: 'expired',
    outcome: 'failed',
    paymentState: 'expired_refunding',
    amountReceived: '25.00',
    excessOwed: '25.00',
  })
  await hears(payment, ['payment.created', 'payment.expired', 'payment.late'])
  expect(receiver.events(payment.id).at(-1)?.data).toMatchObject({ outcome: 'failed', excessOwed: '25.00' })
  expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
  expect(await chain.balance('USDC', payment.depositAddress)).toBe(25_000_000n)
})
