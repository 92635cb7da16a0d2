import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('solana', { solana: true })
const { bff, receiver, hears } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana
const network = 'solana-devnet'

/** The window, and a second so that it is over. */
const windowSeconds = 901

const paidInFull = ['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept']

const create = (amount: string, more: object = {}) => bff.createDeposit({ amount, network, ...more })

/** The service's own transactions reach blocks, and those become final, until there is to be seen what is looked for. */
async function onward(what: string, look: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await look()) return true
    await chain.advance(2)
    return false
  })
}

const untilSettled = ({ id }: PaymentBody) =>
  onward(`payment ${id} to be settled`, async () => (await bff.read(id))['status'] === 'swept')

const refundState = async ({ id }: PaymentBody) => ((await bff.read(id))['refund'] as { state: string } | null)?.state

const untilRefunded = (payment: PaymentBody) =>
  onward(`payment ${payment.id} to be refunded`, async () => (await refundState(payment)) === 'refunded')

/** The customer's page has the public key and the payment's client secret. */
const askBack = (id: string, address: string) => bff.requestRefund(id, { address })

const byMerchant = {
  'content-type': 'application/json',
  'x-api-key': bff.merchant.apiKey,
  'x-api-secret': bff.merchant.apiSecret,
}

test('a deposit is paid, split to the unit, its account closed and the rent given back', async () => {
  const before = await chain.lamports(chain.operator.address)
  const payment = await create('25.000001')
  expect(payment).toMatchObject({ network, currency: 'USDC', outcome: 'pending' })
  expect(payment['paymentUri']).toBe(
    `solana:${payment.depositAddress}?amount=25.000001&spl-token=${chain.mintOf().toBase58()}`,
  )
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  await chain.pay(payment.depositAddress, '25.000001')
  await bff.shows(payment.id, { outcome: 'pending', amountDetected: '25.000001' })
  await untilSettled(payment)

  // 1.5 %, rounded down: 375000.015 units.
  expect(await chain.balance(merchant)).toBe('24.625001')
  expect(await chain.balance(platform)).toBe('0.375')
  expect(await chain.hasAccount(payment.depositAddress)).toBe(false)
  await hears(payment, paidInFull)
  expect(receiver.refusals).toEqual([])
  // Two accounts were made for the shop and the platform; that of the deposit came back.
  const spent = before - (await chain.lamports(chain.operator.address))
  expect(spent).toBeLessThan(2 * 2_039_280 + 60_000)
})

test('money is seen when it is confirmed, paid only when it is final, and a fork takes back what was seen', async () => {
  const payment = await create('25.00')
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  await chain.finalize()
  const signature = await chain.pay(payment.depositAddress, '25.00')
  await bff.shows(payment.id, { outcome: 'pending', amountDetected: '25.00', transactionHash: signature })
  await chain.advance(2)
  await bff.shows(payment.id, { outcome: 'pending', amountReceived: null })
  expect(await chain.control('fork', 4)).toContain(signature)
  // A node that does not have it may only be behind, until a later slot is final.
  await chain.finalize()
  await bff.shows(payment.id, { outcome: 'pending', amountDetected: null, transactionHash: null })

  await chain.pay(payment.depositAddress, '25.00')
  await untilSettled(payment)
  expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
  await hears(payment, [
    ...['payment.created', 'payment.detected', 'payment.reorged', 'payment.detected', 'payment.completed'],
    'deposit.swept',
  ])
})

test('parts add up to a payment, and one that stays short expires by the chain’s clock and goes back', async () => {
  const [whole, short] = [await create('10.00'), await create('11.00')]
  await chain.pay(whole.depositAddress, '4.00')
  await bff.shows(whole.id, { paymentState: 'underpaid', amountRemaining: '6.00' })
  await chain.pay(whole.depositAddress, '6.00')
  await chain.pay(short.depositAddress, '10.999999')
  await untilSettled(whole)
  await chain.finalize()
  await bff.shows(short.id, { outcome: 'pending', amountReceived: '10.999999' })
  await chain.control('travel', windowSeconds)
  await chain.finalize()
  await bff.shows(short.id, { status: 'expired', refund: { state: 'address_needed', amount: '10.999999' } })

  const customer = await chain.newWallet()
  expect((await askBack(short.id, customer)).status).toBe(200)
  await untilRefunded(short)
  expect(await chain.balance(customer)).toBe('10.999999')
  expect(await chain.hasAccount(short.depositAddress)).toBe(false)
})

test('what exceeds the amount goes back after the merchant has all that is due, and what comes late goes back too', async () => {
  const payment = await create('20.00', { currency: 'USDT' })
  await chain.pay(payment.depositAddress, '21.50', 'USDT')
  await untilSettled(payment)
  expect(await chain.balance(merchant, 'USDT')).toBe('19.70')
  expect(await chain.balance(platform, 'USDT')).toBe('0.30')
  await bff.shows(payment.id, {
    paymentState: 'overpaid_refunding',
    refund: { state: 'address_needed', amount: '1.50' },
  })
  const customer = await chain.newWallet('USDT')
  expect((await askBack(payment.id, 'nowhere')).body['message']).toBe(
    'address must be an address on Solana devnet: 32 bytes in base58',
  )
  expect((await askBack(payment.id, customer)).status).toBe(200)
  await untilRefunded(payment)
  expect(await chain.balance(customer, 'USDT')).toBe('1.50')
  expect(await chain.hasAccount(payment.depositAddress, 'USDT')).toBe(false)

  // The same amount again: the account is as it was when it was read last.
  await chain.pay(payment.depositAddress, '21.50', 'USDT')
  await onward('the second refund', async () => (await chain.balance(customer, 'USDT')) === '23.00')
  await chain.finalize()
  await bff.shows(payment.id, { excessOwed: '0.00', refund: { amountRefunded: '23.00' } })
  expect(await chain.balance(merchant, 'USDT')).toBe('19.70')
})

test('full money that comes after the window is held: the merchant gives it back, or takes it', async () => {
  const [returned, taken] = [await create('12.00'), await create('13.00')]
  await chain.control('travel', windowSeconds)
  await chain.finalize()
  for (const { id } of [returned, taken]) await bff.shows(id, { status: 'expired' })
  await chain.pay(returned.depositAddress, '12.00')
  await chain.pay(taken.depositAddress, '13.00')
  await chain.finalize()
  await bff.shows(returned.id, { status: 'expired', refund: { state: 'held', amount: '12.00' } })
  const customer = await chain.newWallet()
  const withSecret = (path: string, body: object) =>
    bff.ask(`/api/v1${path}`, { method: 'POST', headers: byMerchant, body: JSON.stringify(body) })
  const named = await withSecret(`/deposits/refund-request/${returned.id}`, { address: customer })
  expect(named.status).toBe(200)
  await untilRefunded(returned)
  expect(await chain.balance(customer)).toBe('12.00')
  expect((await withSecret(`/payments/${taken.id}/accept-late`, {})).status).toBe(200)
  await untilSettled(taken)
  expect(await bff.read(taken.id)).toMatchObject({ outcome: 'paid', status: 'swept' })
})

test('a refund waits while its address has no account of the token, because making it would be money for the asking', async () => {
  const payment = await create('2.00')
  await chain.pay(payment.depositAddress, '3.00')
  await untilSettled(payment)
  const stranger = Keypair.generate().publicKey.toBase58()
  expect((await askBack(payment.id, stranger)).status).toBe(200)
  await onward('the first try', async () => (await refundState(payment)) === 'delayed')
  expect(await chain.hasAccount(stranger)).toBe(false)
})

test('a sweep that is lost is made again only when its blockhash can hold it no longer, and pays once', async () => {
  const before = await chain.units(merchant)
  const payment = await create('25.00')
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  await chain.finalize()
  await chain.pay(payment.depositAddress, '25.00')
  await chain.control('drop', 10_000)
  await chain.finalize()
  const sweepsOf = () =>
    bff.query<{ tx_id: string; state: string }>(
      `select x.tx_id, x.state from outgoing_transactions x join outgoing_payouts o on o.transaction_id = x.id
      where o.payment_id = ? order by x.created_at_ms`,
      payment.id,
    )
  await until('the first sweep', async () => (await sweepsOf()).length === 1)
  await chain.advance(100)
  // It may still land, so there is no other, however long it takes.
  await bff.shows(payment.id, { settlement: { state: 'settling' } })
  expect(await sweepsOf()).toHaveLength(1)
  await chain.control('expireBlockhashes')
  await chain.finalize()
  await until('the second sweep', async () => (await sweepsOf()).length === 2)
  expect((await sweepsOf()).map(({ state }) => state)).toEqual(['failed', 'stored'])
  const second = (await sweepsOf())[1]?.tx_id ?? ''
  await chain.control('drop', 0)
  // The service broadcasts again after two seconds, within which so many blocks may not pass that this one expires, too.
  await until(
    'the second sweep to land',
    async () => (await chain.connection.getSignatureStatus(second)).value !== null,
  )
  await untilSettled(payment)
  expect((await chain.units(merchant)) - before).toBe(24_625_000n)
  expect((await sweepsOf()).map(({ state }) => state)).toEqual(['failed', 'confirmed'])
  await hears(payment, paidInFull)
})

test('a test payment on Solana is on no cluster: its address is nobody’s who could be paid by a link', async () => {
  const post = async (path: string, body: object) => {
    const answer = await bff.ask(`/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-public-key': bff.merchant.testPublicKey },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: answer.body as { payment: PaymentBody } }
  }
  const created = await post('/sandbox/payments/create', { amount: '3.00', currency: 'USDC', network })
  expect(created.status).toBe(200)
  const { payment } = created.body
  expect(payment).toMatchObject({ isTest: true, paymentUri: null, Network: { type: 'solana', chainId: null } })
  expect(payment.depositAddress).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
  const done = await post(`/sandbox/payments/${payment.id}/simulate`, { action: 'complete' })
  expect(done.body.payment).toMatchObject({ outcome: 'paid', isTest: true })
  expect(await bff.query('select payment_id from solana_accounts where payment_id = ?', payment.id)).toEqual([])
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
