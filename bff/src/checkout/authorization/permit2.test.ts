import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { getAddress, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])

let stage: AuthorizationStage
beforeAll(async () => {
  stage = await openAuthorizationStage()
})
afterAll(() => stage.close())

const usdtOf = async (address: string) =>
  await stage.chain.readContract({
    address: stage.network.tokens[1]?.address as Hex,
    abi: erc20,
    functionName: 'balanceOf',
    args: [address as Hex],
  })

const terms = { amount: '25.00', currency: 'USDT', network: 'devnet' }

async function createUsdt(path: 'deposits' | 'payments') {
  const { body, status } = await stage.post(`/api/v1/${path}/create`, terms)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const id: PaymentId = body.payment.id
  return { id, depositAddress: String(body.payment['depositAddress']), ...(await stage.readPublic(id)) }
}

/** A customer without coins, with 25.00 USDT and a Permit2 approval. */
async function openCustomer(approved?: bigint) {
  const customer = privateKeyToAccount(generatePrivateKey())
  await stage.giveUsdt(customer, 25_000_000n, approved)
  return customer
}

describe('a token without ERC-3009, by a customer who has approved Permit2', () => {
  test('pays a deposit by one signature, and the deposit is swept', async () => {
    const customer = await openCustomer()
    const payment = await createUsdt('deposits')
    expect(payment.authorization?.typedData).toMatchObject({
      primaryType: 'PermitWitnessTransferFrom',
      message: { spender: stage.network.splitter, nonce: null, witness: { depositAddress: payment.depositAddress } },
    })
    const body = await stage.signPermit2(payment, customer)
    const answer = await stage.authorize(payment.id, body)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
    expect(await usdtOf(payment.depositAddress)).toBe(25_000_000n)
    expect((await stage.authorize(payment.id, body)).body, 'a repeat').toEqual(answer.body)
    await stage.finish()
    await stage.finish()
    expect(await stage.load(payment.id)).toMatchObject({ status: 'swept', received: 25_000_000n })
    expect(await usdtOf(customer.address)).toBe(0n)
    expect((await stage.readPublic(payment.id)).authorization, 'nothing is open any more').toBeUndefined()
  })

  test('pays a contract payment, which completes', async () => {
    const customer = await openCustomer()
    const payment = await createUsdt('payments')
    const before = await usdtOf(stage.wallets.merchant)
    const body = await stage.signPermit2(payment, customer)
    expect(body.permit2Authorization).toMatchObject({
      witness: { termsHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    const answer = await stage.authorize(payment.id, body)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
    expect((await usdtOf(stage.wallets.merchant)) - before).toBe(24_625_000n)
    await stage.finish()
    expect(await stage.status(payment.id)).toMatchObject({ status: 'completed', outcome: 'paid' })
  })

  test('five times concurrently is debited once', async () => {
    const customer = await openCustomer()
    await stage.giveUsdt(customer, 100_000_000n, 0n)
    await stage.giveUsdt(customer, 1n, 1_000_000_000n)
    const payment = await createUsdt('deposits')
    const body = await stage.signPermit2(payment, customer)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => stage.authorize(payment.id, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await usdtOf(payment.depositAddress)).toBe(25_000_000n)
    const again = await createUsdt('deposits')
    const { nonce } = body.permit2Authorization
    const replayed = await stage.signPermit2(again, customer, { nonce })
    expect(await stage.refusal(again.id, replayed)).toMatchObject({ status: 400, code: 'AUTHORIZATION_USED' })
  })

  test('accepts a signature that ends in 0 or 1, as some wallets write it', async () => {
    const customer = await openCustomer()
    const payment = await createUsdt('deposits')
    const { signature, ...body } = await stage.signPermit2(payment, customer)
    const last = Number.parseInt(signature.slice(-2), 16) - 27
    const answer = await stage.authorize(payment.id, { ...body, signature: `${signature.slice(0, -2)}0${last}` })
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'accepted' }])
  })
})

describe('is refused before gas is spent', () => {
  const nobody = '0x00000000000000000000000000000000000000aa'
  const cases: [string, string, Record<string, unknown>][] = [
    ['another spender', 'WRONG_RECIPIENT', { spender: nobody }],
    ['the operator’s key as spender', 'WRONG_RECIPIENT', { spender: 'operator' }],
    ['another deposit address', 'WRONG_RECIPIENT', { witness: { depositAddress: nobody } }],
    ['a unit less', 'WRONG_VALUE', { amount: '24999999' }],
    ['a unit more', 'WRONG_VALUE', { amount: '25000001' }],
    ['another token', 'WRONG_VALUE', { token: nobody }],
    ['an end that is too near', 'EXPIRES_TOO_SOON', { deadline: String(Math.floor(Date.now() / 1000) + 4) }],
    ['a nonce beyond a uint256', 'WRONG_VALUE', { nonce: '9'.repeat(78) }],
  ]

  test.each(cases)('%s', async (_, code, { token, amount, spender, ...changed }) => {
    const customer = await openCustomer()
    const payment = await createUsdt('deposits')
    const operator = stage.relayer.address
    const { permitted } = (payment.authorization?.typedData.message ?? {}) as { permitted?: object }
    const isUnsignable = 'nonce' in changed
    const message = {
      permitted: { ...permitted, ...(token !== undefined && { token }), ...(amount !== undefined && { amount }) },
      ...(spender !== undefined && { spender: spender === 'operator' ? operator : spender }),
      ...changed,
    }
    const { permit2Authorization, signature } = await stage.signPermit2(payment, customer, isUnsignable ? {} : message)
    const body = { permit2Authorization: { ...permit2Authorization, ...message }, signature }
    const nonce = await stage.chain.getTransactionCount({ address: operator })
    expect(await stage.refusal(payment.id, body)).toMatchObject({ status: 400, code })
    await stage.sendDue()
    expect(await stage.chain.getTransactionCount({ address: operator, blockTag: 'pending' })).toBe(nonce)
    expect(await usdtOf(customer.address)).toBe(25_000_000n)
  })

  test('an approval that is too small or missing', async () => {
    for (const approved of [24_999_999n, 0n]) {
      const customer = await openCustomer(approved)
      const payment = await createUsdt('deposits')
      const body = await stage.signPermit2(payment, customer)
      expect(await stage.refusal(payment.id, body)).toMatchObject({ status: 400, code: 'PERMIT2_NOT_APPROVED' })
    }
  })

  test('the signature of another account, of a smart account that does not confirm it, and of nobody', async () => {
    const customer = await openCustomer()
    const payment = await createUsdt('deposits')
    const body = await stage.signPermit2(payment, customer)
    const other = await openCustomer()
    const account = await stage.openSmartAccount(1n)
    const asked = async (from: string, signature = body.signature) => {
      const { permit2Authorization } = body
      return await stage.refusal(payment.id, { permit2Authorization: { ...permit2Authorization, from }, signature })
    }
    expect(await asked(other.address)).toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await asked(customer.address, `0x${'11'.repeat(65)}`)).toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await asked(account)).toMatchObject({ code: expect.stringMatching(/INSUFFICIENT_FUNDS|INVALID_SIGNATURE/) })
  })

  test('ERC-3009’s form for this token, and Permit2’s for a token with its own', async () => {
    const customer = await openCustomer()
    const tether = await createUsdt('deposits')
    const signed = await stage.sign({ depositAddress: getAddress(tether.depositAddress) })
    expect(await stage.refusal(tether.id, stage.bodyOf(signed))).toMatchObject({ code: 'SIGNATURE_NOT_OFFERED' })
    const { id } = await stage.createDeposit()
    const body = await stage.signPermit2(tether, customer)
    expect(await stage.refusal(id, body)).toMatchObject({ code: 'SIGNATURE_NOT_OFFERED' })
  })

  test('a body with two forms, or an invalid witness, naming the field', async () => {
    const payment = await createUsdt('deposits')
    const body = await stage.signPermit2(payment, stage.customer)
    const both = { ...body, ...stage.bodyOf(await stage.sign({ depositAddress: getAddress(payment.depositAddress) })) }
    expect(await stage.refusal(payment.id, both)).toMatchObject({
      status: 400,
      message: expect.stringContaining('exactly one of'),
    })
    const witness = { permit2Authorization: { ...body.permit2Authorization, witness: {} }, signature: body.signature }
    expect(await stage.refusal(payment.id, witness)).toMatchObject({
      status: 400,
      message: expect.stringContaining('permit2Authorization.witness'),
    })
  })
})
