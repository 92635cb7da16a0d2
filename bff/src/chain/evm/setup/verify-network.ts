import {
  type BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem'
import type { EvmNetwork, Token } from '../../../core/families.ts'
import type { Fault } from '../../../network/network-health.ts'
import { notDeployed } from '../../../network/network-health.ts'
import { NetworkMismatchError, verificationFault } from '../../network-fault.ts'
import { rpcErrorOf } from '../../rpc-pool.ts'
import { depositFactory } from '../deploy/contracts.generated.ts'
import { depositAddress, toTuple } from '../deposit/forwarder-address.ts'
import { type EvmPool, poolReader } from '../rpc/evm-pool.ts'
import { isRevert } from '../rpc/revert.ts'

const erc20 = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)'])

/** Symbols as the contracts return them: Tether uses several. `USDC.e` and `USDbC` are other tokens. */
const symbolsOnChain: Readonly<Record<string, readonly string[]>> = {
  USDT: ['USDT', 'USDt', 'USDT0', 'USD₮', 'USD₮0'],
}

/** On Tempo, USDC is Stargate's `USDC.e`. */
const symbolsOnTempo: Readonly<Record<string, readonly string[]>> = { ...symbolsOnChain, USDC: ['USDC', 'USDC.e'] }
const tempoChainId = 4_217

/**
 * Compares a configured network with its chain.
 * @returns undefined when everything matches; never throws.
 */
export function verifyNetwork(network: EvmNetwork, pool: EvmPool, signal: AbortSignal): Promise<Fault | undefined> {
  return verificationFault(network, signal, async (until) => {
    await verifyChainId(network, pool)
    const reader = poolReader(pool, until)
    for (const token of network.tokens) await verifyToken(reader, network, token)
    if (network.deposits === 'forwarder') await verifyFactory(reader, network)
  })
}

/**
 * Verifies that every responding node is on the right chain, because any of them may be used later.
 * @throws {NetworkMismatchError} when one is on another chain.
 */
export async function verifyChainId({ name }: Pick<EvmNetwork, 'name'>, pool: EvmPool): Promise<void> {
  const node = await pool.nodeOnOtherChain()
  if (!node) return
  const nodeName = node.name.charAt(0).toUpperCase() + node.name.slice(1)
  throw new NetworkMismatchError(`${nodeName} of ${name} ${node.lie}.`)
}

export async function verifyToken(
  reader: PublicClient,
  network: Pick<EvmNetwork, 'name' | 'chainId'>,
  { symbol, address, decimals }: Token,
) {
  const at = `${symbol} on ${network.name} (${address})`
  const call = { address: address as Hex, abi: erc20 } as const
  await verifyCode(reader, address, `${at} is not a contract.`)
  const decimalsOnChain = await answer(
    reader.readContract({ ...call, functionName: 'decimals' }),
    `${at} is not a token.`,
  )
  if (decimalsOnChain !== decimals) {
    throw new NetworkMismatchError(`${at} has ${decimalsOnChain} decimals on chain, not ${decimals}.`)
  }
  const symbolOnChain = await answer(reader.readContract({ ...call, functionName: 'symbol' }), `${at} has no symbol.`)
  const symbols = network.chainId === tempoChainId ? symbolsOnTempo : symbolsOnChain
  if (!(symbols[symbol] ?? [symbol]).includes(symbolOnChain)) {
    // The chain's text is untrusted: show only a short, plain part.
    const shown = symbolOnChain.replace(/[^\x20-\x7e₮]/g, '?').slice(0, 20)
    throw new NetworkMismatchError(`${at} is called "${shown}" on chain.`)
  }
}

/** Verifies that the factory returns the expected deposit address, which depends on its code and the forwarder's. */
export async function verifyFactory(reader: PublicClient, network: EvmNetwork): Promise<void> {
  const factory = network.factory as Hex
  const at = `The deposit factory of ${network.name} (${factory})`
  await verifyCode(reader, factory, `${at} ${notDeployed}`)
  const terms = sampleTerms(network)
  const forwarder = await answer(
    reader.readContract({
      address: factory,
      abi: depositFactory.abi,
      functionName: 'forwarderOf',
      args: [toTuple(terms)],
    }),
    `${at} is another contract.`,
  )
  if (forwarder !== depositAddress(terms, factory)) {
    throw new NetworkMismatchError(`${at} has another version: it derives other addresses.`)
  }
}

/** Arbitrary valid terms. */
function sampleTerms({ chainId, factory }: EvmNetwork) {
  const someone = factory as Hex
  return {
    chainId,
    token: someone,
    amount: 2n,
    least: 1n,
    merchant: someone,
    platform: someone,
    feeBps: 1,
    deadlineSeconds: 1,
    operator: someone,
    salt: `0x${'07'.repeat(32)}` as const,
  }
}

export async function verifyCode(reader: PublicClient, address: string, reason: string): Promise<Hex> {
  const code = await reader.getCode({ address: address as Hex })
  if (code === undefined || code === '0x') throw new NetworkMismatchError(reason)
  return code
}

/**
 * Awaits a contract's result.
 * @throws {NetworkMismatchError} when the contract fails; or the node's error.
 */
export async function answer<T>(call: Promise<T>, reason: string): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isContractsOwn(error as BaseError)) throw new NetworkMismatchError(reason)
    throw error
  }
}

/**
 * Whether the contract failed: it reverted, or returned no data or data of another type. Other errors are the node's fault.
 */
function isContractsOwn(error: BaseError): boolean {
  const refusal = rpcErrorOf(error)
  if (refusal) return isRevert(refusal)
  const cause = error.walk?.(
    (inner) =>
      inner instanceof ContractFunctionRevertedError ||
      inner instanceof ContractFunctionZeroDataError ||
      /^(AbiDecoding|InvalidBytesBoolean|PositionOutOfBounds|IntegerOutOfRange)/.test((inner as Error).name),
  )
  return Boolean(cause)
}
