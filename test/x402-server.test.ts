import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { openX402Server } from './harness/x402-server.ts'

const story = await openStory('x402-server', { evmSettings: { signatureGas: { coinPrice: '50' } } })
const { bff, chain } = story
const network = 'eip155:31337'

/** A route of x402's own middleware. */
async function openRoute(amount: string) {
  const server = await openX402Server(story, {
    network,
    scheme: new ExactEvmServer(),
    price: { amount, currency: 'USDC', network: 'devnet' },
    asset: {
      asset: chain.node().facts.tokens.USDC.address,
      amount: String(Math.round(Number(amount) * 1_000_000)),
      extra: { name: 'USD Coin', version: '2' },
    },
  })
  onTestFinished(server.close)
  return server
}

/** An agent with tokens and no coins. */
async function openPayer(amount: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.pay(account.address, amount)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false)
  return { account, client, left: () => chain.balance('USDC', account.address) }
}

const refused = { status: 402, body: expect.not.objectContaining({ report: expect.anything() }) }
const served = { status: 200, body: { report: 'Sales were up.' } }

test('x402’s own client is served by x402’s own server, with the service as its facilitator', async () => {
  const server = await openRoute('0.05')
  const payer = await openPayer('0.05')
  const response = await chain.confirming(wrapFetchWithPayment(fetch, payer.client)(server.url))
  expect([response.status, await response.json()]).toEqual([served.status, served.body])
  expect(await payer.left()).toBe(0n)
})

test('one proof is served once of five at once, and never again', async () => {
  const server = await openRoute('0.06')
  const payer = await openPayer('1.00')
  const proof = await payer.client.createPaymentPayload(await server.required(payer.client))
  const present = () => server.present(payer.client, proof)
  const answers = await chain.confirming(Promise.all([present(), present(), present(), present(), present()]))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402])
  for (const answer of answers) expect(answer).toMatchObject(answer.status === 200 ? served : refused)
  expect(await chain.confirming(present())).toMatchObject(refused)
  expect(await payer.left()).toBe(940_000n)
})

test('a proof of a smaller price buys nothing dearer, whatever its client says that it accepted', async () => {
  const [cheap, dear] = [await openRoute('0.07'), await openRoute('500.00')]
  const payer = await openPayer('1.00')
  const [ofCheap, ofDear] = [await cheap.required(payer.client), await dear.required(payer.client)]
  const proof = await payer.client.createPaymentPayload(ofCheap)
  const [accepted] = ofDear.accepts
  const mixed = { ...proof.accepted, amount: '500000000' }
  for (const [name, lie] of Object.entries({
    'its own terms': proof,
    'the dearer terms': { ...proof, accepted: accepted as typeof proof.accepted },
    'its own address at the dearer price': { ...proof, accepted: mixed },
  })) {
    expect(await chain.confirming(dear.present(payer.client, lie)), name).toMatchObject(refused)
  }
  expect(await payer.left()).toBe(1_000_000n)
  expect(await chain.confirming(cheap.present(payer.client, proof))).toMatchObject(served)
})

test('a forged signature, and the address of another payment of the merchant’s, buy nothing', async () => {
  const server = await openRoute('0.08')
  const [payer, thief] = [await openPayer('0.16'), await openPayer('0.08')]
  const required = await server.required(payer.client)
  const proof = await payer.client.createPaymentPayload(required)
  const ofThief = await thief.client.createPaymentPayload(required)
  const { signature } = ofThief.payload as { signature: string }
  const forged = { ...proof, payload: { ...proof.payload, signature } }
  expect(await chain.confirming(server.present(payer.client, forged))).toMatchObject(refused)
  // An order of the shop, at the same price: its money pays the order alone.
  const order = await bff.createDeposit({ amount: '0.08', orderId: 'cup' })
  const asked = { ...required, accepts: required.accepts.map((one) => ({ ...one, payTo: order.depositAddress })) }
  const ofOrder = await payer.client.createPaymentPayload(asked)
  expect(await chain.confirming(server.present(payer.client, ofOrder))).toMatchObject(refused)
  expect(await payer.left()).toBe(160_000n)
  expect(await chain.confirming(server.present(payer.client, proof))).toMatchObject(served)
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
