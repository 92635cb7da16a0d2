import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { createX402Client, type Proof } from '@stablecoin-checkout/rig/x402-client'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Client = ReturnType<typeof createX402Client>

let stage: AuthorizationStage
let client: Client
/** The same client, after a restart of the service with no `signatureGas` on the network. */
let later: Client
let restarted: AuthorizationStage['app']
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 1 })
  client = createX402Client(stage)
  restarted = stage.restartedApp({ signatureGas: null })
  later = createX402Client({ ...stage, app: restarted })
  await stage.mint(stage.customer.address, 1_000_000_000n)
})
afterAll(() => stage?.close())

const proveCharge = async () => await client.prove((await client.charge()).required?.accepts[0])
const balanceAt = (proof: Proof) => stage.balanceOf(proof.accepted.payTo as Hex)

async function proveDeposit() {
  const payment = await stage.createDeposit()
  return { payment, proof: await client.prove((await client.askFor(payment)).required?.accepts[0]) }
}

/** Sends the proof, without waiting for its result. */
async function present(proof: Proof, ask: () => Promise<unknown>): Promise<void> {
  const pending = ask()
  await client.untilSent(proof.payload.authorization.nonce)
  await pending
}

/** As whoever reads the proof on the chain would present it. */
const forgedOf = (proof: Proof): Proof => ({
  ...proof,
  payload: { ...proof.payload, signature: `0x${'11'.repeat(65)}` },
})

test('a charge that was paid before signatureGas was removed is served once, and only to its payer', async () => {
  const proof = await proveCharge()
  await present(proof, () => client.charge(proof))
  await stage.finish()
  expect((await later.charge(forgedOf(proof))).status).toBe(409)
  const answers = await Promise.all([proof, proof].map((one) => later.charge(one)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await later.charge(proof)).settlement).toMatchObject({ errorReason: 'duplicate_settlement' })
})

test('a proof that a stranger brought before signatureGas was removed is served once', async () => {
  const proof = await proveCharge()
  const hash = await client.bring(await client.openStranger(), client.signedOf(proof))
  await receiptOf(stage.chain, hash)
  await stage.finish()
  expect((await later.charge(proof)).status).toBe(200)
  expect((await later.charge(proof)).status).toBe(409)
})

test('a proof that moved no money before signatureGas was removed is refused and not sent', async () => {
  const proof = await proveCharge()
  const { status, body } = await later.charge(proof)
  expect([status, body['code']]).toEqual([409, 'X402_NOT_OFFERED'])
  await stage.finish()
  expect(await balanceAt(proof)).toBe(0n)
  expect((await later.charge()).status).toBe(409)
})

test('a payment that a proof has paid reads as paid to its client, and to a facilitator once, after signatureGas was removed', async () => {
  const first = await proveDeposit()
  await present(first.proof, () => client.askFor(first.payment, first.proof))
  const second = await proveDeposit()
  await present(second.proof, () => client.facilitator('settle', second.proof))
  await stage.finish()
  expect((await later.askFor(first.payment, first.proof)).status).toBe(200)
  expect(await later.facilitator('verify', second.proof)).toMatchObject({ isValid: true })
  expect(await later.facilitator('settle', second.proof)).toMatchObject({ success: true })
  expect(await later.facilitator('settle', second.proof)).toMatchObject({ errorReason: 'duplicate_settlement' })
})

test('no x402 payment is offered without signatureGas, and a facilitator refuses a new proof', async () => {
  const { payment, proof } = await proveDeposit()
  const asked = await later.askFor(payment)
  expect([asked.status, asked.body['code']]).toEqual([409, 'X402_NOT_OFFERED'])
  expect(await later.facilitator('verify', proof)).toMatchObject({ isValid: false })
  expect(await later.facilitator('settle', proof)).toMatchObject({ success: false })
  const headers = { 'X-API-Key': stage.merchant.apiKey, 'X-API-Secret': stage.merchant.apiSecret }
  const supported = await restarted.request('/x402/supported', { headers })
  expect(await supported.json()).toMatchObject({ kinds: [], signers: {} })
  await stage.finish()
  expect(await balanceAt(proof)).toBe(0n)
})
