import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('reorg')
const { bff, chain, openTill, sweep, hears, caughtUp } = story

/** How far the service's clock is ahead. */
let aheadMs = 0
/** As if time had passed: what a reorg took back is broadcast again after 15 s (`rebroadcastAfterMs`), which nobody waits for here. */
async function startLater(): Promise<void> {
  aheadMs += 20_000
  await bff.stop()
  await bff.start({ aheadMs })
}

const open = { status: 'pending', outcome: 'pending', paymentState: 'awaiting' }

test('a deposit that a reorg takes back is paid again, and settled once', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const taken = await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(1)
  await bff.shows(payment.id, { confirmations: 2, transactionHash: taken })

  await chain.reorg(2)
  await bff.shows(payment.id, { ...open, amountDetected: null, amountRemaining: '25.00', transactionHash: null })

  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.reorged', 'payment.detected'],
    ...['payment.completed', 'deposit.swept'],
  ])
})

test('a transfer that a reorg moves to a later block counts its confirmations from there', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  const txId = await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(1)
  await bff.shows(payment.id, { confirmations: 2 })

  await chain.reorg(2, [[txId, 1]])
  await bff.shows(payment.id, { confirmations: 1, transactionHash: txId, amountDetected: '25.00', outcome: 'pending' })

  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(await bff.read(payment.id)).toMatchObject({ depositTxHash: txId, amountReceived: '25.00' })
})

test('a reorg that takes one of two transfers leaves the payment short by that one', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  const stays = await chain.pay(payment.depositAddress, '10.00')
  await chain.pay(payment.depositAddress, '15.00')
  await bff.shows(payment.id, { amountDetected: '25.00' })

  await chain.reorg(1)
  const short = { outcome: 'pending', paymentState: 'underpaid', amountDetected: '10.00', amountRemaining: '15.00' }
  await bff.shows(payment.id, short)
  expect(await bff.read(payment.id)).toMatchObject({ transactionHash: stays })

  await chain.pay(payment.depositAddress, '15.00')
  await chain.mine(2)
  await sweep([payment])
})

test('a reorg that takes the sweep’s transaction back still ends with the money in the wallets, once', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await until('the sweep to be in a block', () => chain.hasCode(payment.depositAddress))
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })

  await chain.reorg(1)
  expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
  expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', status: 'sweeping', sweepTxHash: null })

  await startLater()
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
})

test('a reorg deeper than the confirmations takes a paid deposit back with its sweep, and it can be paid again', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await until('the sweep to be in a block', () => chain.hasCode(payment.depositAddress))
  await caughtUp()

  await chain.reorg(4)
  await bff.shows(payment.id, { ...open, amountReceived: null, settlement: { state: 'pending' } })
  expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })

  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await startLater()
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.completed', 'payment.reorged'],
    ...['payment.detected', 'payment.completed', 'deposit.swept'],
  ])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
