import { toBase58 } from './base58.ts'

/** What a transaction must be for. `amount` in base units, `account` and `mint` in base58. */
export type Expected = { account: string; mint: string; amount: bigint; decimals: number }

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const accountsProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const transferChecked = 12
const createIdempotent = 1
/** Merchant and platform. */
const transfersMax = 2

/**
 * The last look before money moves: the transaction that the service has made is one of this account alone, and moves
 * exactly the amount on screen, of that token, by its transfers and nothing else.
 * @see https://solana.com/docs/core/transactions
 * @throws {RangeError} with what is wrong.
 */
export function verifyTransaction(bytes: Uint8Array, { account, mint, amount, decimals }: Expected): void {
  const { signers, keys, instructions } = parse(bytes)
  if (signers !== 1 || keys[0] !== account) throw new RangeError('The transaction is not one of the wallet’s account.')
  let total = 0n
  let transfers = 0
  for (const { program, accounts, data } of instructions) {
    if (program === accountsProgram && data.length === 1 && data[0] === createIdempotent && accounts[3] === mint)
      continue
    const isTransfer = program === tokenProgram && data.length === 10 && data[0] === transferChecked
    if (!isTransfer || accounts[1] !== mint || accounts[3] !== account || data[9] !== decimals)
      throw new RangeError('The transaction does something else than to pay.')
    total += new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)
    transfers++
  }
  if (total !== amount || transfers > transfersMax) throw new RangeError('The transaction is over another amount.')
}

type Instruction = { program: string; accounts: string[]; data: Uint8Array }

/** Reads a transaction of the first format; another has a mark where this one counts its signers. */
function parse(bytes: Uint8Array): { signers: number; keys: string[]; instructions: Instruction[] } {
  let at = 0
  const take = (length: number): Uint8Array => {
    const taken = bytes.slice(at, at + length)
    at += length
    if (taken.length !== length) throw new RangeError('The transaction is cut off.')
    return taken
  }
  const byte = (): number => take(1)[0] ?? 0
  /** Seven bits a byte, lowest first; two bytes hold more than a transaction can. */
  const count = (): number => {
    const low = byte()
    return low < 128 ? low : low - 128 + byte() * 128
  }
  take(count() * 64)
  const signers = byte()
  if (signers > 127) throw new RangeError('The transaction is of a format that was not asked for.')
  take(2)
  const keys = Array.from({ length: count() }, () => toBase58(take(32)))
  take(32)
  const key = (): string => keys[byte()] ?? ''
  const instructions = Array.from({ length: count() }, () => {
    const program = key()
    const accounts = Array.from({ length: count() }, key)
    return { program, accounts, data: take(count()) }
  })
  if (at !== bytes.length) throw new RangeError('Something stands behind the transaction.')
  return { signers, keys, instructions }
}
