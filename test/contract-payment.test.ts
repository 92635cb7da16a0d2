import { expect, test } from 'vitest'
import type { ContractPaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openPayer } from './harness/payer.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('contract-payment', { gated: true })
const { bff, chain, receiver, gates, openTill, hears, caughtUp } = story
const payer = openPayer(story)

const paid = { status: 'completed', outcome: 'paid', isFinal: true, paymentState: 'completed' }
const open = { status: 'pending', outcome: 'pending', isFinal: false, paymentState: 'awaiting' }
const settled = { settlement: { state: 'settled' } }
const paidInFull = ['payment.created', 'payment.detected', 'payment.completed']

/** Confirms while the service waits in `/payments/process`, as a chain does. */
async function processed(payment: ContractPaymentBody, txId: string): Promise<Record<string, unknown>> {
  const answer = bff.process(payment, txId)
  await chain.mine(2)
  const { status, body } = await answer
  expect([status, body]).toEqual([200, expect.objectContaining({ success: true })])
  return body
}

test('a contract payment goes from the call that was handed out to completed, and merchant and platform are paid to the unit', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00', orderId: 'order-1', metadata: { table: 7 } })
  expect(await bff.read(payment.id)).toMatchObject({ ...open, depositAddress: null })

  const txId = await payer.pay(payment.contractCall)
  await processed(payment, txId)
  expect(await bff.read(payment.id)).toMatchObject({
    ...paid,
    ...settled,
    amountReceived: '25.00',
    transactionHash: txId,
  })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })

  await hears(payment, paidInFull)
  const received = receiver
    .events(payment.id)
    .map(({ data }) => [data['status'], data['outcome'], data['orderId'], data['metadata']])
  expect(received).toEqual([
    ['pending', 'pending', 'order-1', { table: 7 }],
    ['pending', 'pending', 'order-1', { table: 7 }],
    ['completed', 'paid', 'order-1', { table: 7 }],
  ])
})

test('what cannot be divided goes to the merchant', async () => {
  for (const [amount, merchant, platform] of [
    ['0.000066', '0.000066', '0.00'],
    ['0.000067', '0.000066', '0.000001'],
    ['1.234567', '1.216049', '0.018518'],
  ] as const) {
    const earned = await openTill()
    const payment = await bff.createPayment({ amount })
    await processed(payment, await payer.pay(payment.contractCall))
    expect(await earned()).toEqual({ merchant, platform })
  }
})

test('USDT, which returns nothing, is paid through an allowance that goes through zero', async () => {
  const earned = await openTill({ token: 'USDT' })
  const payment = await bff.createPayment({ amount: '25.00', currency: 'USDT' })
  const { approval, contractAddress, data, permit, authorization } = payment.contractCall
  expect([approval.requiresReset, permit, authorization]).toEqual([true, undefined, undefined])
  await payer.approve(payment.contractCall)
  await expect(chain.call(approval.to, approval.data)).rejects.toThrow('reverted')
  await chain.call(approval.to, approval.resetData)
  await chain.call(approval.to, approval.data)
  await processed(payment, await chain.call(contractAddress, data))
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('a payment on the other network is paid there, and its wallets are the ones that get it', async () => {
  const earned = await openTill({ network: 'devnet-b' })
  const payment = await bff.createPayment({ amount: '25.00', network: 'devnet-b' })
  const txId = await payer.pay(payment.contractCall, 'devnet-b')
  await chain.mine(2, 'devnet-b')
  await bff.shows(payment.id, { ...paid, transactionHash: txId })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('a customer who pays and closes the page has paid: nobody hands in the transaction', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  const { contractAddress, before } = payment.contractCall
  await payer.approve(payment.contractCall)
  const txId = await chain.call(contractAddress, before.data)
  await bff.shows(payment.id, { ...open, paymentState: expect.anything(), amountDetected: '25.00', confirmations: 1 })
  await chain.mine(2)
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
  await hears(payment, paidInFull)
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })

  const { status, body } = await bff.process(payment, txId)
  expect([status, body]).toEqual([200, expect.objectContaining({ success: true, isAlreadyCompleted: true })])
})

test('a customer without gas signs, somebody else sends it, and the payment is the customer’s', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  const gas = () => chain.node().reader.getBalance({ address: payer.address })
  const [gasBefore, before] = [await gas(), await chain.balance('USDC', payer.address)]

  const txId = await payer.relay(payment.contractCall.contractAddress, await payer.authorize(payment.contractCall))
  await chain.mine(2)
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
  expect(before - (await chain.balance('USDC', payer.address))).toBe(25_000_000n)
  expect(await gas()).toBe(gasBefore)
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('one signature in place of an approval pays, also when somebody has used the permit before', async () => {
  for (const isFrontRun of [false, true]) {
    const earned = await openTill()
    const payment = await bff.createPayment({ amount: '25.00' })
    const { contractAddress } = payment.contractCall
    const data = await payer.permit(payment.contractCall)
    if (isFrontRun) await payer.frontRun(payment.contractCall, data)
    const txId = await chain.call(contractAddress, data)
    await processed(payment, txId)
    expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  }
})

test('the service is killed between the payment and its being handed in, and the payment is found once', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  const txId = await payer.pay(payment.contractCall)
  await bff.kill()
  await bff.start()
  await processed(payment, txId)
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
  await hears(payment, paidInFull)
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('a payment that was made and confirmed while the service was down is found when it is back', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  await bff.kill()
  const txId = await payer.pay(payment.contractCall)
  await chain.mine(2)
  await bff.start()
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
  await hears(payment, paidInFull)
})

test('killed while it waits for confirmations, the service answers the repeat', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  const txId = await payer.pay(payment.contractCall)
  const lost = bff.process(payment, txId).catch((error: unknown) => error)
  await bff.shows(payment.id, { amountDetected: '25.00' })
  await bff.kill()
  expect(await lost).toBeInstanceOf(Error)
  await bff.start()
  await processed(payment, txId)
  await hears(payment, paidInFull)
})

test('thirty customers at once have each paid their own', async () => {
  const earned = await openTill()
  const payments = await Promise.all(Array.from({ length: 30 }, () => bff.createPayment({ amount: '1.00' })))
  const [first] = payments
  if (!first) throw new Error('There is no payment')
  await payer.approveUnits(first.contractCall, 30_000_000n)
  const calls = payments.map(({ contractCall: { contractAddress: to, before } }) => ({ to, data: before.data }))
  const txIds = await chain.callTogether(calls)
  const answers = payments.map((payment, index) => bff.process(payment, txIds[index] ?? ''))
  await chain.mine(2)
  for (const [index, answer] of answers.entries()) {
    const payment = payments[index]
    expect(await answer).toMatchObject({ status: 200, body: { success: true } })
    if (payment) await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txIds[index] })
  }
  expect(await earned()).toEqual({ merchant: '29.55', platform: '0.45' })
  for (const payment of payments) await hears(payment, paidInFull)
})

test('the transaction of one payment is no proof for another', async () => {
  const [mine, other] = [await bff.createPayment({ amount: '25.00' }), await bff.createPayment({ amount: '25.00' })]
  const txId = await payer.pay(mine.contractCall)
  await chain.mine(2)
  const { status, body } = await bff.process(other, txId)
  expect([status, body['success']]).toEqual([400, false])
  await bff.shows(mine.id, paid)
  expect(await bff.read(other.id)).toMatchObject({ ...open, transactionHash: null })
})

test('the same payment cannot be made twice', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  await processed(payment, await payer.pay(payment.contractCall))
  await payer.approve(payment.contractCall)
  expect(await payer.whyRefused(payment.contractCall.contractAddress, payment.contractCall.data)).toBe(
    'PaymentIdAlreadyUsed',
  )
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await chain.call(payment.contractCall.approval.to, payment.contractCall.approval.resetData)
})

test('what a reorg takes back is not paid any more, and is paid again by the same call', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  const { contractAddress, before } = payment.contractCall
  await payer.approve(payment.contractCall)
  const taken = await chain.call(contractAddress, before.data)
  await bff.shows(payment.id, { amountDetected: '25.00', transactionHash: taken })

  await chain.reorg(1)
  await bff.shows(payment.id, { ...open, amountDetected: null, transactionHash: null })

  const txId = await chain.call(contractAddress, before.data)
  await chain.mine(2)
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  await hears(payment, [
    'payment.created',
    'payment.detected',
    'payment.reorged',
    'payment.detected',
    'payment.completed',
  ])
})

test('a reorg deeper than the confirmations takes a completed payment back', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  await processed(payment, await payer.pay(payment.contractCall))
  await caughtUp()
  await chain.reorg(3)
  await bff.shows(payment.id, { ...open, amountReceived: null, settlement: { state: 'pending' } })
  await hears(payment, [...paidInFull, 'payment.reorged'])
  await chain.call(payment.contractCall.contractAddress, payment.contractCall.data)
  await chain.mine(2)
  await bff.shows(payment.id, { ...paid, ...settled })
})

test('a wire to the node that was cut while it waits costs the customer nothing', async () => {
  const payment = await bff.createPayment({ amount: '25.00' })
  const txId = await payer.pay(payment.contractCall)
  gates.devnet.hold('eth_getLogs', 'before')
  await chain.mine(2)
  await gates.devnet.held('eth_getLogs')
  gates.devnet.release()
  await bff.shows(payment.id, { ...paid, ...settled, transactionHash: txId })
})

// Last, because it takes the chain's clock ahead of ours.
test('after its window the payment is expired, our calls pay nothing, and one that does not read the clock is reported as late', async () => {
  const earned = await openTill()
  const payment = await bff.createPayment({ amount: '25.00' })
  const { contractAddress, before, data } = payment.contractCall
  expect(Number(before.deadline)).toBeGreaterThanOrEqual(Math.floor(Date.parse(payment.expiresAt) / 1000))
  await payer.approve(payment.contractCall)
  const signed = await payer.permit(payment.contractCall)
  const authorized = await payer.authorize(payment.contractCall)
  const { timestamp } = await chain.node().reader.getBlock()
  await chain.travel(Number(before.deadline) - Number(timestamp) + 1)
  await bff.shows(payment.id, { status: 'expired', outcome: 'failed' })
  for (const late of [before.data, signed, authorized]) {
    expect(await payer.whyRefused(contractAddress, late)).toBe('DeadlinePassed')
  }
  expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })

  await chain.call(contractAddress, data)
  await chain.mine(2)
  await hears(payment, ['payment.created', 'payment.expired', 'payment.late'])
  expect(await bff.read(payment.id)).toMatchObject({ status: 'expired', outcome: 'failed' })
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
