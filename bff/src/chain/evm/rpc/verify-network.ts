import {
  type BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  fallback,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  RpcRequestError,
} from 'viem'
import type { EvmNetwork, Token } from '../../../core/families.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import type { Fault } from '../../../network/network-health.ts'
import { faultText } from '../../fault-text.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import { depositFactory } from '../deploy/contracts.generated.ts'
import { depositAddress } from '../deposit/forwarder-address.ts'
import { toTuple } from '../deposit/settle-call.ts'

/** A node that has not answered a small question after this long is treated as down. */
const rpcTimeoutMs = 5_000

/** For all questions together; a good node needs a few hundred milliseconds. */
const lookTimeoutMs = 20_000

const erc20 = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)'])

/** What the contracts call themselves: Tether writes its symbol in four ways. `USDC.e` and `USDbC` are other tokens. */
const symbolsOnChain: Readonly<Record<string, readonly string[]>> = {
  USDT: ['USDT', 'USDt', 'USDT0', 'USD₮', 'USD₮0'],
}

/** Compares a configured network with its chain. @returns undefined when all is as configured; never throws. */
export function verifyNetwork(network: EvmNetwork, signal: AbortSignal): Promise<Fault | undefined> {
  return looked(network, signal, async (reader) => {
    for (const token of network.tokens) await verifyToken(reader, network, token)
    await verifyFactory(reader, network)
  })
}

/** What a look at a chain found wrong; undefined when it threw nothing. */
export async function looked(
  network: EvmNetwork,
  signal: AbortSignal,
  look: (reader: PublicClient) => Promise<void>,
): Promise<Fault | undefined> {
  try {
    await withTimeout(lookTimeoutMs, [signal], async (until) => await look(await reachableNodes(network, until)))
    return undefined
  } catch (error) {
    if (error instanceof NetworkMismatchError) return { kind: 'wrong', reason: error.message }
    // Of a node's own words nothing is told: they often hold its address, and that a key.
    const reason = `No node of ${network.name} gives a usable answer.`
    return { kind: 'unreachable', reason, detail: faultText(error) }
  }
}

/**
 * Every node that answers must be on the right chain: the next one may be asked at any time.
 * @throws the first node's error when none answers, {@link NetworkMismatchError} when one is on another chain.
 */
async function reachableNodes({ rpcUrls, chainId, name }: EvmNetwork, signal: AbortSignal): Promise<PublicClient> {
  const options = { timeout: rpcTimeoutMs, retryCount: 0, fetchOptions: { signal } }
  const transports = rpcUrls.map((url) => http(url, options))
  const ids = await Promise.allSettled(
    transports.map((transport) => createPublicClient({ transport, cacheTime: 0 }).getChainId()),
  )
  for (const [index, id] of ids.entries()) {
    if (id.status === 'rejected' || id.value === chainId) continue
    const node = ids.length === 1 ? 'The node' : `Node ${index + 1} of ${ids.length}`
    throw new NetworkMismatchError(`${node} of ${name} is on chain ${id.value}, not on ${chainId}.`)
  }
  const answering = transports.filter((_, index) => ids[index]?.status === 'fulfilled')
  const [first] = ids
  if (answering.length === 0 && first?.status === 'rejected') throw first.reason
  return createPublicClient({ transport: fallback(answering, { retryCount: 0 }), cacheTime: 0 })
}

export async function verifyToken(reader: PublicClient, network: EvmNetwork, { symbol, address, decimals }: Token) {
  const at = `${symbol} on ${network.name} (${address})`
  const call = { address: address as Hex, abi: erc20 } as const
  await verifyCode(reader, address, `${at} is not a contract.`)
  const decimalsOnChain = await answer(reader.readContract({ ...call, functionName: 'decimals' }), `${at} is no token.`)
  if (decimalsOnChain !== decimals) {
    throw new NetworkMismatchError(`${at} has ${decimalsOnChain} decimals on the chain, not ${decimals}.`)
  }
  const symbolOnChain = await answer(reader.readContract({ ...call, functionName: 'symbol' }), `${at} has no symbol.`)
  if (!(symbolsOnChain[symbol] ?? [symbol]).includes(symbolOnChain)) {
    // The chain's text is a stranger's: only a short, plain piece of it is shown.
    const shown = symbolOnChain.replace(/[^\x20-\x7e₮]/g, '?').slice(0, 20)
    throw new NetworkMismatchError(`${at} is called "${shown}" on the chain.`)
  }
}

/** The factory is right when it gives a deposit the address that we would: its code, and ours, are all in there. */
export async function verifyFactory(reader: PublicClient, network: EvmNetwork): Promise<void> {
  const factory = network.factory as Hex
  const at = `The deposit factory of ${network.name} (${factory})`
  await verifyCode(reader, factory, `${at} is not a contract: it was not deployed.`)
  const terms = sampleTerms(network)
  const forwarder = await answer(
    reader.readContract({
      address: factory,
      abi: depositFactory.abi,
      functionName: 'forwarderOf',
      args: [toTuple({ ...terms, factory })],
    }),
    `${at} is another contract.`,
  )
  if (forwarder !== depositAddress(terms, factory)) {
    throw new NetworkMismatchError(`${at} is of another version: it gives other addresses.`)
  }
}

/** Any terms will do. */
function sampleTerms({ chainId, factory }: EvmNetwork) {
  const someone = factory as Hex
  return {
    ...{ chainId, token: someone, amount: 2n, least: 1n, merchant: someone, platform: someone, feeBps: 1 },
    ...{ deadlineSeconds: 1, operator: someone, salt: `0x${'07'.repeat(32)}` as const },
  }
}

export async function verifyCode(reader: PublicClient, address: string, reason: string): Promise<Hex> {
  const code = await reader.getCode({ address: address as Hex })
  if (code === undefined || code === '0x') throw new NetworkMismatchError(reason)
  return code
}

/** A contract's answer. @throws {NetworkMismatchError} when it answers otherwise; the node's error when it was the node. */
export async function answer<T>(call: Promise<T>, reason: string): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isContractsOwn(error as BaseError)) throw new NetworkMismatchError(reason)
    throw error
  }
}

/** Reverts, empty data, and data of another type; all that comes from the wire is a fault of the node. */
function isContractsOwn(error: BaseError): boolean {
  const cause = error.walk?.(
    (inner) =>
      inner instanceof ContractFunctionRevertedError ||
      inner instanceof ContractFunctionZeroDataError ||
      /^(AbiDecoding|InvalidBytesBoolean|PositionOutOfBounds|IntegerOutOfRange)/.test((inner as Error).name),
  )
  if (cause) return true
  const answered = error.walk?.((inner) => inner instanceof RpcRequestError)
  return answered instanceof RpcRequestError && /revert/i.test(answered.details)
}
