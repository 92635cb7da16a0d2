/** Function selectors of the calls encoded by the element. */
const selectors = {
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
  approve: '0x095ea7b3',
  transfer: '0xa9059cbb',
  nonces: '0x7ecebe00',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
}

/** Addresses and numbers only: each is one 32-byte word, so that no ABI encoder is needed. */
export function encodeCall(name: keyof typeof selectors, ...values: (string | bigint)[]): string {
  const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
  return selectors[name] + values.map(word).join('')
}

export const toHex = (value: number | bigint): string => `0x${value.toString(16)}`

/**
 * A hex quantity of JSON-RPC.
 * @throws {SyntaxError} for anything else.
 */
export function fromHex(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[\da-f]+$/i.test(value))
    throw new SyntaxError(`${String(value)} is not a number.`)
  return BigInt(value)
}

/** A signature as v, r, s words; null unless it has 65 bytes, such as a smart account's. */
export function signatureWords(signature: unknown): string | null {
  const parts = /^0x([\da-f]{64})([\da-f]{64})([\da-f]{2})$/i.exec(String(signature))
  if (!parts) return null
  const [, r, s, last = ''] = parts
  const bit = Number.parseInt(last, 16)
  // Hardware wallets use 0 and 1 for 27 and 28.
  return (bit < 27 ? bit + 27 : bit).toString(16).padStart(64, '0') + r + s
}

/** Symbols are short; longer text is ignored. */
const textBytesMax = 64

/** A string returned by a contract: with offset and length, or bytes32 as in old tokens. */
export function parseText(hex: unknown): string {
  const digits = /^0x((?:[\da-f]{2})*)$/i.exec(String(hex))?.[1] ?? ''
  const isWord = digits.length === 64
  const length = isWord ? 32 : Number(fromHex(`0x${digits.slice(64, 128) || 0}`))
  const text = digits.slice(isWord ? 0 : 128).slice(0, Math.min(length, textBytesMax) * 2)
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return new TextDecoder().decode(bytes).replace(/\0+$/, '')
}
