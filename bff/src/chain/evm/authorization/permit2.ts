import { encodeFunctionData, type Hex, hexToBigInt, parseAbi } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { AuthorizationRefused, type SignedAuthorization, signableAmount } from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { parseSplitTerms, splitDetails } from '../split/split-terms.ts'

/** The same address on every chain: https://github.com/Uniswap/permit2 */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

export const permit2Abi = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
  'error InvalidNonce()',
  'error SignatureExpired(uint256 deadline)',
])

export const permit2Domain = (chainId: number) =>
  ({ name: 'Permit2', chainId, verifyingContract: permit2Address }) as const

/** The witness tells the splitter how to use the money: pay these terms, or forward it to this deposit address. */
const witnesses = {
  contract: { name: 'PaymentTerms', fields: [{ name: 'termsHash', type: 'bytes32' }] },
  deposit: { name: 'Deposit', fields: [{ name: 'depositAddress', type: 'address' }] },
} as const

export function permit2Types(mode: Payment['mode']): Record<string, { name: string; type: string }[]> {
  const { name, fields } = witnesses[mode]
  return {
    PermitWitnessTransferFrom: [
      { name: 'permitted', type: 'TokenPermissions' },
      { name: 'spender', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
      { name: 'witness', type: name },
    ],
    TokenPermissions: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    [name]: [...fields],
  }
}

type Network = Partial<Pick<EvmNetwork, 'splitter'>>

/** The contract that may submit a permit, the witness, and the fixed fields. `nonce` is null if any is allowed. */
function termsOf({ splitter }: Network, payment: Payment) {
  if (payment.mode === 'contract') {
    const { splitter: spender, deadlineSeconds } = parseSplitTerms(payment.splitTerms)
    return {
      spender,
      to: payment.termsHash,
      witness: { termsHash: payment.termsHash },
      nonce: payment.termsHash as Hex,
      deadlineSeconds,
    }
  }
  return {
    spender: splitter as Hex,
    to: payment.depositAddress,
    witness: { depositAddress: payment.depositAddress },
    nonce: null,
    deadlineSeconds: Math.floor(payment.windowEndsAtMs / 1000),
  }
}

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** The typed data for a wallet that has approved Permit2. */
export function permit2TypedData(network: EvmNetwork, payment: Payment) {
  const value = signableAmount(payment)
  // The splitter takes only the whole amount.
  if (payment.mode === 'contract' && value !== payment.due) return undefined
  const { spender, witness, nonce, deadlineSeconds } = termsOf(network, payment)
  return {
    types: { EIP712Domain: domainType, ...permit2Types(payment.mode) },
    primaryType: 'PermitWitnessTransferFrom',
    domain: permit2Domain(network.chainId),
    message: {
      permitted: { token: payment.tokenAddress, amount: String(value) },
      spender: spender as string,
      nonce: nonce === null ? null : String(hexToBigInt(nonce)),
      deadline: String(deadlineSeconds),
      witness,
    },
  }
}

/** A permit's fields, parsed and bounded like ERC-3009's. */
type Fields = { from: Hex; value: bigint; validBefore: bigint; nonce: Hex; signature: Hex }

/**
 * The splitter's call for a permit signed for exactly this payment.
 * @throws {AuthorizationRefused}
 */
export function permit2Call(network: EvmNetwork, payment: Payment, fields: Fields, signed: SignedAuthorization) {
  const terms = termsOf(network, payment)
  const { token = '', spender = '' } = signed.permit2 ?? {}
  verifySame('WRONG_VALUE', 'The permitted token', token, payment.tokenAddress)
  verifySame('WRONG_RECIPIENT', 'The spender', spender, terms.spender)
  verifySame('WRONG_RECIPIENT', 'The witness', signed.to, terms.to)
  if (terms.nonce !== null) {
    const expected = String(hexToBigInt(terms.nonce))
    verifySame('WRONG_NONCE', 'The nonce', String(hexToBigInt(fields.nonce)), expected)
  }
  return buildPermit2Call(network, payment, fields)
}

/** `permit2Call` without the comparison: the splitter accepts the payer's fields only as signed. */
export function buildPermit2Call(network: Network, payment: Payment, fields: Fields) {
  const terms = termsOf(network, payment)
  const { from, value, validBefore, nonce, signature } = fields
  const { abi } = paymentSplitter
  const data =
    payment.mode === 'contract'
      ? encodeFunctionData({
          abi,
          functionName: 'splitPaymentWithPermit2',
          args: [splitDetails(parseSplitTerms(payment.splitTerms)), from, validBefore, signature],
        })
      : encodeFunctionData({
          abi,
          functionName: 'payDepositWithPermit2',
          args: [
            payment.tokenAddress as Hex,
            payment.depositAddress as Hex,
            value,
            from,
            hexToBigInt(nonce),
            validBefore,
            signature,
          ],
        })
  const message = {
    permitted: { token: payment.tokenAddress, amount: value },
    spender: terms.spender,
    nonce: hexToBigInt(nonce),
    deadline: validBefore,
    witness: terms.witness,
  }
  return { target: terms.spender, data, message }
}

function verifySame(
  code: 'WRONG_VALUE' | 'WRONG_RECIPIENT' | 'WRONG_NONCE',
  what: string,
  given: string,
  ours: string,
) {
  if (given.toLowerCase() === ours.toLowerCase()) return
  throw new AuthorizationRefused(code, `${what} must be ${ours}, not ${given}.`)
}
