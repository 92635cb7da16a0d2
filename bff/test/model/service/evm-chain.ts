import { parseRawTransaction } from '@stablecoin-checkout/bff/testing/evm'
import { encodeFunctionData, erc20Abi, type Hex, keccak256, recoverTransactionAddress, toHex } from 'viem'
import { type Call, copyState, execute, type Log, newState, Revert, type Rules, type State } from './contracts.ts'

/** Wei per gas, and the gas of any transaction of the operator. */
export const gwei = 1_000_000_000n
const gasUsed = 100_000n

/** `nonce`: set only for the operator's signed transactions. */
export type Transaction = { txId: Hex; from: Hex; calls: readonly Call[]; nonce?: number; raw?: Hex }
export type PlacedLog = Log & { txId: Hex; logIndex: number; transactionIndex: number }
export type Receipt = { transaction: Transaction; isReverted: boolean; logs: PlacedLog[] }
export type Block = {
  number: number
  hash: Hex
  parentHash: Hex
  timeMs: number
  receipts: Receipt[]
  logs: PlacedLog[]
  bloom: Hex
  state: State
}

export type EvmChain = ReturnType<typeof createEvmChain>

/** How a reorg arranges the transactions of the replaced blocks: in which new blocks, and in which order. */
export type Arrangement = { kept: number; place: 'first' | 'last' | 'spread'; isReversed: boolean }

/**
 * An in-memory chain of the Ethereum family. Log indexes count through the block, so that a reorg with another order of
 * transactions changes them.
 */
export function createEvmChain(rules: Rules, startMs: number) {
  let hashes = 0
  let serials = 0
  let nowMs = startMs
  let highest = 0
  const newHash = () => keccak256(toHex(++hashes, { size: 32 }))
  const genesis: Block = {
    number: 0,
    hash: newHash(),
    parentHash: `0x${'0'.repeat(64)}`,
    timeMs: startMs,
    receipts: [],
    logs: [],
    bloom: bloomOf([]),
    state: newState(),
  }
  const blocks: Block[] = [genesis]
  const pool = new Map<Hex, Transaction>()
  const tip = () => blocks.at(-1) ?? genesis

  /** @returns the state after the transaction; undefined if it cannot be in this block. */
  async function run(before: State, transaction: Transaction, timeMs: number) {
    const { from, calls, nonce } = transaction
    const state = copyState(before)
    const account = from.toLowerCase()
    if (nonce !== undefined) {
      const cost = gasUsed * 2n * gwei
      if ((state.nonces.get(account) ?? 0) !== nonce || (state.coins.get(account) ?? 0n) < cost) return undefined
      state.nonces.set(account, nonce + 1)
      state.coins.set(account, (state.coins.get(account) ?? 0n) - cost)
    }
    const logs: Log[] = []
    let after = state
    try {
      for (const call of calls) {
        const done = await execute(after, call, { from, timeMs, rules })
        after = done.state
        logs.push(...done.logs)
      }
      return { state: after, logs, isReverted: false }
    } catch (error) {
      if (!(error instanceof Revert)) throw error
      return { state, logs: [], isReverted: true }
    }
  }

  async function append(transactions: readonly Transaction[], timeMs: number): Promise<void> {
    const parent = tip()
    const block: Block = {
      number: parent.number + 1,
      hash: newHash(),
      parentHash: parent.hash,
      timeMs,
      receipts: [],
      logs: [],
      bloom: '0x',
      state: parent.state,
    }
    let waiting = [...transactions]
    for (let isMoving = true; isMoving; ) {
      isMoving = false
      const later: Transaction[] = []
      for (const transaction of waiting) {
        const done = await run(block.state, transaction, timeMs)
        if (!done) {
          later.push(transaction)
          continue
        }
        isMoving = true
        const place = { txId: transaction.txId, transactionIndex: block.receipts.length }
        const logs = done.logs.map((log, index) => ({ ...log, ...place, logIndex: block.logs.length + index }))
        block.receipts.push({ transaction, isReverted: done.isReverted, logs })
        block.logs.push(...logs)
        block.state = done.state
      }
      waiting = later
    }
    for (const { txId, raw } of block.receipts.map((one) => one.transaction)) if (raw) pool.delete(txId)
    for (const one of waiting) if (one.raw) pool.set(one.txId, one)
    block.bloom = bloomOf(block.logs)
    blocks.push(block)
    highest = Math.max(highest, block.number)
  }

  const sent: Transaction[] = []

  return {
    rules,
    blocks: blocks as readonly Block[],
    pool,
    tip,
    nowMs: () => nowMs,
    /** Advances time without a block. */
    wait(seconds: number): void {
      nowMs += seconds * 1_000
    },
    /** Mints before the first block. */
    mint(token: Hex, account: Hex, amount: bigint): void {
      genesis.state.tokens.set(`${token} ${account}`.toLowerCase(), amount)
    },
    /** Sets coins in all blocks, so that a reorg changes nothing. */
    setCoins(account: Hex, wei: bigint): void {
      for (const { state } of blocks) state.coins.set(account.toLowerCase(), wei)
    },
    /** Queues one transaction's calls for the next block. */
    send(from: Hex, calls: readonly Call[]): Hex {
      serials += 1
      const txId = keccak256(toHex(`transaction ${serials}`))
      sent.push({ txId, from, calls })
      return txId
    },
    transfer: (token: Hex, to: Hex, amount: bigint): Call => ({
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    }),
    /** Accepts the operator's transaction as a node does. @returns the reason if it is rejected. */
    async accept(raw: Hex): Promise<string | undefined> {
      const { nonce, to, data } = parseRawTransaction(raw)
      const from = (await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase()
      const { state } = tip()
      if (nonce < (state.nonces.get(from) ?? 0)) return 'nonce too low'
      if ((state.coins.get(from) ?? 0n) < gasUsed * 2n * gwei) return 'insufficient funds for gas * price + value'
      const txId = keccak256(raw)
      pool.set(txId, { txId, from: from as Hex, calls: [{ to, data }], nonce, raw })
      return undefined
    },
    /** `isEmpty`: the operator's transactions stay in the pool. */
    async mine(blockCount: number, seconds: number, isEmpty = false): Promise<void> {
      for (let index = 0; index < blockCount; index += 1) {
        nowMs += seconds * 1_000
        const timeMs = Math.max(tip().timeMs + 1_000, nowMs)
        nowMs = timeMs
        const own = isEmpty ? [] : [...pool.values()].sort((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0))
        await append([...sent.splice(0), ...own], timeMs)
      }
    },
    /** Replaces the newest blocks with as many others plus `longer`; none that is `max` below the highest. */
    async reorg(depthWished: number, max: number, longer: number, { kept, place, isReversed }: Arrangement) {
      const depth = Math.max(0, Math.min(depthWished, blocks.length - 1, tip().number - (highest - max)))
      if (depth === 0) return
      const removed = blocks.splice(blocks.length - depth)
      const all = removed.flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
      const standing = all.filter((_, index) => (kept >> (index % 16)) & 1)
      for (const one of all) if (one.raw && !standing.includes(one)) pool.set(one.txId, one)
      if (isReversed) standing.reverse()
      const length = Math.max(1, depth + longer)
      for (let index = 0; index < length; index += 1) {
        const isTheirs = (order: number) =>
          place === 'spread' ? order % length === index : index === (place === 'first' ? 0 : length - 1)
        const time = Math.max(tip().timeMs + 1_000, removed[index]?.timeMs ?? 0)
        await append(
          standing.filter((_, order) => isTheirs(order)),
          time,
        )
      }
      nowMs = Math.max(nowMs, tip().timeMs)
    },
    find(txId: string): { block: Block; receipt: Receipt } | undefined {
      for (const block of blocks) {
        const receipt = block.receipts.find(({ transaction }) => transaction.txId === txId)
        if (receipt) return { block, receipt }
      }
      return undefined
    },
  }
}

/** Three bits per address and topic, of 2,048. */
function bloomOf(logs: readonly Log[]): Hex {
  const bytes = new Uint8Array(256)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      const hash = Buffer.from(keccak256(item.toLowerCase() as Hex).slice(2), 'hex')
      for (const at of [0, 2, 4]) {
        const bit = ((hash[at] ?? 0) * 256 + (hash[at + 1] ?? 0)) % 2_048
        const byte = 255 - (bit >> 3)
        bytes[byte] = (bytes[byte] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return `0x${Buffer.from(bytes).toString('hex')}`
}
