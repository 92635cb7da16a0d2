import {
  type AuthorizationStage,
  type Deposit,
  openAuthorizationStage,
} from '@stablecoin-checkout/rig/authorization-stage'
import { createX402Client, type Proof } from '@stablecoin-checkout/rig/x402-client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../../db/db.ts'
import { holdSettlement, isHeldByAnother, releaseSettlement } from './settlement-store.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 30_000 })
  client = createX402Client(stage)
  await stage.mint(stage.customer.address, 10_000_000_000n)
})
afterAll(() => stage?.close())

const balance = () => stage.balanceOf(stage.customer.address)
const proveFor = async (payment: Deposit) => await client.prove((await client.askFor(payment)).required?.accepts[0])
const settle = (proof: Proof, changed: Parameters<typeof client.facilitator>[2] = {}) =>
  client.facilitator('settle', proof, changed)
const duplicate = { success: false, errorReason: 'duplicate_settlement', transaction: '' }

async function ask(headers: Record<string, string>) {
  const response = await stage.app.request('/x402/supported', { headers })
  return { status: response.status, body: await response.json() }
}

test('says what it settles', async () => {
  const { body } = await ask({ 'X-API-Key': stage.merchant.apiKey, 'X-API-Secret': stage.merchant.apiSecret })
  expect(body).toEqual({
    kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:31337' }],
    extensions: [],
    signers: { 'eip155:31337': [stage.tokenOwner.address] },
  })
  expect((await ask({})).status).toBe(401)
  const publicly = await stage.app.request('/api/v1/x402/settle', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': stage.merchant.publicKey },
    body: JSON.stringify({}),
  })
  expect([publicly.status, await publicly.json()]).toMatchObject([403, { code: 'API_SECRET_REQUIRED' }])
})

test('verifies without debiting, settles once, and says that a repeat is one', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  const before = await balance()
  expect(await client.facilitator('verify', proof)).toEqual({ isValid: true, payer: stage.customer.address })
  expect(await balance()).toBe(before)
  const settled = await client.drive(settle(proof))
  expect(settled).toMatchObject({ success: true, payer: stage.customer.address, network: 'eip155:31337' })
  expect(await settle(proof)).toMatchObject(duplicate)
  expect(before - (await balance())).toBe(25_000_000n)
  const known = await client.facilitator('verify', proof)
  expect(known).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' })
})

test('refuses what is not the merchant’s payment, and terms that its server did not ask for', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  const stranger = { ...proof, accepted: { ...proof.accepted, payTo: stage.customer.address } }
  const ofNobody = await client.facilitator('verify', stranger)
  expect(ofNobody).toMatchObject({ isValid: false, invalidReason: 'unexpected_settle_error' })
  for (const changed of [{ amount: '1' }, { network: 'eip155:1' }, { asset: stage.customer.address }]) {
    const refused = await settle(proof, changed)
    expect(refused).toMatchObject({ success: false, errorReason: 'invalid_payment_requirements', transaction: '' })
  }
  const poor = await client.prove(proof.accepted, privateKeyToAccount(generatePrivateKey()))
  const ofPoor = await client.facilitator('verify', poor)
  expect(ofPoor).toMatchObject({ isValid: false, invalidReason: 'insufficient_funds' })
})

test('a merchant neither verifies nor settles what pays another one', async () => {
  const proof = await proveFor(await stage.createDeposit())
  const other = await stage.openMerchant('Another Shop')
  const message = `payTo ${proof.accepted.payTo} is the deposit address of no payment of yours.`
  expect(await client.facilitator('verify', proof, {}, other)).toMatchObject({
    isValid: false,
    invalidMessage: message,
  })
  const settled = await client.facilitator('settle', proof, {}, other)
  expect(settled).toMatchObject({ success: false, errorMessage: message, transaction: '' })
  expect(await client.facilitator('verify', proof)).toMatchObject({ isValid: true })
})

test('five at once are one success, for one debit', async () => {
  const proof = await proveFor(await stage.createDeposit())
  const before = await balance()
  const answers = await client.drive(Promise.all([1, 2, 3, 4, 5].map(() => settle(proof))))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const others = answers.filter(({ success }) => !success).map(({ errorReason }) => errorReason)
  // A call that finds the payment paid, before the first call has used it, is to come back.
  for (const reason of others) expect(['duplicate_settlement', 'settlement_pending']).toContain(reason)
  expect(await settle(proof)).toMatchObject(duplicate)
  expect(before - (await balance())).toBe(25_000_000n)
})

test('who reads a proof on the chain while its client waits has no success by it', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  const { authorizer } = stage.signatures
  if (!authorizer) throw new Error('The stage takes no signatures')
  const receipt = authorizer.receipt.bind(authorizer)
  // The first call is the slowest: it is the last to read that the transaction is in a block.
  let goOn = () => {}
  const isLate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const spy = vi.spyOn(authorizer, 'receipt').mockImplementationOnce(async (txId) => {
    await isLate
    return await receipt(txId)
  })
  const ofClient = settle(proof)
  await client.untilSent(proof.payload.authorization.nonce)
  await expect.poll(() => spy.mock.calls.length).toBe(1)
  const [held] = await stage.db.read((tx) =>
    tx.all<{ endsAtMs: number }>(sql`
      select ends_at_ms as "endsAtMs" from x402_settlements where payment_id = ${payment.id}`),
  )
  expect((held?.endsAtMs ?? 0) - Date.now(), 'its turn is longer than its wait').toBeGreaterThan(30_000)
  await stage.finish()
  const ofThieves = await Promise.all([1, 2, 3].map(() => settle(proof)))
  const pending = { success: false, errorReason: 'settlement_pending' }
  expect(ofThieves).toMatchObject([pending, pending, pending])
  goOn()
  expect(await ofClient).toMatchObject({ success: true })
  spy.mockRestore()
  expect(await settle(proof)).toMatchObject(duplicate)
})

test('a call that died with its process keeps nobody from a success for longer than its wait', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  const { id } = payment
  const hold = (endsAtMs: number) =>
    stage.db.write((tx) => holdSettlement(tx, { id, callId: 'dead', nowMs: Date.now(), endsAtMs }))
  await hold(Date.now() + 600_000)
  expect(await client.drive(settle(proof))).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  await stage.db.write((tx) => tx.run(sql`update x402_settlements set ends_at_ms = ${Date.now() - 1}`))
  expect(await settle(proof)).toMatchObject({ success: true })
  expect(await stage.db.read((tx) => tx.all(sql`select call_id from x402_settlements`))).toEqual([])
})

test('a call that outlived its time does not end the one that took its place', async () => {
  const { id } = await stage.createDeposit()
  const hold = (callId: string, nowMs: number, endsAtMs: number) =>
    stage.db.write((tx) => holdSettlement(tx, { id, callId, nowMs, endsAtMs }))
  const holders = () => stage.db.read((tx) => tx.all(sql`select call_id from x402_settlements`))
  await hold('slow', 0, 10)
  await hold('early', 9, 30)
  expect(await holders()).toEqual([{ call_id: 'slow' }])
  await hold('next', 10, 20)
  expect(await holders()).toEqual([{ call_id: 'next' }])
  await stage.db.write((tx) => releaseSettlement(tx, { id, callId: 'slow' }))
  expect(await stage.db.read((tx) => isHeldByAnother(tx, { id, callId: 'third', nowMs: 19 }))).toBe(true)
  await stage.db.write((tx) => releaseSettlement(tx, { id, callId: 'next' }))
})

test('500.00 is not settled by what paid 1.00, whatever the client says that it accepted', async () => {
  const payment = await stage.createDeposit('1.00')
  const proof = await proveFor(payment)
  const dear = { ...proof, accepted: { ...proof.accepted, amount: '500000000' } }
  const refusal = { success: false, errorReason: 'invalid_payment_requirements', transaction: '' }
  expect(await settle(dear)).toMatchObject(refusal)
  // Nor once it is on its way, or paid, for which nothing was had yet.
  const paying = client.drive(client.askFor(payment, proof))
  expect((await paying).status).toBe(200)
  expect(await settle(dear)).toMatchObject(refusal)
  expect(await settle(proof)).toMatchObject({ success: true })
})

test('a forged signature under a known payer and nonce settles nothing', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  expect((await client.drive(client.askFor(payment, proof))).status).toBe(200)
  const thief = await client.prove(proof.accepted, privateKeyToAccount(generatePrivateKey()))
  for (const signature of [thief.payload.signature, `0x${'11'.repeat(65)}`, `0x${'11'.repeat(100)}`]) {
    const forged = { ...proof, payload: { ...proof.payload, signature } }
    const refused = { success: false, errorReason: 'invalid_exact_evm_signature', transaction: '' }
    expect(await settle(forged), signature).toMatchObject(refused)
  }
  const changed = { ...proof.payload.authorization, validBefore: '9999999999' }
  const other = await settle({ ...proof, payload: { ...proof.payload, authorization: changed } })
  expect(other).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_signature' })
  expect(await settle(proof)).toMatchObject({ success: true })
})

test('what was served as a charge is no success, and what was a success is served by no charge', async () => {
  const first = await client.prove((await client.charge()).required?.accepts[0])
  expect((await client.drive(client.charge(first))).status).toBe(200)
  expect(await settle(first)).toMatchObject(duplicate)
  // Made for one resource, it is not sold as another.
  const second = await client.prove((await client.charge()).required?.accepts[0])
  const other = { ...second, resource: { url: 'https://api.example/other' } }
  expect(await settle(other)).toMatchObject({ success: false, errorReason: 'invalid_payment_requirements' })
  const own = { ...second, resource: { url: 'https://api.example/report' } }
  expect(await client.drive(settle(own))).toMatchObject({ success: true })
  const charged = await client.charge(second)
  expect([charged.status, charged.settlement?.errorReason]).toEqual([402, 'duplicate_settlement'])
})

test('a payment that ended before its proof came into a block is no success', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  await stage.chain.setAutomine(false)
  const settling = settle(proof)
  await client.untilSent(proof.payload.authorization.nonce)
  await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'cancelled', atMs: Date.now() })
  await stage.chain.setAutomine(true)
  const answer = await client.drive(settling)
  const refusal = { success: false, errorMessage: expect.stringContaining('came after the payment had ended') }
  expect(answer).toMatchObject(refusal)
  // It does not ask to be called again.
  expect(await settle(proof)).toMatchObject({ ...refusal, errorReason: 'unexpected_settle_error' })
  expect(await stage.balanceOf(payment.depositAddress as Hex)).toBe(25_000_000n)
})

test('a proof that was taken before is good until something was had for it: servers verify it again when its client comes back', async () => {
  const payment = await stage.createDeposit()
  const proof = await proveFor(payment)
  expect((await client.drive(client.askFor(payment, proof))).status).toBe(200)
  expect(await client.facilitator('verify', proof)).toEqual({ isValid: true, payer: stage.customer.address })
  const forged = { ...proof, payload: { ...proof.payload, signature: `0x${'11'.repeat(65)}` } }
  expect(await client.facilitator('verify', forged)).toMatchObject({ isValid: false })
  expect(await settle(proof)).toMatchObject({ success: true })
  const used = await client.facilitator('verify', proof)
  expect(used).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' })
})
