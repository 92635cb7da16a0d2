import type { ContractCall, PublicPayment, Unchecked } from '../../../../bff/src/api-types.ts'
import { record, text, webUrl } from '../../api/parse-answer.ts'
import { type Answer, isSameAmount, type Json, type Payment, toSend } from '../../payment.ts'
import { isSameAddress, type Pins, verifyMerchant } from '../../pins.ts'
import type { Intent } from '../../terms.ts'
import { knownChainId, knownToken } from '../known-tokens.ts'
import { parseUnits } from '../units.ts'
import { type Authorization, authorizationTypedData } from './authorization.ts'
import { encodeCall } from './call-data.ts'
import { isSameJson, type Permit, permitTypedData } from './permit.ts'
import {
  encodeSplit,
  encodeSplitBefore,
  encodeSplitWithPermit,
  encodeTermsHash,
  permitSignatureOffset,
  type SplitDetails,
} from './split-call.ts'

/**
 * A chain as `wallet_addEthereumChain` expects it; `rpcUrls` is empty if the merchant made none public. `hasCoin`: false if fees are paid
 * in the sent token; `coin` is then only a name.
 */
export type Chain = { id: number; name: string; rpcUrls: string[]; coin: Coin; hasCoin: boolean; explorerUrl: string }
type Coin = { name: string; symbol: string; decimals: number }

/** `isKnown`: the element or the page vouches for the address; otherwise its code is checked on the wallet's node. */
export type Token = { address: string; symbol: string; decimals: number; isKnown: boolean; hasKnownDecimals: boolean }

/** A permit to sign, and its call with zeros in place of the signature. */
type PermitOrder = { permit: Permit; data: string; signatureOffset: number }

type Common = {
  chain: Chain
  token: Token
  amount: bigint
  to: string
  data: string
  /** If the customer may sign and the service sends the transaction; else null. */
  authorization: Authorization | null
}

/** The call for the wallet to send. The splitter accepts the same terms once, so that a repeat cannot pay twice. */
export type ContractOrder = Common & { type: 'contract'; permit: PermitOrder | null; requiresReset: boolean }

/** A plain transfer to the deposit address: a repeat pays again. */
type TransferOrder = Common & { type: 'transfer' }

export type Order = ContractOrder | TransferOrder

const addressPattern = /^0x[\da-f]{40}$/i

/**
 * The wallet's request, encoded by the element. Every value from the service is compared with it: a compromised service
 * cannot change the contract, amount, token or recipient of the call.
 * @throws {RangeError} when a response contradicts the screen or the page's pinned values.
 */
export function parseOrder({ payment, wire }: Answer, intent: Intent, pins: Pins): Order {
  verifyNetwork(payment, wire, intent)
  const token = parseToken(payment, wire, pins)
  return payment.isContract ? contractOrder(payment, wire, token, pins) : transferOrder(payment, wire, token, pins)
}

function verifyNetwork({ chainId }: Payment, { network }: Unchecked<PublicPayment>, intent: Intent): void {
  const shortName = text(network)
  if (intent.type !== 'follow') same('the network', shortName, intent.terms.network)
  const known = knownChainId(shortName)
  if (known !== null) same('the chain', chainId, known)
}

function parseToken({ chainId, currency }: Payment, wire: Unchecked<PublicPayment>, { tokenAddress }: Pins): Token {
  const { symbol, contractAddress, decimals } = record<PublicPayment['Token']>(wire.Token)
  const address = addressOf(contractAddress)
  same('the token', text(symbol), currency)
  const known = knownToken(chainId, text(wire.network), currency)
  if (tokenAddress) sameAddress('the token', address, tokenAddress)
  else if (known) sameAddress('the token', address, known.address)
  const isListed = known !== null && isSameAddress(known.address, address)
  if (isListed) same('the token’s decimals', decimals, known.decimals)
  return {
    address,
    symbol: currency,
    decimals: whole(decimals),
    isKnown: isListed || tokenAddress !== '',
    hasKnownDecimals: isListed,
  }
}

function transferOrder(payment: Payment, wire: Unchecked<PublicPayment>, token: Token, pins: Pins): TransferOrder {
  const amount = parseUnits(toSend(payment), token.decimals)
  if (amount > parseUnits(payment.amount, token.decimals))
    throw new RangeError('The requested amount exceeds the payment’s.')
  const depositAddress = addressOf(payment.depositAddress)
  const data = encodeCall('transfer', depositAddress, amount)
  const authorization = parseAuthorization(wire, payment, {
    primaryType: 'TransferWithAuthorization',
    token: token.address,
    to: depositAddress,
    value: amount,
    termsCall: null,
    splitters: pins.splitters,
  })
  const chain = parseChain({ payment, wire })
  return { type: 'transfer', chain, token, amount, to: token.address, data, authorization }
}

function contractOrder(payment: Payment, wire: Unchecked<PublicPayment>, token: Token, pins: Pins): ContractOrder {
  if (!isSameAmount(toSend(payment), payment.amount)) throw new RangeError('The payment is already paid in part.')
  const call = record<ContractCall>(wire.contractCall)
  const to = addressOf(call.contractAddress)
  if (!pins.splitters.some((splitter) => isSameAddress(splitter, to)))
    throw new RangeError(`${to} is not the payment splitter that this page trusts.`)
  const amount = parseUnits(payment.amount, token.decimals)
  const details = parseDetails(payment, wire, call, { token: token.address, amount, pins })
  const before = record<ContractCall['before']>(call.before)
  const deadlineSeconds = parseDeadline(before.deadline, payment)
  const data = encodeSplitBefore(details, deadlineSeconds)
  sameHex('the call', before.data, data)
  sameHex('the call', call.data, encodeSplit(details))
  same('the chain', call.chainId, payment.chainId)
  sameAddress('the token', text(call.tokenAddress), token.address)
  same('the approval', call.approvalAmount, String(amount))
  verifyApproval(record(call.approval), token.address, to, amount)
  return {
    type: 'contract',
    chain: parseChain({ payment, wire }),
    token,
    amount,
    to,
    data,
    authorization: parseAuthorization(wire, payment, {
      primaryType: 'ReceiveWithAuthorization',
      token: token.address,
      to,
      value: amount,
      termsCall: encodeTermsHash(details),
      splitters: [to],
    }),
    permit: parsePermit(call, { details, deadlineSeconds, spender: to, chainId: payment.chainId }),
    requiresReset: record<ContractCall['approval']>(call.approval).requiresReset === true,
  }
}

/** The recipients of the call, in the order of the struct's fields. */
function parseDetails(
  { id }: Payment,
  wire: Unchecked<PublicPayment>,
  call: Unchecked<ContractCall>,
  { token, amount, pins }: { token: string; amount: bigint; pins: Pins },
): SplitDetails {
  const params = record<ContractCall['params']>(call.params)
  same('the payment', params.paymentId, id)
  same('the amount', params.amount, String(amount))
  sameAddress('the token', text(params.token), token)
  const recipients = [params.recipient1, params.recipient2, params.recipient3].map(addressOf)
  const shares = [params.recipient1Percentage, params.recipient2Percentage, params.recipient3Percentage].map(whole)
  if (shares.some((share) => share < 0) || shares.reduce((sum, share) => sum + share) !== 10_000)
    throw new RangeError(`The shares ${shares.join(', ')} do not add up to 10000.`)
  const [merchant = '', platform = ''] = recipients
  const [merchantBps = 0, platformBps = 0] = shares
  sameAddress('the merchant’s wallet', merchant, text(wire.merchantWallet))
  same('the merchant’s share', merchantBps, wire.merchantPercentage)
  same('the platform’s share', platformBps, wire.platformPercentage)
  if (platformBps > 0) sameAddress('the platform’s wallet', platform, text(wire.platformWallet))
  verifyMerchant(pins, merchant, merchantBps)
  return { token, amount, paymentId: id, recipients, shares }
}

/** How far a chain's clock may be ahead of the service's, whose `expiresAt` the screen shows. */
const clockLeadMaxSeconds = 86_400

/** @returns Unix seconds, on the chain's clock. */
function parseDeadline(value: unknown, { expiresAtMs }: Payment): bigint {
  const expiresAtSeconds = Math.floor(expiresAtMs / 1000)
  const seconds = /^\d{1,12}$/.test(text(value)) ? Number(value) : 0
  if (seconds < expiresAtSeconds || seconds > expiresAtSeconds + clockLeadMaxSeconds)
    throw new RangeError(`The call’s deadline ${String(value)} is not the payment’s end.`)
  return BigInt(seconds)
}

/** The element encodes approvals itself; a different approval from the service means that it must not be trusted. */
function verifyApproval(approval: Unchecked<ContractCall['approval']>, token: string, spender: string, amount: bigint) {
  sameAddress('the token', text(approval.to), token)
  sameHex('the approval', approval.data, encodeCall('approve', spender, amount))
  sameHex('the approval', approval.resetData, encodeCall('approve', spender, 0n))
}

type PermitTerms = { details: SplitDetails; deadlineSeconds: bigint; spender: string; chainId: number }

/** @returns null if the token has no permit. */
function parsePermit(
  call: Unchecked<ContractCall>,
  { details, deadlineSeconds, spender, chainId }: PermitTerms,
): PermitOrder | null {
  if (call.permit === undefined) return null
  const { typedData, data, signatureOffset } = record<NonNullable<ContractCall['permit']>>(call.permit)
  const { name, version } = record<Json>(record<Json>(typedData)['domain'])
  const domain = { name: short(name), version: short(version), chainId, verifyingContract: details.token }
  const permit = { domain, spender, value: details.amount, deadlineSeconds }
  if (!isSameJson(typedData, permitTypedData(permit, null, null)))
    throw new RangeError('The permit is for something other than this payment.')
  const encoded = encodeSplitWithPermit(details, deadlineSeconds)
  sameHex('the call', data, encoded)
  same('the signature’s position', signatureOffset, permitSignatureOffset)
  return { permit, data: encoded, signatureOffset: permitSignatureOffset }
}

type Signed = Pick<Authorization, 'token' | 'to' | 'value' | 'termsCall'> & {
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
  /** Kinds of authorization that Permit2 accepts. */
  splitters: readonly string[]
}

/**
 * @returns null if the service offers none, or only through a splitter that the page does not trust. The nonce of a
 *   contract payment, its terms hash, is compared with the splitter's own before the wallet is asked.
 */
function parseAuthorization(
  { authorization }: Unchecked<PublicPayment>,
  payment: Payment,
  { splitters, ...signed }: Signed,
): Authorization | null {
  if (authorization === undefined) return null
  const { typedData } = record<NonNullable<PublicPayment['authorization']>>(authorization)
  const { primaryType, domain, message } = record<Json>(typedData)
  const { name, version } = record<Json>(domain)
  const { nonce, validBefore, deadline, spender, witness } = record<Json>(message)
  const terms = { ...signed, chainId: payment.chainId }
  let parsed: Authorization
  if (primaryType === 'PermitWitnessTransferFrom') {
    const splitter = splitters.find((one) => isSameAddress(one, text(spender)))
    if (splitter === undefined) return null
    const termsHash = text(record<Json>(witness)['termsHash']).toLowerCase()
    const isTerms = signed.termsCall !== null
    parsed = {
      ...terms,
      primaryType,
      to: splitter,
      validBefore: parseDeadline(deadline, payment),
      nonce: isTerms ? wordOf(termsHash) : null,
      witness: isTerms ? { termsHash } : { depositAddress: signed.to },
    }
  } else {
    parsed = {
      ...terms,
      domain: { name: short(name), version: short(version) },
      validBefore: parseDeadline(validBefore, payment),
      nonce: signed.termsCall === null ? null : text(nonce).toLowerCase(),
    }
  }
  if (!isSameJson(typedData, authorizationTypedData(parsed, null, parsed.nonce)))
    throw new RangeError('The authorization is for something other than this payment.')
  return parsed
}

/** Wallets add no chain without a coin, and most only one with 18 decimals. */
const feesInTokens: Coin = { name: 'US Dollar', symbol: 'USD', decimals: 18 }

/**
 * A deposit has fewer fields about its chain than a contract payment: those that a wallet needs to add the chain are
 * missing.
 */
export function parseChain({ payment: { chainId, network }, wire }: Pick<Answer, 'payment' | 'wire'>): Chain {
  const json = record<ContractCall['chain']>(record<ContractCall>(wire.contractCall).chain ?? wire.Network)
  const { symbol, name, decimals } = record<ContractCall['chain']['nativeCurrency']>(json.nativeCurrency)
  const urls = Array.isArray(json.rpcUrls) ? json.rpcUrls : []
  const hasCoin = record<PublicPayment['Network']>(wire.Network).hasCoin !== false
  const coin = hasCoin
    ? { name: text(name) || 'Coin', symbol: text(symbol) || 'coins', decimals: Number(decimals ?? 18) }
    : feesInTokens
  const rpcUrls = urls.map(webUrl).filter(Boolean)
  const explorerUrl = webUrl(json.explorerUrl)
  return { id: chainId, name: text(json.name) || network, rpcUrls, coin, hasCoin, explorerUrl }
}

function same(what: string, one: unknown, other: unknown): void {
  if (one !== other) throw new RangeError(`Conflicting values for ${what}: ${String(one)} and ${String(other)}.`)
}

function sameAddress(what: string, one: string, other: string): void {
  if (!isSameAddress(one, other)) same(what, one, other)
}

function sameHex(what: string, one: unknown, other: string): void {
  if (text(one).toLowerCase() !== other)
    throw new RangeError(`The service’s text for ${what} differs from the element’s.`)
}

function addressOf(value: unknown): string {
  if (!addressPattern.test(text(value))) throw new RangeError(`${String(value)} is not an address.`)
  return text(value)
}

function wordOf(value: string): string {
  if (!/^0x[\da-f]{64}$/.test(value)) throw new RangeError(`${value} is not 32 bytes.`)
  return value
}

/** The wallet shows it to the customer. */
function short(value: unknown): string {
  if (text(value) === '' || text(value).length > 64) throw new RangeError('The permit has no name or version.')
  return text(value)
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(value)} is not a whole number.`)
  return value as number
}
