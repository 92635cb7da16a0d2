import { openBridgedApp } from '@stablecoin-checkout/rig/relay-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let one: Awaited<ReturnType<typeof openBridgedApp>>
let two: AppFixture
beforeEach(async () => {
  one = await openBridgedApp()
  two = await openApp({ bridges: one.deps.bridges }, one)
})
afterEach(async () => {
  await two.close()
  await one.close()
})

const body = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }

test('concurrent cross-chain creates at two replicas create one payment, at the cost of a second quote', async () => {
  const rounds = 10
  for (let round = 0; round < rounds; round++) {
    const keyed = { 'Idempotency-Key': `key ${round}` }
    const answers = await Promise.all(
      [one, two].map((replica) => replica.create(body, keyed, '/api/v1/payments/cross-chain/create')),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body.payment).toEqual(answers[1]?.body.payment)
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(1)
  }
  const made = await one.deps.db.read((tx) => tx.all(sql`select payment_id from bridges`))
  expect(made).toHaveLength(rounds)
})
