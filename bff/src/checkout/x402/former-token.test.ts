import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { createX402Client, type Proof } from '@stablecoin-checkout/rig/x402-client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Token } from '../../core/families.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
let configured: readonly Token[]
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 1 })
  client = createX402Client(stage)
  configured = [...stage.network.tokens]
  await stage.mint(stage.customer.address, 1_000_000_000n)
})
afterEach(() => {
  configure(configured)
})
afterAll(() => stage?.close())

const newUsdc = '0x00000000000000000000000000000000000000e3'

/** In place: every part of the service reads this list. */
function configure(tokens: readonly Token[]): void {
  const list = stage.network.tokens as Token[]
  list.splice(0, list.length, ...tokens)
}

const withUsdc = (changed: Partial<Token>) =>
  configure(configured.map((token) => (token.symbol === 'USDC' ? { ...token, ...changed } : token)))

/** The configuration names another USDC from now on. */
const replaceToken = () => withUsdc({ address: newUsdc })

/** The configuration says of no USDC that it is signed for. */
const stopSigning = () => withUsdc({ permit: null, authorization: null })

const proveCharge = async () => await client.prove((await client.charge()).required?.accepts[0])
/** What refuses a request: its status, and the reason that its client reads. */
const reasonOf = ({ status, settlement }: Awaited<ReturnType<typeof client.charge>>) => [
  status,
  settlement?.errorReason,
]
const balanceAt = (proof: Proof) => stage.balanceOf(proof.accepted.payTo as Hex)

/** Waits until the stranger's transaction is in a block. */
async function bring(proof: Proof): Promise<void> {
  const hash = await client.bring(await client.openStranger(), client.signedOf(proof))
  await receiptOf(stage.chain, hash)
}

/** As whoever reads the proof on the chain would present it. */
const forgedOf = (proof: Proof): Proof => ({
  ...proof,
  payload: { ...proof.payload, signature: `0x${'11'.repeat(65)}` },
})

for (const [what, change, status] of [
  ['was replaced', replaceToken, 402],
  // Nothing can be offered in its place.
  ['is not signed for any more', stopSigning, 409],
] as const) {
  test(`a proof that was sent before its token ${what} is served once`, async () => {
    const proof = await proveCharge()
    const pending = client.charge(proof)
    await client.untilSent(proof.payload.authorization.nonce)
    expect((await pending).status).toBe(202)
    change()
    await stage.finish()
    const answers = await Promise.all([proof, proof, forgedOf(proof)].map((one) => client.charge(one)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test(`a proof that a stranger brought before its token ${what} is served once, and only to its payer`, async () => {
    const proof = await proveCharge()
    await bring(proof)
    change()
    const early = await client.charge(proof)
    expect(early.status).toBe(202)
    await stage.finish()
    expect(reasonOf(await client.charge(forgedOf(proof)))).toEqual([status, 'invalid_exact_evm_signature'])
    expect((await client.charge(proof)).status).toBe(200)
    expect(reasonOf(await client.charge(proof))).toEqual([status, 'duplicate_settlement'])
  })
}

test('a proof that moved no money before its token was replaced is not sent: its client is asked for the new token', async () => {
  const proof = await proveCharge()
  replaceToken()
  const answer = await client.charge(proof)
  expect([answer.status, answer.required?.accepts[0]?.asset]).toEqual([402, newUsdc])
  await stage.finish()
  expect(await balanceAt(proof)).toBe(0n)
})

test('a proof under another domain, or of another account, is not served for money that came by a former token', async () => {
  const proof = await proveCharge()
  await bring(proof)
  replaceToken()
  await stage.finish()
  const thief = privateKeyToAccount(generatePrivateKey())
  const { signature } = (await client.prove(proof.accepted, thief)).payload
  const { extra } = proof.accepted
  const reasons: unknown[] = []
  for (const one of [
    { ...proof, payload: { ...proof.payload, signature } },
    { ...proof, accepted: { ...proof.accepted, extra: { ...extra, name: 'Another' } } },
    {
      ...proof,
      accepted: { ...proof.accepted, extra: { ...extra, name: 'Another' } },
      payload: forgedOf(proof).payload,
    },
  ]) {
    reasons.push(reasonOf(await client.charge(one)))
  }
  expect(reasons).toEqual(Array(3).fill([402, 'invalid_exact_evm_signature']))
  expect((await client.charge(proof)).status).toBe(200)
})

test('the payment that a proof has paid reads as paid to its client, and to a facilitator, after its token was replaced', async () => {
  const payments = [await stage.createDeposit(), await stage.createDeposit()]
  const proofs: Proof[] = []
  for (const payment of payments) {
    const proof = await client.prove((await client.askFor(payment)).required?.accepts[0])
    const pending = client.askFor(payment, proof)
    await client.untilSent(proof.payload.authorization.nonce)
    await pending
    proofs.push(proof)
  }
  await stage.finish()
  replaceToken()
  const [first, second] = proofs as [Proof, Proof]
  expect((await client.askFor(payments[0] as { id: string }, first)).status).toBe(200)
  const { extra } = second.accepted
  expect(await client.facilitator('settle', { ...second, accepted: { ...second.accepted, extra } })).toMatchObject({
    success: true,
  })
})
