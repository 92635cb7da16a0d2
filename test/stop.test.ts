import { expect, test } from 'vitest'
import { bundle } from './harness/bff.ts'
import { openPayer } from './harness/payer.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

/** Much longer than the harness waits for a service that was asked to stop, before it kills it. */
const processWaitSeconds = 300
const story = await openStory('stop', { program: bundle, settings: { contractPayments: { processWaitSeconds } } })
const { bff, chain, hears } = story
const payer = openPayer(story)

test('a page that waits for confirmations is asked to come again when the service stops, and what it paid for is paid after the start', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  const txId = await payer.pay(payment.contractCall)
  const waiting = bff.process(payment, txId)
  await until(
    'the service to wait',
    async () => (await bff.query('select 1 from submissions where payment_id = ?', payment.id)).length > 0,
  )
  const stopped = bff.stop()
  const { status, body } = await waiting
  expect([status, body]).toEqual([400, expect.objectContaining({ success: false, code: 'NOT_CONFIRMED' })])
  expect(await stopped).toBe(0)

  await chain.mine(2)
  await bff.start()
  await bff.shows(payment.id, { outcome: 'paid' })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed'])
})
