import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { createX402Client } from '@stablecoin-checkout/rig/x402-client'
import { type Hex, numberToHex, parseSignature, serializeSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { setMerchant } from '../../merchant/accounts.ts'
import { defaultSettings, type MerchantSettings, parseGasLimit } from '../../merchant/merchant-settings.ts'
import { openMax } from './charge-room.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 2_000 })
  client = createX402Client(stage)
  await stage.mint(stage.customer.address, 10_000_000_000n)
})
afterAll(() => stage?.close())

const asked = async (more: object = {}) => (await client.charge(undefined, more)).required?.accepts[0]
const moreFees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n }
const served = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature that the same key has made by the same: anybody can work it out. */
function otherHalf(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: numberToHex(curveOrder - BigInt(s), { size: 32 }), yParity: 1 - yParity })
}

/** Asks until the request is served: what is under way is a 202. */
async function untilServed(proof: unknown) {
  for (;;) {
    const answer = await client.drive(client.charge(proof))
    if (answer.status !== 202) return answer
  }
}

describe('a proof that somebody else has settled', () => {
  test('pays the request it was signed for, once, and its client is never asked to pay again', async () => {
    const proof = await client.prove(await asked())
    const hash = await client.bring(await client.openStranger(), client.signedOf(proof))
    await receiptOf(stage.chain, hash)
    const early = await client.charge(proof)
    expect([early.status, early.body['transactionHash']]).toEqual([202, hash])
    const second = await client.charge(await client.prove(proof.accepted))
    expect([second.status, second.body['code']]).toEqual([409, 'AUTHORIZATION_UNDER_WAY'])
    await stage.finish()
    expect(await stage.balanceOf(proof.accepted.payTo as Hex)).toBe(0n)
    const paid = await untilServed(proof)
    expect([paid.status, paid.settlement?.transaction]).toEqual([200, hash])
    const again = await client.charge(proof)
    expect([again.status, again.settlement?.errorReason]).toEqual([402, 'duplicate_settlement'])
  })

  test('in the block of our own transaction, which is reverted, pays one request of twenty at once', async () => {
    const stranger = await client.openStranger()
    const proof = await client.prove(await asked())
    await stage.chain.setAutomine(false)
    const waiting = client.charge(proof)
    await client.untilSent(proof.payload.authorization.nonce)
    await client.bring(stranger, client.signedOf(proof), moreFees)
    await stage.chain.mine({ blocks: 1 })
    const first = await waiting
    expect(first.status).toBe(202)
    await stage.chain.setAutomine(true)
    await stage.chain.mine({ blocks: stage.network.confirmations })
    await stage.watch()
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.charge(proof)))
    expect(served(answers)).toBe(1)
    await stage.finish()
    expect(served(await Promise.all([client.charge(proof), client.charge(proof)]))).toBe(0)
  })

  test('pays its payer alone, though a thief was offered the same payment and comes first', async () => {
    const ofThief = []
    for (let count = 0; count < openMax.perPrice; count++) ofThief.push(await asked({ amount: '24.50' }))
    const accepted = await asked({ amount: '24.50' })
    const claimed = ofThief.find((one) => one?.payTo === accepted?.payTo)
    expect(claimed).toBeDefined()
    const stranger = await client.openStranger()
    const proof = await client.prove(accepted)
    await stage.chain.setAutomine(false)
    const waiting = client.charge(proof, { amount: '24.50' })
    await client.untilSent(proof.payload.authorization.nonce)
    await client.bring(stranger, client.signedOf(proof), moreFees)
    await stage.chain.mine({ blocks: 1 })
    expect((await waiting).status).toBe(202)
    await stage.chain.setAutomine(true)
    await stage.finish()
    const { payload } = proof
    for (const stolen of [
      { ...proof, accepted: claimed },
      { ...proof, accepted: claimed, payload: { ...payload, signature: otherHalf(payload.signature as Hex) } },
    ]) {
      const answer = await client.charge(stolen, { amount: '24.50' })
      expect([answer.status, answer.settlement?.errorReason]).toEqual([402, 'invalid_exact_evm_signature'])
    }
    expect((await client.charge(proof, { amount: '24.50' })).status).toBe(200)
  })

  test('for another address is refused by its reason, and nothing is served for it', async () => {
    const accepted = await asked()
    const proof = await client.prove(accepted)
    const elsewhere = await stage.sign(
      { depositAddress: stage.tokenOwner.address as Hex, amount: '1.00' },
      { nonce: proof.payload.authorization.nonce },
    )
    const hash = await client.bring(await client.openStranger(), elsewhere)
    await receiptOf(stage.chain, hash)
    const answer = await client.charge(proof)
    expect([answer.status, answer.settlement?.errorReason]).toEqual([402, 'invalid_exact_evm_nonce_already_used'])
  })
})

describe('a refused proof is never served', () => {
  test('after a plain transfer has paid its payment: ten times of ten', async () => {
    const accepted = await asked()
    await stage.transfer(accepted?.payTo as Hex, 25_000_000n)
    await stage.finish()
    const poor = privateKeyToAccount(generatePrivateKey())
    const [unsigned, ofPoor, unused] = [
      { x402Version: 2, accepted, payload: { transaction: Buffer.from('nothing').toString('base64') } },
      await client.prove(accepted, poor),
      await client.prove(accepted),
    ]
    for (const proof of [unsigned, ofPoor, unused]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.charge(proof)))
      expect(served(answers)).toBe(0)
    }
    const refused = await client.charge(ofPoor)
    expect([refused.status, refused.settlement?.success]).toEqual([402, false])
    expect(refused.required?.accepts[0]?.payTo).not.toBe(accepted?.payTo)
  })

  test('at the address of a payment, which is paid by others', async () => {
    const payment = await stage.createDeposit()
    const accepted = (await client.askFor(payment)).required?.accepts[0]
    const forged = await client.prove(accepted, privateKeyToAccount(generatePrivateKey()))
    await stage.transfer(payment.depositAddress, 25_000_000n)
    await stage.finish()
    const answer = await client.askFor(payment, forged)
    expect([answer.status, answer.body['code']]).toEqual([409, 'PAYMENT_NOT_OPEN'])
    expect((await client.askFor(payment)).status).toBe(200)
  })

  test('to a thief who read payer and nonce on the chain, while the payer’s own is served', async () => {
    const proof = await client.prove(await asked())
    await stage.chain.setAutomine(false)
    const paying = client.charge(proof)
    await client.untilSent(proof.payload.authorization.nonce)
    const { authorization } = proof.payload
    const thief = privateKeyToAccount(generatePrivateKey())
    const ofThief = (await client.prove(proof.accepted, thief)).payload.signature
    const stolen = [
      { ...proof, payload: { authorization, signature: ofThief } },
      { ...proof, payload: { authorization, signature: `0x${'11'.repeat(65)}` } },
      { ...proof, payload: { authorization: { ...authorization, validBefore: '1' }, signature: ofThief } },
      // With the whole call from the pool, and a claim of the thief's own.
      { ...proof, accepted: { ...proof.accepted, extra: (await asked())?.extra } },
      { ...proof, accepted: { ...proof.accepted, extra: { name: 'USD Coin', version: '2' } } },
    ]
    const before = await Promise.all(stolen.map((one) => client.charge(one)))
    expect(before.map(({ status }) => status)).toEqual(Array(5).fill(402))
    await stage.chain.setAutomine(true)
    await stage.finish()
    const racing = await Promise.all([...stolen, ...stolen].map((one) => client.charge(one)))
    expect(racing.map(({ status }) => status)).toEqual(Array(10).fill(402))
    const own = await paying
    // The first request may have ended its wait before.
    expect(own.status === 202 ? (await client.charge(proof)).status : own.status).toBe(200)
  })

  test('for another resource, or at another price, and still pays its own', async () => {
    const proof = await client.prove(await asked())
    const paid = await untilServed(proof)
    expect(paid.status).toBe(200)
    const other = await client.prove(await asked())
    for (const more of [
      { resource: 'https://api.example/other' },
      { amount: '24.00' },
      { network: 'devnet', currency: 'USDT' },
    ]) {
      const answer = await client.charge(other, more)
      expect([JSON.stringify(more), [402, 409].includes(answer.status)]).toEqual([JSON.stringify(more), true])
    }
    const elsewhere = await client.charge(other, { resource: 'https://api.example/other' })
    expect([elsewhere.status, elsewhere.settlement?.errorReason]).toEqual([402, 'invalid_payment_requirements'])
    expect((await untilServed(other)).status).toBe(200)
  })
})

test('a charge that the merchant refunds before it was used serves nobody, unless the refund is cancelled', async () => {
  const proof = await client.prove(await asked())
  expect((await client.charge(proof)).status).toBe(202)
  await client.untilSent(proof.payload.authorization.nonce)
  await stage.finish()
  const payment = await stage.db.read((tx) =>
    tx.get<{ id: string }>(
      sql`select id from payments where lower(deposit_address) = ${proof.accepted.payTo.toLowerCase()}`,
    ),
  )
  const { refund } = await client.merchant(`/payments/${payment?.id}/refunds`, {})
  const refused = await client.charge(proof)
  expect([refused.status, refused.settlement?.errorReason]).toEqual([402, 'duplicate_settlement'])
  await client.merchant(`/refunds/${refund?.id}/cancel`, {})
  expect((await client.charge(proof)).status).toBe(200)
})

test('addresses are compared without the case of their letters', async () => {
  const proof = await client.prove(await asked())
  const { accepted } = proof
  const lower = { ...accepted, payTo: accepted.payTo.toLowerCase(), asset: accepted.asset.toLowerCase() }
  expect((await untilServed({ ...proof, accepted: lower })).status).toBe(200)
})

test('a proof whose transfer came too late is not followed for ever, and its client is asked anew', async () => {
  const proof = await client.prove(await asked({ amount: '23.50' }))
  await stage.chain.setAutomine(false)
  const waiting = client.charge(proof, { amount: '23.50' })
  await client.untilSent(proof.payload.authorization.nonce)
  const address = proof.accepted.payTo.toLowerCase()
  await stage.db.write((tx) =>
    tx.run(sql`update payments set window_ends_at_ms = created_at_ms where lower(deposit_address) = ${address}`),
  )
  await stage.chain.mine({ blocks: 1, interval: 60 })
  expect((await waiting).status).toBe(202)
  await stage.chain.setAutomine(true)
  await stage.finish()
  // The window ends when a block after it has its confirmations.
  await stage.finish()
  const answer = await client.charge(proof, { amount: '23.50' })
  expect([answer.status, answer.settlement?.success]).toEqual([402, false])
  expect(answer.required?.accepts[0]?.payTo).not.toBe(proof.accepted.payTo)

  // A shop that takes no signatures any more asks for no other one: the client is told what becomes of its money.
  const set = (signatureGas: MerchantSettings['signatureGas']) =>
    setMerchant(stage.db, stage.merchant.merchantId, { signatureGas })
  await set(parseGasLimit('off'))
  const last = await client.charge(proof, { amount: '23.50' }).finally(() => set(defaultSettings.signatureGas))
  expect([last.status, last.body]).toMatchObject([
    409,
    { message: 'The money came after the payment had ended: the merchant takes it or returns it.' },
  ])
})
