import { createHash } from 'node:crypto'
import { LiteSVM } from 'litesvm'
import { type AccountState, createAccounts } from './accounts.ts'
import { type Landed, land } from './landed.ts'
import { type Decoded, toBase58 } from './transaction.ts'

export type Block = {
  slot: number
  /** Number of earlier blocks: skipped slots count as slots, but not as blocks. */
  height: number
  hash: string
  parentSlot: number
  parentHash: string
  timeSeconds: number
  transactions: readonly Landed[]
}

export type Commitment = 'processed' | 'confirmed' | 'finalized'

export type LedgerOptions = {
  /** Distance from the newest block, by commitment. */
  depths: { confirmed: number; finalized: number }
  nowMs: () => number
  /** Receives each block and fork, so that they can be replayed. */
  onEntry?: (entry: Entry) => void
}

/** Events in order; sufficient to restore the state. */
export type Entry =
  | { type: 'block'; slot: number; hash: string; timeSeconds: number; transactions: readonly string[] }
  | { type: 'fork'; blocks: number }
  | { type: 'account'; address: string; lamports: string; owner: string; data: string }

/** As on mainnet: a transaction must land within 150 blocks of its blockhash. */
export const blockhashBlocks = 150

/** Five and a half hours at 0.4 s: older blocks are pruned, so that memory is bounded. */
const blocksKept = 50_000
const pendingMax = 1_000
/** The runtime checks a lookup table's age against these. */
const slotHashesKept = 64

/** Genesis hash of Solana's devnet: x402 client libraries refuse unknown clusters. */
const devnetGenesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

export type Ledger = ReturnType<typeof createLedger>

/** A chain of blocks over one runtime: pending transactions land in the next block, and the newest blocks can be undone. */
export function createLedger({ depths, nowMs, onEntry = () => {} }: LedgerOptions) {
  // The runtime's own checks of blockhashes and duplicates are off; here the ledger decides both.
  const svm = new LiteSVM().withTransactionHistory(0n).withBlockhashCheck(false)
  const accounts = createAccounts(svm)
  const genesisHash = devnetGenesis
  const blocks: Block[] = [
    {
      slot: 0,
      height: 0,
      hash: genesisHash,
      parentSlot: 0,
      parentHash: genesisHash,
      timeSeconds: seconds(nowMs()),
      transactions: [],
    },
  ]
  const bySignature = new Map<string, Landed>()
  const byAddress = new Map<string, Landed[]>()
  const pending: Decoded[] = []
  /** Slots are never reused: those of a losing fork are skipped on the other. */
  let newestSlot = 0

  const head = (): Block => blocks.at(-1) as Block
  const heightAt = (hash: string): number | undefined =>
    blocks.slice(-blockhashBlocks).findLast((block) => block.hash === hash)?.height

  /** Whether a transaction with this blockhash may still land. */
  const isUsable = (hash: string): boolean => heightAt(hash) !== undefined

  function warp(slot: number, timeSeconds: number): void {
    const clock = svm.getClock()
    clock.slot = BigInt(slot)
    clock.unixTimestamp = BigInt(timeSeconds)
    svm.setClock(clock)
  }

  /** The newest block whose hash the runtime has. */
  let hashed: Block | undefined

  /**
   * Sets the hashes for the block after `parent`. Only before a transaction: most blocks are empty, and it would take a third of their time.
   */
  function setSlotHashes(parent: Block | undefined): void {
    if (parent === undefined || parent === hashed) return
    const end = blocks.lastIndexOf(parent) + 1
    svm.setSlotHashes(
      blocks
        .slice(Math.max(0, end - slotHashesKept), end)
        .reverse()
        .map(({ slot, hash }) => ({ slot: BigInt(slot), hash })),
    )
    hashed = parent
  }

  function index(landed: Landed): void {
    bySignature.set(landed.signature, landed)
    for (const key of new Set(landed.keys)) {
      const known = byAddress.get(key)
      if (known) known.push(landed)
      else byAddress.set(key, [landed])
    }
  }

  function unindex(block: Block): void {
    for (const landed of block.transactions) {
      bySignature.delete(landed.signature)
      for (const key of new Set(landed.keys)) {
        const left = byAddress.get(key)?.filter((one) => one !== landed) ?? []
        if (left.length === 0) byAddress.delete(key)
        else byAddress.set(key, left)
      }
    }
  }

  /** Makes one block with all pending transactions that may still land. */
  function produce(given?: { slot: number; hash: string; timeSeconds: number }): Block {
    const parent = head()
    const slot = given?.slot ?? newestSlot + 1
    const hash = given?.hash ?? hashOf(`${parent.hash} ${slot}`)
    const timeSeconds = given?.timeSeconds ?? Math.max(parent.timeSeconds, seconds(nowMs()))
    warp(slot, timeSeconds)
    const transactions: Landed[] = []
    for (const transaction of pending.splice(0)) {
      if (!isUsable(transaction.blockhash) || bySignature.has(transaction.signature)) continue
      setSlotHashes(parent)
      const landed = land({ svm, accounts, transaction, slot, timeSeconds, index: transactions.length })
      if (landed === null) continue
      transactions.push(landed)
      index(landed)
    }
    newestSlot = slot
    const block: Block = {
      slot,
      hash,
      timeSeconds,
      transactions,
      height: parent.height + 1,
      parentSlot: parent.slot,
      parentHash: parent.hash,
    }
    blocks.push(block)
    // Removes in batches: shifting the array for each block would take longer than making the block.
    if (blocks.length > blocksKept * 1.1) for (const old of blocks.splice(0, blocks.length - blocksKept)) unindex(old)
    if (slot % 64 === 0) accounts.prune(at('finalized').slot)
    onEntry({ type: 'block', slot, hash, timeSeconds, transactions: transactions.map(({ raw }) => base64(raw)) })
    return block
  }

  /** The newest block of that commitment, `lag` blocks behind the chain. */
  function at(commitment: Commitment, lag = 0): Block {
    const depth = lag + (commitment === 'processed' ? 0 : depths[commitment])
    return blocks[Math.max(0, blocks.length - 1 - depth)] as Block
  }

  return {
    /** The runtime in the newest block. */
    runtime(): LiteSVM {
      setSlotHashes(blocks.at(-2))
      return svm
    },
    accounts,
    genesisHash,
    at,
    produce,
    isUsable,
    pending: () => pending.length,
    blocks: (): readonly Block[] => blocks,
    block: (slot: number): Block | undefined => blocks.findLast((block) => block.slot === slot),
    landed: (signature: string): Landed | undefined => bySignature.get(signature),
    /** Oldest first. */
    landedAt: (address: string): readonly Landed[] => byAddress.get(address) ?? [],
    /** The block height after which a transaction with this blockhash expires. */
    lastValidHeight: (hash: string): number => (heightAt(hash) ?? head().height - blockhashBlocks) + blockhashBlocks,
    /**
     * Waits for the next block.
     * @throws {Error} when too many transactions are pending.
     */
    add(transaction: Decoded): void {
      if (pending.length >= pendingMax) throw new Error(`${pendingMax} transactions are waiting`)
      if (!pending.some(({ signature }) => signature === transaction.signature)) pending.push(transaction)
    },
    /** Sets an account without a transaction. */
    put(address: string, state: AccountState): void {
      accounts.put(address, state, head().slot)
      const { lamports, owner, data } = state
      onEntry({ type: 'account', address, owner, lamports: lamports.toString(), data: base64(data) })
    },
    /**
     * Undoes the newest `count` blocks. Their slots are skipped from now on.
     * @returns their transactions, in order.
     * @throws {Error} when one of them is finalized.
     */
    fork(count: number): Landed[] {
      const first = blocks.length - count
      if (count < 1 || first < 1 || first <= blocks.indexOf(at('finalized'))) {
        throw new Error(
          `${count} blocks cannot be undone: only ${blocks.length - 1 - blocks.indexOf(at('finalized'))} are not finalized`,
        )
      }
      const gone = blocks.splice(first)
      for (const block of gone) unindex(block)
      accounts.rollBack(head().slot)
      onEntry({ type: 'fork', blocks: count })
      return gone.flatMap(({ transactions }) => transactions)
    },
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1_000)
const hashOf = (text: string): string => toBase58(createHash('sha256').update(`solana-devnet ${text}`).digest())
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
