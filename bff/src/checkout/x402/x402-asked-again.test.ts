import {
  type AuthorizationStage,
  type Deposit,
  openAuthorizationStage,
} from '@stablecoin-checkout/rig/authorization-stage'
import { createX402Client, type Proof } from '@stablecoin-checkout/rig/x402-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 50 })
  client = createX402Client(stage)
})
afterAll(() => stage?.close())

const prove = async (payment: Deposit) => await client.prove((await client.askFor(payment)).required?.accepts[0])

/** Could be mended by another proof, if one could still pay. */
const forAnotherNetwork = (proof: Proof): Proof => ({
  ...proof,
  accepted: { ...proof.accepted, network: 'eip155:1' },
})

/** The answer to a refused proof, which is asked for no other. */
async function expectNoOther(payment: Deposit, proof: Proof): Promise<void> {
  const { status, body, required } = await client.askFor(payment, forAnotherNetwork(proof))
  expect([status, body['code'], required]).toEqual([400, 'REQUIREMENTS_MISMATCH', undefined])
}

test('a proof that can be mended is asked for once more while the payment is open', async () => {
  const payment = await stage.createDeposit()
  const answer = await client.askFor(payment, forAnotherNetwork(await prove(payment)))
  expect([answer.status, answer.required?.accepts[0]?.amount]).toEqual([402, '25000000'])
})

test('a payment whose amount was seen in full is not asked for again, with a proof or without', async () => {
  const payment = await stage.createDeposit()
  const proof = await prove(payment)
  const { transactionHash } = await stage.mint(payment.depositAddress, 25_000_000n)
  await stage.watch()
  const { status, body, required } = await client.askFor(payment)
  expect([status, body['transactionHash'], required]).toEqual([202, transactionHash, undefined])
  await expectNoOther(payment, proof)
})

test('a payment that was seen within the tolerance of the merchant is not asked for the rest', async () => {
  const payment = await stage.createDeposit()
  await stage.db.write((tx) => tx.run(sql`update payments set least = '24000000' where id = ${payment.id}`))
  const proof = await prove(payment)
  const { transactionHash } = await stage.mint(payment.depositAddress, 24_000_000n)
  await stage.watch()
  const { status, body, required } = await client.askFor(payment)
  expect([status, body['transactionHash'], required]).toEqual([202, transactionHash, undefined])
  await expectNoOther(payment, proof)
})

test('a payment that has ended is not asked for again', async () => {
  const payment = await stage.createDeposit()
  const proof = await prove(payment)
  await stage.ledger.apply(payment.id, { type: 'payment.closed', as: 'cancelled', atMs: Date.now() })
  await expectNoOther(payment, proof)
})

test('a payment that a proof is about to pay is not asked for again', async () => {
  const payment = await stage.createDeposit()
  const proof = await prove(payment)
  expect((await client.askFor(payment, proof)).status).toBe(202)
  await expectNoOther(payment, proof)
  await stage.finish()
})

test('a charge whose proof cannot be sent now is not asked for anew: the same proof pays it later', async () => {
  const proof = await client.prove((await client.charge()).required?.accepts[0])
  const payments = async () => (await stage.db.read((tx) => tx.all(sql`select id from payments`))).length
  const before = await payments()
  const address = stage.relayer.address
  const balance = await stage.chain.getBalance({ address })
  await stage.chain.setBalance({ address, value: 0n })
  const { status, body, required } = await client.charge(proof)
  expect([status, body['code'], required]).toEqual([503, 'RELAY_UNAVAILABLE', undefined])
  expect(await payments()).toBe(before)
  await stage.chain.setBalance({ address, value: balance })
  expect((await client.charge(proof)).status).toBe(202)
  await stage.sendDue()
  await stage.finish()
  expect((await client.charge(proof)).status).toBe(200)
})
