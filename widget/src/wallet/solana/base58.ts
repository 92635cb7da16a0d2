const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** What addresses and signatures of Solana are written in. */
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
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) throw new RangeError(`${address} is not an address of Solana.`)
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(alphabet.indexOf(letter))
  const hex = value.toString(16).padStart(64, '0')
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (bytes.length !== 32 || toBase58(bytes) !== address)
    throw new RangeError(`${address} is not an address of Solana.`)
  return bytes
}
