import { expect, test } from 'vitest'
import { openPayer } from './harness/payer.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('stop')
const { bff, chain, hears } = story
const payer = openPayer(story)

/** Less than a page waits for confirmations, and less than a supervisor's patience. */
const soonMs = 8_000

test('a page that waits for confirmations is told to ask again when the service stops, and what it paid for is paid after the start', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  const txId = await payer.pay(payment.contractCall)
  const waiting = bff.process(payment, txId)
  await until(
    'the service to wait',
    () => bff.query('select 1 from submissions where payment_id = ?', payment.id).length > 0,
  )
  const startedMs = performance.now()
  const stopped = bff.stop()
  const { status, body } = await waiting
  expect([status, body]).toEqual([400, expect.objectContaining({ success: false, code: 'NOT_CONFIRMED' })])
  expect(await stopped).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(soonMs)

  await chain.mine(2)
  await bff.start()
  await bff.shows(payment.id, { outcome: 'paid' })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed'])
})
