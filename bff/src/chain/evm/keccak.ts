import { createKeccak } from 'hash-wasm'
import { type Address, type Hex, keccak256 as keccakOfViem } from 'viem'

/**
 * Uses WebAssembly: creating a deposit or a wallet payment hashes five blocks, and viem's JavaScript hashing takes more than a
 * third of that throughput (`npm run bench -- http`), `getCreate2Address` alone a quarter. Falls back to viem's until compilation
 * is done.
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

/** EIP-55: a letter is upper case where the hash of the lower-case address has a digit of 8 or more. */
export function checksummed(address: Address): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(Buffer.from(digits, 'latin1')).slice(2)
  const cased = [...digits].map((digit, index) => ((hash[index] ?? '') >= '8' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}
