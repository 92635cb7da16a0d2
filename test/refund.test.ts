import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('refund')
const { bff, chain, receiver, openTill, sweep, hears } = story

/** The window, and a second so that it is over. */
const windowSeconds = 901

/** The customer's page has the public key and the payment's client secret. */
const askBack = (id: string, address: string) => bff.requestRefund(id, { address })

let wallets = 0
const newAddress = () => `0x${String(++wallets).padStart(40, 'c0ffee')}`

/** Waits until the wallet holds so much, then gives the refund its confirmations. */
async function arrives(address: string, amount: bigint, token: 'USDC' | 'USDT' = 'USDC') {
  await until('the money to be back', async () => (await chain.balance(token, address)) === amount)
  await chain.mine(2)
}

test('what exceeds the amount due goes back to the customer, after the merchant has all that is due', async () => {
  const earned = await openTill({ token: 'USDT' })
  const payer = newAddress()
  const payment = await bff.createDeposit({ amount: '25.00', currency: 'USDT' })
  await chain.pay(payment.depositAddress, '30.00', { token: 'USDT' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', refund: { state: 'address_needed', amount: '5.00' } })
  expect((await askBack(payment.id, payer)).status).toBe(200)
  await sweep([payment])
  await arrives(payer, 5_000_000n, 'USDT')

  const refund = { state: 'refunded', amount: '5.00', amountRefunded: '5.00' }
  await bff.shows(payment.id, { status: 'swept', paymentState: 'completed', excessOwed: '0.00', refund })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.completed', 'payment.overpaid', 'deposit.swept'],
    'deposit.refunded',
  ])
  const { txHash } = (await bff.read(payment.id))['refund'] as { txHash: string }
  expect(receiver.events(payment.id).at(-1)?.data).toMatchObject({ refund: { ...refund, txHash } })
})

test('what a short payment received goes back after the window, and what comes later by another refund, whatever dies in between', async () => {
  const payer = newAddress()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '10.00')
  await chain.mine(2)
  await bff.shows(payment.id, { paymentState: 'underpaid' })
  expect((await askBack(payment.id, payer)).body['code']).toBe('NOTHING_OWED')
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, { status: 'expired', refund: { state: 'address_needed', amount: '10.00' } })

  expect((await askBack(payment.id, payer)).status).toBe(200)
  await bff.kill()
  await bff.start()
  await arrives(payer, 10_000_000n)
  await bff.shows(payment.id, { excessOwed: '0.00', refund: { state: 'refunded', amountRefunded: '10.00' } })

  await chain.pay(payment.depositAddress, '2.50')
  await chain.mine(2)
  await arrives(payer, 12_500_000n)
  await bff.shows(payment.id, { excessOwed: '0.00', refund: { state: 'refunded', amountRefunded: '12.50' } })
  expect(await chain.balance('USDC', payment.depositAddress)).toBe(0n)
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.expired'],
    ...['deposit.refunded', 'payment.late', 'deposit.refunded'],
  ])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
