export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const accountsProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/**
 * The associated token account of an owner and mint.
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

/**
 * Whether the bytes are a point on the curve, so that a key may exist: x² = (y² − 1) / (d·y² + 1) has a root. A
 * program's account is not.
 */
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

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Alphabet of Solana's addresses and signatures. */
export function toBase58(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let text = ''
  for (; value > 0n; value /= 58n) text = (alphabet[Number(value % 58n)] ?? '') + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}

/** The 32 bytes of an address. @throws {RangeError} for anything else. */
export function addressBytes(address: string): Uint8Array {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) throw new RangeError(`${address} is not a Solana address.`)
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(alphabet.indexOf(letter))
  const hex = value.toString(16).padStart(64, '0')
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (bytes.length !== 32 || toBase58(bytes) !== address) throw new RangeError(`${address} is not a Solana address.`)
  return bytes
}
