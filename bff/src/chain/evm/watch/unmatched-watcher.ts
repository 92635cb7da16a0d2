import type { EvmNetwork, Networks } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import type { Log } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import { type BlockRef, clockSkewMs } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { unmatchedAbove } from '../../../payment/store/unmatched-store.ts'
import type { WatchedDeposit } from '../../../payment/store/watched-payments-store.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { createIsolatedApplier, type PaymentStep } from '../../apply-isolated.ts'
import { loadUnmatchedCursor, saveUnmatchedCursor } from '../../cursor-store.ts'
import { areAddressesOn } from '../deposit/address-homes.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock, balancesMax } from '../rpc/evm-balances.ts'
import { type KnownTokens, readBalancesOf, readKnownTokens } from './known-tokens.ts'
import { createUnmatchedRetry } from './retry-unmatched.ts'
import { type SecondRead, saveSecondRead } from './second-read-store.ts'
import { createSecondReader } from './second-reader.ts'
import { createUnmatchedAddresses } from './unmatched-addresses.ts'

/** No customer waits for these, so a tenth of the watcher's passes suffices, at a tenth of the cost. */
const pollFactor = 10

/** With no deposit to watch, the cursor follows the head at this interval, so that the first deposit finds little to read. */
const idleMs = 60_000

/** Blocks per log query; halved when a node refuses, doubled again when it responds. */
const rangeMaxBlocks = 2_000

/** Unmatched transfers within reorg depth measured again per pass. */
const reversibleMax = 100

/** Maximum pause after node faults. */
const backOffMaxMs = 60_000

const noSplitters: ReadonlySet<string> = new Set()

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'head' | 'block' | 'transfers' | 'balances'>
  network: EvmNetwork
  networks: Networks
  runtime: Runtime
  log: Log
}

/** A balance to read. `token` in lower case; null: the coin. */
type BalanceQuery = { id: PaymentId; address: string; token: string | null; txId: string | null }

type Measured = BalanceQuery & { balance: BaseUnits }

/**
 * Finds unmatched transfers at the deposit addresses of all networks: another token, the chain's coin, and any token on a network
 * other than the payment's, because a deposit address is the same on every chain.
 * Reads confirmed blocks, slowly and apart from the watcher, so that it never delays a payment. Logs give the addresses, the
 * balance gives the amount: a thousand small transfers are one number. Coins leave no log, so their balances are read in turn,
 * `balancesMax` of them in one call per pass.
 */
export function createUnmatchedWatcher({ db, ledger, adapter, network, networks, runtime, log }: Deps) {
  const name = network.shortName
  const homes = [...networks.values()].filter((home) => areAddressesOn(home, network))
  const addresses = createUnmatchedAddresses(
    db,
    homes.map(({ shortName }) => shortName),
  )
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  const retryUnmatched = createUnmatchedRetry({ db, ledger, adapter, network, runtime, log })
  let rangeBlocks = rangeMaxBlocks
  let headReadAtMs = Number.NEGATIVE_INFINITY
  /** The block of the latest pass's balances. */
  let balancesAt = 0

  /** The block up to which everything is read; undefined while the node is behind it. */
  async function startBlock(target: number, signal: AbortSignal): Promise<BlockRef | undefined> {
    const cursor = await db.read((tx) => loadUnmatchedCursor(tx, name))
    if (cursor === undefined) return await firstBlock(target, signal)
    const block = await adapter.block(cursor.number, signal)
    if (block === undefined || block.hash === cursor.hash) return block
    // The block was replaced: read again, as deep as a reorg can go.
    return await adapter.block(Math.max(0, cursor.number - network.finalityBlocks), signal)
  }

  /** A block before the first one that may contain money for the oldest address. */
  async function firstBlock(target: number, signal: AbortSignal): Promise<BlockRef | undefined> {
    await addresses.refresh(runtime.nowMs())
    const createdAtMs = await addresses.firstCreatedAtMs()
    for (let depth = 1; ; depth *= 2) {
      const block = await adapter.block(Math.max(0, target - depth), signal)
      if (!block || block.number === 0 || createdAtMs === undefined) return block
      if (block.timeMs < createdAtMs - clockSkewMs) return block
    }
  }

  /** The balances to read for the blocks' logs. `isProven`: the blocks' filters prove that the logs are complete. */
  async function readLogs({ from, to }: SecondRead, tokens: ReadonlySet<string>, signal: AbortSignal) {
    if (addresses.isEmpty() || from > to) return { queries: [], isProven: true }
    let isProven = false
    let watched: ReadonlyMap<string, WatchedDeposit> = new Map()
    const range = {
      from,
      to,
      async findWatched(topics: readonly string[]) {
        watched = await addresses.find(topics)
        return watched
      },
      few: addresses.few(),
      splitters: noSplitters,
      tokens,
      onProven() {
        isProven = true
      },
    }
    const found = await adapter.transfers(range, signal)
    const queries = new Map<string, BalanceQuery>()
    for (const { topic, source, txId } of found) {
      const deposit = watched.get(topic)
      if (deposit === undefined || (deposit.network === name && deposit.token === source)) continue
      queries.set(`${topic} ${source}`, { id: deposit.id, address: deposit.address, token: source, txId })
    }
    return { queries: [...queries.values()], isProven }
  }

  /**
   * The balances to read for the next blocks' logs.
   * @throws {Error} when the chain changed during the query.
   */
  async function readNext(from: BlockRef, to: BlockRef, tokens: ReadonlySet<string>, signal: AbortSignal) {
    const reading = await readLogs({ from: from.number + 1, to: to.number }, tokens, signal)
    if (to.number > from.number && (await adapter.block(to.number, signal))?.hash !== to.hash)
      throw new Error(`${name}: block ${to.number} was replaced during the read of its range`)
    return reading
  }

  /** Unmatched transfers within reorg depth, whose balances are read again. */
  async function reversibleBalances(at: number): Promise<BalanceQuery[]> {
    const rows = await db.read((tx) => unmatchedAbove(tx, name, at - network.finalityBlocks, reversibleMax))
    return rows.map((row) => ({ ...row, token: row.token === coinAddress ? null : row.token, txId: null }))
  }

  /** The balances at block `at`. */
  async function readBalances(queries: readonly BalanceQuery[], known: KnownTokens, at: number, signal: AbortSignal) {
    const found: Measured[] = []
    for (const query of queries) {
      const asked = { token: query.token, addresses: [query.address], block: at }
      const balances = await readBalancesOf({ adapter, network, log }, known, asked, signal)
      if (balances) found.push({ ...query, balance: (balances[0] ?? 0n) as BaseUnits })
    }
    return found
  }

  /** The coin balances of the next addresses at block `at`. */
  async function readCoins(at: number, signal: AbortSignal): Promise<Measured[]> {
    const holders = await addresses.slice(balancesMax)
    const places = holders.map(({ address }) => address)
    const balances = places.length === 0 ? [] : await adapter.balances(null, places, at, signal)
    return holders.flatMap(({ id, address }, index) => {
      const balance = (balances[index] ?? 0n) as BaseUnits
      return balance > 0n ? [{ id, address, token: null, txId: null, balance }] : []
    })
  }

  function measured(balances: readonly Measured[], known: KnownTokens, at: number): PaymentStep[] {
    const atMs = runtime.nowMs()
    return balances.flatMap(({ id, token: address, balance, txId }): PaymentStep[] => {
      const token = known.describe(address)
      if (token === undefined) return []
      const event = { type: 'unmatched.measured', ...token, network: name, balance, block: at, txId, atMs } as const
      return [{ id, part: 'unmatched', place: token.token, event }]
    })
  }

  const readAgain = createSecondReader({
    db,
    adapter,
    network,
    runtime,
    log,
    of: 'unmatched',
    async read(range, signal) {
      const known = await readKnownTokens(db, network)
      const at = balancesAt
      const { queries } = await readLogs(range, known.all, signal)
      return measured(await readBalances(queries, known, at, signal), known, at)
    },
    apply: (steps, _, also) => applyIsolated(steps, also),
  })

  /** @returns true if there is more to read immediately. */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    if (addresses.isEmpty()) await addresses.refresh(nowMs)
    if (addresses.isEmpty() && nowMs - headReadAtMs < idleMs && nowMs >= headReadAtMs) return false
    const head = await adapter.head(signal)
    headReadAtMs = nowMs
    const target = head.number - network.confirmations + 1
    const from = target < 0 ? undefined : await startBlock(target, signal)
    if (from === undefined) return false
    // After the head was read: a sender in that block may have known an address stored just before.
    await addresses.refresh(from.timeMs)
    const last = addresses.isEmpty() ? target : Math.min(target, from.number + rangeBlocks)
    const to = last <= from.number ? from : await adapter.block(last, signal)
    if (to === undefined) return false
    const known = await readKnownTokens(db, network)
    const { queries, isProven } = await readNext(from, to, known.all, signal)
    const at = balancesBlock(head.number, network.confirmations)
    balancesAt = at
    const others = await readCoins(at, signal)
    const balances = await readBalances([...queries, ...(await reversibleBalances(at))], known, at, signal)
    const isNew = to.number > from.number || balances.length + others.length > 0
    if (isNew) {
      await applyIsolated(measured([...balances, ...others], known, at), async (tx) => {
        if (!isProven)
          await saveSecondRead(tx, 'unmatched', name, { from: from.number + 1, to: to.number, toTimeMs: to.timeMs })
        await saveUnmatchedCursor(tx, name, to)
      })
    }
    // Excludes the blocks read by this pass: the same node would omit the same logs again.
    await readAgain({ tip: to, until: from.number }, signal)
    await retryUnmatched(known.describe, at, signal)
    rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)
    return to.number < target
  }

  return {
    pass,
    /** Runs passes until aborted. Never rejects. */
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs: Math.max(1, network.pollMs * pollFactor),
          backOffMaxMs,
          pass,
          onFailure({ error, failures }) {
            rangeBlocks = Math.max(1, Math.floor(rangeBlocks / 2))
            log.warn(
              { network: name, fault: faultText(error), failures },
              'Searching for unmatched transfers failed; retrying',
            )
          },
        },
        signal,
      ),
  }
}
