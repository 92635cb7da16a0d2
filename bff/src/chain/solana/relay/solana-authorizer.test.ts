import { createTransferCheckedInstruction } from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { times } from '@stablecoin-checkout/rig/nightly'
import { expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { baseUnits } from '../../../core/money.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { type SolanaSender, UnknownBlockhash } from '../payout/solana-sender.ts'
import { createSolanaSigner } from '../signer/solana-signer.ts'
import { memoProgram } from './check-transaction.ts'
import { createSolanaAuthorizer } from './solana-authorizer.ts'

const service = Keypair.generate()
const mint = Keypair.generate().publicKey
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const payment = newPayment({
  ...{ network: 'solana', tokenAddress: mint.toBase58(), depositAddress: Keypair.generate().publicKey.toBase58() },
  ...{ due: baseUnits('25000000'), windowEndsAtMs: nowMs + 900_000 },
})

let calls = 0
const asked = async <T>(answer: T, call = ''): Promise<T> => {
  calls += 1
  if (call !== '' && call === unanswered) throw new Error('timeout')
  return answer
}
let held = 0n
let hasTokens = true
/** The call that no node answers. */
let unanswered = ''
/** What the chain says against the transaction. */
let fault: string | undefined
/** Whether the node does not know the transaction's blockhash. */
let isUnknown = false
/** Of the fee payer. */
let lamports = 10n ** 9n
/** The transaction is in a block and has failed; `isFinal`: no fork can undo it. */
let failure: { isFinal: boolean } | undefined
/** The transaction is in a block and has not failed. */
let isLanded = false
const simulated: string[] = []
/** Token accounts that were read. */
const read: string[] = []
const sender = {
  accounts: ([address]: string[]) => {
    read.push(address ?? '')
    return asked(hasTokens ? [{ token: { amount: held } }] : [undefined], 'accounts')
  },
  lamports: () => asked(lamports, 'lamports'),
  statuses: async () => ({
    statuses: [failure && { slot: 1, isFailed: !isLanded, isFinal: failure.isFinal }],
  }),
  isFinalized: async (asked: object) => {
    expect(asked).toEqual({ txId: 'tx', isFailed: true })
    return failure?.isFinal === true
  },
  simulate: (raw: string) => {
    simulated.push(raw)
    return isUnknown ? Promise.reject(new UnknownBlockhash('solana')) : asked(fault, 'simulate')
  },
} as unknown as SolanaSender

const signatureGas = { coinPrice: '50', perPayer: 20, perAddress: 100, dailyBudget: '20' }
const newAuthorizer = () =>
  createSolanaAuthorizer({
    network: { name: 'Solana', signatureGas } as SolanaNetwork & { signatureGas: typeof signatureGas },
    signer: createSolanaSigner(service.secretKey, new Uint8Array(32)),
    ...{ sender, nowMs: () => nowMs, wake: () => undefined },
  })
const authorizer = newAuthorizer()

function encode(customer: Keypair, isSigned = true): Buffer {
  const [from, to] = [customer.publicKey.toBase58(), payment.depositAddress].map(
    (owner) => new PublicKey(tokenAccountOf(mint.toBase58(), owner)),
  ) as [PublicKey, PublicKey]
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
    createTransferCheckedInstruction(from, mint, to, customer.publicKey, 25_000_000n, 6),
    new TransactionInstruction({ programId: new PublicKey(memoProgram), keys: [], data: Buffer.from(payment.id) }),
  ]
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  const message = new TransactionMessage({ payerKey: service.publicKey, recentBlockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  if (isSigned) transaction.sign([customer])
  return Buffer.from(transaction.serialize())
}

async function sent(customer = Keypair.generate()) {
  const signed = authorizer.sponsor?.signedOf(payment, encode(customer).toString('base64'))
  if (!signed) throw new Error('Nothing is sponsored')
  return await authorizer.simulate(await authorizer.check(payment, signed, nowMs))
}

/** The refusal's code. */
async function codeOf(transaction: Buffer): Promise<string> {
  try {
    const signed = authorizer.sponsor?.signedOf(payment, transaction.toString('base64'))
    if (!signed) throw new Error('Nothing is sponsored')
    await authorizer.simulate(await authorizer.check(payment, signed, nowMs))
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'taken'
}

test('many invalid signatures cause no node calls', async () => {
  const transaction = encode(Keypair.generate(), false)
  // Behind the number of signatures and the fee payer's signature.
  const place = 1 + 64
  const codes = new Set<string>()
  const count = times(200, 10_000)
  for (let sent = 0; sent < count; sent++) {
    transaction.writeUInt32LE(sent, place)
    codes.add(await codeOf(transaction))
  }
  expect([[...codes], calls]).toEqual([['INVALID_SIGNATURE'], 0])
}, 600_000)

test('keys without money cost one cheap call each, and do not use the limits of customers with money', async () => {
  calls = 0
  const codes = new Set<string>()
  // No limit counts by key, and signing takes most of the time.
  const signed = Array.from({ length: times(31, 310) }, () => encode(Keypair.generate()))
  for (let sent = 0; sent < 310; sent++) codes.add(await codeOf(signed[sent % signed.length] as Buffer))
  expect([[...codes], calls]).toEqual([['INSUFFICIENT_FUNDS'], 310])
  held = 25_000_000n
  expect(await codeOf(encode(Keypair.generate()))).toBe('taken')
  held = 0n
}, 600_000)

test('no node receives a transaction signed by the fee payer before it is stored', async () => {
  simulated.length = 0
  held = 25_000_000n
  expect(await codeOf(encode(Keypair.generate()))).toBe('taken')
  held = 0n
  expect(simulated).toHaveLength(1)
  const { signatures } = VersionedTransaction.deserialize(Buffer.from(simulated[0] ?? '', 'base64'))
  expect(signatures[0]).toEqual(new Uint8Array(64))
  expect(signatures[1]).not.toEqual(new Uint8Array(64))
})

test('a transaction whose fee the merchant would not pay is not created', async () => {
  calls = 0
  const account = Keypair.generate().publicKey.toBase58()
  const handedOut = authorizer.sponsor?.transactionOf({ ...payment, takesSignatures: false }, account)
  await expect(handedOut).rejects.toMatchObject({ status: 400, code: 'SIGNATURE_NOT_OFFERED' })
  expect(calls).toBe(0)
})

test('the fee is paid while the fee payer keeps its rent, to the last lamport, and costs millionths of a dollar rounded up', async () => {
  held = 25_000_000n
  // Two signatures of 5,000 lamports each, and 20,000 units at a millionth of a lamport.
  const fee = 10_001n
  lamports = fee + 890_880n
  // 10,001 lamports at 50 dollars for 10^9 are 500.05 millionths.
  expect(await sent()).toEqual({ costMicros: 501, costMaxMicros: 501, balance: 25_000_000n })
  lamports -= 1n
  const message = 'The shop cannot pay the network fee right now.'
  await expect(sent()).rejects.toMatchObject({ code: 'RELAY_UNAVAILABLE', message })
  ;[held, lamports] = [0n, 10n ** 9n]
})

test('a transaction that failed is given up once no fork can undo that', async () => {
  expect(await authorizer.receipt('tx')).toBeUndefined()
  failure = { isFinal: false }
  expect(await authorizer.receipt('tx')).toBeUndefined()
  failure = { isFinal: true }
  expect(await authorizer.receipt('tx')).toBe('reverted')
  isLanded = true
  expect(await authorizer.receipt('tx')).toBe('done')
})

test('a signature is asked for again when no node answers, and refused with what the chain says against it', async () => {
  held = 25_000_000n
  for (unanswered of ['accounts', 'lamports', 'simulate']) {
    const message = 'No node of Solana responds; try again.'
    await expect(sent()).rejects.toMatchObject({ code: 'RELAY_UNAVAILABLE', message })
  }
  unanswered = ''
  fault = 'account frozen'
  const message = 'The chain rejects the payment: account frozen'
  await expect(sent()).rejects.toMatchObject({ code: 'TRANSFER_REFUSED', message })
  fault = undefined
  isUnknown = true
  const expired = 'The chain rejects the payment: its blockhash is not known, or has expired'
  await expect(sent()).rejects.toMatchObject({ code: 'TRANSFER_REFUSED', message: expired })
  isUnknown = false
  const customer = Keypair.generate()
  await sent(customer)
  expect(read.at(-1)).toBe(tokenAccountOf(mint.toBase58(), customer.publicKey.toBase58()))
  held = 24_999_999n
  const tooLittle = 'The paying account’s token balance is too low.'
  await expect(sent()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS', message: tooLittle })
  hasTokens = false
  await expect(sent()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  hasTokens = true
  held = 0n
})

test('a deposit takes signatures once its token account exists', async () => {
  expect(await authorizer.sponsor?.isReady(payment)).toBe(true)
  expect(read.at(-1)).toBe(tokenAccountOf(mint.toBase58(), payment.depositAddress))
  hasTokens = false
  expect(await authorizer.sponsor?.isReady(payment)).toBe(false)
  hasTokens = true
})

test('a client has 400 reads of accounts and 60 simulations a minute, and others go on', async () => {
  const own = newAuthorizer()
  const signed = own.sponsor?.signedOf(payment, encode(Keypair.generate()).toString('base64'))
  if (!signed) throw new Error('Nothing is sponsored')
  const checked = await own.check(payment, signed, nowMs)
  const codesOf = async (client: string, count: number) => {
    const codes: string[] = []
    for (let asked = 0; asked < count; asked++) {
      const outcome = own.simulate(checked, client).then(
        () => 'taken',
        ({ code }: { code: string }) => code,
      )
      codes.push(await outcome)
    }
    return [...new Set(codes)].map((code) => `${codes.filter((one) => one === code).length} ${code}`)
  }
  held = 0n
  expect(await codesOf('one', 401)).toEqual(['400 INSUFFICIENT_FUNDS', '1 RELAY_UNAVAILABLE'])
  held = 25_000_000n
  expect(await codesOf('other', 61)).toEqual(['60 taken', '1 RELAY_UNAVAILABLE'])
  // The merchant's share is 200 simulations and 800 reads.
  expect(await codesOf('third', 1)).toEqual(['1 taken'])
  held = 0n
}, 60_000)

test('a shop’s limits are its network’s', () => {
  expect(authorizer.limits).toEqual({ perPayer: 20, perAddress: 100, dailyBudgetMicros: 20_000_000 })
})
