import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeConfig } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('euros', { euros: true })
const { bff, chain, files, openTill, sweep, wallets, merchant } = story

type Call = { approval: { to: string; data: string }; contractAddress: string; before: { data: string } }
type Refund = Record<'id' | 'status' | 'amount' | 'rate' | 'rateOf' | 'currency', string> & { call: Call }

const euros = { currency: 'EURC', amount: undefined as never, priceCurrency: 'EUR' }

/** The service without rates is started again with a table of the operator's own. */
async function startWithRates(): Promise<void> {
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as Record<string, unknown>
  const rates = { fixed: { asOf: '2026-11-21T12:00:00Z', USDC: { USD: 1, EUR: 0.8 }, USDT: { USD: 1, EUR: 0.8 } } }
  await bff.stop()
  writeConfig(files.configPath, { ...config, rates })
  await bff.start()
}

test('a price in euros is paid in EURC without any rate, exactly, and what exceeds it goes back in EURC', async () => {
  const earned = await openTill({ token: 'EURC' })
  const payment = await bff.createDeposit({ ...euros, price: '25.50' })
  expect(payment).toMatchObject({ currency: 'EURC', amount: '25.50', price: '25.50', priceCurrency: 'EUR', rate: '1' })
  await chain.pay(payment.depositAddress, '25.499999', { token: 'EURC' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'pending', paymentState: 'underpaid', amountRemaining: '0.000001' })
  await chain.pay(payment.depositAddress, '2.000001', { token: 'EURC' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', amountReceived: '27.50', excessOwed: '2.00' })

  const payer = `0x${'c0ffee'.repeat(6)}0e01`
  expect((await bff.requestRefund(payment.id, { address: payer })).status).toBe(200)
  await sweep([payment])
  await until('the rest to be back', async () => (await chain.balance('EURC', payer)) === 2_000_000n)
  await chain.mine(2)
  await bff.shows(payment.id, { excessOwed: '0.00', refund: { state: 'refunded', amountRefunded: '2.00' } })
  expect(await earned()).toEqual({ merchant: '25.1175', platform: '0.3825' })
})

test('a refund of a payment in EURC is paid in EURC by the merchant’s wallet, through the splitter and to the unit', async () => {
  const payment = await bff.createDeposit({ ...euros, price: '10.00' })
  await chain.pay(payment.depositAddress, '10.00', { token: 'EURC' })
  await chain.mine(2)
  await sweep([payment])
  const { apiKey, apiSecret } = merchant
  const address = `0x${'c0ffee'.repeat(6)}0e02`
  const { body } = await bff.ask(`/api/v1/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
    body: JSON.stringify({ price: '3.33', priceCurrency: 'EUR', address }),
  })
  const { id, amount, rateOf, rate, currency, call } = body['refund'] as Refund
  expect({ amount, rateOf, rate, currency }).toEqual({ amount: '3.33', rateOf: 'then', rate: '1', currency: 'EURC' })
  const { rpc } = chain.node()
  await rpc('anvil_impersonateAccount', wallets.merchant)
  await rpc('anvil_setBalance', wallets.merchant, '0x8ac7230489e80000')
  const { approval, contractAddress, before } = call
  await rpc('eth_sendTransaction', { from: wallets.merchant, to: approval.to, data: approval.data })
  await rpc('eth_sendTransaction', { from: wallets.merchant, to: contractAddress, data: before.data })
  await until('the refund to be paid', async () => {
    await chain.mine(1)
    return ((await bff.get(`/refunds/${id}`)).body['refund'] as Refund).status === 'paid'
  })
  expect(await chain.balance('EURC', address)).toBe(3_330_000n)
})

test('without rates a price in dollars is refused for EURC, and one in euros for USDC, in a sentence that names both', async () => {
  const refusalOf = async (order: object) => (await bff.postDeposit({ amount: undefined as never, ...order })).body
  expect(await refusalOf({ currency: 'EURC', price: '25.00', priceCurrency: 'USD' })).toMatchObject({
    code: 'NO_RATE',
    message: 'There is no rate of EURC in USD (priceCurrency); known: EUR.',
  })
  expect(await refusalOf({ currency: 'USDC', price: '25.00', priceCurrency: 'EUR' })).toMatchObject({
    code: 'NO_RATE',
    message: 'There is no rate of USDC in EUR (priceCurrency); known: USD.',
  })
})

test('with the rate of the dollar in euros a price in dollars is paid in EURC', async () => {
  await startWithRates()
  const earned = await openTill({ token: 'EURC' })
  const payment = await bff.createDeposit({ ...euros, price: '25.00', priceCurrency: 'USD' })
  expect(payment).toMatchObject({ currency: 'EURC', amount: '20.00', price: '25.00', rate: '1.25' })
  await chain.pay(payment.depositAddress, '20.00', { token: 'EURC' })
  await chain.mine(2)
  await bff.shows(payment.id, { outcome: 'paid', amountReceived: '20.00', excessOwed: '0.00' })
  await sweep([payment])
  expect(await earned()).toEqual({ merchant: '19.70', platform: '0.30' })
})

test('sums keep euros and dollars apart', async () => {
  const dollars = await bff.createDeposit({ amount: '10.00' })
  await chain.pay(dollars.depositAddress, '10.00')
  await chain.mine(2)
  await bff.shows(dollars.id, { outcome: 'paid' })
  await sweep([dollars])
  const { body } = await bff.get('/payments/merchant/stats')
  expect(body['stats']).toMatchObject({
    completedPayments: 4,
    totalAmount: '10.00',
    averageAmount: '10.00',
    byCurrency: [
      { currency: 'EUR', completedPayments: 3, totalAmount: '55.50', averageAmount: '18.50' },
      { currency: 'USD', completedPayments: 1, totalAmount: '10.00', averageAmount: '10.00' },
    ],
  })
  const [row] = await bff.query<{ atMs: number }>('select min(created_at_ms) as "atMs" from payments')
  const name = new Date(Number(row?.atMs)).toISOString().slice(0, 7)
  const { body: month } = await bff.get(`/reports/month?month=${name}`)
  expect(month['totals']).toMatchObject([
    {
      currency: 'EURC',
      decimals: 6,
      received: '57500000',
      merchantAmount: '54667500',
      refunded: '2000000',
      refundedByMerchant: '3330000',
    },
    { currency: 'USDC', decimals: 6, received: '10000000', merchantAmount: '9850000', refunded: '0' },
  ])
  const { networks } = await expectBooksToClose(story)
  expect(networks.length).toBeGreaterThan(0)
})
