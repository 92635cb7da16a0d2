type Terms = {
  chainId: number
  token: string
  /** The payee, or the spender. */
  to: string
  value: bigint
  /** Unix seconds. */
  validBefore: bigint
  /** Null if any nonce will do; for the splitter it is the terms' hash, which `termsCall` reads on chain. */
  nonce: string | null
  termsCall: string | null
}

/** ERC-3009: the token transfers by the signature itself. */
type TokenForm = Terms & {
  domain: { name: string; version: string }
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
}

/** Permit2, which the account has approved once: the splitter, `to`, takes the money and obeys the witness. */
type Permit2Form = Terms & {
  primaryType: 'PermitWitnessTransferFrom'
  witness: { depositAddress: string } | { termsHash: string }
}

/** A payment that the customer only signs: the service sends the transaction and pays its fee. */
export type Authorization = TokenForm | Permit2Form

/** At the same address on every chain that has it: https://github.com/Uniswap/permit2 */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const fieldsOf = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([name, type]) => ({ name, type }))

/** https://eips.ethereum.org/EIPS/eip-3009 */
const fields = fieldsOf({
  from: 'address',
  to: 'address',
  value: 'uint256',
  validAfter: 'uint256',
  validBefore: 'uint256',
  nonce: 'bytes32',
})

/** @returns the parameter of `eth_signTypedData_v4`; types, names and values are the element's own. */
export function authorizationTypedData(authorization: Authorization, from: string | null, nonce: string | null) {
  if (authorization.primaryType === 'PermitWitnessTransferFrom') return permit2TypedData(authorization, nonce)
  const { domain, chainId, token, primaryType, to, value, validBefore } = authorization
  const EIP712Domain = fieldsOf({ name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' })
  return {
    types: { EIP712Domain, [primaryType]: fields },
    primaryType,
    domain: { ...domain, chainId, verifyingContract: token },
    message: { from, to, value: String(value), validAfter: '0', validBefore: String(validBefore), nonce },
  }
}

function permit2TypedData(
  { chainId, primaryType, token, to, value, validBefore, witness }: Permit2Form,
  nonce: string | null,
) {
  const isDeposit = 'depositAddress' in witness
  const witnessType = isDeposit ? 'Deposit' : 'PaymentTerms'
  return {
    types: {
      EIP712Domain: fieldsOf({ name: 'string', chainId: 'uint256', verifyingContract: 'address' }),
      [primaryType]: fieldsOf({
        permitted: 'TokenPermissions',
        spender: 'address',
        nonce: 'uint256',
        deadline: 'uint256',
        witness: witnessType,
      }),
      TokenPermissions: fieldsOf({ token: 'address', amount: 'uint256' }),
      [witnessType]: isDeposit ? fieldsOf({ depositAddress: 'address' }) : fieldsOf({ termsHash: 'bytes32' }),
    },
    primaryType,
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    message: {
      permitted: { token, amount: String(value) },
      spender: to,
      nonce: nonce === null ? null : String(BigInt(nonce)),
      deadline: String(validBefore),
      witness,
    },
  }
}

/** The request body for the service. */
export function authorizationBody({ primaryType }: Authorization, message: object, from: string, signature: string) {
  return primaryType === 'PermitWitnessTransferFrom'
    ? { permit2Authorization: { from, ...message }, signature }
    : { authorization: message, signature }
}
