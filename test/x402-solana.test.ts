import { createKeyPairSignerFromBytes } from '@solana/kit'
import { Keypair } from '@solana/web3.js'
import { x402HTTPClient } from '@x402/core/client'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'

const story = await openStory('x402-solana', { solana: true, solanaSettings: { signatureGas: { coinPrice: '50' } } })
const { bff, devnet } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain } = solana
const network = 'solana-devnet'

/** An agent with tokens and no coins, whose `fetch` pays by itself. */
async function openPayer(amount: string) {
  const keypair = Keypair.generate()
  const signer = await createKeyPairSignerFromBytes(keypair.secretKey)
  const address = keypair.publicKey.toBase58()
  await chain.pay(address, amount)
  const { rpcUrl } = devnet.solana.network
  const client = new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl })).setSpendControls(false)
  return { address, client, fetch: wrapFetchWithPayment(fetch, client) }
}

const settlementOf = (response: Response) => decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')

test('the client library of x402 pays a payment on Solana without coins, and the payment is swept as any other', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', network })
  const payer = await chain.finalizing(openPayer('25.00'))
  const response = await chain.finalizing(payer.fetch(`${bff.url()}/x402/${payment.id}`, { method: 'POST' }))
  expect([response.status, await response.clone().text()]).toEqual([200, expect.stringContaining('"outcome":"paid"')])
  expect(settlementOf(response)).toMatchObject({ success: true, payer: payer.address })
  expect(await chain.balance(payer.address)).toBe('0.00')
  expect(await chain.lamports(payer.address)).toBe(0)
  await chain.finalizing(
    expect.poll(async () => (await bff.read(payment.id))['status'], { timeout: 60_000 }).toBe('swept'),
  )
})

test('one proof is debited once by five requests at once and a replay, and pays no other payment', async () => {
  const [payment, other] = [
    await bff.createDeposit({ amount: '1.00', network }),
    await bff.createDeposit({ amount: '1.00', network, orderId: 'other' }),
  ]
  const payer = await chain.finalizing(openPayer('3.00'))
  const url = `${bff.url()}/x402/${payment.id}`
  const asked = await chain.finalizing(fetch(url, { method: 'POST' }))
  const http = new x402HTTPClient(payer.client)
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json())
  expect(required.accepts).toMatchObject([
    { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', amount: '1000000', extra: { memo: payment.id } },
  ])
  const headers = http.encodePaymentSignatureHeader(await payer.client.createPaymentPayload(required))
  const send = (to = url) => fetch(to, { method: 'POST', headers })
  const answers = await chain.finalizing(Promise.all([send(), send(), send(), send(), send()]))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const replay = await send()
  expect(replay.status).toBe(200)
  expect(new Set([...answers, replay].map((one) => settlementOf(one).transaction)).size).toBe(1)
  expect(await chain.balance(payer.address)).toBe('2.00')
  const ofAnother = await chain.finalizing(send(`${bff.url()}/x402/${other.id}`))
  expect([ofAnother.status, settlementOf(ofAnother).errorReason]).toEqual([402, 'invalid_payment_requirements'])
  await chain.finalizing(
    expect.poll(async () => (await bff.read(payment.id))['status'], { timeout: 60_000 }).toBe('swept'),
  )
})

test('a proof that is not the payment is refused by x402’s own reason, and debits nothing', async () => {
  const [payment, other] = [
    await bff.createDeposit({ amount: '2.00', network }),
    await bff.createDeposit({ amount: '2.00', network, orderId: 'another' }),
  ]
  const [payer, poor] = [await chain.finalizing(openPayer('2.00')), await chain.finalizing(openPayer('1.99'))]
  const url = `${bff.url()}/x402/${payment.id}`
  const asked = await chain.finalizing(fetch(url, { method: 'POST' }))
  const http = new x402HTTPClient(payer.client)
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json())
  const [accepted] = required.accepts
  if (!accepted) throw new Error('Nothing is accepted')
  const terms: typeof accepted = accepted
  await chain.finalizing(fetch(`${bff.url()}/x402/${other.id}`, { method: 'POST' }))

  /** What the client signs for other terms, and says that it is for these. */
  async function reasonFor(changed: object, { client } = payer, transaction?: string) {
    const made = await client.createPaymentPayload({ ...required, accepts: [{ ...terms, ...changed } as typeof terms] })
    const payload = transaction === undefined ? made.payload : { transaction }
    const headers = http.encodePaymentSignatureHeader({ ...made, accepted: terms as typeof made.accepted, payload })
    const response = await fetch(url, { method: 'POST', headers })
    expect(response.status).toBe(402)
    return settlementOf(response).errorReason
  }

  expect(await reasonFor({ amount: '1999999' })).toBe('invalid_exact_svm_payload_amount_mismatch')
  expect(await reasonFor({ payTo: other.depositAddress })).toBe('invalid_exact_svm_payload_recipient_mismatch')
  const memo = { extra: { ...terms.extra, memo: other.id } }
  expect(await reasonFor(memo)).toBe('invalid_exact_svm_payload_transaction')
  const garbage = Buffer.from('no transaction').toString('base64')
  expect(await reasonFor({}, payer, garbage)).toBe('invalid_exact_svm_payload_transaction')
  expect(await reasonFor({}, poor)).toBe('insufficient_funds')
  // A transaction whose block hash has expired.
  const { payload } = await payer.client.createPaymentPayload(required)
  await chain.control('expireBlockhashes')
  const { transaction } = payload as { transaction: string }
  expect(await reasonFor({}, payer, transaction)).toBe('invalid_exact_svm_transaction_simulation_failed')
  expect([await chain.balance(payer.address), await chain.balance(poor.address)]).toEqual(['2.00', '1.99'])
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
