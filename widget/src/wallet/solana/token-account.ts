import { addressBytes, toBase58 } from './base58.ts'

export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const accountsProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/**
 * Where an owner's tokens of one mint are by convention: the associated token account.
 * @see https://solana.com/docs/tokens/basics/create-token-account
 */
export async function tokenAccountOf(mint: string, owner: string): Promise<string> {
  const seeds = [owner, tokenProgram, mint].flatMap((address) => [...addressBytes(address)])
  const mark = [...addressBytes(accountsProgram), ...new TextEncoder().encode('ProgramDerivedAddress')]
  for (let bump = 255; bump >= 0; bump--) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from([...seeds, bump, ...mark])))
    if (!isOnCurve(hash)) return toBase58(hash)
  }
  throw new RangeError(`${owner} has no token account.`)
}

/** The field and the constant of the curve ed25519: RFC 8032, section 5.1. */
const p = 2n ** 255n - 19n
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Whether a key can have made these bytes: x² = (y² − 1) / (d·y² + 1) has a root. An account of a program is none such. */
function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n
  for (const byte of bytes.toReversed()) y = y * 256n + BigInt(byte)
  y &= 2n ** 255n - 1n
  const square = (y * y) % p
  const u = (square + p - 1n) % p
  const v = (d * square + 1n) % p
  const product = (u * v) % p
  return product === 0n || power(product, (p - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % p)
    if (rest & 1n) result = (result * square) % p
  return result
}
