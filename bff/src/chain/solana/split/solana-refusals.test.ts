import { newContractPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../../../core/money.ts'
import type { PlainSender } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { referenceOf, type SolanaSplitTerms } from '../facts/solana-split-terms.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'
import { verifyTransfer } from './verify-transfer.ts'

type TokenChange = SolanaTransaction['changes'][number]

const minuteMs = 60_000
const createdAtMs = 100 * minuteMs
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const otherMint = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const [merchant, platform, customer, stranger] = [
  'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  '2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S',
] as const
const terms: SolanaSplitTerms = {
  ...{ family: 'solana', genesisHash: 'g', mint, decimals: 6, amount: 25_000_000n, paymentId: 'p1' },
  ...{ merchant, platform, feeBps: 150, deadlineSeconds: 4_000_000_000 },
}
const shares = { merchant: 24_625_000n, platform: 375_000n }

const change = (owner: string, moved: bigint, changes: Partial<TokenChange> = {}): TokenChange => ({
  ...{ account: tokenAccountOf(mint, owner), mint, index: 1, ownerBefore: owner, ownerAfter: owner },
  ...{ before: 100_000_000n, after: 100_000_000n + moved, ...changes },
})
/** The effect of our own transaction. */
const split = (toMerchant = shares.merchant, toPlatform = shares.platform) => [
  change(customer, -toMerchant - toPlatform, { index: 2 }),
  change(merchant, toMerchant, { index: 5 }),
  change(platform, toPlatform, { index: 6 }),
]

type Facts = {
  terms?: SolanaSplitTerms
  changes?: readonly TokenChange[]
  isNamed?: boolean
  isSuccess?: boolean
  timeMs?: number | null
  signers?: string[]
  plainSender?: PlainSender | null
  isUsed?: boolean
  isPayout?: boolean
}

function verify({ terms: wanted = terms, changes = split(), isNamed = true, isSuccess = true, ...facts }: Facts = {}) {
  const { timeMs = createdAtMs, signers = [customer], plainSender = null, isUsed = false, isPayout = false } = facts
  const keys = isNamed ? [referenceOf(wanted)] : []
  const transaction: SolanaTransaction = { signature: 'sig', slot: 77, timeMs, isSuccess, keys, signers, changes }
  const payment = newContractPayment({ network: 'solana', createdAtMs, due: baseUnits('25000000'), tokenDecimals: 6 })
  const known = { isUsed: async () => isUsed, isPayout: async () => isPayout }
  return verifyTransfer({ payment, terms: wanted, transaction, plainSender, ...known })
}

const refused = async (facts: Facts) => {
  const error = await verify(facts).then(
    () => undefined,
    (reason) => reason,
  )
  return error && [error.code, error.message, error.isOpen]
}

const code = (name: string) => [name, expect.any(String), expect.any(Boolean)]

describe('a transaction with the payment’s reference', () => {
  test('pays by what both accounts gained', async () => {
    expect(await verify()).toEqual({
      ...{ network: 'solana', txId: 'sig', logIndex: 5, payer: customer, amount: 25_000_000n },
      ...{ blockNumber: 77, blockHash: '77', blockTimeMs: createdAtMs },
    })
    expect(await verify({ changes: split(shares.merchant + 5n) })).toMatchObject({ amount: 25_000_005n })
  })

  test('pays one account if the platform has no share, or if both are the same', async () => {
    const free = { ...terms, feeBps: 0 }
    expect(await verify({ terms: free, changes: [change(merchant, 25_000_000n)] })).toMatchObject({
      amount: 25_000_000n,
    })
    const own = { ...terms, platform: merchant }
    expect(await verify({ terms: own, changes: [change(merchant, 25_000_000n)] })).toMatchObject({
      amount: 25_000_000n,
    })
    expect(await refused({ terms: own, changes: [change(merchant, 24_999_999n)] })).toEqual(code('UNDERPAID'))
  })

  test('pays into accounts that it creates', async () => {
    const fresh = { ownerBefore: null, before: 0n }
    const changes = [
      change(merchant, 0n, { ...fresh, after: shares.merchant }),
      change(platform, 0n, { ...fresh, after: shares.platform }),
    ]
    expect(await verify({ changes })).toMatchObject({ amount: 25_000_000n, payer: customer, logIndex: 1 })
  })

  test('is refused for each reason, with its message', async () => {
    expect(await refused({ isSuccess: false })).toEqual([
      ...['TRANSACTION_REVERTED', 'the transaction sig failed: it moved nothing', false],
    ])
    expect(await refused({ isUsed: true })).toEqual(['ALREADY_USED', 'the transaction pays another payment', false])
    expect(await refused({ changes: [] })).toEqual([
      ...['OTHER_TOKEN', `the transaction moves no token of the mint ${mint}`, false],
    ])
    expect(await refused({ changes: [change(merchant, 1n, { mint: otherMint })] })).toEqual(code('OTHER_TOKEN'))
    const notBoth = 'the transaction does not pay the accounts of both merchant and platform'
    expect(await refused({ changes: [change(stranger, 25_000_000n)] })).toEqual(['OTHER_TERMS', notBoth, false])
    expect(await refused({ changes: split(25_000_000n, 0n) })).toEqual(['OTHER_TERMS', notBoth, false])
    expect(await refused({ changes: split(shares.merchant, -1n) })).toEqual(['OTHER_TERMS', notBoth, false])
    expect(await refused({ changes: split(shares.merchant - 1n) })).toEqual([
      ...['UNDERPAID', 'the transaction pays less than 25.00', false],
    ])
    expect(await refused({ changes: split(shares.merchant + 1n, shares.platform - 1n) })).toEqual(code('UNDERPAID'))
    expect(await refused({ timeMs: null })).toEqual([
      ...['NOT_CONFIRMED', 'payment not yet confirmed: the block has no timestamp yet', true],
    ])
  })

  test.each([
    ['of another mint', { mint: otherMint }],
    ['that became somebody else’s', { ownerAfter: stranger }],
    ['that was somebody else’s', { ownerBefore: stranger }],
    ['that is another of its owner’s', { account: tokenAccountOf(otherMint, merchant) }],
  ])('does not pay to an account %s', async (_, changes) => {
    const [paid, , fee] = split()
    const trick = change(merchant, shares.merchant, changes)
    expect(await refused({ changes: [paid, trick, fee].filter((one) => one !== undefined) })).toEqual(
      code('OTHER_TERMS'),
    )
  })

  test('may be a quarter of an hour older than the payment, because clocks differ', async () => {
    expect(await refused({ timeMs: createdAtMs - 15 * minuteMs })).toBeUndefined()
    expect(await refused({ timeMs: createdAtMs - 15 * minuteMs - 1 })).toEqual([
      ...['OLDER_THAN_PAYMENT', 'the transaction is older than the payment', false],
    ])
  })

  test('was paid by the owner with the largest decrease of its token', async () => {
    const changes = [
      change(stranger, -1_000n),
      ...split(),
      change(platform, -2_000n, { account: 'x' }),
      change(platform, -1_000_000_000_000n, { account: 'y', mint: otherMint }),
    ]
    expect(await verify({ changes, signers: [merchant] })).toMatchObject({ payer: customer })
    expect(await verify({ changes: changes.toReversed(), signers: [merchant] })).toMatchObject({ payer: customer })
    const [, toMerchant, toPlatform] = split()
    const ownerless = [toMerchant, toPlatform].filter((one) => one !== undefined)
    expect(await verify({ changes: ownerless, signers: [platform, customer] })).toMatchObject({ payer: platform })
    expect(await verify({ changes: ownerless, signers: [] })).toMatchObject({ payer: '' })
  })
})

describe('two plain transfers without a reference', () => {
  const plain = (facts: Facts = {}) => ({
    ...{ isNamed: false, plainSender: { address: customer, afterSlot: 76 }, ...facts },
  })

  test('pay exactly when the sender named at create has signed and paid', async () => {
    expect(await verify(plain())).toMatchObject({ amount: 25_000_000n, payer: customer })
    expect(await verify(plain({ signers: [stranger, customer] }))).toMatchObject({ payer: customer })
  })

  test('are refused for each reason, with its message', async () => {
    expect(await refused(plain({ plainSender: null }))).toEqual([
      'OTHER_TERMS',
      'the transaction does not name the payment: pay with the transaction that the service returns, which contains its reference',
      false,
    ])
    expect(await refused(plain({ isPayout: true }))).toEqual([
      ...['OTHER_SENDER', 'the transaction is a payout of this service, not a payment', false],
    ])
    expect(await refused(plain({ signers: [stranger] }))).toEqual([
      ...['OTHER_SENDER', `the transaction was not signed by ${customer}, the sender of the payment`, false],
    ])
    expect(await refused(plain({ plainSender: { address: customer, afterSlot: 77 } }))).toEqual([
      ...['OLDER_THAN_PAYMENT', 'the transaction is older than the payment', false],
    ])
    const notExact = 'the transaction neither names the payment nor matches its exact amounts'
    expect(await refused(plain({ changes: split(shares.merchant + 1n) }))).toEqual(['OTHER_TERMS', notExact, false])
    expect(await refused(plain({ changes: split().slice(1) }))).toEqual([
      ...['OTHER_SENDER', 'the transfer does not come from the sender named for the payment', false],
    ])
  })

  test('come from the sender only if nobody else paid any of the token', async () => {
    const received = split().slice(1)
    const paid = change(customer, -25_000_000n)
    expect(await refused(plain({ changes: [paid, ...received] }))).toBeUndefined()
    for (const wrong of [{ mint: otherMint }, { ownerBefore: stranger }, { after: 75_000_001n }])
      expect(await refused(plain({ changes: [{ ...paid, ...wrong }, ...received] }))).toEqual(code('OTHER_SENDER'))
    // Two accounts of the sender add up; changes of other tokens are ignored.
    const halves = [change(customer, -12_000_000n), change(customer, -13_000_000n, { account: 'x' })]
    const others = [change(stranger, -5n, { account: 'y', mint: otherMint }), change(stranger, 0n, { account: 'z' })]
    expect(await refused(plain({ changes: [...halves, ...others, ...received] }))).toBeUndefined()
    expect(await refused(plain({ changes: [paid, change(stranger, -1n), ...received] }))).toEqual(code('OTHER_SENDER'))
    // Transfers between the sender's own accounts pay nobody.
    for (const ownerBefore of [customer, null]) {
      const back = change(customer, 1n, { account: 'x', ownerBefore })
      expect(await refused(plain({ changes: [paid, back, ...received] }))).toEqual(code('OTHER_SENDER'))
    }
  })
})
