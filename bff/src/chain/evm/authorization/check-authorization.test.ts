import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type Hex, hexToBigInt, type PrivateKeyAccount, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { EvmNetwork } from '../../../core/families.ts'
import { baseUnits } from '../../../core/money.ts'
import type { SignedAuthorization } from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import { fieldTypes } from '../eip712.ts'
import { formatSplitTerms, type SplitTerms, termsHash } from '../split/split-terms.ts'
import { checkAuthorization } from './check-authorization.ts'
import { permit2Domain, permit2Types } from './permit2.ts'

const customer = privateKeyToAccount(toHex(7n, { size: 32 }))
const stranger = privateKeyToAccount(toHex(8n, { size: 32 }))
const nowSeconds = 1_000_000
const nowMs = nowSeconds * 1000
const nonce = toHex(77n, { size: 32 })

const network: EvmNetwork = {
  ...devnetFacts,
  signatureGas: { coinPrice: '50', perPayer: 20, perAddress: 100, dailyBudget: '20' },
}
const [usdc] = network.tokens
/** The same token, on a network where only Permit2 supports it. */
const permit2Network: EvmNetwork = {
  ...network,
  tokens: network.tokens.map((one) => ({ ...one, authorization: 'permit2' as const })),
}

const open = { windowEndsAtMs: nowMs + 600_000, expiresAtMs: nowMs + 600_000 }
const deposit = newPayment(open)
const terms: SplitTerms = {
  ...{ chainId: network.chainId, splitter: network.splitter as Hex, token: deposit.tokenAddress as Hex },
  ...{
    amount: 25_000_000n,
    paymentId: deposit.id,
    merchant: stranger.address,
    platform: network.platformWallet as Hex,
  },
  ...{ feeBps: 150, deadlineSeconds: nowSeconds + 600 },
}
const split = newContractPayment({ ...open, splitTerms: formatSplitTerms(terms), termsHash: termsHash(terms) })

type Fields = Omit<SignedAuthorization, 'signature'>
const fieldsOf = (changed: Partial<Fields> = {}): Fields => ({
  ...{ from: customer.address, to: deposit.depositAddress, value: '25000000', validAfter: '0' },
  ...{ validBefore: String(nowSeconds + 300), nonce, ...changed },
})

/** The token's domain, with overrides. */
type Domain = { name?: string; version?: string; chainId?: number; verifyingContract?: Hex }
async function sign(fields: Fields, domain: Domain = {}, type = 'TransferWithAuthorization', by = customer) {
  const own = { ...usdc?.permit, chainId: network.chainId, verifyingContract: usdc?.address as Hex, ...domain }
  const message = fields as never
  return {
    ...fields,
    signature: await by.signTypedData({ domain: own, types: { [type]: fieldTypes }, primaryType: type, message }),
  }
}

const check = (signed: SignedAuthorization, payment: Payment = deposit, on = network, atMs = nowMs) =>
  checkAuthorization(on, payment, signed, atMs)
const refusal = (code: string) => expect.objectContaining({ code, status: 400 })

describe('a customer’s authorization for a deposit', () => {
  test('pays exactly the payment, and may be sent until half of the margin before its end', async () => {
    const checked = await check(await sign(fieldsOf()))
    expect(checked).toMatchObject({
      ...{ paymentId: deposit.id, payer: customer.address.toLowerCase(), nonce, value: 25_000_000n },
      ...{ kind: 'authorization', token: usdc?.address.toLowerCase(), target: usdc?.address, isKeySignature: true },
      ...{ recipient: deposit.depositAddress.toLowerCase(), sendBeforeMs: nowMs + 300_000 - 3_000 },
    })
  })

  test.each<[string, Partial<Fields>, string]>([
    ['one unit less', { value: '24999999' }, 'WRONG_VALUE'],
    ['one unit more', { value: '25000001' }, 'WRONG_VALUE'],
    ['another recipient', { to: stranger.address }, 'WRONG_RECIPIENT'],
    ['a start at the current time', { validAfter: String(nowSeconds) }, 'NOT_YET_VALID'],
    ['an end within the margin', { validBefore: String(nowSeconds + 5) }, 'EXPIRES_TOO_SOON'],
  ])('is refused with %s', async (_, changed, code) => {
    await expect(check(await sign(fieldsOf(changed)))).rejects.toEqual(refusal(code))
  })

  test('is refused with a number that exceeds uint256, whatever was signed', async () => {
    const signed = await sign(fieldsOf())
    await expect(check({ ...signed, validBefore: String(2n ** 256n) })).rejects.toEqual(refusal('WRONG_VALUE'))
  })

  test('may start a second ago, and end with the margin', async () => {
    const fields = fieldsOf({ validAfter: String(nowSeconds - 1), validBefore: String(nowSeconds + 6) })
    expect(await check(await sign(fields))).toMatchObject({ sendBeforeMs: nowMs + 3_000 })
  })

  test('is sent before the payment’s window ends, however long it is valid', async () => {
    const signed = await sign(fieldsOf({ validBefore: String(nowSeconds + 86_400) }))
    const ending = { ...deposit, windowEndsAtMs: nowMs + 6_000 }
    expect(await check(signed, ending)).toMatchObject({ sendBeforeMs: nowMs + 3_000 })
    await expect(check(signed, { ...ending, windowEndsAtMs: nowMs + 5_999 })).rejects.toEqual(
      refusal('EXPIRES_TOO_SOON'),
    )
  })

  test('is for the open amount, and refused if there is none', async () => {
    const part = { ...deposit, seen: baseUnits('10000000') }
    await expect(check(await sign(fieldsOf()), part)).rejects.toEqual(refusal('WRONG_VALUE'))
    expect(await check(await sign(fieldsOf({ value: '15000000' })), part)).toMatchObject({ value: 15_000_000n })
    for (const over of [{ seen: baseUnits('25000000') }, { status: 'expired' as const }, { status: 'swept' as const }])
      await expect(check(await sign(fieldsOf()), { ...deposit, ...over })).rejects.toEqual(refusal('PAYMENT_NOT_OPEN'))
  })

  test.each<[string, Domain]>([
    ['another chain', { chainId: 1 }],
    ['another token', { verifyingContract: stranger.address }],
    ['another version', { version: '1' }],
    ['another name', { name: 'USDC' }],
  ])('is not the customer’s signature when signed for %s', async (_, domain) => {
    expect(await check(await sign(fieldsOf(), domain))).toMatchObject({ isKeySignature: false })
  })

  test('is not the customer’s signature when a stranger signed, or for the other kind of transfer', async () => {
    expect(await check(await sign(fieldsOf(), {}, 'TransferWithAuthorization', stranger))).toMatchObject({
      isKeySignature: false,
    })
    expect(await check(await sign(fieldsOf(), {}, 'ReceiveWithAuthorization'))).toMatchObject({ isKeySignature: false })
  })

  test('is refused for a test payment, a removed token, or where no gas is paid', async () => {
    const signed = await sign(fieldsOf())
    const refused = refusal('SIGNATURE_NOT_OFFERED')
    await expect(check(signed, { ...deposit, isTest: true })).rejects.toEqual(refused)
    await expect(check(signed, { ...deposit, tokenAddress: stranger.address })).rejects.toEqual(refused)
    await expect(check(signed, deposit, { ...network, signatureGas: null })).rejects.toEqual(refused)
    await expect(check(signed, deposit, permit2Network)).rejects.toEqual(refused)
  })
})

describe('a customer’s authorization for a contract payment', () => {
  const fields = fieldsOf({ to: terms.splitter, nonce: split.termsHash })

  test('names the splitter, with the terms hash as its nonce', async () => {
    const signed = await sign(fields, {}, 'ReceiveWithAuthorization')
    expect(await check(signed, split)).toMatchObject({ target: terms.splitter, isKeySignature: true })
  })

  test.each<[string, Partial<Fields>, string]>([
    ['another nonce', { nonce }, 'WRONG_NONCE'],
    ['another recipient', { to: stranger.address }, 'WRONG_RECIPIENT'],
    ['another value', { value: '24999999' }, 'WRONG_VALUE'],
  ])('is refused with %s', async (_, changed, code) => {
    const signed = await sign({ ...fields, ...changed }, {}, 'ReceiveWithAuthorization')
    await expect(check(signed, split)).rejects.toEqual(refusal(code))
  })

  test('pays the whole amount or nothing, because the splitter takes no partial amounts', async () => {
    const part = { ...split, seen: baseUnits('10000000') }
    const signed = await sign({ ...fields, value: '15000000' }, {}, 'ReceiveWithAuthorization')
    await expect(check(signed, part)).rejects.toEqual(refusal('WRONG_VALUE'))
  })
})

describe('a customer’s Permit2 authorization', () => {
  type Permit = { token: string; amount: bigint; spender: string; nonce: bigint; deadline: bigint }

  async function permit(
    payment: Payment,
    changed: Partial<Permit & { to: string }> = {},
    by: PrivateKeyAccount = customer,
  ) {
    const isSplit = payment.mode === 'contract'
    const { to = isSplit ? payment.termsHash : payment.depositAddress, ...rest } = changed
    const { token, amount, spender, ...times }: Permit = {
      ...{ token: deposit.tokenAddress, amount: 25_000_000n, spender: network.splitter },
      ...{ nonce: isSplit ? hexToBigInt(payment.termsHash as Hex) : 77n, deadline: BigInt(nowSeconds + 300), ...rest },
    }
    const signature = await by.signTypedData({
      domain: permit2Domain(network.chainId),
      types: permit2Types(payment.mode),
      primaryType: 'PermitWitnessTransferFrom',
      message: {
        ...{ permitted: { token, amount }, spender, ...times },
        witness: isSplit ? { termsHash: to } : { depositAddress: to },
      },
    } as never)
    const fields = { from: customer.address, to, value: String(amount), validAfter: '0' }
    const more = { validBefore: String(times.deadline), nonce: toHex(times.nonce, { size: 32 }) }
    return { ...fields, ...more, signature, permit2: { token, spender } }
  }

  test.each<[string, Payment]>([
    ['a deposit', deposit],
    ['a contract payment', split],
  ])('pays %s through the splitter', async (_, payment) => {
    expect(await check(await permit(payment), payment, permit2Network)).toMatchObject({
      ...{ kind: 'permit2', target: network.splitter, isKeySignature: true, value: 25_000_000n },
    })
    expect(await check(await permit(payment, {}, stranger), payment, permit2Network)).toMatchObject({
      isKeySignature: false,
    })
  })

  test.each<[string, Payment, Partial<Permit & { to: string }>, string]>([
    ['another token', deposit, { token: stranger.address }, 'WRONG_VALUE'],
    ['another spender', deposit, { spender: stranger.address }, 'WRONG_RECIPIENT'],
    ['another deposit address as its witness', deposit, { to: stranger.address }, 'WRONG_RECIPIENT'],
    ['the hash of other terms as its witness', split, { to: nonce }, 'WRONG_RECIPIENT'],
    ['another nonce than the hash of the terms', split, { nonce: 77n }, 'WRONG_NONCE'],
    ['one unit less', deposit, { amount: 24_999_999n }, 'WRONG_VALUE'],
    ['an end within the margin', deposit, { deadline: BigInt(nowSeconds + 5) }, 'EXPIRES_TOO_SOON'],
  ])('is refused with %s', async (_, payment, changed, code) => {
    await expect(check(await permit(payment, changed), payment, permit2Network)).rejects.toEqual(refusal(code))
  })

  test('is refused for a token with its own authorization', async () => {
    await expect(check(await permit(deposit))).rejects.toEqual(refusal('SIGNATURE_NOT_OFFERED'))
  })
})
