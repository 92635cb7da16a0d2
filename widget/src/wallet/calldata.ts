import type { Json } from '../payment.ts'

/** First four bytes of the hash of each function that is called without the service's help. */
const selectors = {
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
  approve: '0x095ea7b3',
  transfer: '0xa9059cbb',
  nonces: '0x7ecebe00',
}

/** Addresses and numbers only: each is one word of 32 bytes, so that no encoder is needed. */
export function encodeCall(name: keyof typeof selectors, ...values: (string | bigint)[]): string {
  const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
  return selectors[name] + values.map(word).join('')
}

export const toHex = (value: number | bigint): string => `0x${value.toString(16)}`

/** A number in hex, as nodes write it. @throws {SyntaxError} for anything else. */
export function fromHex(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[\da-f]+$/i.test(value)) throw new SyntaxError(`${String(value)} is no number.`)
  return BigInt(value)
}

/** A signature as the contracts take it (v, r, s as words); null for one that is not of 65 bytes, like a smart account's. */
export function signatureWords(signature: unknown): string | null {
  const parts = /^0x([\da-f]{64})([\da-f]{64})([\da-f]{2})$/i.exec(String(signature))
  if (!parts) return null
  const [, r, s, last = ''] = parts
  const bit = Number.parseInt(last, 16)
  // Hardware wallets write 0 and 1 for 27 and 28.
  return (bit < 27 ? bit + 27 : bit).toString(16).padStart(64, '0') + r + s
}

/** A permit to sign: what the service wrote, with the owner and the owner's nonce filled in. */
export function permitFor(typedData: Json, owner: string, nonce: bigint): string {
  return JSON.stringify({ ...typedData, message: { ...(typedData['message'] as Json), owner, nonce: String(nonce) } })
}
