import {
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashTypedData,
  parseAbi,
  parseSignature,
  recoverAddress,
  toHex,
} from 'viem'
import type { EvmNetwork, SigningDomain } from '../../../core/families.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type IdentifiedAuthorization,
  type SignedAuthorization,
  signableAmount,
} from '../../../payment/authorization.ts'
import type { ContractPayment, DepositPayment, Payment } from '../../../payment/payment.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { fieldTypes, isDomain } from '../eip712.ts'
import { evmPaces } from '../pace.ts'
import { parseSplitTerms, splitDetails } from '../split/split-terms.ts'
import { permit2Call, permit2Domain, permit2Types } from './permit2.ts'
import { signingOf } from './typed-data.ts'

/** ERC-3009 of Circle's tokens. The second form, from version 2.2, accepts signatures of smart accounts. */
export const authorizationAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

/** The margin of x402's reference implementation; chains with slow blocks need three blocks. */
const marginMinSeconds = 6
const marginBlocks = 3

/** Time for the transaction to be mined before the authorization expires. */
const marginSeconds = (chainId: number): number =>
  Math.max(marginMinSeconds, Math.ceil(marginBlocks * (evmPaces.get(chainId)?.blockSeconds ?? 0)))

const uint256Max = 2n ** 256n - 1n

type Fields = {
  from: Hex
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/**
 * @param signing - The token's authorization method.
 * @throws {AuthorizationRefused} when the token does not support this form.
 */
function verifySigning(
  network: EvmNetwork,
  payment: Payment,
  signed: SignedAuthorization,
  signing: ReturnType<typeof signingOf>,
) {
  const at = `${payment.currency} on ${network.name}`
  if (signing === undefined) {
    throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', `${at} cannot be paid by signature here.`)
  }
  if (isDomain(signing) === (signed.permit2 !== undefined)) {
    const form = isDomain(signing) ? 'authorization' : 'permit2Authorization'
    throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', `${at} is paid by the signature of its ${form}.`)
  }
  return signing
}

/** Also supports authorizations signed before the token, or its domain, left the configuration. */
function signingOfSigned(network: EvmNetwork, payment: Payment, { permit2, domain }: SignedAuthorization) {
  const signing = signingOf(network, payment)
  if (isDomain(signing) || permit2 !== undefined || payment.isTest) return signing
  return domain ?? signing
}

/**
 * Parses an authorization for a payment and builds the call, whatever the payment's current state and configuration. Calls no
 * node.
 * @throws {AuthorizationRefused} when it is for another payment, or in another form.
 */
export async function identifyAuthorization(
  network: EvmNetwork,
  payment: Payment,
  signed: SignedAuthorization,
): Promise<IdentifiedAuthorization> {
  const signing = verifySigning(network, payment, signed, signingOfSigned(network, payment, signed))
  const fields = parseFields(signed)
  const { target, data, hash, kind } = isDomain(signing)
    ? authorizationCall(network, payment, signing, { ...fields, to: signed.to })
    : permitCall(network, payment, signed, fields)
  return {
    paymentId: payment.id,
    merchantId: payment.merchantId,
    network: network.shortName,
    token: payment.tokenAddress.toLowerCase(),
    payer: fields.from.toLowerCase(),
    nonce: fields.nonce,
    kind,
    value: fields.value,
    recipient: (payment.mode === 'deposit' ? payment.depositAddress : target).toLowerCase(),
    target,
    data,
    digest: hash,
    signature: fields.signature,
    isKeySignature: await isSignedBy(fields, hash),
  }
}

/**
 * Compares an authorization with its payment, and builds the call. Calls no node: the simulation checks the payer's
 * balance, the nonce, and a smart account's agreement.
 * @throws {AuthorizationRefused} naming the first fault.
 */
export async function checkAuthorization(
  network: EvmNetwork,
  payment: Payment,
  signed: SignedAuthorization,
  nowMs: number,
): Promise<CheckedAuthorization> {
  verifySigning(network, payment, signed, signingOf(network, payment))
  const open = signableAmount(payment)
  if (open === 0n) throw new AuthorizationRefused('PAYMENT_NOT_OPEN', 'No amount is left to pay.')
  const fields = parseFields(signed)
  if (fields.value !== open) {
    throw new AuthorizationRefused('WRONG_VALUE', `The value must be exactly ${open}, not ${fields.value}.`)
  }
  const sendBeforeMs = verifyTimes(network, payment, fields, nowMs)
  return { ...(await identifyAuthorization(network, payment, signed)), sendBeforeMs }
}

function parseFields(signed: SignedAuthorization): Fields {
  const { from, nonce, signature } = signed
  const [value, validAfter, validBefore] = [signed.value, signed.validAfter, signed.validBefore].map(BigInt)
  const fields = { value, validAfter, validBefore } as Pick<Fields, 'value' | 'validAfter' | 'validBefore'>
  if ([...Object.values(fields), BigInt(nonce)].some((number) => number > uint256Max)) {
    throw new AuthorizationRefused('WRONG_VALUE', 'A number exceeds uint256.')
  }
  return {
    ...fields,
    from: getAddress(from.toLowerCase()),
    nonce: nonce.toLowerCase() as Hex,
    signature: signature.toLowerCase() as Hex,
  }
}

/** @returns the latest time at which the transaction may be sent. */
function verifyTimes(
  { chainId }: EvmNetwork,
  { windowEndsAtMs }: Payment,
  { validAfter, validBefore }: Fields,
  nowMs: number,
): number {
  const marginMs = marginSeconds(chainId) * 1000
  const nowSeconds = BigInt(Math.floor(nowMs / 1000))
  if (validAfter >= nowSeconds) {
    throw new AuthorizationRefused('NOT_YET_VALID', 'validAfter must be in the past, or 0.')
  }
  const endsAtMs = Math.min(Number(validBefore) * 1000, windowEndsAtMs)
  if (endsAtMs < nowMs + marginMs) {
    const message = `validBefore and the end of the payment must be at least ${marginMs / 1000} seconds away.`
    throw new AuthorizationRefused('EXPIRES_TOO_SOON', message)
  }
  // The margin lets the transaction be mined; the queue may use half of it.
  return endsAtMs - marginMs / 2
}

/** ERC-3009. */
function authorizationCall(
  network: EvmNetwork,
  payment: Payment,
  { name, version }: SigningDomain,
  given: Fields & { to: string },
) {
  const fields = { ...given, to: getAddress(given.to.toLowerCase()) }
  const call = payment.mode === 'contract' ? splitCall(payment, fields) : transferCall(payment, fields)
  const hash = hashTypedData({
    domain: { name, version, chainId: network.chainId, verifyingContract: payment.tokenAddress as Hex },
    types: { [call.primaryType]: fieldTypes },
    primaryType: call.primaryType,
    message: fields,
  })
  return { ...call, hash, kind: 'authorization' as const }
}

/** Permit2. */
function permitCall(network: EvmNetwork, payment: Payment, signed: SignedAuthorization, fields: Fields) {
  // Some wallets write 0 or 1, which Permit2 rejects.
  const parts = splitSignature(fields.signature)
  const signature = parts ? concat([parts.r, parts.s, toHex(parts.v)]) : fields.signature
  const { target, data, message } = permit2Call(network, payment, { ...fields, signature }, signed)
  const types = permit2Types(payment.mode)
  const domain = permit2Domain(network.chainId)
  const hash = hashTypedData({ domain, types, primaryType: 'PermitWitnessTransferFrom', message })
  return { target, data, hash, kind: 'permit2' as const }
}

type Erc3009Fields = Fields & { to: Hex }

type Call = { primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization'; target: Hex; data: Hex }

/**
 * A transfer of the payer's tokens to the deposit address, which belongs to this payment alone and so binds the
 * authorization to it.
 */
export function transferCall({ depositAddress, tokenAddress }: DepositPayment, fields: Erc3009Fields): Call {
  const { from, to, value, validAfter, validBefore, nonce, signature } = fields
  verifyRecipient(to, depositAddress)
  const given = [from, to, value, validAfter, validBefore, nonce] as const
  const parts = splitSignature(signature)
  const data = encodeFunctionData({
    abi: authorizationAbi,
    functionName: 'transferWithAuthorization',
    // Older tokens support only the first form.
    args: parts ? [...given, parts.v, parts.r, parts.s] : [...given, signature],
  })
  return { primaryType: 'TransferWithAuthorization', target: tokenAddress as Hex, data }
}

/**
 * A transfer of the payer's tokens to merchant and platform through the splitter. The nonce is the terms hash: nothing
 * can be changed.
 */
export function splitCall(payment: ContractPayment, fields: Erc3009Fields): Call {
  const terms = parseSplitTerms(payment.splitTerms)
  const { from, to, value, validAfter, validBefore, nonce, signature } = fields
  verifyRecipient(to, terms.splitter)
  if (nonce !== payment.termsHash) {
    throw new AuthorizationRefused('WRONG_NONCE', `The nonce must be ${payment.termsHash}, the hash of the terms.`)
  }
  if (value !== terms.amount) throw new AuthorizationRefused('WRONG_VALUE', `The value must be ${terms.amount}.`)
  const parts = splitSignature(signature)
  const given = [splitDetails(terms), from, validAfter, validBefore] as const
  const { abi } = paymentSplitter
  const data = parts
    ? encodeFunctionData({
        abi,
        functionName: 'splitPaymentWithAuthorization',
        args: [...given, parts.v, parts.r, parts.s],
      })
    : encodeFunctionData({ abi, functionName: 'splitPaymentWithSignature', args: [...given, signature] })
  return { primaryType: 'ReceiveWithAuthorization', target: terms.splitter, data }
}

function verifyRecipient(to: string, expected: string): void {
  if (isSame(to, expected)) return
  throw new AuthorizationRefused('WRONG_RECIPIENT', `The recipient must be ${expected}, not ${to}.`)
}

/** The signature at the end of a call's arguments, in either form. */
export function joinSignature(args: readonly [Hex] | readonly [number, Hex, Hex]): Hex {
  if (args.length === 1) return args[0]
  const [v, r, s] = args
  return concat([r, s, toHex(v, { size: 1 })])
}

/** Undefined for a signature of another length, which only a smart account can verify. */
function splitSignature(signature: Hex): { v: number; r: Hex; s: Hex } | undefined {
  if (signature.length !== 132) return undefined
  const last = Number.parseInt(signature.slice(130), 16)
  // Some wallets write 0 or 1.
  const v = last < 27 ? last + 27 : last
  return { v, r: `0x${signature.slice(2, 66)}`, s: `0x${signature.slice(66, 130)}` }
}

async function isSignedBy({ from, signature }: Fields, hash: Hex): Promise<boolean> {
  if (signature.length !== 132) return false
  try {
    return isSame(await recoverAddress({ hash, signature: parseSignature(signature) }), from)
  } catch {
    return false
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
