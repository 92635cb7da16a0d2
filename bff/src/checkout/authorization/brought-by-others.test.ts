import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { createX402Client } from '@stablecoin-checkout/rig/x402-client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedAuthorization } from '../../payment/authorization.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { AuthorizeRequest, signedOfRequest } from './authorization-schemas.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
beforeAll(async () => {
  stage = await openAuthorizationStage({ waitMs: 20_000 })
  client = createX402Client(stage)
  await stage.mint(stage.customer.address, 10_000_000_000n)
})
afterAll(() => stage?.close())

const post = (id: string, body: unknown) => stage.post(`/api/v1/payments/${id}/authorize`, body)
const operatorNonce = () => stage.chain.getTransactionCount({ address: stage.relayer.address, blockTag: 'pending' })

/** A smart account's signature: its address, then its owner key's signature. */
const smartSignature = (account: string, signature: string) => `${account.toLowerCase()}${signature.slice(2)}`

/** A stranger sends the same call that the service would send. */
async function bringCall(id: PaymentId, signed: SignedAuthorization): Promise<Hex> {
  const called = await stage.signatures.authorizer?.identify(await stage.load(id), signed)
  if (!called) throw new Error('Nothing can be signed')
  const stranger = await client.openStranger()
  const { status, transactionHash } = await stage.send(
    { to: called.target, data: called.data as Hex },
    stranger as never,
  )
  expect(status).toBe('success')
  return transactionHash
}

describe('an external submission is the customer’s payment', () => {
  test('in the same block as ours, which reverts: the customer sees it as sent, and pays once', async () => {
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment)
    const stranger = await client.openStranger()
    await stage.chain.setAutomine(false)
    const waiting = post(payment.id, stage.bodyOf(signed))
    await client.untilSent(signed.nonce)
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n }
    const hash = await client.bring(stranger, signed, fees)
    await stage.chain.mine({ blocks: 1 })
    const answer = await waiting
    await stage.chain.setAutomine(true)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
    await stage.finish()
    expect(await stage.load(payment.id)).toMatchObject({ received: 25_000_000n })
    const again = await post(payment.id, stage.bodyOf(signed))
    expect([again.status, again.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
  })

  test('before ours is made: no gas is spent, and the payment accepts no second authorization', async () => {
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment)
    const hash = await bringCall(payment.id, signed)
    const nonce = await operatorNonce()
    const answer = await post(payment.id, stage.bodyOf(signed))
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
    const second = await stage.refusal(payment.id, stage.bodyOf(await stage.sign(payment)))
    expect(second).toMatchObject({ status: 409, code: 'AUTHORIZATION_UNDER_WAY' })
    await stage.sendDue()
    expect(await operatorNonce()).toBe(nonce)
    await stage.finish()
    expect(await stage.load(payment.id)).toMatchObject({ received: 25_000_000n })
  })

  test('and the watcher has read it: a later first request gets the same response', async () => {
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment)
    const hash = await bringCall(payment.id, signed)
    await stage.finish()
    const answer = await post(payment.id, stage.bodyOf(signed))
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
  })

  test('at the splitter, for a contract payment', async () => {
    const created = await stage.create()
    const signed = await stage.signSplit(created)
    const hash = await bringCall(created.id, signed)
    const answer = await post(created.id, stage.bodyOf(signed))
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
    await stage.finish()
    const later = await post(created.id, stage.bodyOf(signed))
    expect([later.status, later.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
  })

  test('by a smart account (ERC-1271): its contract verifies the signature', async () => {
    const account = await stage.openSmartAccount(25_000_000n)
    const payment = await stage.createDeposit()
    const { signature, ...authorization } = await stage.sign(payment, { from: account })
    const signed = { ...authorization, signature: smartSignature(account, signature) }
    const hash = await bringCall(payment.id, signed)
    const other = privateKeyToAccount(generatePrivateKey())
    const { signature: forged } = await stage.sign(payment, authorization, other)
    // The nonce is public: only the wallet's own signature is a proof.
    for (const wrong of [smartSignature(account, forged), signature, forged]) {
      const answer = await stage.refusal(payment.id, stage.bodyOf({ ...signed, signature: wrong }))
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_SIGNATURE' })
    }
    const answer = await post(payment.id, stage.bodyOf(signed))
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
    await stage.finish()
    expect(await stage.load(payment.id)).toMatchObject({ received: 25_000_000n })
  })

  test.each(['deposits', 'payments'])('by Permit2, of %s', async (path) => {
    const customer = privateKeyToAccount(generatePrivateKey())
    await stage.giveUsdt(customer, 25_000_000n)
    const terms = { amount: '25.00', currency: 'USDT', network: 'devnet' }
    const { id } = (await stage.post(`/api/v1/${path}/create`, terms)).body.payment
    const body = await stage.signPermit2(await stage.readPublic(id), customer)
    const hash = await bringCall(id, signedOfRequest(AuthorizeRequest.parse(body)) as SignedAuthorization)
    const answer = await post(id, body)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
  })
})

describe('does not pay', () => {
  test('when the payer used the authorization for another address, and is refused after the chain was read', async () => {
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment)
    const other = await stage.sign(
      { depositAddress: stage.tokenOwner.address as Hex, amount: '1.00' },
      { nonce: signed.nonce },
    )
    const hash = await client.bring(await client.openStranger(), other)
    await receiptOf(stage.chain, hash)
    expect(await stage.refusal(payment.id, stage.bodyOf(signed))).toMatchObject({
      status: 400,
      code: 'AUTHORIZATION_USED',
    })
    // Other money of the payer does not come from the authorization.
    await stage.transfer(payment.depositAddress, 25_000_000n)
    await stage.finish()
    expect(await stage.refusal(payment.id, stage.bodyOf(signed))).toMatchObject({
      status: 400,
      code: 'PAYMENT_NOT_OPEN',
    })
  })

  test('with payer and nonce of another’s payment, and another signature', async () => {
    const payment = await stage.createDeposit()
    const signed = await stage.sign(payment)
    await bringCall(payment.id, signed)
    const thief = await stage.sign(payment, { nonce: signed.nonce }, privateKeyToAccount(generatePrivateKey()))
    for (const signature of [thief.signature, `0x${'11'.repeat(65)}`]) {
      const answer = await stage.refusal(payment.id, stage.bodyOf({ ...signed, signature }))
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_SIGNATURE' })
    }
    expect((await post(payment.id, stage.bodyOf(signed))).status).toBe(200)
    const later = await stage.refusal(payment.id, stage.bodyOf({ ...signed, signature: thief.signature }))
    expect(later).toMatchObject({ status: 400, code: 'INVALID_SIGNATURE' })
  })
})

test('a submission further back than one range of blocks is found', async () => {
  const payment = await stage.createDeposit()
  const signed = await stage.sign(payment)
  const hash = await bringCall(payment.id, signed)
  await stage.chain.mine({ blocks: 2_100 })
  const answer = await post(payment.id, stage.bodyOf(signed))
  expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted', transactionHash: hash }])
})
