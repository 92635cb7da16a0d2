import {
  type AuthorizationStage,
  type Deposit,
  openAuthorizationStage,
} from '@stablecoin-checkout/rig/authorization-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { setMerchant } from '../../merchant/accounts.ts'
import { parseGasLimit } from '../../merchant/merchant-settings.ts'
import { createX402Payments } from './x402-payments.ts'
import type { PaymentRequired, Settlement } from './x402-wire.ts'

let stage: AuthorizationStage
beforeAll(async () => {
  stage = await openAuthorizationStage()
})
afterAll(() => stage?.close())

const decode = <T>(header: string | null): T => JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as T

const ask = ({ id }: Deposit, headers: Record<string, string> = {}) =>
  stage.app.request(`/x402/${id}`, { method: 'POST', headers })

/** What a client of x402 signs. */
async function prove(payment: Deposit, account?: PrivateKeyAccount) {
  const [terms] = decode<PaymentRequired>((await ask(payment)).headers.get('payment-required')).accepts
  const { signature, ...authorization } = await stage.sign(payment, {}, account)
  return { x402Version: 2, accepted: terms, payload: { signature, authorization } }
}

async function reasonOf(payment: Deposit, proof: object): Promise<string | undefined> {
  const header = Buffer.from(JSON.stringify(proof)).toString('base64')
  const response = await ask(payment, { 'PAYMENT-SIGNATURE': header })
  expect(response.status).toBe(402)
  return decode<Settlement>(response.headers.get('payment-response')).errorReason
}

const callToken = (functionName: string, args: readonly unknown[], account?: PrivateKeyAccount) =>
  stage.send({ to: stage.token, data: encodeFunctionData({ abi: testUsdc.abi as Abi, functionName, args }) }, account)

test('a proof whose nonce was used on the chain before is refused, also where it is sent by no x402', async () => {
  const payment = await stage.createDeposit()
  const proof = await prove(payment)
  const { nonce } = proof.payload.authorization
  const another = { depositAddress: stage.tokenOwner.address as Hex, amount: '1.00' }
  const { from, to, value, validAfter, validBefore, signature } = await stage.sign(another, { nonce })
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature]
  await callToken('transferWithAuthorization', args)
  expect(await reasonOf(payment, proof)).toBe('invalid_exact_evm_nonce_already_used')
  const refused = await stage.refusal(payment.id, proof.payload)
  expect(refused).toMatchObject({ status: 400, code: 'AUTHORIZATION_USED', fallback: expect.any(String) })
})

test('a proof of an account that the token refuses is refused, also where it is sent by no x402', async () => {
  const payment = await stage.createDeposit()
  const listed = privateKeyToAccount(generatePrivateKey())
  await stage.mint(listed.address, 25_000_000n)
  const proof = await prove(payment, listed)
  await callToken('blacklist', [listed.address], stage.tokenOwner)
  expect(await reasonOf(payment, proof)).toBe('invalid_exact_evm_transaction_simulation_failed')
  const refused = await stage.refusal(payment.id, proof.payload)
  expect(refused).toMatchObject({ status: 400, code: 'TRANSFER_REFUSED', fallback: expect.any(String) })
})

test('nobody is asked for a proof that the merchant takes none of, and no payment is made for one', async () => {
  const payment = await stage.createDeposit()
  const proof = await prove(payment)
  await setMerchant(stage.db, stage.merchant.merchantId, { signatureGas: parseGasLimit('off') })
  const asked = await ask(payment)
  expect([asked.status, await asked.json()]).toMatchObject([409, { code: 'X402_NOT_OFFERED' }])
  const refused = await ask(payment, { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(proof)).toString('base64') })
  expect(refused.status).toBe(409)
  expect(decode<Settlement>(refused.headers.get('payment-response'))).toMatchObject({
    ...{ success: false, transaction: '', errorMessage: 'The shop does not accept payments by signature.' },
  })
  const { apiKey, apiSecret } = stage.merchant
  const charge = await stage.app.request('/api/v1/x402/charge', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    body: JSON.stringify({ amount: '7', currency: 'USDC', network: 'devnet', resource: 'https://api.example/off' }),
  })
  expect([charge.status, await charge.json()]).toMatchObject([409, { code: 'X402_NOT_OFFERED' }])
  expect(await stage.db.read((tx) => tx.all(sql`select id from payments where due = '7000000'`))).toEqual([])
})

test('a test payment is offered to nobody: its address is on no chain', () => {
  const nothing = { networks: new Map(), schemes: new Map() }
  const { offerOf } = createX402Payments(nothing as unknown as Parameters<typeof createX402Payments>[0])
  expect(() => offerOf(newPayment({ isTest: true }))).toThrow('it is a test payment')
})
