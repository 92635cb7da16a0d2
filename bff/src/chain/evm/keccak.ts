import { createKeccak } from 'hash-wasm'
import { type Address, type Hex, keccak256 as keccakOfViem } from 'viem'

/**
 * Uses compiled hashing: a deposit's create hashes five blocks, a wallet payment's as many. viem's hashing in
 * JavaScript takes more than a third of a create's throughput (`npm run bench -- http`), `getCreate2Address` alone a
 * quarter. viem's is used until compilation is done.
 */
let compiled: Awaited<ReturnType<typeof createKeccak>> | undefined
createKeccak(256).then(
  (hasher) => {
    compiled = hasher
  },
  () => undefined,
)

/** keccak-256 of bytes, or of hex text. */
export function keccak256(data: Hex | Uint8Array): Hex {
  if (!compiled) return keccakOfViem(data)
  const bytes = typeof data === 'string' ? Buffer.from(data.slice(2), 'hex') : data
  return `0x${compiled.init().update(bytes).digest('hex')}`
}

/** EIP-55: a letter of the address is upper case where the hash of its lower-case text has a digit of 8 or more. */
export function checksummed(address: Address): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(Buffer.from(digits, 'latin1')).slice(2)
  const cased = [...digits].map((digit, index) => ((hash[index] ?? '') >= '8' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}
