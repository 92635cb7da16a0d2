import { randomUUID } from 'node:crypto'
import { Transaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana-wallet', { solana: true, keepsPort: true })
const { bff, hears } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana
const network = 'solana-devnet'
const paidInFull = ['payment.created', 'payment.detected', 'payment.completed']

const create = (amount: string) => bff.createPayment({ amount, network })

/** What a wallet does with a Solana Pay link: asks for the transaction, signs the bytes that it gets, and sends them. */
async function pay(id: string): Promise<string> {
  const { status, body } = await bff.ask(`/api/v1/payments/solana-pay/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: chain.customer.address }),
  })
  expect([status, body]).toEqual([200, expect.objectContaining({ transaction: expect.any(String) })])
  const transaction = Transaction.from(Buffer.from(String(body['transaction']), 'base64'))
  transaction.partialSign(chain.payer)
  return await chain.connection.sendRawTransaction(transaction.serialize())
}

const report = (id: string, transactionHash: string) =>
  bff.ask('/api/v1/payments/process', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-public-key': bff.merchant.publicKey },
    body: JSON.stringify({ paymentId: id, network, transactionHash, senderAddress: chain.customer.address }),
  })

/** The service sees the transaction, and then that nothing takes it back. */
async function untilPaid(id: string): Promise<void> {
  await chain.advance(1)
  await until(`payment ${id} to be seen`, async () => (await bff.read(id))['amountDetected'] !== null)
  await chain.finalize()
  await bff.shows(id, { status: 'completed', outcome: 'paid', settlement: { state: 'settled' } })
}

test('a wallet payment splits to the unit, and is reported, seen, finalized and notified', async () => {
  const payment = await create('25.000001')
  const signature = await pay(payment.id)
  await chain.advance(1)
  const answer = report(payment.id, signature)
  await until('the transaction to be seen', async () => (await bff.read(payment.id))['amountDetected'] !== null)
  await chain.finalize()
  expect((await answer).body).toMatchObject({ success: true, isAlreadyCompleted: false })
  expect(await bff.read(payment.id)).toMatchObject({ status: 'completed', transactionHash: signature })
  expect([await chain.balance(merchant), await chain.balance(platform)]).toEqual(['24.625001', '0.375'])
  await hears(payment, paidInFull)
})

test('a customer who reports nothing is seen by the chain alone', async () => {
  const payment = await create('2.00')
  await pay(payment.id)
  await untilPaid(payment.id)
  await hears(payment, paidInFull)
})

test('a service that is killed finds what was paid while it was down, and what it had only seen', async () => {
  const [seen, unseen] = [await create('3.00'), await create('4.00')]
  await pay(seen.id)
  await chain.advance(1)
  await until('the first to be seen', async () => (await bff.read(seen.id))['amountDetected'] !== null)
  await bff.kill()
  await bff.start()
  await pay(unseen.id)
  await bff.kill()
  await chain.finalize()
  await bff.start()
  for (const { id } of [seen, unseen]) await bff.shows(id, { status: 'completed' })
  await hears(seen, paidInFull)
})

test('a payment that a fork took away is taken back, and the merchant is notified', async () => {
  const payment = await create('5.00')
  await chain.advance(2)
  await pay(payment.id)
  await chain.advance(1)
  await until('it to be seen', async () => (await bff.read(payment.id))['amountDetected'] !== null)
  await chain.control('fork', 2)
  await chain.finalize()
  await bff.shows(payment.id, { status: 'pending', amountDetected: null })
  await pay(payment.id)
  await untilPaid(payment.id)
  await hears(payment, [...paidInFull.slice(0, 2), 'payment.reorged', ...paidInFull.slice(1)])
})

test('one that is not paid in its window expires, and one that is paid at its end does not', async () => {
  const [late, prompt] = [await create('6.00'), await create('7.00')]
  await pay(prompt.id)
  await chain.control('travel', 1_801)
  await chain.finalize()
  await bff.shows(late.id, { status: 'expired', outcome: 'failed' })
  await untilPaid(prompt.id)
  await hears(prompt, paidInFull)
  await hears(late, ['payment.created', 'payment.expired'])
  expect((await bff.postPayment({ amount: '1.00', network, orderId: randomUUID() })).status).toBe(200)
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
