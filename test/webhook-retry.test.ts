import { expect, test } from 'vitest'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, sweep, hears } = await openStory('webhook-retry')

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

// A second failed try is five minutes from its third, so a server here fails once, however long the rest of a story takes.

test('an event that the merchant’s server refuses comes again under its id, signed anew, and the later ones wait for it', async () => {
  let refusals = 1
  receiver.answer(({ type }) => (type === 'payment.detected' && refusals-- > 0 ? 500 : 200))
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])

  await hears(payment, paidInFull)
  const tries = receiver.tries(payment.id)
  expect(tries.map(({ type, answer }) => [type, answer])).toEqual([
    ['payment.created', 200],
    ['payment.detected', 500],
    ['payment.detected', 200],
    ['payment.completed', 200],
    ['deposit.swept', 200],
  ])
  const [first, second] = tries.filter(({ type }) => type === 'payment.detected')
  expect(second?.id).toBe(first?.id)
  expect(second?.data).toEqual(first?.data)
  expect(second?.sentAtSeconds).toBeGreaterThan(first?.sentAtSeconds ?? 0)
})

test('events of a payment whose server was down arrive in order when it is back', async () => {
  receiver.answer()
  receiver.dropNextRequest()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const attempts = () =>
    bff.query<{ attempts: number }>('select attempts from deliveries where payment_id = ?', payment.id)
  await until('a failed try', async () => (await attempts()).some((row) => row.attempts > 0))

  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  await hears(payment, paidInFull)
  expect(receiver.tries(payment.id)).toHaveLength(paidInFull.length)
})

test('a payment whose server is down does not keep the webhooks of others back', async () => {
  receiver.answer(({ data }) => (data['orderId'] === 'unlucky' ? 503 : 200))
  const unlucky = await bff.createDeposit({ amount: '25.00', orderId: 'unlucky' })
  await until('a refused try', () => receiver.tries(unlucky.id).length > 0)
  const lucky = await bff.createDeposit({ amount: '25.00' })
  await hears(lucky, ['payment.created'])
  expect(receiver.types(unlucky.id)).toEqual([])
})
