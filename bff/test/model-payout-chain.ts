import { depositFactory } from '@stablecoin-checkout/bff/contracts'
import {
  depositAddress,
  type EvmSender,
  type ParkedAt,
  parseRawTransaction,
  type RefundLog,
  type SettleReceipt,
  type SettleRefusal,
  type StoredTerms,
} from '@stablecoin-checkout/bff/testing/evm'
import { decodeFunctionData, type Hex, keccak256, recoverTransactionAddress, toFunctionSelector, toHex } from 'viem'

const calls = new Set(depositFactory.abi.map((item) => (item.type === 'function' ? toFunctionSelector(item) : '')))
const excess = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n)
export const gwei = 1_000_000_000n
export const firstBlock = 100
const stranger = '0x5e000000000000000000000000000000000000ee'

type Mined = { txId: Hex; sender: string; receipt: SettleReceipt | undefined }
type ContractTerms = Omit<StoredTerms, 'chainId' | 'deadlineSeconds' | 'factory'> & {
  chainId: bigint
  deadline: number
}
type Block = { number: number; hash: Hex; transactions: Mined[] }

export type ModelChain = ReturnType<typeof createModelChain>

/**
 * In-memory blocks, nonces, pool and forwarders' money, behind the sweeper's interface to a node, to test rules quickly and at
 * their edges. Tests with anvil verify that the real chain and contracts behave the same.
 */
export function createModelChain() {
  let serial = 0
  const blocks: Block[] = []
  const pool = new Map<Hex, Hex>()
  /** What arrived at each forwarder, whatever happened to it. */
  const arrived = new Map<string, bigint>()
  const newBlock = (transactions: Mined[] = []) => {
    serial += 1
    const block: Block = { number: firstBlock + blocks.length, hash: keccak256(toHex(serial)), transactions }
    blocks.push(block)
    return block
  }
  newBlock()
  const canonical = () => blocks.flatMap(({ transactions }) => transactions)
  const receiptOf = (txId: Hex) => canonical().find((one) => one.txId === txId)?.receipt
  const settlementOf = (forwarder: string) =>
    canonical().find(({ receipt }) => receipt?.settled.has(forwarder.toLowerCase()))?.receipt

  /** A forwarder's balance in the canonical blocks. */
  function balanceOf(forwarder: string): bigint {
    const address = forwarder.toLowerCase()
    let balance = arrived.get(address) ?? 0n
    for (const { receipt } of canonical()) {
      const out = receipt?.settled.get(address)
      if (out) balance -= out.merchantAmount + out.platformAmount
      for (const refund of receipt?.refunds ?? []) if (refund.forwarder === address) balance -= refund.amount
    }
    return balance
  }

  function refusalOf(terms: StoredTerms): SettleRefusal | undefined {
    const address = depositAddress(terms, terms.factory)
    if (settlementOf(address)) return { isSettled: true, reason: 'AlreadySettled()' }
    if (chain.blocked.has(terms.merchant)) return { isSettled: false, reason: 'the wallet is blocked' }
    const isEnough = balanceOf(address) >= terms.least
    return isEnough ? undefined : { isSettled: false, reason: `NotFunded(${balanceOf(address)})` }
  }

  /** Follows the rules of `DepositForwarder._refundableDue`. */
  function refundable(terms: StoredTerms): bigint {
    const address = depositAddress(terms, terms.factory)
    const balance = balanceOf(address)
    if (settlementOf(address)) return balance
    if (balance > terms.amount) return balance - terms.amount
    return balance < terms.least && chain.timeSeconds > terms.deadlineSeconds ? balance : 0n
  }

  function execute(txId: Hex, raw: Hex, { number, hash }: Block): SettleReceipt {
    const { data, to } = parseRawTransaction(raw)
    const settled = new Map<string, { merchantAmount: bigint; platformAmount: bigint; isPlatformParked: boolean }>()
    const skipped = new Map<string, SettleRefusal>()
    const refunds: RefundLog[] = []
    const { isReverting: isReverted } = chain
    const receipt = { txId, blockNumber: number, blockHash: hash, isReverted, settled, skipped, refunds }
    if (chain.isReverting || !calls.has(data.slice(0, 10) as Hex)) return receipt
    const { functionName, args } = decodeFunctionData({ abi: depositFactory.abi, data })
    const termsOf = ({ deadline, chainId: chain, ...terms }: ContractTerms): StoredTerms => {
      return { ...terms, chainId: Number(chain), deadlineSeconds: deadline, factory: to }
    }
    if (functionName === 'settleMany') {
      for (const tuple of args[0]) {
        const terms = termsOf(tuple)
        const address = depositAddress(terms, to).toLowerCase()
        if (chain.isSilent.has(address)) continue
        const refusal = refusalOf(terms)
        if (refusal) skipped.set(address, refusal)
        else {
          const balance = balanceOf(address)
          const paid = balance - excess(balance, terms.amount)
          const fee = (paid * BigInt(terms.feeBps)) / 10_000n
          const isPlatformParked = chain.blocked.has(terms.platform)
          const amounts = { merchantAmount: paid - fee, platformAmount: fee, isPlatformParked }
          settled.set(address, amounts)
        }
      }
    }
    if (functionName === 'refund') {
      const [tuple, refunded, receiver, amount] = args
      const terms = termsOf(tuple)
      if (amount > refundable(terms)) return { ...receipt, isReverted: true }
      const forwarder = depositAddress(terms, to).toLowerCase() as Hex
      refunds.push({ forwarder, token: refunded, to: receiver, amount })
    }
    return receipt
  }

  const used = (account: string, upTo = Number.POSITIVE_INFINITY) =>
    blocks
      .filter(({ number }) => number <= upTo)
      .flatMap(({ transactions }) => transactions)
      .filter(({ sender }) => sender === account.toLowerCase()).length

  const chain = {
    timeSeconds: 1_000_000_000,
    baseFeePerGas: gwei,
    balanceWei: 10n ** 18n,
    gasLimit: 30_000_000n,
    settleGas: 96_000n,
    /** Whether every transaction runs out of gas. */
    isReverting: false,
    /** Wallets that the token refuses to pay. */
    blocked: new Set<string>(),
    /** Forwarders that a batch silently omits. */
    isSilent: new Set<string>(),
    /** Transactions given to the node, in order. */
    broadcasts: [] as Hex[],
    /** The node's response to a broadcast, which it then rejects. */
    refusal: undefined as Awaited<ReturnType<EvmSender['broadcast']>> | undefined,
    pool,
    balanceOf,
    used,
    refusalOf,
    refundable,
    receiptOf,
    settlementOf,
    blocks: blocks as readonly Block[],
    head: () => blocks.at(-1) ?? newBlock(),
    arrive(forwarder: string, amount: bigint): void {
      const address = forwarder.toLowerCase()
      arrived.set(address, (arrived.get(address) ?? 0n) + amount)
    },
    /** Mines blocks with everything in the pool that its nonces allow, in the first block. */
    async mine(count = 1): Promise<void> {
      const block = newBlock()
      for (const [txId, raw] of [...pool].sort(
        ([, a], [, b]) => parseRawTransaction(a).nonce - parseRawTransaction(b).nonce,
      )) {
        const sender = (
          await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
        ).toLowerCase()
        if (parseRawTransaction(raw).nonce > used(sender)) continue
        pool.delete(txId)
        if (parseRawTransaction(raw).nonce < used(sender)) continue
        block.transactions.push({ txId, sender, receipt: execute(txId, raw, block) })
      }
      for (let mined = 1; mined < count; mined++) newBlock()
    },
    /** The platform's share parked at a deposit. */
    parkedAt(place: ParkedAt): bigint {
      if (!('terms' in place) || !chain.blocked.has(place.terms.platform)) return 0n
      const forwarder = depositAddress(place.terms, place.terms.factory).toLowerCase()
      const settled = settlementOf(forwarder)?.settled.get(forwarder)
      return settled?.isPlatformParked ? settled.platformAmount : 0n
    },
    /** Sends a manual transaction from the account, which takes its next nonce. */
    takeNonce(account: string): void {
      const txId = keccak256(toHex(`by hand ${serial}`))
      newBlock([{ txId, sender: account.toLowerCase(), receipt: undefined }])
    },
    /** Anyone may settle: adds a transaction that the service does not know. `known`: one that a reorg removed lands again. */
    settleAsStranger(forwarder: string, known?: Hex): Hex {
      const address = forwarder.toLowerCase()
      const block = newBlock()
      const txId = known ?? keccak256(toHex(`stranger ${serial}`))
      const amounts = { merchantAmount: balanceOf(address), platformAmount: 0n, isPlatformParked: false }
      const settled = new Map([[address, amounts]])
      const { number: blockNumber, hash: blockHash } = block
      const receipt = { txId, blockNumber, blockHash, isReverted: false, settled, skipped: new Map(), refunds: [] }
      block.transactions.push({ txId, sender: stranger, receipt })
      return txId
    },
    /** Replaces the newest blocks with as many others, without their transactions. */
    reorg(depth: number): void {
      blocks.splice(blocks.length - depth)
      for (let mined = 0; mined < depth; mined++) newBlock()
    },
  }

  return chain
}

/** The interface of a node that knows the whole chain. */
export function createModelSender(chain: ModelChain): EvmSender {
  const { pool, used } = chain
  return {
    async head() {
      const { number, hash } = chain.head()
      const { timeSeconds, gasLimit, baseFeePerGas } = chain
      return { number, hash, timeSeconds, gasLimit, baseFeePerGas }
    },
    isCanonical: async ({ blockNumber, blockHash }) =>
      chain.blocks.find(({ number }) => number === blockNumber)?.hash === blockHash,
    async nonce(address, at) {
      if (typeof at === 'number') return used(address, at)
      if (at === 'latest') return used(address)
      if (at !== 'pending') throw new Error(`A node knows no nonce at "${at}"`)
      let next = used(address)
      const pending = new Set<number>()
      for (const raw of pool.values()) {
        const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
        if (from.toLowerCase() === address.toLowerCase()) pending.add(parseRawTransaction(raw).nonce)
      }
      while (pending.has(next)) next += 1
      return next
    },
    l1FeeWei: async () => 0n,
    balance: async () => chain.balanceWei,
    async fees({ baseFeePerGas }) {
      return { maxPriorityFeePerGas: gwei, maxFeePerGas: 2n * baseFeePerGas + gwei }
    },
    refusals: async (_factory, batch) => batch.map(chain.refusalOf),
    settleGas: async () => chain.settleGas,
    async checkRefund({ terms, amount }) {
      const most = chain.refundable(terms)
      return amount <= most
        ? { gas: 100_000n }
        : { error: 'NotRefundable', reason: `NotRefundable(${amount}, ${most})`, refundable: most }
    },
    // Tests with anvil verify that shares are paid: here a stranger pays them once the token allows it.
    parked: async (places) => places.map(chain.parkedAt),
    checkParked: async () => ({ reason: 'the wallet is blocked' }),
    async broadcast(raw) {
      chain.broadcasts.push(raw)
      if (chain.refusal) return chain.refusal
      pool.set(keccak256(raw), raw)
      return { answer: 'known' }
    },
    receipt: async (txId) => chain.receiptOf(txId),
    isAttested: async () => true,
    isReplaced: async ({ address, nonce, block, txIds }) =>
      used(address, block) > nonce && txIds.every((txId) => chain.receiptOf(txId) === undefined),
    isUnsettledBy: async ({ txId, forwarder }) => chain.receiptOf(txId)?.settled.has(forwarder.toLowerCase()) !== true,
    async findSettlement(forwarder, { from, to }) {
      const found = chain.settlementOf(forwarder)
      const paid = found?.settled.get(forwarder.toLowerCase())
      if (found && paid && found.blockNumber >= from && found.blockNumber <= to) {
        const amount = paid.merchantAmount + paid.platformAmount
        const parked = paid.isPlatformParked ? paid.platformAmount : 0n
        return { found: { ...found, amount, parked }, next: found.blockNumber }
      }
      return { next: to + 1 }
    },
    async findRefund(forwarder, token, known, { from, to }) {
      for (const { number, transactions } of chain.blocks.filter(
        (block) => block.number >= from && block.number <= to,
      )) {
        for (const { txId, receipt } of transactions) {
          const isIts = (one: RefundLog) =>
            one.forwarder.toLowerCase() === forwarder.toLowerCase() && one.token.toLowerCase() === token.toLowerCase()
          const refund = receipt?.refunds.find(isIts)
          if (refund === undefined || receipt === undefined || known.includes(txId)) continue
          const { blockNumber, blockHash } = receipt
          return { found: { txId, blockNumber, blockHash, to: refund.to, amount: refund.amount }, next: number }
        }
      }
      return { next: to + 1 }
    },
  }
}
