import { randomBytes, randomUUID } from 'node:crypto'
import { parseVirtualAddress } from '@stablecoin-checkout/bff/testing/evm'
import { masterId } from '@stablecoin-checkout/rig/devnet/tempo'
import { getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import type { TempoStory } from './harness/tempo.ts'
import { until } from './harness/until.ts'

const story = await openStory('tempo', { tempo: true, settings: { platform: { feeBps: 0 } } })
const { bff, hears } = story
const { chain, merchant, shortName: network } = story.onTempo as TempoStory

/** The window, and a second so that it is over. */
const windowSeconds = 901

const create = (amount: string, currency = 'USDC') => bff.createDeposit({ amount, currency, network })
const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}` as Hex)

/** What the merchant's wallet has received since, in whole tokens, exactly. */
async function openWallet(token: 'USDC' | 'USDT' = 'USDC') {
  const before = Number(await chain.balance(merchant.address, token))
  return async () => (Number(await chain.balance(merchant.address, token)) - before).toFixed(2)
}

const settled = {
  status: 'swept',
  outcome: 'paid',
  isFinal: true,
  settlement: { state: 'settled' },
  sweepTxHash: null,
}

/** Waits until the service has applied the chain's newest block. */
async function caughtUp(): Promise<void> {
  const head = await chain.head()
  await until(`the watcher to reach block ${head}`, async () => {
    const [row] = await bff.query<{ newest: number | null }>(
      'select max(number) as newest from headers where network = ?',
      network,
    )
    return (row?.newest ?? -1) >= head
  })
}

type Refund = { id: string; status: string; amount: string; call: object | null; paymentUri: string | null }

/** As the merchant's server asks. */
async function ask(path: string, body?: object): Promise<{ status: number; body: { refund: Refund } }> {
  const { apiKey, apiSecret } = story.merchant
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret }
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await bff.ask(`/api/v1${path}`, { ...init, headers: { ...headers, 'idempotency-key': randomUUID() } })
  return { status: answer.status, body: answer.body as { refund: Refund } }
}

/** The merchant's wallet pays the sum back, and the service finds the transfer. */
async function refunds({ id }: PaymentBody, amount: string, memo?: Hex): Promise<void> {
  const address = newAddress()
  const { status, body } = await ask(`/payments/${id}/refunds`, { amount, address })
  expect({ status, body }).toMatchObject({ status: 200, body: { refund: { status: 'to_pay', amount, call: null } } })
  await chain.pay(address, amount, { by: 'merchant', ...(memo && { memo }) })
  await expect.poll(async () => (await ask(`/refunds/${body.refund.id}`)).body.refund).toMatchObject({ status: 'paid' })
  expect(await chain.balance(address)).toBe(amount)
}

test('a payment in full is the merchant’s with the customer’s own transfer', async () => {
  const earned = await openWallet()
  const payment = await create('25.00')
  expect(parseVirtualAddress(payment.depositAddress)).toMatchObject({ masterId })
  const txId = await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, { ...settled, amountReceived: '25.00', excessOwed: '0.00', transactionHash: txId })
  expect(await earned()).toBe('25.00')
  expect(await chain.balance(payment.depositAddress)).toBe('0.00')
  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
})

test('a payment that is short completes with the rest, whatever memo the transfers carry', async () => {
  const earned = await openWallet()
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '10.00', { memo: `0x${'0a'.repeat(32)}` })
  await bff.shows(payment.id, { paymentState: 'underpaid', amountReceived: '10.00', amountRemaining: '15.00' })
  await chain.pay(payment.depositAddress, '15.00', { memo: `0x${'0b'.repeat(32)}` })
  await bff.shows(payment.id, { ...settled, amountReceived: '25.00' })
  expect(await earned()).toBe('25.00')
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.completed', 'deposit.swept'],
  ])
})

test('what exceeds the amount is the merchant’s at once, whose wallet pays it back', async () => {
  const earned = await openWallet('USDC')
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '30.00')
  await bff.shows(payment.id, { outcome: 'paid', paymentState: 'overpaid_refunding', excessOwed: '5.00' })
  expect(await earned()).toBe('30.00')
  await refunds(payment, '5.00')
  await bff.shows(payment.id, { ...settled, excessOwed: '0.00', paymentState: 'completed' })
})

test('money that comes late is reported, and the merchant takes it', async () => {
  const payment = await create('25.00')
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, { status: 'expired', outcome: 'failed' })
  const earned = await openWallet()
  await chain.pay(payment.depositAddress, '25.00')
  await hears(payment, ['payment.created', 'payment.expired', 'payment.late'])
  expect(await earned()).toBe('25.00')
  expect((await ask(`/payments/${payment.id}/accept-late`, {})).status).toBe(200)
  await bff.shows(payment.id, settled)
})

test('two payments in one block are told apart', async () => {
  const [one, other] = [await create('25.00'), await create('25.00')]
  expect(one.depositAddress).not.toBe(other.depositAddress)
  await chain.payTogether([
    { to: other.depositAddress, amount: '24.00' },
    { to: one.depositAddress, amount: '25.00' },
  ])
  await bff.shows(one.id, settled)
  await bff.shows(other.id, { outcome: 'pending', paymentState: 'underpaid', amountRemaining: '1.00' })
  await chain.pay(other.depositAddress, '1.00')
  await bff.shows(other.id, settled)
})

test('a payment that arrives while the service is dead is found by the next start, and its address is never given again', async () => {
  const before = await create('25.00')
  await bff.kill()
  await chain.pay(before.depositAddress, '25.00')
  await bff.start()
  await bff.shows(before.id, settled)
  const after = await create('25.00')
  const all = await bff.query<{ addresses: number; payments: number }>(
    'select count(distinct deposit_address) as addresses, count(*) as payments from payments where network = ?',
    network,
  )
  expect(all[0]?.addresses).toBe(all[0]?.payments)
  await chain.pay(after.depositAddress, '25.00')
  await bff.shows(after.id, settled)
})

test('a reorg takes a settled payment back, and it is paid and settled again by the next transfer', async () => {
  const earned = await openWallet()
  const payment = await create('25.00')
  await chain.mine(2)
  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, settled)
  await chain.reorg(2)
  await chain.mine(1)
  await bff.shows(payment.id, { outcome: 'pending', amountReceived: null, settlement: { state: 'pending' } })
  expect(await earned()).toBe('0.00')
  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, settled)
  expect(await earned()).toBe('25.00')
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept', 'payment.reorged'],
    ...['payment.detected', 'payment.completed', 'deposit.swept'],
  ])
})

test('another token pays nothing, and is the merchant’s', async () => {
  const earned = await openWallet('USDT')
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '25.00', { token: 'USDT' })
  await caughtUp()
  expect(await earned()).toBe('25.00')
  expect(await bff.read(payment.id)).toMatchObject({
    outcome: 'pending',
    amountReceived: null,
    amountRemaining: '25.00',
  })
  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, settled)
})

test('what a short payment received goes back from the merchant’s wallet, by a transfer with a memo', async () => {
  const payment = await create('25.00')
  await chain.pay(payment.depositAddress, '10.00')
  await bff.shows(payment.id, { paymentState: 'underpaid' })
  await chain.travel(windowSeconds)
  await bff.shows(payment.id, { status: 'expired', outcome: 'failed', excessOwed: '10.00' })
  await refunds(payment, '10.00', `0x${'0c'.repeat(32)}`)
  await bff.shows(payment.id, { status: 'expired', excessOwed: '0.00' })
})

test('no wallet payment is offered, because the chain has none of our contracts', async () => {
  const { status, body } = await bff.postPayment({ amount: '25.00', network }, { 'idempotency-key': randomUUID() })
  expect([status, body['code']]).toEqual([400, 'CONTRACT_PAYMENTS_UNAVAILABLE'])
})

test('the books equal the chain', async () => {
  // With nothing to watch, the service reads the head of a chain four times a minute only.
  await create('1.00')
  await chain.mine(1)
  await caughtUp()
  const { networks } = await expectBooksToClose(story)
  expect(networks.find((one) => one.network === network)).toMatchObject({ differences: [] })
})
