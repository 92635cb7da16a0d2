import { expect, test } from 'vitest'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain, receiver, devnet, openTill, sweep, hears, caughtUp } = await openStory('restore')

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']
const order = { amount: '25.00' }

/** Five minutes of a chain with a block a second. */
const blocksSinceBackup = 300

const operatorNonce = () =>
  chain.node().reader.getTransactionCount({ address: devnet.operator.address, blockTag: 'pending' })

test('a restored backup of five minutes ago pays nothing twice, knows all that it knew, and repeats news under the same ids', async () => {
  const earned = await openTill()
  const [swept, underWay, seen, open] = [
    await bff.createDeposit(order),
    await bff.createDeposit({ ...order, orderId: 'under-way' }),
    await bff.createDeposit({ ...order, orderId: 'seen' }),
    await bff.createDeposit({ ...order, orderId: 'open' }),
  ]
  await chain.pay(swept.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([swept])
  await chain.pay(underWay.depositAddress, '25.00')
  await chain.mine(2)
  await until('a sweep in a block', () => chain.hasCode(underWay.depositAddress))
  await chain.pay(seen.depositAddress, '25.00')
  await bff.shows(seen.id, { amountDetected: '25.00', outcome: 'pending' })
  await bff.shows(underWay.id, { status: 'sweeping' })
  const restore = bff.backUp()

  const lost = await bff.createDeposit({ ...order, orderId: 'lost' })
  await chain.payTogether([open, lost].map(({ depositAddress }) => ({ to: depositAddress, amount: '25.00' })))
  await chain.mine(2)
  const known = [swept, underWay, seen, open]
  await sweep([...known, lost])
  for (const payment of [...known, lost]) await hears(payment, paidInFull)
  await chain.mine(blocksSinceBackup)
  await caughtUp()
  const before = { earned: await earned(), nonce: await operatorNonce(), news: newsOf(known) }
  expect(before.earned).toEqual({ merchant: '123.125', platform: '1.875' })

  await bff.kill()
  restore()
  await bff.start()
  await sweep(known)
  await caughtUp()
  for (const { id } of known) {
    await bff.shows(id, { outcome: 'paid', status: 'swept', amountReceived: '25.00', excessOwed: '0.00' })
  }
  await until('all news to be told again', () => dueDeliveries() === 0)
  expect(await earned()).toEqual(before.earned)
  expect(await operatorNonce()).toBe(before.nonce)
  expect(newsOf(known)).toEqual(before.news)
  expect(receiver.tries(open.id).length).toBeGreaterThan(paidInFull.length)
  // What was created after the backup is gone from the records (the interface answers unknown ids so), not the money.
  expect((await bff.get(`/deposits/status/${lost.id}`)).status).toBe(500)
})

/** Every id that was told, with what was told under it, each once. */
function newsOf(payments: readonly { id: string }[]): string[] {
  const tries = payments.flatMap(({ id }) => receiver.tries(id))
  return [...new Set(tries.map(({ id, type }) => `${id} ${type}`))].sort()
}

function dueDeliveries(): number {
  return bff.query("select number from deliveries where state = 'due'").length
}
