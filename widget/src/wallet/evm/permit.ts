import type { Json } from '../../payment.ts'

/**
 * The values of an ERC-2612 permit. `value` in base units; `nonce` and `owner` are known once a wallet is connected.
 */
export type Permit = {
  domain: { name: string; version: string; chainId: number; verifyingContract: string }
  spender: string
  value: bigint
  deadlineSeconds: bigint
}

const fieldsOf = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([name, type]) => ({ name, type }))

/** https://eips.ethereum.org/EIPS/eip-2612, with the EIP-712 domain of Circle's and OpenZeppelin's tokens. */
const types = {
  EIP712Domain: fieldsOf({ name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' }),
  Permit: fieldsOf({ owner: 'address', spender: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' }),
}

/** @returns the parameter of `eth_signTypedData_v4`; types, names and values are the element's own. */
export function permitTypedData(
  { domain, spender, value, deadlineSeconds }: Permit,
  owner: string | null,
  nonce: bigint | null,
) {
  const message = {
    owner,
    spender,
    value: String(value),
    nonce: nonce === null ? null : String(nonce),
    deadline: String(deadlineSeconds),
  }
  return { types, primaryType: 'Permit', domain, message }
}

/** Whether two JSON values are equal, ignoring case, as addresses require. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.toLowerCase() === other.toLowerCase()
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const names = Object.keys(one)
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isSameJson((one as Json)[name], (other as Json)[name]))
}
