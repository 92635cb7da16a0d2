import { depositForwarder, paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import {
  type Abi,
  decodeAbiParameters,
  decodeFunctionData,
  deploylessCallViaBytecodeBytecode,
  encodeAbiParameters,
  encodeFunctionResult,
  getAbiItem,
  type Hex,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'
import { execute, Revert, readToken } from './contracts.ts'
import type { Block, EvmChain } from './evm-chain.ts'
import { parkedKey } from './splitter.ts'

const parkedAtForwarder = toFunctionSelector(getAbiItem({ abi: depositForwarder.abi, name: 'parked' }))
const parkedAtSplitter = toFunctionSelector(getAbiItem({ abi: paymentSplitter.abi, name: 'parked' }))

type CallParams = { from?: Hex; to?: Hex; data: Hex }

/** Creation code with which the service reads coin balances. */
const coinBalancesCode = '0x6024380380602460003960005b81811015601f578051318152602001600c565b506000f3'
const tokenBalancesStart = '0x604c380380604c600039'
const tokenBalancesDigits = 154
const settledStart = '0x603e380380603e60003963'
const settledDigits = 126

/** Runs `eth_call` and `eth_estimateGas` on a block's state. @throws {Revert} */
export async function simulateCall(
  chain: EvmChain,
  { from = `0x${'1'.repeat(40)}`, to, data }: CallParams,
  block: Block,
): Promise<Hex> {
  if (to && chain.rules.tokens.has(to.toLowerCase())) {
    const selector = data.slice(0, 10)
    if (['0x70a08231', '0xe94a0102'].includes(selector)) return readToken(block.state, to, data)
  }
  const key = parkedAt(to, data)
  if (key !== undefined) return encodeAbiParameters([{ type: 'uint256' }], [block.state.parked.get(key) ?? 0n])
  if (!to) return await simulateCreation(chain, data, block)
  const timeMs = Math.max(block.timeMs, chain.nowMs())
  await execute(block.state, { to, data }, { from, timeMs, rules: chain.rules })
  return '0x'
}

/** The place whose parked share a call reads; undefined if it reads none. */
function parkedAt(to: Hex | undefined, data: Hex): string | undefined {
  if (data.startsWith(parkedAtForwarder)) return to?.toLowerCase()
  if (!data.startsWith(parkedAtSplitter)) return undefined
  const { args } = decodeFunctionData({ abi: paymentSplitter.abi, data })
  return parkedKey(...(args as readonly [string, string]))
}

/** Code that runs without being deployed: the service's balance readers, and viem's multicall. */
async function simulateCreation(chain: EvmChain, data: Hex, block: Block): Promise<Hex> {
  const wordsAfter = (digits: number) =>
    (data.slice(digits).match(/.{64}/g) ?? []).map((word) => `0x${word.slice(24)}` as Hex)
  const words = (amounts: bigint[]): Hex => `0x${amounts.map((one) => one.toString(16).padStart(64, '0')).join('')}`
  if (data.startsWith(coinBalancesCode)) {
    return words(wordsAfter(coinBalancesCode.length).map((one) => block.state.coins.get(one.toLowerCase()) ?? 0n))
  }
  if (data.startsWith(tokenBalancesStart)) {
    const [token = '0x', ...accounts] = wordsAfter(tokenBalancesDigits)
    return words(accounts.map((one) => block.state.tokens.get(`${token} ${one}`.toLowerCase()) ?? 0n))
  }
  if (data.startsWith(settledStart)) {
    const { deployed, open } = block.state
    const isSettled = (one: Hex) => deployed.has(one.toLowerCase()) && !open.has(one.toLowerCase())
    return words(wordsAfter(settledDigits).map((one) => (isSettled(one) ? 1n : 0n)))
  }
  if (!data.startsWith(deploylessCallViaBytecodeBytecode)) throw new Error('The model knows no such code')
  const packed = `0x${data.slice(deploylessCallViaBytecodeBytecode.length)}` as const
  const [, inner] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], packed)
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: inner })
  const called = args?.[0] as readonly { target: Hex; callData: Hex }[]
  const result = await Promise.all(
    called.map(async ({ target, callData }) => {
      try {
        return { success: true, returnData: await simulateCall(chain, { to: target, data: callData }, block) }
      } catch (error) {
        if (!(error instanceof Revert)) throw error
        return { success: false, returnData: error.data }
      }
    }),
  )
  return encodeFunctionResult({ abi: multicall3Abi as Abi, functionName: 'aggregate3', result })
}
