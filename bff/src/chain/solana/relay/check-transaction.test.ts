import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
} from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../../../core/money.ts'
import type { Payment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaSplitTerms, referenceOf } from '../facts/solana-split-terms.ts'
import { createSolanaSigner } from '../signer/solana-signer.ts'
import {
  checkTransaction,
  identifyTransaction,
  readSponsoredPayment,
  signedOfTransaction,
} from './check-transaction.ts'

const [customer, service, owner, mintKey] = [
  Keypair.generate(),
  Keypair.generate(),
  Keypair.generate(),
  Keypair.generate(),
]
const feePayer = service.publicKey.toBase58()
const mint = mintKey.publicKey
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const payment = newPayment({
  ...{ network: 'solana', tokenAddress: mint.toBase58(), depositAddress: owner.publicKey.toBase58() },
  ...{ due: baseUnits('25000000'), windowEndsAtMs: nowMs + 900_000 },
})
const from = new PublicKey(tokenAccountOf(mint.toBase58(), customer.publicKey.toBase58()))
const to = new PublicKey(tokenAccountOf(mint.toBase58(), owner.publicKey.toBase58()))

const limit = (units = 20_000) => ComputeBudgetProgram.setComputeUnitLimit({ units })
const price = (microLamports: number | bigint = 1) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
const transfer = (amount = 25_000_000n, destination = to, decimals = 6, token = mint) =>
  createTransferCheckedInstruction(from, token, destination, customer.publicKey, amount, decimals)
const memoOf = (text: string) =>
  new TransactionInstruction({
    programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    keys: [],
    data: Buffer.from(text),
  })
const assertion = new TransactionInstruction({
  programId: new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
  keys: [{ pubkey: from, isSigner: false, isWritable: false }],
  data: Buffer.from([1]),
})
const memo = memoOf(payment.id)

/** The transfer, with additional accounts after the required ones. */
function naming(instruction: TransactionInstruction, ...keys: PublicKey[]): TransactionInstruction {
  instruction.keys.push(...keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })))
  return instruction
}

const customerSigns = [{ pubkey: customer.publicKey, isSigner: true, isWritable: false }]

/** The memo, signed by the customer, who has to sign nothing else then. */
const signedMemo = () => changed(memoOf(payment.id), { keys: customerSigns })

const changed = (one: TransactionInstruction, change: Partial<TransactionInstruction>): TransactionInstruction =>
  new TransactionInstruction({ programId: one.programId, keys: one.keys, data: one.data, ...change })

const usual = () => [limit(), price(), transfer(), memo]
const recentBlockhash = Keypair.generate().publicKey.toBase58()

function encode(instructions: TransactionInstruction[], payer = service.publicKey, signers = [customer]): string {
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash, instructions }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  if (signers.length > 0) transaction.sign(signers)
  return Buffer.from(transaction.serialize()).toString('base64')
}

const check = (transaction: string, of: Payment = payment, atMs = nowMs) =>
  checkTransaction(of, signedOfTransaction(of, transaction, feePayer), { feePayer, nowMs: atMs })

/** The refusal's code and message. */
function refusal(transaction: string, of: Payment = payment, atMs = nowMs): string {
  try {
    check(transaction, of, atMs)
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${code}: ${message}`
  }
  throw new Error('It was not refused')
}

describe('a transaction whose fee the service pays', () => {
  test('never pays a deposit whose money the cross-chain relay sends', () => {
    const terms = { ...{ requestId: '0x1', relayDepositAddress: feePayer, originChainId: 8453, originName: 'Base' } }
    const bridge = { terms, status: 'waiting', originTxId: null, destinationTxId: null, refundTxId: null, reason: null }
    const bridged = { ...payment, bridge: bridge as never }
    expect(refusal(encode(usual()), bridged)).toMatch(/^PAYMENT_NOT_OPEN/)
  })

  test('is a transfer of exactly the open amount to the payment’s own account, with its id as memo', () => {
    const checked = check(encode(usual()))
    expect(checked).toMatchObject({ paymentId: payment.id, value: 25_000_000n, target: payment.depositAddress })
    expect(checked.payer).toBe(customer.publicKey.toBase58().toLowerCase())
    check(encode([...usual(), assertion, assertion]))
  })

  test('to a deposit may have its client’s own memo, or none, if the server names none: the address identifies the payment', () => {
    for (const notes of [[memoOf('5f2b8c0e9a1d4b7f')], []]) {
      expect(check(encode([limit(), price(), transfer(), ...notes]))).toMatchObject({ paymentId: payment.id })
    }
  })

  test('is stored as an authorization of its customer to the deposit’s address, under the digest of its message', () => {
    const transaction = encode(usual())
    const signed = signedOfTransaction(payment, transaction, feePayer)
    const { digest } = readSponsoredPayment(transaction, feePayer)
    expect(signed).toEqual({
      ...{ from: customer.publicKey.toBase58(), to: payment.depositAddress, value: '25000000' },
      ...{ validAfter: '0', validBefore: '0', nonce: digest, signature: transaction },
    })
    const { id: paymentId, merchantId, network, depositAddress } = payment
    expect(identifyTransaction(payment, signed, feePayer)).toEqual({
      ...{ paymentId, merchantId, network, token: mint.toBase58().toLowerCase() },
      ...{ payer: customer.publicKey.toBase58().toLowerCase(), nonce: digest, kind: 'transaction', value: 25_000_000n },
      ...{ recipient: depositAddress.toLowerCase(), target: depositAddress },
      ...{ data: transaction, digest, signature: transaction, isKeySignature: true },
    })
  })

  test('is sent within 40 seconds, and refused when fewer than 20 are left', () => {
    const endsAtMs = payment.windowEndsAtMs
    expect(check(encode(usual())).sendBeforeMs).toBe(nowMs + 40_000)
    expect(check(encode(usual()), payment, endsAtMs - 20_000).sendBeforeMs).toBe(endsAtMs)
    expect(refusal(encode(usual()), payment, endsAtMs - 19_999)).toBe('EXPIRES_TOO_SOON: The payment ends too soon.')
  })

  test('is identified by its message, and its fee is bounded', () => {
    const transaction = encode([limit(200_000), price(5_000_000), transfer(), memo])
    const { lamports, digest } = readSponsoredPayment(transaction, feePayer)
    expect(lamports).toBe(1_010_000n)
    // A fraction of a lamport costs a whole one.
    expect(readSponsoredPayment(encode(usual()), feePayer).lamports).toBe(10_001n)
    const signer = createSolanaSigner(service.secretKey, new Uint8Array(32))
    const { raw } = signer.coSign(transaction)
    expect(readSponsoredPayment(raw, feePayer).digest).toBe(digest)
    expect(readSponsoredPayment(encode(usual()), feePayer).digest).not.toBe(digest)
  })

  test.each<[string, () => string, RegExp]>([
    ['another amount', () => encode([limit(), price(), transfer(24_999_999n), memo]), /^WRONG_VALUE/],
    ['another recipient', () => encode([limit(), price(), transfer(25_000_000n, from), memo]), /^WRONG_RECIPIENT/],
    [
      'another token',
      () => encode([limit(), price(), transfer(25_000_000n, to, 6, owner.publicKey), memo]),
      /^INVALID_SIGNATURE: .*must move the token/,
    ],
    ['other decimals', () => encode([limit(), price(), transfer(25_000_000n, to, 9), memo]), /decimals/],
    [
      'the id of another payment',
      () => encode([limit(), price(), transfer(), memoOf('00000000-6a43-4a2e-9d2b-0a9f6d9d0a12')]),
      /another payment/,
    ],
    ['two notes', () => encode([...usual(), memo]), /one memo/],
    ['too few instructions', () => encode([limit(), transfer()]), /begin with its compute limit/],
    ['a memo before its transfer', () => encode([limit(), price(), memo, transfer()]), /must make a checked transfer/],
    ['too many instructions', () => encode([...usual(), assertion, assertion, assertion]), /at most 3 notes/],
    ['no budget', () => encode([transfer(), limit(), price(), memo]), /begin with its compute limit/],
    ['too many compute units', () => encode([limit(200_001), price(), transfer(), memo]), /at most 200000/],
    ['a price without a bound', () => encode([limit(), price(5_000_001), transfer(), memo]), /5 lamports/],
    [
      'an unchecked transfer',
      () => encode([limit(), price(), createTransferInstruction(from, to, customer.publicKey, 25_000_000n), memo]),
      /must make a checked transfer/,
    ],
    ['a second transfer', () => encode([...usual(), transfer(1n)]), /must not call Token/],
    [
      'an additional transfer',
      () => encode([limit(), price(), transfer(), transfer(1n), memo]),
      /recipients: 1, not 2/,
    ],
    [
      'three transfers',
      () => encode([limit(), price(), transfer(), transfer(1n), transfer(1n), memo]),
      /at most 2 transfers/,
    ],
    [
      'another account in its transfer',
      () => encode([limit(), price(), naming(transfer(), owner.publicKey), memo]),
      /must name no other accounts/,
    ],
    [
      'another program',
      () =>
        encode([
          ...usual(),
          SystemProgram.transfer({ fromPubkey: customer.publicKey, toPubkey: owner.publicKey, lamports: 1 }),
        ]),
      /must not call 1111/,
    ],
    [
      'a transfer of the fee payer’s coins',
      () =>
        encode(
          [...usual(), SystemProgram.transfer({ fromPubkey: service.publicKey, toPubkey: from, lamports: 1 })],
          service.publicKey,
        ),
      /must not name the fee payer/,
    ],
    [
      'an account created by the fee payer',
      () =>
        encode([
          ...usual(),
          createAssociatedTokenAccountIdempotentInstruction(service.publicKey, to, owner.publicKey, mint),
        ]),
      /must not name the fee payer/,
    ],
    ['another fee payer', () => encode(usual(), customer.publicKey), /as its fee payer/],
    [
      'a third signer',
      () =>
        encode([
          ...usual(),
          new TransactionInstruction({
            programId: assertion.programId,
            keys: [{ pubkey: owner.publicKey, isSigner: true, isWritable: false }],
            data: Buffer.alloc(0),
          }),
        ]),
      /two signers/,
    ],
    ['no signature of the customer', () => encode(usual(), service.publicKey, []), /not signed by/],
    [
      'the money of somebody who has not signed, which the chain would refuse at the fee payer’s cost',
      () => {
        const ofOwner = createTransferCheckedInstruction(from, mint, to, owner.publicKey, 25_000_000n, 6)
        for (const key of ofOwner.keys) key.isSigner = false
        return encode([limit(), price(), ofOwner, signedMemo()])
      },
      /must move the money of its signer/,
    ],
    [
      'a lookup table',
      () => {
        const message = new TransactionMessage({ payerKey: service.publicKey, recentBlockhash, instructions: usual() })
        const state = { deactivationSlot: 0n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [to] }
        const table = new AddressLookupTableAccount({ key: owner.publicKey, state })
        const transaction = new VersionedTransaction(message.compileToV0Message([table]))
        transaction.sign([customer])
        return Buffer.from(transaction.serialize()).toString('base64')
      },
      /must not use lookup tables/,
    ],
    ...['account', 'program'].map((what): [string, () => string, RegExp] => [
      `an ${what} that it does not list`,
      () => {
        const message = new TransactionMessage({ payerKey: service.publicKey, recentBlockhash, instructions: usual() })
        const compiled = message.compileToV0Message()
        // One behind the last.
        const missing = compiled.staticAccountKeys.length
        const call = compiled.compiledInstructions[2] as { programIdIndex: number; accountKeyIndexes: number[] }
        if (what === 'program') call.programIdIndex = missing
        else call.accountKeyIndexes[0] = missing
        const transaction = new VersionedTransaction(compiled)
        transaction.sign([customer])
        return Buffer.from(transaction.serialize()).toString('base64')
      },
      /names no account/,
    ]),
    ['its compute price first', () => encode([price(), limit(), transfer(), memo]), /begin with its compute limit/],
    [
      'a compute limit alone',
      () => encode([changed(limit(), { keys: customerSigns })]),
      /begin with its compute limit/,
    ],
    [
      'a compute limit with more data',
      () =>
        encode([changed(limit(), { data: Buffer.concat([limit().data, Buffer.alloc(1)]) }), price(), transfer(), memo]),
      /begin with its compute limit/,
    ],
    [
      'what another program calls a compute price',
      () => encode([limit(), changed(price(), { programId: owner.publicKey }), transfer(), memo]),
      /begin with its compute limit/,
    ],
    ['no transfer', () => encode([limit(), price(), signedMemo()]), /must make a checked transfer of a token after/],
    [
      'a transfer with more data',
      () =>
        encode([
          ...[limit(), price()],
          ...[changed(transfer(), { data: Buffer.concat([transfer().data, Buffer.alloc(1)]) }), memo],
        ]),
      /must make a checked transfer of a token\./,
    ],
    [
      'another call of the token program, with a checked transfer’s length',
      () =>
        encode([
          ...[limit(), price()],
          ...[changed(transfer(), { data: Buffer.from([15, ...transfer().data.subarray(1)]) }), memo],
        ]),
      /must make a checked transfer of a token\./,
    ],
    [
      'a transfer without an owner',
      () => encode([limit(), price(), changed(transfer(), { keys: transfer().keys.slice(0, 3) }), signedMemo()]),
      /must make a checked transfer of a token\./,
    ],
    ['a transaction of 1,232 bytes that is none', () => Buffer.alloc(1_232).toString('base64'), /as its fee payer/],
    ['no transaction', () => Buffer.from('hello').toString('base64'), /cannot be read/],
    ['too many bytes', () => Buffer.alloc(1_233).toString('base64'), /at most 1232 bytes/],
  ])('is refused with %s', (_, transaction, reason) => {
    expect(refusal(transaction())).toMatch(reason)
  })

  test('is refused for a payment that has ended, is about to end, or is a test', () => {
    expect(refusal(encode(usual()), { ...payment, status: 'expired' })).toMatch(/^PAYMENT_NOT_OPEN/)
    expect(refusal(encode(usual()), { ...payment, seen: payment.due })).toMatch(/^PAYMENT_NOT_OPEN/)
    expect(refusal(encode(usual()), payment, payment.windowEndsAtMs - 10_000)).toMatch(/^EXPIRES_TOO_SOON/)
    expect(refusal(encode(usual()), { ...payment, isTest: true })).toMatch(/^SIGNATURE_NOT_OFFERED/)
  })
})

describe('a wallet payment whose fee the service pays', () => {
  const [merchant, platform] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
  const terms = {
    ...{ family: 'solana' as const, genesisHash: 'genesis', mint: mint.toBase58(), decimals: 6, amount: 25_000_000n },
    ...{ paymentId: payment.id, merchant: merchant.toBase58(), platform: platform.toBase58(), feeBps: 150 },
    deadlineSeconds: Math.floor(payment.windowEndsAtMs / 1000),
  }
  const splitOf = (feeBps: number) => {
    const own = { ...terms, feeBps }
    const { network, tokenAddress, due, windowEndsAtMs } = payment
    return newContractPayment({
      ...{ network, tokenAddress, due, windowEndsAtMs },
      ...{ termsHash: referenceOf(own), splitTerms: formatSolanaSplitTerms(own) },
    })
  }
  const split = splitOf(150)
  const reference = new PublicKey(split.termsHash)
  const accountOf = (wallet: PublicKey) => new PublicKey(tokenAccountOf(mint.toBase58(), wallet.toBase58()))
  const toPlatform = (amount = 375_000n) => transfer(amount, accountOf(platform))
  const toMerchant = (amount = 24_625_000n, named = [reference]) =>
    naming(transfer(amount, accountOf(merchant)), ...named)
  const whole = (...transfers: TransactionInstruction[]) => encode([limit(), price(), ...transfers, memo])

  test('has both shares in order, with the reference in the last and its id as memo', () => {
    const checked = check(whole(toPlatform(), toMerchant()), split)
    expect(checked).toMatchObject({ paymentId: split.id, value: 25_000_000n, target: split.termsHash })
    check(encode([limit(), price(), toPlatform(), toMerchant(), memo, assertion, assertion]), split)
  })

  test('is one transfer if merchant or platform gets everything', () => {
    const [free, all] = [splitOf(0), splitOf(10_000)]
    const ofMerchant = check(whole(toMerchant(25_000_000n, [new PublicKey(free.termsHash)])), free)
    expect(ofMerchant).toMatchObject({ paymentId: free.id, value: 25_000_000n, target: free.termsHash })
    const ofPlatform = check(whole(naming(toPlatform(25_000_000n), new PublicKey(all.termsHash))), all)
    expect(ofPlatform).toMatchObject({ paymentId: all.id, value: 25_000_000n, target: all.termsHash })
  })

  test.each<[string, () => TransactionInstruction[], RegExp]>([
    ['the whole amount to one of the two', () => [toMerchant(25_000_000n)], /recipients: 2, not 1/],
    ['other shares', () => [toPlatform(375_001n), toMerchant(24_624_999n)], /^WRONG_VALUE/],
    ['less for the merchant', () => [toPlatform(), toMerchant(24_624_999n)], /^WRONG_VALUE/],
    ['the shares swapped', () => [toMerchant(), toPlatform()], /^WRONG_RECIPIENT/],
    ['another merchant', () => [toPlatform(), naming(transfer(24_625_000n, to), reference)], /^WRONG_RECIPIENT/],
    ['no reference', () => [toPlatform(), toMerchant(24_625_000n, [])], /must name the reference/],
    ['another reference', () => [toPlatform(), toMerchant(24_625_000n, [owner.publicKey])], /must name the reference/],
    [
      'a second reference',
      () => [toPlatform(), toMerchant(24_625_000n, [reference, owner.publicKey])],
      /must name the reference/,
    ],
    ['the reference of the platform’s share', () => [naming(toPlatform(), reference), toMerchant()], /reference/],
    [
      'an account created by the customer',
      () => [
        createAssociatedTokenAccountIdempotentInstruction(customer.publicKey, accountOf(merchant), merchant, mint),
        ...[toPlatform(), toMerchant()],
      ],
      /must make a checked transfer/,
    ],
  ])('is refused with %s', (_, transfers, reason) => {
    expect(refusal(whole(...transfers()), split)).toMatch(reason)
  })

  test('is refused without its id as the only memo, which alone tells two payments of one customer apart', () => {
    for (const notes of [[], [memoOf('5f2b8c0e9a1d4b7f')], [memo, memo]]) {
      const transaction = encode([limit(), price(), toPlatform(), toMerchant(), ...notes, assertion])
      expect(refusal(transaction, split)).toMatch(/must have one memo, the id of the payment/)
    }
    const signed = signedOfTransaction(split, whole(toPlatform(), toMerchant()), feePayer)
    expect(signed).toMatchObject({ to: split.termsHash, value: '25000000' })
    expect(identifyTransaction(split, signed, feePayer)).toMatchObject({
      recipient: split.termsHash.toLowerCase(),
      value: 25_000_000n,
    })
  })

  test('is refused for a payment with a detected transfer, an ended one, or a test', () => {
    const transaction = whole(toPlatform(), toMerchant())
    expect(refusal(transaction, { ...split, seen: split.due })).toMatch(/^PAYMENT_NOT_OPEN/)
    expect(refusal(transaction, { ...split, seen: baseUnits('1') })).toMatch(/^WRONG_VALUE/)
    expect(refusal(transaction, { ...split, status: 'expired' })).toMatch(/^PAYMENT_NOT_OPEN/)
    expect(refusal(transaction, { ...split, isTest: true })).toMatch(/^SIGNATURE_NOT_OFFERED/)
    expect(refusal(transaction)).toMatch(/recipients: 1, not 2/)
  })
})
