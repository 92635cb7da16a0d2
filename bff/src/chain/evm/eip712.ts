import type { SigningDomain, Token } from '../../core/families.ts'

export const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** Fields of both ERC-3009 authorization types. */
export const fieldTypes = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export const isDomain = (signing: Token['authorization'] | undefined): signing is SigningDomain =>
  typeof signing === 'object' && signing !== null
