import { type Address, erc20Abi } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import { type BlockRef, clockSkewMs } from '../../../network/heads.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { addressTopic, topicOf } from '../../event-topic.ts'
import {
  type Account,
  type AccountReading,
  type Balance,
  ChainMovedError,
  type Movement,
  type MovementReader,
  type MovementsRequest,
  NothingAppliedError,
} from '../../movements.ts'
import { newestBlockBefore } from '../rpc/block-time.ts'
import { createEvmAdapter, type EvmAdapter, tokenTransfer } from '../rpc/evm-adapter.ts'
import { balancesMax } from '../rpc/evm-balances.ts'
import { type EvmPool, poolReader } from '../rpc/evm-pool.ts'
import { isSplitLog, readSplitLog } from '../split/split-log.ts'
import { createAccountIndex } from './account-index.ts'
import { createContractLogReader, type ParkedShare } from './contract-logs.ts'
import { readRanges } from './log-ranges.ts'
import { withShares } from './split-shares.ts'

/** Token balances per `eth_call`: the call runs as a contract creation, whose code EIP-3860 limits to 49,152 bytes. */
const tokenBalancesMax = 100

/** Block times cached. */
const timesMax = 1_000

/**
 * Reads every transfer of the tokens to the accounts, every payment through the splitters, and every settlement and refund of the
 * forwarders, from the first payment's creation to the newest block that is applied and confirmed.
 */
export async function readEvmMovements(
  network: EvmNetwork,
  pool: EvmPool,
  { applied, accounts, networks, tokens: recorded, onProgress, nowMs }: MovementsRequest,
  signal: AbortSignal,
): Promise<MovementReader> {
  const index = createAccountIndex(network, networks)
  for await (const page of accounts()) for (const account of page) index.add(account)
  const known = new Set(network.tokens.map(({ address }) => address.toLowerCase()))
  const others = new Set([...index.tokens, ...recorded.map(({ address }) => address.toLowerCase())])
  const left = [...others].filter((address) => !known.has(address))
  const former = left.map((address) => ({ symbol: address, currency: '', name: address, address, decimals: 0 }))
  const tokens = [...network.tokens, ...former.map((token) => ({ ...token, permit: null, authorization: null }))]
  const adapter = createEvmAdapter({ ...network, tokens }, { nowMs, log: silentLog }, pool)
  if (applied === undefined && index.size > 0)
    throw new NothingAppliedError(`the service has not read ${network.name} yet`)
  const at = await comparedBlock(network, adapter, applied, signal)
  const timeOf = createBlockTimes(adapter, signal)
  const readContractLogs = createContractLogReader({
    pool,
    isOurs: (topic) => index.has(topic),
    isSplitter: (address) => index.splitters.has(address),
    homeToken: index.homeToken,
    timeOf,
    signal,
  })
  const parked: ParkedShare[] = []

  async function readRange({ from, to }: { from: number; to: number }): Promise<void> {
    const query = { from, to, findWatched: async () => index, few: index.few(), splitters: index.splitters }
    const found = await adapter.transfers(query, signal)
    const logs = await readContractLogs({ from, to }, index.fewContracts())
    for (const { topic, source, txId, logIndex, blockNumber: block, blockTimeMs: timeMs, amount } of found) {
      if (!index.isSource(topic, source)) continue
      index.record(topic, { kind: 'in', txId, logIndex, block, timeMs, token: source, amount })
    }
    for (const { topic, movement } of logs.movements) index.record(topic, movement)
    parked.push(...logs.parked)
  }

  const from =
    index.size === 0
      ? at.number + 1
      : await newestBlockBefore(adapter, index.firstCreatedAtMs - clockSkewMs, at.number, signal)
  await readRanges({ from, to: at.number }, readRange, onProgress, signal)
  const readBalances = createBalances(pool, adapter, network, at.number)

  return {
    at,
    async read(page, readSignal) {
      const here = page.filter((account) => index.isHere(account))
      const movements = new Map<Account, readonly Movement[]>()
      for (const account of here) {
        const found = index.movementsOf(account)
        const isSplit = account.mode === 'contract'
        movements.set(account, isSplit ? await withShares(adapter, account, found, parked, readSignal) : found)
      }
      const balances = await readBalances(movements, readSignal)
      return page.map((account): AccountReading | undefined => {
        const moved = movements.get(account)
        return moved && { movements: moved, balances: balances.get(account) ?? [], blocks: undefined }
      })
    },
    async blockOf(account, txId, readSignal) {
      const receipt = await adapter.receipt(txId, readSignal)
      const topic = topicOf(account)
      const isIts = receipt?.logs.some(
        ({ address, topics }) => addressTopic(address) === topic || topics.includes(topic as Address),
      )
      if (!receipt?.isSuccess || !isIts) return undefined
      const block = await adapter.block(receipt.blockNumber, readSignal)
      return block?.hash === receipt.blockHash ? receipt.blockNumber : undefined
    },
    async transferOf({ place, token, splitter, terms: address }, { txId, logIndex }, readSignal) {
      const receipt = await adapter.receipt(txId, readSignal)
      const log = receipt?.isSuccess ? receipt.logs.find((one) => Number(one.logIndex) === logIndex) : undefined
      if (!receipt || !log) return undefined
      const isSplit = isSplitLog(log.topics) && log.address.toLowerCase() === splitter?.toLowerCase()
      const split = isSplit ? readSplitLog(network.chainId, log) : undefined
      const plain = tokenTransfer(network, log, 0)
      const isPlain = plain?.topic === addressTopic(address) && plain.source === token.toLowerCase()
      const amount = split?.termsHash === place ? split.received : isPlain ? plain.amount : undefined
      const block = await adapter.block(receipt.blockNumber, readSignal)
      if (amount === undefined || block?.hash !== receipt.blockHash) return undefined
      return { block: receipt.blockNumber, amount }
    },
    async verifyUnchanged(readSignal) {
      if ((await adapter.block(at.number, readSignal))?.hash === at.hash) return
      throw new ChainMovedError(`${network.name}: block ${at.number} was replaced during the comparison; run it again`)
    },
  }
}

/** The newest block that the watcher has applied and that has the network's confirmations. */
async function comparedBlock(
  network: EvmNetwork,
  adapter: EvmAdapter,
  applied: number | undefined,
  signal: AbortSignal,
): Promise<BlockRef> {
  const head = await adapter.head(signal)
  const number = Math.max(0, Math.min(applied ?? head.number, head.number) - network.confirmations + 1)
  const block = await adapter.block(number, signal)
  if (block === undefined) throw new Error(`${network.name}: the node has no block ${number}`)
  return block
}

function createBlockTimes(adapter: EvmAdapter, signal: AbortSignal) {
  const times = new Map<number, number>()
  return async (number: number): Promise<number> => {
    const known = times.get(number)
    if (known !== undefined) return known
    const block = await adapter.block(number, signal)
    if (block === undefined) throw new Error(`${adapter.network}: the node has no block ${number}`)
    if (times.size >= timesMax) times.clear()
    times.set(number, block.timeMs)
    return block.timeMs
  }
}

/** Balances of deposit addresses at one block: of the payment's token, the coin, and other tokens that moved there. */
function createBalances(pool: EvmPool, adapter: EvmAdapter, network: EvmNetwork, block: number) {
  async function tokenBalances(
    wanted: readonly { token: string; place: string }[],
    signal: AbortSignal,
  ): Promise<bigint[]> {
    const contracts = wanted.map(({ token, place }) => ({
      address: token as Address,
      abi: erc20Abi,
      functionName: 'balanceOf' as const,
      args: [place as Address] as const,
    }))
    const options = { allowFailure: false, deployless: true, batchSize: 0, blockNumber: BigInt(block) } as const
    return await poolReader(pool, signal).multicall({ contracts, ...options })
  }

  return async function readBalances(
    movements: ReadonlyMap<Account, readonly Movement[]>,
    signal: AbortSignal,
  ): Promise<Map<Account, Balance[]>> {
    const deposits = [...movements.keys()].filter(({ mode }) => mode === 'deposit')
    const wanted = deposits.flatMap((account) => {
      const moved = movements.get(account)?.map(({ token }) => token.toLowerCase()) ?? []
      const home = account.network === network.shortName ? [account.token.toLowerCase()] : []
      const tokens = new Set([...home, ...moved.filter((token) => token !== coinAddress)])
      return [...tokens].map((token) => ({ account, token, place: account.place }))
    })
    const balances = new Map<Account, Balance[]>(deposits.map((account) => [account, []]))
    for (let from = 0; from < wanted.length; from += tokenBalancesMax) {
      signal.throwIfAborted()
      const batch = wanted.slice(from, from + tokenBalancesMax)
      const amounts = await tokenBalances(batch, signal)
      for (const [place, { account, token }] of batch.entries())
        balances.get(account)?.push({ token, amount: amounts[place] ?? 0n })
    }
    // On networks without a coin, nodes answer with a fixed number.
    const holders = network.deposits === 'virtual' ? [] : deposits
    for (let from = 0; from < holders.length; from += balancesMax) {
      const batch = holders.slice(from, from + balancesMax)
      const addresses = batch.map(({ place }) => place)
      const amounts = await adapter.balances(null, addresses, block, signal)
      for (const [place, account] of batch.entries())
        balances.get(account)?.push({ token: coinAddress, amount: amounts[place] ?? 0n })
    }
    return balances
  }
}
