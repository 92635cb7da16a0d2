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

/** One transfer of the test customer. `amount` in whole tokens. */
type Transfer = { to: string; amount: string; token?: TokenName }

/** Head − block + 1 at which a transfer counts, a sweep is final, and a window ends. */
export const confirmationsRequired = 3

/** More than the confirmations of any story, so that each reads states of blocks since the last one. */
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

  /** Signed and given to the node; mined at once unless the test has turned that off. */
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

  /** All in one block, in this order. @returns their transaction ids. */
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

  /** Makes the blocks that the newest transaction lacks to be confirmed, and none where it has them. */
  async function confirm(network?: NetworkName): Promise<void> {
    const { reader } = node(network)
    const head = await reader.getBlock()
    let onTop = 0
    for (let block = head; block.transactions.length === 0 && onTop + 1 < confirmationsRequired; onTop += 1)
      block = await reader.getBlock({ blockHash: block.parentHash })
    const lacking = confirmationsRequired - 1 - onTop
    if (lacking > 0) await mine(lacking, network)
  }

  /** The next block is so much later than the newest, and than our clock: a chain whose clock was set can be a second behind it. */
  async function skip(seconds: number, network?: NetworkName): Promise<void> {
    const { reader, rpc } = node(network)
    const { timestamp } = await reader.getBlock()
    await rpc('evm_setNextBlockTimestamp', Math.max(Number(timestamp), Math.ceil(Date.now() / 1000)) + seconds)
    await rpc('evm_mine')
  }

  /** Time passes, and windows that are over by then end: the block at that time has its confirmations. */
  async function travel(seconds: number, network?: NetworkName): Promise<void> {
    await skip(seconds, network)
    for (let blocks = 1; blocks < confirmationsRequired; blocks += 1) await node(network).rpc('evm_mine')
  }

  return {
    node,
    /** The customer sends tokens; they are in a block of their own when this returns. @returns the transaction id. */
    async pay(to: string, amount: string, { network, token }: Where = {}): Promise<Hex> {
      const { reader, ...rest } = node(network)
      const data = transferData({ to, amount, ...(token && { token }) }, network)
      const hash = await send(network, rest.token(token).address, data, await nextNonce(network))
      await succeeded(reader, hash)
      return hash
    },
    callTogether,
    /** Transfers, all in one block. */
    payTogether: (transfers: readonly Transfer[], network?: NetworkName): Promise<Hex[]> =>
      callTogether(transferCalls(transfers, network), network),
    transferCalls,
    /** Any call of the customer's, for what an ordinary payment would not do. */
    async call(to: string, data: Hex, network?: NetworkName): Promise<Hex> {
      const hash = await send(network, to as Hex, data, await nextNonce(network))
      await succeeded(node(network).reader, hash)
      return hash
    },
    /** Empty blocks. */
    mine,
    /**
     * Confirms what was sent until the answer is there, and makes no other block: each is a second of the chain's time, and what is signed
     * is valid for minutes.
     */
    confirming: <T>(answer: Promise<T>, network?: NetworkName): Promise<T> => meanwhile(answer, () => confirm(network)),
    /**
     * Replaces the newest `depth` blocks by others with none of their transactions, but those of `moved`: the number
     * says into which of the new blocks, counted from 0.
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
    /** Lets time pass on the chain's clock alone, and shows it in a block. */
    skip,
    travel,
    /** A chain that was put back by an earlier file is behind our clock, which no real one is. */
    async catchUpWithClock(): Promise<void> {
      for (const name of nodes.keys()) {
        const { reader, rpc } = node(name)
        const { timestamp } = await reader.getBlock()
        const nowSeconds = Math.floor(Date.now() / 1000)
        if (nowSeconds <= timestamp) continue
        // Sets the clock itself: that of a chain without a new block is right, and later by so much would be ahead of ours.
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
    /** A deposit address has code once its money was forwarded. */
    async hasCode(address: string, network?: NetworkName): Promise<boolean> {
      return (await node(network).reader.getCode({ address: address as Hex })) !== undefined
    },
    /** Whole tokens, exactly. */
    format: (amount: bigint, token: TokenName = 'USDC', network?: NetworkName): string =>
      formatAmount(amount as BaseUnits, node(network).token(token).decimals),
    /**
     * Both chains as they are now.
     * @returns a function that brings them back to it, a few blocks on: anvil keeps the states of 32 blocks, and those before a longer
     * story are gone, also when its blocks are taken back.
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
 * Waits for the transaction to be in a block, by asking for its receipt: viem asks for it once a block, and where only transactions make blocks there may be no later one.
 * @throws {Error} when it was reverted.
 */
export async function succeeded(reader: Pick<PublicClient, 'getTransactionReceipt'>, hash: Hex): Promise<void> {
  const { status } = await until(`the receipt of ${hash}`, () => reader.getTransactionReceipt({ hash }))
  if (status !== 'success') throw new Error(`The transaction ${hash} was reverted`)
}
