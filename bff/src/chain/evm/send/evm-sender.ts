import {
  type Address,
  BlockNotFoundError,
  createPublicClient,
  getAbiItem,
  type Hex,
  numberToHex,
  type PublicClient,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { rpcErrorOf } from '../../rpc-pool.ts'
import { depositForwarder } from '../deploy/contracts.generated.ts'
import type { StoredTerms } from '../deposit/deposit-terms.ts'
import { toTuple } from '../deposit/forwarder-address.ts'
import { type ParkedAt, parkedRead, payParkedCall } from '../deposit/parked-call.ts'
import {
  type RefundCall,
  type RefundCheck,
  type RefundLog,
  readRefundLogs,
  refundCall,
  refundRefusalOf,
} from '../deposit/refund-call.ts'
import { type Refusal, readSettleLogs, refusalOf, type SettleLogs, settleAbi } from '../deposit/settle-call.ts'
import { isDeep } from '../rpc/evm-adapter.ts'
import { type EvmPool, nodeReader, poolTransport, type RpcBlock } from '../rpc/evm-pool.ts'
import type { Fees } from './evm-transaction.ts'
import { readL1Fee } from './l1-fee.ts'
import { type Search, searchLogs } from './search-logs.ts'

/** Maximum tip, unless the base fee is higher: a lying node could otherwise make the service overpay. */
const tipMax = 50_000_000_000n

/** Started calls finish even while the service stops: each has its own timeout. */
const { signal: never } = new AbortController()

export type Head = { number: number; hash: Hex; timeSeconds: number; gasLimit: bigint; baseFeePerGas: bigint }

/** A settlement on chain. */
type Settlement = { txId: Hex; blockNumber: number; blockHash: Hex }

/**
 * `amount`: the total paid to merchant and platform, in base units of the deposit's token. `parked`: the platform's share, if its
 * wallet rejected it; else 0.
 */
type PaidSettlement = Settlement & { amount: bigint; parked: bigint }

/** A refund on chain. */
type Refund = Settlement & { to: Hex; amount: bigint }

/** A mined transaction. `isReverted`: it had no effect. */
export type SettleReceipt = Settlement & SettleLogs & { isReverted: boolean; refunds: readonly RefundLog[] }

/** `known`: the node has the transaction. After any other answer, it may still be mined or in another node's pool. */
type Broadcast = { answer: 'known' } | { answer: 'no-gas' | 'nonce-used' | 'refused'; reason: string }

/** The sweeper's view of an EVM chain. Calls reject when no node responds, which says nothing about deposits or transactions. */
export type EvmSender = {
  head(): Promise<Head>
  isCanonical(block: { blockNumber: number; blockHash: Hex }): Promise<boolean>
  /** The account's next nonce: counting mined transactions, also pending ones, or those up to a block. */
  nonce(address: Hex, at: 'latest' | 'pending' | number): Promise<number>
  /** Wei. */
  balance(address: Hex): Promise<bigint>
  /** Wei per gas, enough for the base fee to double. */
  fees(head: Head): Promise<Fees>
  /** The chain's fee for a call in addition to gas, in wei; 0 if none. */
  l1FeeWei(call: { target: string; data: string }): Promise<bigint>
  /** For each deposit, in order: why it cannot be settled now; undefined if it can. One call for all. */
  refusals(factory: Hex, batch: readonly StoredTerms[]): Promise<(Refusal | undefined)[]>
  /** Gas to settle this deposit in its own transaction. */
  settleGas(terms: StoredTerms): Promise<bigint>
  /** Whether the operator can send the refund now. */
  checkRefund(call: RefundCall): Promise<RefundCheck>
  /** The parked amounts in base units, at the newest or a given block. One call for all. */
  parked(places: readonly ParkedAt[], block?: number): Promise<bigint[]>
  /** Gas to pay a parked share, or why the token refuses it. */
  checkParked(place: ParkedAt): Promise<{ gas: bigint } | { reason: string }>
  broadcast(raw: Hex): Promise<Broadcast>
  /** Undefined if the node knows no block with the transaction. */
  receipt(txId: Hex, factory: Hex): Promise<SettleReceipt | undefined>
  /**
   * Whether nodes of two hosts (if configured) have this exact receipt in a canonical block with the required confirmations by
   * their own heads.
   */
  isAttested(receipt: SettleReceipt, factory: Hex, required: number): Promise<boolean>
  /**
   * Whether nodes of two hosts (if configured) have mined a transaction of the account with this nonce by that block, and have no
   * receipt of these transactions.
   */
  isReplaced(used: { address: Hex; nonce: number; block: number; txIds: readonly Hex[] }): Promise<boolean>
  /**
   * Whether nodes of two hosts (if configured) have the block with the required confirmations by their own heads, and no receipt
   * by which the transaction settles the forwarder.
   */
  isUnsettledBy(settlement: {
    txId: Hex
    factory: Hex
    forwarder: string
    block: number
    required: number
  }): Promise<boolean>
  /** Searches for a forwarder's settlement, in a bounded number of calls. Both ends are inclusive. */
  findSettlement(forwarder: Hex, range: { from: number; to: number }): Promise<Search<PaidSettlement>>
  /** Searches for the first refund of a token by a transaction that is not known. */
  findRefund(
    forwarder: Hex,
    token: Hex,
    known: readonly string[],
    range: { from: number; to: number },
  ): Promise<Search<Refund>>
}

type SentOn = Pick<EvmNetwork, 'shortName' | 'chainId' | 'l1FeeOracle'>

export function createEvmSender(network: SentOn, pool: Pick<EvmPool, 'ask' | 'askNode' | 'isAttested'>): EvmSender {
  const client = createPublicClient({ transport: poolTransport(pool), cacheTime: 0 })

  return {
    async head() {
      const { number, hash, timestamp, gasLimit, baseFeePerGas } = await client.getBlock({ blockTag: 'latest' })
      if (baseFeePerGas === null) throw new Error(`${network.shortName}: the chain has no base fee (EIP-1559)`)
      return { number: Number(number), hash, timeSeconds: Number(timestamp), gasLimit, baseFeePerGas }
    },
    async isCanonical({ blockNumber, blockHash }) {
      try {
        const block = await client.getBlock({ blockNumber: BigInt(blockNumber) })
        return block.hash === blockHash
      } catch (error) {
        if (error instanceof BlockNotFoundError) return false
        throw error
      }
    },
    nonce: (address, at) =>
      client.getTransactionCount(
        typeof at === 'number' ? { address, blockNumber: BigInt(at) } : { address, blockTag: at },
      ),
    balance: (address) => client.getBalance({ address }),
    l1FeeWei: (call) => readL1Fee(client, network, call),
    async fees({ baseFeePerGas }) {
      const tip = await client.estimateMaxPriorityFeePerGas()
      const tipBound = baseFeePerGas > tipMax ? baseFeePerGas : tipMax
      const maxPriorityFeePerGas = tip > tipBound ? tipBound : tip
      return { maxPriorityFeePerGas, maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas }
    },
    async refusals(factory, batch) {
      const contracts = batch.map((terms) => settleCall(factory, terms))
      const results = await client.multicall({ contracts, allowFailure: true, deployless: true, batchSize: 0 })
      return results.map(({ error }) => {
        if (error === undefined) return undefined
        const refusal = refusalOf(error)
        if (refusal === undefined) throw error
        return refusal
      })
    },
    settleGas: (terms) => client.estimateContractGas(settleCall(terms.factory, terms)),
    async checkRefund(call) {
      try {
        return { gas: await client.estimateContractGas(refundCall(call)) }
      } catch (error) {
        const refusal = refundRefusalOf(error)
        if (refusal === undefined) throw error
        return refusal
      }
    },
    async parked(places, block) {
      if (places.length === 0) return []
      const contracts = places.map(parkedRead)
      const at = block === undefined ? {} : { blockNumber: BigInt(block) }
      return await client.multicall({ contracts, allowFailure: false, deployless: true, batchSize: 0, ...at })
    },
    async checkParked(place) {
      try {
        return { gas: await client.estimateContractGas(payParkedCall(place)) }
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === undefined) throw error
        return { reason: refusal.reason }
      }
    },
    async broadcast(raw) {
      try {
        await client.sendRawTransaction({ serializedTransaction: raw })
        return { answer: 'known' }
      } catch (error) {
        return readRejection(error)
      }
    },
    receipt: (txId, factory) => readReceipt(client, txId, factory),
    isAttested: (receipt, factory, required) =>
      pool.isAttested(async (node) => {
        const { txId, blockNumber, blockHash } = receipt
        const own = await readReceipt(nodeReader(pool, node, never), txId, factory)
        if (own === undefined || textOf(own) !== textOf(receipt)) return false
        const block = await pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', [numberToHex(blockNumber), false])
        return block?.hash === blockHash && (await isDeep(pool, node, blockNumber, required))
      }, never),
    isReplaced: ({ address, nonce, block, txIds }) =>
      pool.isAttested(async (node) => {
        const count = await pool.askNode<Hex>(node, 'eth_getTransactionCount', [address, numberToHex(block)])
        if (Number(count) <= nonce) return false
        for (const txId of txIds) {
          if ((await pool.askNode(node, 'eth_getTransactionReceipt', [txId])) !== null) return false
        }
        return true
      }, never),
    isUnsettledBy: ({ txId, factory, forwarder, block, required }) =>
      pool.isAttested(async (node) => {
        if (!(await isDeep(pool, node, block, required))) return false
        const receipt = await readReceipt(nodeReader(pool, node, never), txId, factory)
        return receipt?.settled.has(forwarder.toLowerCase()) !== true
      }, never),
    findSettlement: (forwarder, range) => searchLogs(range, (from, to) => settledLog(forwarder, from, to)),
    findRefund: (forwarder, token, known, range) =>
      searchLogs(range, async (from, to) => {
        const refunds = await refundLogs(forwarder, token, from, to)
        return refunds.find(({ txId }) => !known.includes(txId))
      }),
  }

  async function settledLog(address: Address, from: number, to: number): Promise<PaidSettlement | undefined> {
    const settled = getAbiItem({ abi: depositForwarder.abi, name: 'Settled' })
    const parked = getAbiItem({ abi: depositForwarder.abi, name: 'PlatformShareParked' })
    const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
    const logs = await client.getLogs({ address, events: [settled, parked], ...range, strict: true })
    const log = logs.find(({ eventName }) => eventName === 'Settled')
    if (log?.eventName !== 'Settled') return undefined
    const { args, transactionHash: txId, blockNumber, blockHash } = log
    const amount = args.merchantAmount + args.platformAmount
    const isParked = logs.some(
      ({ eventName, transactionHash }) => eventName === 'PlatformShareParked' && transactionHash === txId,
    )
    const share = isParked ? args.platformAmount : 0n
    return { txId, blockNumber: Number(blockNumber), blockHash, amount, parked: share }
  }

  async function refundLogs(address: Address, token: Hex, from: number, to: number): Promise<Refund[]> {
    const event = getAbiItem({ abi: depositForwarder.abi, name: 'Refunded' })
    const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
    const logs = await client.getLogs({ address, event, args: { token }, ...range, strict: true })
    return logs.map(({ args, transactionHash: txId, blockNumber, blockHash }) => ({
      txId,
      blockNumber: Number(blockNumber),
      blockHash,
      to: args.to,
      amount: args.amount,
    }))
  }
}

async function readReceipt(client: PublicClient, txId: Hex, factory: Hex): Promise<SettleReceipt | undefined> {
  try {
    const { status, blockNumber, blockHash, logs } = await client.getTransactionReceipt({ hash: txId })
    const block = { txId, blockNumber: Number(blockNumber), blockHash }
    return {
      ...block,
      isReverted: status !== 'success',
      refunds: readRefundLogs(logs),
      ...readSettleLogs(logs, factory),
    }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** A receipt's facts about payouts, as comparable text. */
const textOf = ({ settled, skipped, ...others }: SettleReceipt): string =>
  JSON.stringify({ ...others, settled: [...settled], skipped: [...skipped] }, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )

function settleCall(factory: Hex, terms: StoredTerms) {
  return { address: factory, abi: settleAbi, functionName: 'settle', args: [toTuple(terms)] } as const
}

/**
 * Nodes share no error codes for rejections, only similar messages.
 * @throws the error when no node has judged the transaction.
 */
function readRejection(error: unknown): Broadcast {
  const reason = rpcErrorOf(error)?.details
  if (reason === undefined) throw error
  if (/already (known|imported|exists)|known transaction/i.test(reason)) return { answer: 'known' }
  if (/insufficient funds|insufficient balance/i.test(reason)) return { answer: 'no-gas', reason }
  if (/nonce too low|nonce is too low|old nonce/i.test(reason)) return { answer: 'nonce-used', reason }
  return { answer: 'refused', reason }
}
