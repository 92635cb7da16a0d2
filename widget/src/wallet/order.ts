import type { ContractCall, PublicPayment, Unchecked } from '../../../bff/src/api-types.ts'
import { type Answer, isSameAmount, type Json, type Payment, toSend } from '../payment.ts'
import { encodeCall } from './calldata.ts'
import { parseUnits } from './units.ts'

/** A chain as `wallet_addEthereumChain` wants it; `rpcUrls` is empty when the merchant made none public. */
export type Chain = { id: number; name: string; rpcUrls: string[]; coin: Coin; explorerUrl: string }
type Coin = { name: string; symbol: string; decimals: number }
type Token = { address: string; symbol: string; decimals: number }

/** An ERC-2612 permit to sign, and the call that brings it. */
type Permit = { typedData: Json; data: string; signatureOffset: number }

type Common = { chain: Chain; token: Token; amount: bigint; to: string; data: string }

/** The call that a wallet is asked to send. The splitter takes the same terms once, so that a repeat cannot pay twice. */
export type ContractOrder = Common & { type: 'contract'; permit: Permit | null; requiresReset: boolean }

/** A plain transfer to the deposit address: a repeat pays again. */
type TransferOrder = Common & { type: 'transfer' }

export type Order = ContractOrder | TransferOrder

const addressPattern = /^0x[\da-f]{40}$/i

/**
 * What the wallet is to be asked for. The last look before money moves: a call that does not say the same as the payment
 * on screen is refused.
 * @throws {RangeError} when the service's answer contradicts itself, or is not whole.
 */
export function parseOrder(payment: Payment, wire: Unchecked<PublicPayment>): Order {
  const { symbol, contractAddress, decimals } = record<PublicPayment['Token']>(wire.Token)
  const token = { address: address(contractAddress), symbol: text(symbol), decimals: whole(decimals) }
  return payment.isContract ? contractOrder(payment, wire, token) : transferOrder(payment, wire, token)
}

function transferOrder(payment: Payment, wire: Unchecked<PublicPayment>, token: Token): TransferOrder {
  const amount = parseUnits(toSend(payment), token.decimals)
  const to = address(payment.depositAddress)
  const data = encodeCall('transfer', to, amount)
  return {
    type: 'transfer',
    chain: parseChain({ payment, wire }),
    token,
    amount,
    to: token.address,
    data,
  }
}

function contractOrder(payment: Payment, wire: Unchecked<PublicPayment>, token: Token): ContractOrder {
  const call = record<ContractCall>(wire.contractCall)
  const params = record<ContractCall['params']>(call.params)
  const amount = parseUnits(payment.amount, token.decimals)
  same('the amount', params.amount, String(amount))
  same('the approval', call.approvalAmount, String(amount))
  same('the token', text(params.token).toLowerCase(), token.address.toLowerCase())
  same('the token', text(call.tokenAddress).toLowerCase(), token.address.toLowerCase())
  same('the chain', call.chainId, payment.chainId)
  if (!isSameAmount(toSend(payment), payment.amount)) throw new RangeError('A part of it was paid already.')
  return {
    type: 'contract',
    chain: parseChain({ payment, wire }),
    token,
    amount,
    to: address(call.contractAddress),
    data: hex(record<ContractCall['before']>(call.before).data),
    permit: parsePermit(record(call.permit), token, String(amount), call),
    requiresReset: record<ContractCall['approval']>(call.approval).requiresReset === true,
  }
}

/** A permit that is for anything else than this payment is not offered: an approval does the same. */
function parsePermit(
  permit: Unchecked<NonNullable<ContractCall['permit']>>,
  token: Token,
  amount: string,
  call: Unchecked<ContractCall>,
): Permit | null {
  const typedData = record<Json>(permit.typedData)
  const { spender, value } = record<Json>(typedData['message'])
  const { verifyingContract, chainId } = record<Json>(typedData['domain'])
  const isOurs =
    text(spender).toLowerCase() === text(call.contractAddress).toLowerCase() &&
    String(value) === amount &&
    text(verifyingContract).toLowerCase() === token.address.toLowerCase() &&
    Number(chainId) === call.chainId
  return isOurs ? { typedData, data: hex(permit.data), signatureOffset: whole(permit.signatureOffset) } : null
}

/** A deposit says less of its chain than a contract payment: what a wallet needs to add it is missing there. */
export function parseChain({ payment: { chainId, network }, wire }: Pick<Answer, 'payment' | 'wire'>): Chain {
  const json = record<ContractCall['chain']>(record<ContractCall>(wire.contractCall).chain ?? wire.Network)
  const { symbol, name, decimals } = record<ContractCall['chain']['nativeCurrency']>(json.nativeCurrency)
  const urls = Array.isArray(json.rpcUrls) ? json.rpcUrls : []
  const coin = { name: text(name) || 'Coin', symbol: text(symbol) || 'coins', decimals: Number(decimals ?? 18) }
  const rpcUrls = urls.filter((url) => /^https?:\/\//i.test(text(url)))
  const explorerUrl = /^https?:\/\//i.test(text(json.explorerUrl)) ? text(json.explorerUrl) : ''
  return { id: chainId, name: text(json.name) || network, rpcUrls, coin, explorerUrl }
}

function same(what: string, one: unknown, other: unknown): void {
  if (one !== other) throw new RangeError(`Two values for ${what}: ${String(one)} and ${String(other)}.`)
}

function record<T>(value: unknown): Unchecked<T> {
  return (value ?? {}) as Unchecked<T>
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function address(value: unknown): string {
  if (!addressPattern.test(text(value))) throw new RangeError(`${String(value)} is not an address.`)
  return text(value)
}

function hex(value: unknown): string {
  if (!/^0x([\da-f]{2})+$/i.test(text(value))) throw new RangeError('The call is missing.')
  return text(value)
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(value)} is not a whole number.`)
  return value as number
}
