import type { LogNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import type { Log } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { createIsolatedApplier, type PaymentStep } from '../../apply-isolated.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'
import { fewMax } from '../movements/account-index.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import { stepOf } from './find-transfers.ts'
import { readBalancesOf, readKnownTokens } from './known-tokens.ts'
import { moveSearch, type OpenSearch, openSearches, postponeSearch } from './late-search-store.ts'

/** Blocks per log query; halved when a node refuses, doubled again when it responds. */
const rangeMaxBlocks = 2_000

/** Log queries per pass: with two block calls each, they bound a search's cost for the nodes. */
const rangesMax = 5

const noSplitters: ReadonlySet<string> = new Set()

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'transfers' | 'balances'>
  network: LogNetwork
  runtime: Runtime
  log: Log
}

type Range = { from: number; to: number; searches: readonly OpenSearch[] }

/** An unmatched token's balance at the block. */
type Unmatched = { search: OpenSearch; token: string; txId: string; balance: BaseUnits }

/**
 * Finds the transfers that explain a balance: reads the logs of the stored searches in bounded ranges, one query for all searches
 * in the same blocks. Transfers and progress are stored in one commit. The watcher confirms the transfers.
 */
export function createLateSearcher({ db, ledger, adapter, network, runtime, log }: Deps) {
  const name = network.shortName
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  let rangeBlocks = rangeMaxBlocks

  async function nextRange(): Promise<Range | undefined> {
    const open = await db.read((tx) => openSearches(tx, name, fewMax))
    const [first] = open
    if (first === undefined) return undefined
    const from = first.fromBlock
    const to = Math.min(first.toBlock, from + rangeBlocks - 1)
    return { from, to, searches: open.filter(({ fromBlock }) => fromBlock >= from && fromBlock <= to) }
  }

  /** @throws {Error} when the chain changed during the query. */
  async function readTransfers(
    { from, to, searches }: Range,
    tokens: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<SeenTransfer[]> {
    const topics = new Set(searches.map(({ address }) => addressTopic(address)))
    const last = await adapter.block(to, signal)
    if (last === undefined) throw new Error(`${name}: the node has no block ${to}`)
    // A node that omitted the transfers may do so again: each round asks another one.
    const turn = Math.max(...searches.map(({ rounds }) => rounds)) - 1
    const query = { from, to, findWatched: async () => topics, few: [...topics], splitters: noSplitters, tokens, turn }
    const found = await adapter.transfers(query, signal)
    if ((await adapter.block(to, signal))?.hash !== last.hash)
      throw new Error(`${name}: block ${to} was replaced during the read of its range`)
    return found
  }

  async function readRange(range: Range, at: number, signal: AbortSignal): Promise<void> {
    const known = await readKnownTokens(db, network)
    const found = await readTransfers(range, known.all, signal)
    const byTopic = new Map(range.searches.map((search) => [addressTopic(search.address), search]))
    const matched: { search: OpenSearch; transfer: SeenTransfer }[] = []
    const others = new Map<string, { search: OpenSearch; token: string; txId: string }>()
    for (const transfer of found) {
      const search = byTopic.get(transfer.topic)
      if (search === undefined) continue
      if (search.home === name && search.homeToken === transfer.source) matched.push({ search, transfer })
      else others.set(`${search.id} ${transfer.source}`, { search, token: transfer.source, txId: transfer.txId })
    }
    const unmatched: Unmatched[] = []
    for (const token of known.all) {
      const ofToken = [...others.values()].filter((one) => one.token === token)
      const addresses = ofToken.map(({ search }) => search.address)
      const balances = await readBalancesOf({ adapter, network, log }, known, { token, addresses, block: at }, signal)
      if (balances === undefined) continue
      unmatched.push(...ofToken.map((one, index) => ({ ...one, balance: (balances[index] ?? 0n) as BaseUnits })))
    }
    const atMs = runtime.nowMs()
    const steps: PaymentStep[] = matched.map(({ search, transfer }) =>
      stepOf(search.id, { type: 'transfer.seen', transfer, atMs }),
    )
    for (const { search, token: address, ...measured } of unmatched) {
      const token = known.describe(address)
      if (token === undefined) continue
      const event = { type: 'unmatched.measured', network: name, ...token, block: at, ...measured, atMs } as const
      steps.push({ id: search.id, part: 'unmatched', place: address, event })
    }
    await applyIsolated(steps, async (tx) => {
      for (const search of range.searches)
        await moveSearch(tx, name, search, range.to < search.toBlock ? range.to + 1 : null)
    })
  }

  /**
   * @param head - The newest block applied by the watcher.
   * @returns true if there is more to read.
   */
  return async function search(head: BlockRef, signal: AbortSignal): Promise<boolean> {
    const at = balancesBlock(head.number, network.confirmations)
    for (let ranges = 0; ranges < rangesMax; ranges++) {
      const range = await nextRange()
      if (range === undefined) return false
      try {
        await readRange(range, at, signal)
        rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)
      } catch (error) {
        if (signal.aborted) throw error
        rangeBlocks = Math.max(1, Math.floor((range.to - range.from + 1) / 2))
        await db.write(async (tx) => {
          for (const one of range.searches) await postponeSearch(tx, name, one)
        })
        const blocks = { from: range.from, to: range.to }
        log.warn({ network: name, ...blocks, fault: faultText(error) }, 'Searching for late transfers failed; retrying')
        return true
      }
    }
    return true
  }
}
