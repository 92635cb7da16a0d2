import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { baseUnits } from '../../../core/money.ts'
import type { Payment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { formatSolanaSplitTerms, referenceOf } from '../facts/solana-split-terms.ts'
import type { SolanaSender } from '../payout/solana-sender.ts'
import { checkTransaction, readSponsoredPayment, signedOfTransaction } from './check-transaction.ts'
import { sponsoredTransaction } from './sponsored-transaction.ts'

const address = () => Keypair.generate().publicKey.toBase58()
const customer = Keypair.generate()
const account = customer.publicKey.toBase58()
const [feePayer, mint, merchant, platform] = [address(), address(), address(), address()]
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const due = baseUnits('25000000')
const terms = { network: 'solana', tokenAddress: mint, due, windowEndsAtMs: nowMs + 900_000, takesSignatures: true }
const deposit = newPayment({ ...terms, depositAddress: address(), merchantName: 'Tea & Co' })
const splitTerms = {
  ...{ family: 'solana' as const, genesisHash: 'genesis', mint, decimals: 6, amount: 25_000_000n },
  ...{ paymentId: deposit.id, merchant, platform, feeBps: 150 },
  deadlineSeconds: Math.floor(deposit.windowEndsAtMs / 1000),
}
const split = newContractPayment({
  ...terms,
  ...{ termsHash: referenceOf(splitTerms), splitTerms: formatSolanaSplitTerms(splitTerms) },
})

/** What each token account holds; others do not exist. */
let held: Map<string, bigint>
/** The call that no node answers. */
let unanswered = ''
const answer = async <T>(call: string, result: T): Promise<T> => {
  if (call === unanswered) throw new Error('timeout')
  return result
}
const asked: string[][] = []
const sender = {
  recentBlockhash: () => answer('recentBlockhash', { blockhash: address() }),
  accounts: (addresses: string[]) => {
    asked.push(addresses)
    const tokenOf = (amount: bigint | undefined) => (amount === undefined ? undefined : { token: { amount } })
    return answer(
      'accounts',
      addresses.map((one) => tokenOf(held.get(one))),
    )
  },
  unitPrice: (addresses: string[]) => {
    asked.push(addresses)
    return answer('unitPrice', 7)
  },
} as unknown as SolanaSender

beforeEach(() => {
  unanswered = ''
  asked.length = 0
  const owners = [account, deposit.depositAddress, merchant, platform]
  held = new Map(owners.map((owner) => [tokenAccountOf(mint, owner), owner === account ? 25_000_000n : 0n]))
})

const transactionFor = (payment: Payment) =>
  sponsoredTransaction({ network: { name: 'Solana' } as SolanaNetwork, sender, feePayer }, payment, account)

test.each([
  ['deposit', deposit, 1],
  ['wallet payment', split, 2],
])('the transaction for a %s, signed by the customer as it is, pays it', async (_, payment, transfers) => {
  const { transaction, message } = await transactionFor(payment)
  expect(message).toBe(`25.00 USDC to ${payment.merchantName}`)
  const handedOut = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
  expect(handedOut.signatures).toEqual([new Uint8Array(64), new Uint8Array(64)])
  handedOut.sign([customer])
  const signed = signedOfTransaction(payment, Buffer.from(handedOut.serialize()).toString('base64'), feePayer)
  const checked = checkTransaction(payment, signed, { feePayer, nowMs })
  expect(checked).toMatchObject({ paymentId: payment.id, value: 25_000_000n, payer: account.toLowerCase() })
  const sponsored = readSponsoredPayment(signed.signature, feePayer)
  expect(sponsored).toMatchObject({ payer: account, memos: [payment.id] })
  expect(sponsored.transfers).toHaveLength(transfers)
  // 60,000 units at 7 millionths of a lamport, rounded up, beside two signatures.
  expect(sponsored.lamports).toBe(10_001n)
  // The customer's account first, then each recipient's: the nodes are asked about what the transaction writes.
  const accounts = [tokenAccountOf(mint, account), ...sponsored.transfers.map(({ destination }) => destination)]
  expect(asked).toEqual([accounts, accounts])
})

test.each(['recentBlockhash', 'accounts', 'unitPrice'])('is asked for again when no node answers %s', async (call) => {
  unanswered = call
  const message = 'Solana does not respond; try again.'
  await expect(transactionFor(deposit)).rejects.toMatchObject({ status: 503, code: 'NETWORK_UNAVAILABLE', message })
})

test('a wallet with one unit too little is told what it has', async () => {
  held.set(tokenAccountOf(mint, account), 24_999_999n)
  const message = 'The wallet has 24.999999 of 25.00 USDC on Solana.'
  await expect(transactionFor(deposit)).rejects.toMatchObject({ status: 400, code: 'INSUFFICIENT_FUNDS', message })
  held.delete(tokenAccountOf(mint, account))
  await expect(transactionFor(deposit)).rejects.toMatchObject({
    message: 'The wallet has 0.00 of 25.00 USDC on Solana.',
  })
})

test('nothing is signed before the token accounts of all recipients exist', async () => {
  held.delete(tokenAccountOf(mint, deposit.depositAddress))
  await expect(transactionFor(deposit)).rejects.toMatchObject({
    ...{ status: 503, code: 'NOT_READY' },
    message: "The payment's token account is being created; try again in a moment.",
  })
  for (const missing of [merchant, platform]) {
    held = new Map([...held, [tokenAccountOf(mint, merchant), 0n], [tokenAccountOf(mint, platform), 0n]])
    held.delete(tokenAccountOf(mint, missing))
    await expect(transactionFor(split)).rejects.toMatchObject({
      ...{ status: 400, code: 'NO_TOKEN_ACCOUNT' },
      message: 'The shop has no account for this token yet. Pay with your own transaction, which creates it.',
    })
  }
})

test('no transaction pays what is a test, paid already or over', async () => {
  const message = 'No amount is left to pay by signature.'
  const ended = { status: 400, code: 'PAYMENT_ENDED', error: 'No transaction', message }
  for (const over of [{ isTest: true }, { seen: due }, { status: 'expired' as const }]) {
    await expect(transactionFor({ ...deposit, ...over })).rejects.toMatchObject(ended)
  }
  expect(asked).toEqual([])
})
