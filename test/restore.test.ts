import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

/** The default of networks whose configuration names none. */
const finalityBlocks = 128

const story = await openStory('restore')
const { bff, chain, receiver, devnet, openTill, sweep, hears, caughtUp } = story

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']
const order = { amount: '25.00' }

/** Five minutes of a chain with a block a second. */
const blocksSinceBackup = 300

const operatorNonce = () =>
  chain.node().reader.getTransactionCount({ address: devnet.operator.address, blockTag: 'pending' })

test('a restored backup of five minutes ago pays nothing twice, knows all that it knew, and repeats webhooks under the same ids', async () => {
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
  const restore = await bff.backUp()

  const lost = await bff.createDeposit({ ...order, orderId: 'lost' })
  await chain.payTogether([open, lost].map(({ depositAddress }) => ({ to: depositAddress, amount: '25.00' })))
  await chain.mine(2)
  const known = [swept, underWay, seen, open]
  await sweep([...known, lost])
  for (const payment of [...known, lost]) await hears(payment, paidInFull)
  await chain.mine(blocksSinceBackup)
  await caughtUp()
  const before = { earned: await earned(), nonce: await operatorNonce(), posted: postedOf(known) }
  expect(before.earned).toEqual({ merchant: '123.125', platform: '1.875' })

  await bff.kill()
  await restore()
  await bff.start()
  await sweep(known)
  await caughtUp()
  for (const { id } of known) {
    await bff.shows(id, { outcome: 'paid', status: 'swept', amountReceived: '25.00', excessOwed: '0.00' })
  }
  await until('all webhooks to be posted again', async () => (await dueDeliveries()) === 0)
  expect(await earned()).toEqual(before.earned)
  expect(await operatorNonce()).toBe(before.nonce)
  expect(postedOf(known)).toEqual(before.posted)
  expect(receiver.tries(open.id).length).toBeGreaterThan(paidInFull.length)
  // What was created after the backup is gone from the records (the interface answers unknown ids so), not the money.
  expect((await bff.get(`/deposits/status/${lost.id}`)).status).toBe(500)
})

test('a refund that a restored backup does not know is found on the chain, counted, and not sent again', async () => {
  const payer = `0x${'beef'.padStart(40, '0')}`
  const payment = await bff.createDeposit({ ...order, orderId: 'overpaid' })
  await chain.pay(payment.depositAddress, '30.00')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', refund: { state: 'address_needed' } })
  expect((await bff.requestRefund(payment.id, { address: payer })).status).toBe(200)
  const restore = await bff.backUp()

  await sweep([payment])
  await until('the money to be back', async () => (await chain.balance('USDC', payer)) === 5_000_000n)
  await chain.mine(2)
  const refunded = { status: 'swept', excessOwed: '0.00', refund: { state: 'refunded', amountRefunded: '5.00' } }
  await bff.shows(payment.id, refunded)
  const { refund } = await bff.read(payment.id)
  const nonce = await operatorNonce()

  await bff.kill()
  await restore()
  await bff.start()
  // A refund that the books do not know is counted once no reorg can reach it.
  await chain.mine(finalityBlocks)
  await bff.shows(payment.id, { ...refunded, refund: { txHash: (refund as { txHash: string }).txHash } })
  expect(await chain.balance('USDC', payer)).toBe(5_000_000n)
  expect(await operatorNonce()).toBe(nonce)
})

/** Every id that was posted, with what was posted under it, each once. */
function postedOf(payments: readonly { id: string }[]): string[] {
  const tries = payments.flatMap(({ id }) => receiver.tries(id))
  return [...new Set(tries.map(({ id, type }) => `${id} ${type}`))].sort()
}

async function dueDeliveries(): Promise<number> {
  return (await bff.query("select number from deliveries where state = 'due'")).length
}

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
