import { randomUUID } from 'node:crypto'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { erc20, succeeded } from './harness/chain.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('deposit')
const { bff, chain, receiver, devnet, openTill, sweep, hears, caughtUp } = story

const untouched = {
  status: 'pending',
  outcome: 'pending',
  isFinal: false,
  paymentState: 'awaiting',
  isExpired: false,
  amountReceived: null,
  amountDetected: null,
  amountRemaining: '25.00',
  excessOwed: '0.00',
  transactionHash: null,
  confirmations: 0,
  requiredConfirmations: 3,
  settlement: { state: 'pending' },
}

test('a deposit that is paid in full goes from pending to the merchant’s wallet, and the merchant is notified of each step', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'order-1', metadata: { table: 7 } })
  expect(await bff.read(payment.id)).toMatchObject(untouched)

  const txId = await chain.pay(payment.depositAddress, '25.00')
  const seen = { amountDetected: '25.00', amountRemaining: '0.00', amountReceived: null, confirmations: 1 }
  await bff.shows(payment.id, { ...seen, status: 'pending', outcome: 'pending', transactionHash: txId })

  await chain.mine(1)
  await bff.shows(payment.id, { ...seen, confirmations: 2, outcome: 'pending' })

  await chain.mine(1)
  const paid = { outcome: 'paid', isFinal: true, paymentState: 'completed', amountReceived: '25.00', confirmations: 3 }
  await bff.shows(payment.id, { ...paid, status: 'sweeping', settlement: { state: 'settling' }, sweepTxHash: null })

  await sweep([payment])
  expect(await bff.read(payment.id)).toMatchObject({
    ...paid,
    status: 'swept',
    excessOwed: '0.00',
    depositTxHash: txId,
  })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(await chain.balance('USDC', payment.depositAddress)).toBe(0n)

  await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
  const received = receiver
    .events(payment.id)
    .map(({ data }) => [data['status'], data['outcome'], data['orderId'], data['metadata']])
  expect(received).toEqual([
    ['pending', 'pending', 'order-1', { table: 7 }],
    ['pending', 'pending', 'order-1', { table: 7 }],
    ['sweeping', 'paid', 'order-1', { table: 7 }],
    ['swept', 'paid', 'order-1', { table: 7 }],
  ])
})

test('every way to ask for a payment gives the same answer, and the public one is quiet while nothing changes', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', orderId: 'private', customerEmail: 'a@b.example' })
  const byId = await bff.get(`/payments/${payment.id}/status`)
  const byStatus = await bff.get(`/payments/status/${payment.id}`)
  const deposit = await bff.get(`/deposits/status/${payment.id}`)
  expect(byId.status).toBe(200)
  expect(byStatus.body).toEqual(byId.body)
  expect(deposit.body['payment']).toMatchObject(byId.body['payment'] as object)
  expect(
    (await bff.ask(`/api/payments/${payment.id}/status`, { headers: { 'x-public-key': bff.merchant.publicKey } })).body,
  ).toEqual(byId.body)

  const open = await bff.get(`/payments/public/${payment.id}`, {})
  expect(open.status).toBe(200)
  expect(open.headers.get('x-api-version')).toBe('v1')
  expect(JSON.stringify(open.body)).not.toMatch(/private|a@b\.example|webhooks/)
  const etag = open.headers.get('etag') ?? ''
  expect(await bff.get(`/payments/public/${payment.id}`, { 'if-none-match': etag })).toMatchObject({ status: 304 })

  await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, { amountDetected: '25.00' })
  const after = await bff.get(`/payments/public/${payment.id}`, { 'if-none-match': etag })
  expect(after).toMatchObject({ status: 200, body: { payment: { amountDetected: '25.00' } } })
  await chain.mine(2)
  await sweep([payment])
})

test('a payment that is short stays open, and completes when the difference arrives', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '10.000001')
  await chain.mine(2)
  const short = { status: 'pending', outcome: 'pending', paymentState: 'underpaid', amountReceived: '10.000001' }
  await bff.shows(payment.id, { ...short, amountRemaining: '14.999999' })

  await chain.pay(payment.depositAddress, '14.999999')
  const seen = { amountDetected: '25.00', amountReceived: '10.000001', amountRemaining: '0.00' }
  await bff.shows(payment.id, { ...seen, outcome: 'pending', paymentState: 'underpaid' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', paymentState: 'completed', amountReceived: '25.00' })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.completed', 'deposit.swept'],
  ])
})

test('two transfers in one block pay together', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '0.99' })
  await chain.payTogether([
    { to: payment.depositAddress, amount: '0.49' },
    { to: payment.depositAddress, amount: '0.50' },
  ])
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', amountReceived: '0.99', excessOwed: '0.00' })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '0.97515', platform: '0.01485' })
  // The first of them alone is short, which is notified once.
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.underpaid', 'payment.completed', 'deposit.swept'],
  ])
})

test('of too much, merchant and platform get exactly what was due, and the rest is shown as owed', async () => {
  const earned = await openTill()
  const payment = await bff.createDeposit({ amount: '10.000001' })
  await chain.pay(payment.depositAddress, '12.50')
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', paymentState: 'overpaid_refunding', excessOwed: '2.499999' })
  await sweep([payment])
  // The platform's 0.150000015 is rounded down to a whole unit, in the merchant's favour.
  expect(await earned()).toEqual({ merchant: '9.850001', platform: '0.15' })
  expect(await chain.balance('USDC', payment.depositAddress)).toBe(2_499_999n)
  expect(await bff.read(payment.id)).toMatchObject({ amountReceived: '12.50', excessOwed: '2.499999' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.completed', 'payment.overpaid', 'deposit.swept'],
  ])
})

test('USDT, whose transfers return nothing, pays and settles the same', async () => {
  const earned = await openTill({ token: 'USDT' })
  const payment = await bff.createDeposit({ amount: '25.00', currency: 'USDT' })
  await chain.pay(payment.depositAddress, '25.00', { token: 'USDT' })
  await chain.mine(2)
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('the second network pays and settles by itself', async () => {
  const earned = await openTill({ network: 'devnet-b' })
  const payment = await bff.createDeposit({ amount: '3.33', network: 'devnet-b' })
  await chain.pay(payment.depositAddress, '3.33', { network: 'devnet-b' })
  await bff.shows(payment.id, { amountDetected: '3.33', confirmations: 1 })
  await chain.mine(2, 'devnet-b')
  await sweep([payment], 'devnet-b')
  expect(await earned()).toEqual({ merchant: '3.28005', platform: '0.04995' })
})

test('money of another token, of another network, or of nothing does not pay', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  const impostor = await deployImpostor()
  const args = [payment.depositAddress as Hex, 25_000_000n] as const
  await chain.call(impostor, encodeFunctionData({ abi: erc20, functionName: 'transfer', args }))
  await chain.pay(payment.depositAddress, '25.00', { token: 'USDT' })
  await chain.pay(payment.depositAddress, '25.00', { network: 'devnet-b' })
  const nothing = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [args[0], 0n] })
  await chain.call(chain.node().token('USDC').address, nothing)
  for (const network of ['devnet', 'devnet-b'] as const) {
    await chain.mine(3, network)
    await caughtUp(network)
  }
  expect(await bff.read(payment.id)).toMatchObject(untouched)
  // The unmatched transfers may have been seen by now: they are reported apart from the payment.
  const paymentEvents = () => receiver.types(payment.id).filter((type) => type !== 'deposit.unmatched_received')
  await expect.poll(paymentEvents).toEqual(['payment.created'])

  // What did not count does not stand in the way of what does.
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(2)
  await sweep([payment])
})

test('40 payments at once are each settled once, in one batch', async () => {
  const earned = await openTill()
  const amounts = Array.from({ length: 40 }, (_, index) => `${index + 1}.000001`)
  const payments = await Promise.all(amounts.map((amount) => bff.createDeposit({ amount })))
  expect(new Set(payments.map(({ depositAddress }) => depositAddress)).size).toBe(40)
  await chain.payTogether(
    payments.map(({ depositAddress }, index) => ({ to: depositAddress, amount: amounts[index] ?? '' })),
  )
  await chain.mine(2)
  await sweep(payments)
  const sweeps = await Promise.all(payments.map(async ({ id }) => (await bff.read(id))['sweepTxHash']))
  expect(new Set(sweeps).size).toBe(1)
  // Each of them pays the platform floor(n.000001 × 150 / 10000).
  expect(await earned()).toEqual({ merchant: '807.70004', platform: '12.30' })
  for (const payment of payments) {
    await hears(payment, ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
  }
})

test('a create that is repeated by its header answers with the same payment', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const first = await bff.postDeposit({ amount: '25.00' }, key)
  const second = await bff.postDeposit({ amount: '25.00' }, key)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect({ ...second.body, serverTime: '' }).toEqual({ ...first.body, serverTime: '' })
  expect(await bff.postDeposit({ amount: '26.00' }, key)).toMatchObject({
    status: 400,
    body: { code: 'IDEMPOTENCY_MISMATCH' },
  })
})

test('an order id is paid once, also when a page tries to take it with a cheap payment first', async () => {
  const order = { amount: '25.00', orderId: 'order-squatted' }
  const cheap = await bff.postDeposit({ ...order, amount: '0.01' }, {}, 'page')
  expect(cheap).toMatchObject({ status: 200 })
  const first = await bff.createDeposit(order)
  expect(first).toMatchObject({ amount: '25.00' })
  expect((cheap.body['payment'] as { id: string }).id).not.toBe(first.id)
  expect((await bff.createDeposit(order)).id).toBe(first.id)
})

test('100 creates of one order at the same moment make one payment', async () => {
  const orderId = 'order-of-a-nervous-client'
  const answers = await Promise.all(Array.from({ length: 100 }, () => bff.postDeposit({ amount: '25.00', orderId })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => (body['payment'] as { id: string }).id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(99)
  expect(await bff.query('select id from payments where order_id = ?', orderId)).toHaveLength(1)
})

/** A token with the right name and nobody's promise behind it. */
async function deployImpostor(): Promise<Hex> {
  const { facts } = chain.node()
  const network = devnetChain(facts.rpcUrl, facts.chainId)
  const transport = http(facts.rpcUrl)
  const account = privateKeyToAccount(devnet.tokenOwner.privateKey)
  const wallet = createWalletClient({ chain: network, transport, account })
  const reader = createPublicClient({ chain: network, transport, pollingInterval: 20 })
  const { abi, bytecode } = testUsdc
  const hash = await wallet.deployContract({ abi, bytecode })
  await succeeded(reader, hash)
  const { contractAddress } = await reader.getTransactionReceipt({ hash })
  const address = contractAddress as Hex
  const mint = { address, abi, functionName: 'mint', args: [devnet.customer.address, 25_000_000n] } as const
  await succeeded(reader, await wallet.writeContract(mint))
  return address
}

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
