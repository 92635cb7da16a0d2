import { accountsProgram, toBase58, tokenProgram } from './token-account.ts'

/** A recipient: `account` is the token account of `owner`, `amount` in base units. */
type Recipient = { owner: string; account: string; amount: bigint }

/** The expected content of a transaction. Addresses in base58; `source` is the token account of `account`. */
export type Expected = {
  account: string
  source: string
  mint: string
  decimals: number
  recipients: readonly Recipient[]
  /** The reference in the last transfer, by which the service finds the payment. A deposit is found by its address. */
  reference: string | null
}

const systemProgram = '11111111111111111111111111111111'
const budgetProgram = 'ComputeBudget111111111111111111111111111111'
const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const transferChecked = 12
const createIdempotent = 1

/**
 * The last check before money moves: the service's transaction is signed by this account alone, pays each recipient its
 * share of the amount on screen, may create those recipients' token accounts, and does nothing else.
 * @see https://solana.com/docs/core/transactions
 * @throws {RangeError} with the deviation.
 */
export function verifyTransaction(bytes: Uint8Array, expected: Expected): void {
  const { signers, keys, writable, instructions } = parse(bytes)
  const { account, source, recipients } = expected
  if (signers !== 1 || keys[0] !== account) throw new RangeError('The transaction is not for the wallet’s account.')
  const allowed = [account, source, ...recipients.map((recipient) => recipient.account)]
  if (writable.some((key) => !allowed.includes(key))) throw new RangeError('The transaction changes another account.')
  const isTransfer = ({ program }: Instruction) => program === tokenProgram
  const creations = instructions.filter((instruction) => !isTransfer(instruction))
  for (const creation of creations) verifyCreation(creation, expected)
  verifyTransfers(instructions.filter(isTransfer), expected)
}

/** The expected content of a transaction whose fee the service pays. `memo` is the payment's id. */
type ExpectedSponsored = Expected & { memo: string }

/**
 * The same for a transaction whose fee the service pays: signed by its fee payer and this account, it pays each
 * recipient its share of exactly the amount, contains the payment's id as memo, creates no account, and uses the fee
 * payer for nothing else.
 * @throws {RangeError} with the deviation.
 */
export function verifySponsored(bytes: Uint8Array, expected: ExpectedSponsored): void {
  const { signers, keys, writable, instructions } = parse(bytes)
  const { account, source, recipients } = expected
  const [feePayer = '', customer] = keys
  if (signers !== 2 || customer !== account) throw new RangeError('The transaction is not for the wallet’s account.')
  const allowed = [feePayer, source, ...recipients.map((recipient) => recipient.account)]
  if (writable.some((key) => !allowed.includes(key))) throw new RangeError('The transaction changes another account.')
  const programs = [budgetProgram, budgetProgram, ...recipients.map(() => tokenProgram), memoProgram]
  const called = instructions.map(({ program }) => program)
  if (!isSame(called, programs) || new TextDecoder().decode(instructions.at(-1)?.data) !== expected.memo)
    throw new RangeError('The transaction does more than pay.')
  verifyTransfers(instructions.slice(2, -1), expected)
}

/** A recipient's missing token account is created at the customer's cost. */
function verifyCreation({ program, accounts, data }: Instruction, { account, mint, recipients }: Expected): void {
  const opened = recipients.find((recipient) => recipient.account === accounts[1])
  const all = [account, opened?.account, opened?.owner, mint, systemProgram, tokenProgram]
  const isCreation = program === accountsProgram && data.length === 1 && data[0] === createIdempotent
  if (!isCreation || !isSame(accounts, all)) throw new RangeError('The transaction does more than pay.')
}

function verifyTransfers(transfers: readonly Instruction[], expected: Expected): void {
  const { recipients, reference } = expected
  if (transfers.length !== recipients.length) throw new RangeError('The transaction is for another amount.')
  for (const [index, recipient] of recipients.entries()) {
    const references = reference !== null && index === recipients.length - 1 ? [reference] : []
    verifyTransfer(transfers[index], recipient, references, expected)
  }
}

function verifyTransfer(
  transfer: Instruction | undefined,
  recipient: Recipient,
  references: string[],
  { account, source, mint, decimals }: Expected,
): void {
  const { accounts, data } = transfer ?? { accounts: [], data: new Uint8Array() }
  if (data.length !== 10 || data[0] !== transferChecked || data[9] !== decimals)
    throw new RangeError('The transaction does more than pay.')
  if (!isSame(accounts, [source, mint, recipient.account, account, ...references]))
    throw new RangeError('The transaction pays another recipient, or in another token.')
  if (new DataView(data.buffer, data.byteOffset).getBigUint64(1, true) !== recipient.amount)
    throw new RangeError('The transaction is for another amount.')
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

type Instruction = { program: string; accounts: string[]; data: Uint8Array }
type Parsed = { signers: number; keys: string[]; writable: string[]; instructions: Instruction[] }

/** Parses a legacy transaction; a versioned one has a marker in place of its signer count. */
function parse(bytes: Uint8Array): Parsed {
  let at = 0
  const take = (length: number): Uint8Array => {
    const taken = bytes.slice(at, at + length)
    at += length
    if (taken.length !== length) throw new RangeError('The transaction is truncated.')
    return taken
  }
  const byte = (): number => take(1)[0] ?? 0
  /** Seven bits per byte, lowest first; two bytes exceed what a transaction can hold. */
  const count = (): number => {
    const low = byte()
    return low < 128 ? low : low - 128 + byte() * 128
  }
  take(count() * 64)
  const signers = byte()
  if (signers > 127) throw new RangeError('The transaction has an unsupported format.')
  const readOnlySigners = byte()
  const readOnlyOthers = byte()
  const keys = Array.from({ length: count() }, () => toBase58(take(32)))
  if (new Set(keys).size !== keys.length) throw new RangeError('The transaction lists an account twice.')
  const isWritable = (index: number) =>
    index < signers ? index < signers - readOnlySigners : index < keys.length - readOnlyOthers
  take(32)
  const key = (): string => keys[byte()] ?? ''
  const instructions = Array.from({ length: count() }, () => {
    const program = key()
    const accounts = Array.from({ length: count() }, key)
    return { program, accounts, data: take(count()) }
  })
  if (at !== bytes.length) throw new RangeError('The transaction has trailing data.')
  return { signers, keys, writable: keys.filter((_, index) => isWritable(index)), instructions }
}
