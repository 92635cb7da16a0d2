import { expect, test } from 'vitest'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, sweep, hears } = await openStory('webhook-retry')

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

test('an event that the merchant’s server refuses comes again under its id, signed anew, and the later ones wait for it', async () => {
  let refusals = 1
  receiver.answer(({ type }) => (type === 'payment.detected' && refusals-- > 0 ? 500 : 200))
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  // All of it has happened by now, and the merchant has been told none of what follows the refused event.
  expect(receiver.types(payment.id)).toEqual(['payment.created'])

  await hears(payment, paidInFull)
  const [first, second, ...more] = receiver.tries(payment.id).filter(({ type }) => type === 'payment.detected')
  expect(more).toEqual([])
  expect([first?.answer, second?.answer]).toEqual([500, 200])
  expect(second?.id).toBe(first?.id)
  expect(second?.data).toEqual(first?.data)
  expect(second?.sentAtSeconds).toBeGreaterThan(first?.sentAtSeconds ?? 0)
  expect(receiver.tries(payment.id)).toHaveLength(paidInFull.length + 1)
})

test('events of a payment whose server is down arrive in order when it is back', async () => {
  receiver.answer()
  receiver.down()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  const attempts = () =>
    bff.query<{ attempts: number }>('select attempts from deliveries where payment_id = ?', payment.id)
  await until('a failed try', () => attempts().some((row) => row.attempts > 0))
  expect(receiver.tries(payment.id)).toEqual([])

  receiver.up()
  await hears(payment, paidInFull)
})

test('a payment whose server is down does not keep the news of others back', async () => {
  receiver.answer(({ data }) => (data['orderId'] === 'unlucky' ? 503 : 200))
  const unlucky = await bff.createDeposit({ amount: '25.00', orderId: 'unlucky' })
  await until('a refused try', () => receiver.tries(unlucky.id).length > 0)
  const lucky = await bff.createDeposit({ amount: '25.00' })
  await hears(lucky, ['payment.created'])
  expect(receiver.types(unlucky.id)).toEqual([])
  receiver.answer()
  await hears(unlucky, ['payment.created'])
})
