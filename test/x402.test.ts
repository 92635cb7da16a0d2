import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { x402HTTPClient } from '@x402/core/client'
import { decodePaymentResponseHeader, HTTPFacilitatorClient } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createPaidApi } from '../demo/examples/paid-api/server.ts'
import { expectBooksToClose } from './harness/books.ts'
import { listen } from './harness/listen.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('x402', { evmSettings: { signatureGas: { coinPrice: '50' } } })
const { bff, chain, sweep } = story

/** An agent with tokens and no coins, whose `fetch` pays by itself. */
async function openPayer(amount: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.pay(account.address, amount)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false)
  /** @param onRequest - Sees every request that is sent. */
  const pays = (onRequest: (request: Request) => void = () => {}) =>
    wrapFetchWithPayment(async (input, init) => {
      const request = new Request(input, init)
      onRequest(request)
      return await fetch(request)
    }, client)
  return { account, client, pays, fetch: pays() }
}

test('the client library of x402 pays a payment on the chain, which is swept as any other', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  const payer = await openPayer('25.00')
  const response = await chain.confirming(payer.fetch(`${bff.url()}/x402/${payment.id}`, { method: 'POST' }))
  expect(response.status).toBe(200)
  const settlement = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
  expect(settlement).toMatchObject({ success: true, payer: payer.account.address, network: 'eip155:31337' })
  expect(await response.json()).toMatchObject({
    payment: { outcome: 'paid', amountReceived: '25.00', transactionHash: settlement.transaction },
  })
  expect(await chain.balance('USDC', payer.account.address)).toBe(0n)
  await sweep([payment])
})

test('a payment link is paid by the same library, by software that asks for JSON', async () => {
  const payment = await bff.createDeposit({ amount: '0.50' })
  const payer = await openPayer('0.50')
  const headers = { Accept: 'application/json' }
  const response = await chain.confirming(payer.fetch(`${bff.url()}/pay/${payment.id}`, { headers }))
  expect([response.status, await response.json()]).toMatchObject([200, { payment: { outcome: 'paid' } }])
  await sweep([payment])
})

test('a merchant’s paid API charges each request once, and serves what is paid', async () => {
  const { apiKey, apiSecret } = bff.merchant
  const api = createPaidApi({ url: bff.url(), apiKey, apiSecret })
  const { origin: url, close } = await listen(createServer(getRequestListener(api.fetch)))
  try {
    const asked = await fetch(`${url}/report`)
    expect([asked.status, asked.headers.has('PAYMENT-REQUIRED')]).toEqual([402, true])
    const payer = await openPayer('0.05')
    let proof = ''
    const paying = payer.pays((request) => {
      proof = request.headers.get('PAYMENT-SIGNATURE') ?? proof
    })
    const served = await chain.confirming(paying(`${url}/report`))
    expect([served.status, await served.json()]).toEqual([200, { report: 'Sales were up.' }])
    expect(decodePaymentResponseHeader(served.headers.get('PAYMENT-RESPONSE') ?? '')).toMatchObject({ success: true })
    expect(await chain.balance('USDC', payer.account.address)).toBe(0n)

    const replayed = await fetch(`${url}/report`, { headers: { 'PAYMENT-SIGNATURE': proof } })
    expect([replayed.status, await replayed.json()]).toMatchObject([402, { error: 'duplicate_settlement' }])
    const told = decodePaymentResponseHeader(replayed.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(told).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
    // Charged by its route: another query is the same resource.
    const ofAnother = await fetch(`${url}/report?of=other`, { headers: { 'PAYMENT-SIGNATURE': proof } })
    expect([ofAnother.status, await ofAnother.json()]).toMatchObject([402, { error: 'duplicate_settlement' }])
  } finally {
    await close()
  }
})

test('five requests with one proof are served once', async () => {
  const { apiKey, apiSecret } = bff.merchant
  const api = createPaidApi({ url: bff.url(), apiKey, apiSecret })
  const { origin: url, close } = await listen(createServer(getRequestListener(api.fetch)))
  try {
    const payer = await openPayer('0.25')
    const asked = await fetch(`${url}/report`)
    const http = new x402HTTPClient(payer.client)
    const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json())
    const headers = http.encodePaymentSignatureHeader(await payer.client.createPaymentPayload(required))
    const answers = await chain.confirming(Promise.all([1, 2, 3, 4, 5].map(() => fetch(`${url}/report`, { headers }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402])
    expect(await chain.balance('USDC', payer.account.address)).toBe(200_000n)
  } finally {
    await close()
  }
})

test('the client library of others settles by our facilitator', async () => {
  const payment = await bff.createDeposit({ amount: '1.00' })
  const payer = await openPayer('1.00')
  const asked = await fetch(`${bff.url()}/x402/${payment.id}`, { method: 'POST' })
  const http = new x402HTTPClient(payer.client)
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json())
  const proof = await payer.client.createPaymentPayload(required)
  const keys = { 'X-API-Key': bff.merchant.apiKey, 'X-API-Secret': bff.merchant.apiSecret }
  const facilitator = new HTTPFacilitatorClient({
    url: `${bff.url()}/x402`,
    createAuthHeaders: async () => ({ verify: keys, settle: keys, supported: keys }),
  })
  const supported = await facilitator.getSupported()
  expect(supported.kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: 'eip155:31337' })
  expect(await facilitator.verify(proof, proof.accepted)).toMatchObject({ isValid: true, payer: payer.account.address })
  expect(await chain.confirming(facilitator.settle(proof, proof.accepted))).toMatchObject({ success: true })
  await sweep([payment])
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
