import { type Hex, isAddress, isHex } from 'viem'
import type { Call } from './send.ts'
import { invalidParams, WalletError } from './wallet-error.ts'

/** Read methods that a wallet forwards to the node unchanged. */
export const reads: ReadonlySet<string> = new Set([
  ...['eth_blockNumber', 'eth_call', 'eth_estimateGas', 'eth_feeHistory', 'eth_gasPrice', 'eth_getBalance'],
  ...['eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getCode', 'eth_getLogs', 'eth_getTransactionByHash'],
  ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_maxPriorityFeePerGas', 'net_version'],
])

/** More calls than any payment has. */
const callsMax = 10

export type Batch = { id: string | null; calls: Call[] }

/** @throws {WalletError} like wallets: 4100 for another account, -32602 for an invalid transaction. */
export function parseTransaction(value: unknown, from: Hex, chainId: number): Call {
  const request = asRecord(value, 'The transaction')
  requireFrom(request['from'], from)
  requireChain(request['chainId'], chainId)
  return parseCall(request)
}

/** `wallet_sendCalls` (EIP-5792). */
export function parseBatch(value: unknown, from: Hex, chainId: number): Batch {
  const request = asRecord(value, 'The batch')
  const { version, calls, id } = request
  if (version !== '2.0.0') throw invalidParams(`version must be "2.0.0", not ${JSON.stringify(version)}`)
  if (typeof request['atomicRequired'] !== 'boolean') throw invalidParams('atomicRequired must be true or false')
  if (request['from'] !== undefined) requireFrom(request['from'], from)
  if (typeof request['chainId'] !== 'string' || Number(request['chainId']) !== chainId) {
    throw new WalletError(5710, `The wallet is on chain ${chainId}, not ${String(request['chainId'])}.`)
  }
  if (id !== undefined && (typeof id !== 'string' || id.length > 8_194)) throw invalidParams('id must be short text')
  if (!Array.isArray(calls) || calls.length === 0) throw invalidParams('calls must be a non-empty list')
  if (calls.length > callsMax) throw new WalletError(5740, `At most ${callsMax} calls at once.`)
  return { id: id ?? null, calls: calls.map((call) => parseCall(asRecord(call, 'Each call'))) }
}

export type TypedData = Record<string, unknown> & { domain: Record<string, unknown>; primaryType: string }

/** `eth_signTypedData_v4`. JSON text or an object: pages send both. */
export function parseTypedData(value: unknown, chainId: number): TypedData {
  let read = value
  try {
    if (typeof value === 'string') read = JSON.parse(value)
  } catch {
    throw invalidParams('The typed data is not JSON')
  }
  const typedData = asRecord(read, 'The typed data')
  const types = asRecord(typedData['types'], 'types')
  const domain = asRecord(typedData['domain'], 'domain')
  asRecord(typedData['message'], 'message')
  // Without it, some wallets sign an empty domain, and the token rejects the signature.
  if (types['EIP712Domain'] === undefined) throw invalidParams('types must have EIP712Domain')
  if (typeof typedData['primaryType'] !== 'string') throw invalidParams('primaryType is missing')
  const asked = domain['chainId']
  if (asked !== undefined && Number(asked) !== chainId) {
    throw invalidParams(`The typed data is for chain ${String(asked)}, and the wallet is on chain ${chainId}`)
  }
  return typedData as TypedData
}

export function requireFrom(value: unknown, from: Hex): void {
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) throw invalidParams('from must be an address')
  if (value.toLowerCase() !== from.toLowerCase()) {
    throw new WalletError(4100, `This page may not use ${value}; it is connected to ${from}.`)
  }
}

function requireChain(value: unknown, chainId: number): void {
  if (value !== undefined && Number(value) !== chainId) {
    throw invalidParams(`The wallet is on chain ${chainId}, not ${String(value)}`)
  }
}

function parseCall({ to, data, input, value, gas }: Record<string, unknown>): Call {
  if (typeof to !== 'string' || !isAddress(to, { strict: false })) throw invalidParams('to must be an address')
  const bytes = data ?? input ?? '0x'
  if (!isHex(bytes) || bytes.length % 2 === 1) throw invalidParams('data must be hex')
  const call: Call = { to, data: bytes, value: parseQuantity('value', value ?? '0x0') }
  return gas === undefined ? call : { ...call, gas: parseQuantity('gas', gas) }
}

function parseQuantity(name: string, value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw invalidParams(`${name} must be a number in hex, such as "0x0"`)
}

function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidParams(`${what} must be an object`)
}
