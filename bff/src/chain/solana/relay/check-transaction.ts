import { createHash, createPublicKey, verify } from 'node:crypto'
import { decodeTransferCheckedInstructionUnchecked, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { ComputeBudgetProgram, PublicKey, TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type IdentifiedAuthorization,
  type SignedAuthorization,
  signableAmount,
} from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import { transfersOf } from '../split/payment-transfers.ts'

/** Maximum packet size: validators never receive more. */
const transactionBytesMax = 1_232

/** Memo programs. */
export const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** Assertions with which wallets protect their customers; they move nothing. */
const lighthouseProgram = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

/** A wallet payment's transfers to platform and merchant; a deposit has one. */
const transfersMax = 2

/** Instructions after compute budget and transfers. With one transfer, that makes x402's six instructions. */
const notesMax = 3

/** Compute units: a transfer takes about 6,000, a memo and assertions less than 100,000. */
const unitsMax = 200_000

/** Millionths of a lamport per unit: x402's own limit of 5 lamports. */
const unitPriceMax = 5_000_000n

/** Lamports per signature: the customer's and the fee payer's. */
const signatureFee = 5_000n

/** A transaction can land for about 60 s after its blockhash was read; the queue may use part of that. */
const sendWithinMs = 40_000

const transferChecked = 12
const setUnitLimit = 2
const setUnitPrice = 3

/** SPKI prefix of a 32-byte ed25519 key. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

const refuse = (code: ConstructorParameters<typeof AuthorizationRefused>[0], message: string): never => {
  throw new AuthorizationRefused(code, message)
}

const invalid = (rule: string): never => refuse('INVALID_SIGNATURE', `The transaction ${rule}.`)

/** One transfer of the customer's money. `references`: accounts that it lists but does not use. */
type SponsoredTransfer = {
  mint: string
  destination: string
  amount: bigint
  decimals: number
  references: readonly string[]
}

/** A customer's parsed transaction in the form of a sponsored payment. */
export type SponsoredPayment = {
  payer: string
  /** At least one. */
  transfers: readonly SponsoredTransfer[]
  memos: readonly string[]
  /** The fee payer's maximum cost. */
  lamports: bigint
  /** SHA-256 of the message, in hex: identifies the transaction before the fee payer has signed. */
  digest: string
}

/** @throws {AuthorizationRefused} when the text is not a transaction. */
function decode(base64: string): VersionedTransaction {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > transactionBytesMax) return invalid(`must have at most ${transactionBytesMax} bytes`)
  try {
    return VersionedTransaction.deserialize(bytes)
  } catch {
    return invalid('cannot be read')
  }
}

/**
 * Parses a transaction signed by a customer, whose fee the fee payer is to pay. It can only move a token of the customer: the fee
 * payer is in no instruction's accounts, so its signature commits it only to the fee.
 * @throws {AuthorizationRefused} naming the first violated rule.
 */
export function readSponsoredPayment(base64: string, feePayer: string): SponsoredPayment {
  const { message, signatures } = decode(base64)
  const keys = message.staticAccountKeys.map((key) => key.toBase58())
  if (message.addressTableLookups.length > 0) return invalid('must not use lookup tables')
  if (keys[0] !== feePayer) return invalid(`must name ${feePayer} as its fee payer`)
  if (message.header.numRequiredSignatures !== 2)
    return invalid('must have two signers: the fee payer and the customer')
  const payer = keys[1] as string
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => {
    if ([programIdIndex, ...accountKeyIndexes].some((index) => index >= keys.length)) return invalid('names no account')
    if (accountKeyIndexes.some((index) => keys[index] === feePayer))
      return invalid('must not name the fee payer in an instruction')
    return {
      program: keys[programIdIndex] as string,
      accounts: accountKeyIndexes.map((index) => keys[index] as string),
      data: Buffer.from(data),
    }
  })
  const [limit, price, ...rest] = instructions
  if (!limit || !price) return invalid('must begin with its compute limit and its compute price')
  const units = readBudget(limit, setUnitLimit, 5).readUInt32LE(1)
  if (units > unitsMax) return invalid(`must take at most ${unitsMax} compute units`)
  const unitPrice = readBudget(price, setUnitPrice, 9).readBigUInt64LE(1)
  if (unitPrice > unitPriceMax) return invalid('must pay at most 5 lamports per compute unit')
  const [transfers, notes] = cutAfterTransfers(rest)
  if (transfers.length === 0) return invalid('must make a checked transfer of a token after its compute price')
  if (transfers.length > transfersMax) return invalid(`must make at most ${transfersMax} transfers`)
  if (notes.length > notesMax) return invalid(`must have at most ${notesMax} notes and assertions`)
  for (const { program } of notes) {
    if (program !== memoProgram && program !== lighthouseProgram) return invalid(`must not call ${program}`)
  }
  const signed = message.serialize()
  if (!isSigned(signed, signatures[1], payer)) return invalid(`is not signed by ${payer}`)
  return {
    payer,
    transfers: transfers.map((transfer) => readTransfer(transfer, payer)),
    memos: notes.filter(({ program }) => program === memoProgram).map(({ data }) => data.toString('utf8')),
    lamports: 2n * signatureFee + (unitPrice * BigInt(units) + 999_999n) / 1_000_000n,
    digest: createHash('sha256').update(signed).digest('hex'),
  }
}

type Instruction = { program: string; accounts: readonly string[]; data: Buffer }

function readBudget({ program, data }: Instruction, kind: number, bytes: number): Buffer {
  const isBudget = program === ComputeBudgetProgram.programId.toBase58() && data[0] === kind && data.length === bytes
  return isBudget ? data : invalid('must begin with its compute limit and its compute price')
}

/** The leading calls of the token program, and the remaining instructions. */
function cutAfterTransfers(instructions: readonly Instruction[]): [Instruction[], Instruction[]] {
  const isTransfer = ({ program }: Instruction) => program === TOKEN_PROGRAM_ID.toBase58()
  const end = instructions.findIndex((instruction) => !isTransfer(instruction))
  const cut = end === -1 ? instructions.length : end
  return [instructions.slice(0, cut), instructions.slice(cut)]
}

/** A checked transfer's required accounts, before any reference. */
const transferAccounts = 4

function readTransfer({ accounts, data }: Instruction, payer: string): SponsoredTransfer {
  const isChecked = data[0] === transferChecked && data.length === 10
  if (!isChecked || accounts.length < transferAccounts) return invalid('must make a checked transfer of a token')
  const keys = accounts.map((key) => ({ pubkey: new PublicKey(key), isSigner: false, isWritable: false }))
  const { keys: named, data: fields } = decodeTransferCheckedInstructionUnchecked(
    new TransactionInstruction({ programId: TOKEN_PROGRAM_ID, keys, data }),
  )
  const [mint, destination] = [named.mint?.pubkey.toBase58() ?? '', named.destination?.pubkey.toBase58() ?? '']
  if (named.owner?.pubkey.toBase58() !== payer) return invalid('must move the money of its signer')
  const references = accounts.slice(transferAccounts)
  return { mint, destination, amount: fields.amount, decimals: fields.decimals, references }
}

function isSigned(message: Uint8Array, signature: Uint8Array | undefined, signer: string): boolean {
  if (signature === undefined) return false
  const key = Buffer.concat([spkiPrefix, new PublicKey(signer).toBytes()])
  return verify(null, message, createPublicKey({ key, format: 'der', type: 'spki' }), signature)
}

/** The transaction without the fee payer's signature, if any. */
export function withoutFeePayer(base64: string): string {
  const transaction = decode(base64)
  transaction.signatures[0] = new Uint8Array(64)
  return Buffer.from(transaction.serialize()).toString('base64')
}

/**
 * Parses a customer's transaction into an authorization.
 * @throws {AuthorizationRefused} when it is not a sponsored payment.
 */
export function signedOfTransaction(payment: Payment, transaction: string, feePayer: string): SignedAuthorization {
  const { payer, transfers, digest } = readSponsoredPayment(transaction, feePayer)
  return {
    from: payer,
    to: recipientOf(payment),
    value: String(transfers.reduce((sum, { amount }) => sum + amount, 0n)),
    validAfter: '0',
    validBefore: '0',
    nonce: digest,
    signature: transaction,
  }
}

/** A deposit's address, or a wallet payment's reference, which represents its terms. */
const recipientOf = (payment: Payment): string =>
  payment.mode === 'deposit' ? payment.depositAddress : payment.termsHash

/**
 * Parses a customer's transaction for a payment, whatever the payment's current state. Calls no node.
 * @throws {AuthorizationRefused} when it is not a sponsored payment.
 */
export function identifyTransaction(
  payment: Payment,
  { signature: transaction }: SignedAuthorization,
  feePayer: string,
): IdentifiedAuthorization {
  const { payer, transfers, digest } = readSponsoredPayment(transaction, feePayer)
  return {
    paymentId: payment.id,
    merchantId: payment.merchantId,
    network: payment.network,
    token: payment.tokenAddress.toLowerCase(),
    payer: payer.toLowerCase(),
    nonce: digest,
    kind: 'transaction',
    value: transfers.reduce((sum, { amount }) => sum + amount, 0n),
    recipient: recipientOf(payment).toLowerCase(),
    target: recipientOf(payment),
    data: transaction,
    digest,
    signature: transaction,
    isKeySignature: true,
  }
}

/**
 * Compares a customer's transaction with its payment. Calls no node.
 * @throws {AuthorizationRefused} naming the first difference.
 */
export function checkTransaction(
  payment: Payment,
  signed: SignedAuthorization,
  { feePayer, nowMs }: { feePayer: string; nowMs: number },
): CheckedAuthorization {
  if (payment.isTest) return refuse('SIGNATURE_NOT_OFFERED', 'No transaction pays a test payment.')
  const open = signableAmount(payment)
  if (open === 0n) return refuse('PAYMENT_NOT_OPEN', 'No amount is left to pay.')
  const { transfers, memos } = readSponsoredPayment(signed.signature, feePayer)
  verifyTransfers(payment, transfers)
  const identified = identifyTransaction(payment, signed, feePayer)
  const { value } = identified
  if (value !== open) return refuse('WRONG_VALUE', `The value must be exactly ${open}, not ${value}.`)
  verifyMemo(payment, memos)
  const endsAtMs = Math.min(nowMs + sendWithinMs, payment.windowEndsAtMs)
  if (endsAtMs < nowMs + sendWithinMs / 2) return refuse('EXPIRES_TOO_SOON', 'The payment ends too soon.')
  return { ...identified, sendBeforeMs: endsAtMs }
}

/**
 * Compares a stored transaction with its payment again: even if the database was tampered with, the fee payer signs only what
 * moves a customer's money to the payment. Calls no node.
 * @throws {AuthorizationRefused} naming the first difference.
 */
export function recheckTransaction(payment: Payment, transaction: string, feePayer: string): void {
  verifyTransfers(payment, readSponsoredPayment(transaction, feePayer).transfers)
}

const paymentIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Requires the payment's id as memo. A deposit is identified by its address, so that servers that set no memo can use it: their
 * clients send a random memo.
 * @throws {AuthorizationRefused}
 */
function verifyMemo({ id, mode }: Payment, memos: readonly string[]): void {
  if (memos.length === 1 && memos[0] === id) return
  if (mode !== 'deposit') invalid('must have one memo, the id of the payment')
  if (memos.length > 1) invalid('must have one memo')
  if (paymentIdForm.test(memos[0] ?? '')) invalid('names another payment in its memo')
}

/** @throws {AuthorizationRefused} when the transfers are not exactly the payment's. */
function verifyTransfers(payment: Payment, transfers: readonly SponsoredTransfer[]): void {
  const { mint, decimals, recipients, reference } = transfersOf(payment)
  if (transfers.length !== recipients.length) {
    invalid(`must make as many transfers as the payment has recipients: ${recipients.length}, not ${transfers.length}`)
  }
  for (const [index, { account, amount }] of recipients.entries()) {
    const transfer = transfers[index] as SponsoredTransfer
    if (transfer.mint !== mint) invalid(`must move the token ${mint}`)
    if (transfer.decimals !== decimals) invalid('names other decimals of the token')
    if (transfer.destination !== account) {
      refuse('WRONG_RECIPIENT', `The recipient must be ${account}, not ${transfer.destination}.`)
    }
    if (transfer.amount !== amount) {
      refuse('WRONG_VALUE', `The value must be exactly ${amount}, not ${transfer.amount}.`)
    }
    const isLast = index === recipients.length - 1
    const wanted = isLast && reference !== null ? [reference] : []
    if (String(transfer.references) !== String(wanted)) {
      invalid(
        reference === null ? 'must name no other accounts' : `must name the reference ${reference} last, and no other`,
      )
    }
  }
}
