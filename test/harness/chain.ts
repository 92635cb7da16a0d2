import { type BaseUnits, formatAmount, parseAmount } from '@stablecoin-checkout/bff/testing/core'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import { rpcCall } from '@stablecoin-checkout/rig/devnet/rpc'
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevnetFacts } from './global-setup.ts'
import { meanwhile, until } from './until.ts'

export type NetworkName = 'devnet' | 'devnet-b'
type TokenName = 'USDC' | 'USDT' | 'EURC'
export type Where = { network?: NetworkName; token?: TokenName }

/** USDT returns nothing and USDC a boolean: without outputs one ABI serves both. */
export const erc20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
])

/** One transfer by the test customer. `amount` in whole tokens. */
type Transfer = { to: string; amount: string; token?: TokenName }

/** Confirmations (head − block + 1) at which a transfer counts, a sweep is final, and a window ends. */
export const confirmationsRequired = 3

/** More than the confirmations of any story, so that each reads states of blocks after the previous one. */
const blocksAfterStory = 8

/** The test customer's wallet, and control over both chains. */
export function openChain({ networks, customer }: DevnetFacts) {
  const account = privateKeyToAccount(customer.privateKey)
  const nodes = new Map(
    networks.map((facts) => {
      const chain = devnetChain(facts.rpcUrl, facts.chainId)
      const transport = http(facts.rpcUrl)
      const reader = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 })
      return [facts.shortName, { facts, reader, wallet: createWalletClient({ chain, transport, account }) }] as const
    }),
  )

  function node(network: NetworkName = 'devnet') {
    const found = nodes.get(network)
    if (!found) throw new Error(`There is no ${network}`)
    const { facts, reader, wallet } = found
    const rpc = (method: string, ...params: unknown[]) => rpcCall(facts.rpcUrl, method, params)
    const token = (name: TokenName = 'USDC') => facts.tokens[name]
    return { facts, reader, wallet, rpc, token }
  }

  /** Signs and sends a transaction, which is mined immediately unless the test has turned that off. */
  async function send(network: NetworkName | undefined, to: Hex, data: Hex, nonce: number): Promise<Hex> {
    const { wallet } = node(network)
    const request = { to, data, nonce, gas: 400_000n, type: 'eip1559' } as const
    return await wallet.sendTransaction(request)
  }

  const transferData = ({ to, amount, token }: Transfer, network: NetworkName | undefined) =>
    encodeFunctionData({
      abi: erc20,
      functionName: 'transfer',
      args: [to as Hex, parseAmount(amount, node(network).token(token).decimals)],
    })

  async function nextNonce(network: NetworkName | undefined): Promise<number> {
    return await node(network).reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
  }

  const transferCalls = (transfers: readonly Transfer[], network?: NetworkName) =>
    transfers.map((one) => ({ to: node(network).token(one.token).address, data: transferData(one, network) }))

  /** Sends all calls in one block, in this order. @returns their transaction ids. */
  async function callTogether(calls: readonly { to: Hex; data: Hex }[], network?: NetworkName): Promise<Hex[]> {
    const { rpc, reader } = node(network)
    const txIds: Hex[] = []
    await rpc('evm_setAutomine', false)
    try {
      let nonce = await nextNonce(network)
      for (const { to, data } of calls) {
        txIds.push(await send(network, to, data, nonce))
        nonce += 1
      }
      await rpc('evm_mine')
    } finally {
      await rpc('evm_setAutomine', true)
    }
    for (const hash of txIds) await succeeded(reader, hash)
    return txIds
  }

  async function mine(blocks: number, network?: NetworkName): Promise<void> {
    await node(network).rpc('anvil_mine', `0x${blocks.toString(16)}`)
  }

  /** Makes the blocks that the newest transaction needs to be confirmed; none if it has them. */
  async function confirm(network?: NetworkName): Promise<void> {
    const { reader } = node(network)
    const head = await reader.getBlock()
    let onTop = 0
    for (let block = head; block.transactions.length === 0 && onTop + 1 < confirmationsRequired; onTop += 1)
      block = await reader.getBlock({ blockHash: block.parentHash })
    const lacking = confirmationsRequired - 1 - onTop
    if (lacking > 0) await mine(lacking, network)
  }

  /**
   * Makes the next block this much later than the newest one, and than the real clock: a chain whose clock was set can be a
   * second behind.
   */
  async function skip(seconds: number, network?: NetworkName): Promise<void> {
    const { reader, rpc } = node(network)
    const { timestamp } = await reader.getBlock()
    await rpc('evm_setNextBlockTimestamp', Math.max(Number(timestamp), Math.ceil(Date.now() / 1000)) + seconds)
    await rpc('evm_mine')
  }

  /** Advances time, and ends windows that are then over: the block at that time gets its confirmations. */
  async function travel(seconds: number, network?: NetworkName): Promise<void> {
    await skip(seconds, network)
    for (let blocks = 1; blocks < confirmationsRequired; blocks += 1) await node(network).rpc('evm_mine')
  }

  return {
    node,
    /** The customer sends tokens, mined in their own block on return. @returns the transaction id. */
    async pay(to: string, amount: string, { network, token }: Where = {}): Promise<Hex> {
      const { reader, ...rest } = node(network)
      const data = transferData({ to, amount, ...(token && { token }) }, network)
      const hash = await send(network, rest.token(token).address, data, await nextNonce(network))
      await succeeded(reader, hash)
      return hash
    },
    callTogether,
    /** Sends transfers, all in one block. */
    payTogether: (transfers: readonly Transfer[], network?: NetworkName): Promise<Hex[]> =>
      callTogether(transferCalls(transfers, network), network),
    transferCalls,
    /** Any call by the customer, for what an ordinary payment would not do. */
    async call(to: string, data: Hex, network?: NetworkName): Promise<Hex> {
      const hash = await send(network, to as Hex, data, await nextNonce(network))
      await succeeded(node(network).reader, hash)
      return hash
    },
    /** Makes empty blocks. */
    mine,
    /**
     * Confirms what was sent until the response arrives, and makes no other block: each advances the chain's time by a second,
     * and signatures are valid for minutes.
     */
    confirming: <T>(answer: Promise<T>, network?: NetworkName): Promise<T> => meanwhile(answer, () => confirm(network)),
    /**
     * Replaces the newest `depth` blocks with others, without their transactions except those of `moved`, whose number selects
     * the new block, counted from 0.
     */
    async reorg(
      depth: number,
      moved: readonly [txId: Hex, block: number][] = [],
      network?: NetworkName,
    ): Promise<void> {
      const { rpc } = node(network)
      const pairs: [unknown, number][] = []
      for (const [txId, block] of moved) pairs.push([await rpc('eth_getRawTransactionByHash', txId), block])
      await rpc('anvil_reorg', depth, pairs)
    },
    /** Advances only the chain's clock, and makes a block. */
    skip,
    travel,
    /** After an earlier file restored it, a chain is behind the real clock, unlike any real one. */
    async catchUpWithClock(): Promise<void> {
      for (const name of nodes.keys()) {
        const { reader, rpc } = node(name)
        const { timestamp } = await reader.getBlock()
        const nowSeconds = Math.floor(Date.now() / 1000)
        if (nowSeconds <= timestamp) continue
        // Sets the time itself: a chain's clock without a new block is correct, and adding to it would put it ahead.
        await rpc('evm_setNextBlockTimestamp', nowSeconds)
        await rpc('evm_mine')
        await mine(confirmationsRequired - 1, name)
      }
    },
    async head(network?: NetworkName): Promise<number> {
      return Number(await node(network).rpc('eth_blockNumber'))
    },
    /** Base units. */
    async balance(token: TokenName, wallet: string, network?: NetworkName): Promise<BaseUnits> {
      const { reader, token: find } = node(network)
      const call = {
        address: find(token).address,
        abi: erc20,
        functionName: 'balanceOf',
        args: [wallet as Hex],
      } as const
      return (await reader.readContract(call)) as BaseUnits
    },
    /** A deposit address has code once it was swept. */
    async hasCode(address: string, network?: NetworkName): Promise<boolean> {
      return (await node(network).reader.getCode({ address: address as Hex })) !== undefined
    },
    /** Whole tokens, exactly. */
    format: (amount: bigint, token: TokenName = 'USDC', network?: NetworkName): string =>
      formatAmount(amount as BaseUnits, node(network).token(token).decimals),
    /**
     * Snapshots both chains.
     * @returns a function that restores them, a few blocks later: anvil keeps the states of 32 blocks, and states before a longer
     * story are gone, even when its blocks are removed.
     */
    async remember(): Promise<() => Promise<void>> {
      const names = [...nodes.keys()]
      const ids = await Promise.all(names.map((name) => node(name).rpc('evm_snapshot')))
      return async () => {
        for (const [index, name] of names.entries()) {
          await node(name).rpc('evm_revert', ids[index])
          await node(name).rpc('anvil_mine', `0x${blocksAfterStory.toString(16)}`)
        }
      }
    },
  }
}

/**
 * Waits until the transaction is mined, by polling its receipt: viem polls once per block, and if only transactions make blocks
 * there may be no later one.
 * @throws {Error} when it was reverted.
 */
export async function succeeded(reader: Pick<PublicClient, 'getTransactionReceipt'>, hash: Hex): Promise<void> {
  const { status } = await until(`the receipt of ${hash}`, () => reader.getTransactionReceipt({ hash }))
  if (status !== 'success') throw new Error(`The transaction ${hash} was reverted`)
}
