import type { EvmNetwork, Networks } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import { isDatabaseFault } from '../../../db/unavailable.ts'
import { clockSkewMs, type Heads } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { DepositPayment, PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { createIsolatedApplier, type PaymentStep } from '../../apply-isolated.ts'
import { createLateScan, heldInBooks, runLateScan, type Slice } from '../../late-scan.ts'
import { type EndedDeposit, endedDeposits, saveLateScan } from '../../late-scan-store.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { areAddressesOn } from '../deposit/address-homes.ts'
import { newestBlockBefore } from '../rpc/block-time.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesBlock } from '../rpc/evm-balances.ts'
import { readBalancesOf, readKnownTokens } from './known-tokens.ts'
import { createLateSearcher } from './late-search.ts'
import { type LateSearch, saveSearch, searchesOf } from './late-search-store.ts'

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'transfers' | 'balances'>
  network: EvmNetwork
  networks: Networks
  heads: Heads
  runtime: Runtime
  log: Log
}

/** A balance above what the books have. `token` in lower case; null: the coin. */
type Excess = {
  deposit: EndedDeposit
  token: string | null
  balance: BaseUnits
  inBooks: BaseUnits
  createdAtMs: number
}

/**
 * Finds money received by deposit addresses after the watch window, however late. Each pass reads the balances of the next
 * addresses (500 per call, for each token and the coin) and compares them with the books. If an address holds more, its transfers
 * are searched for, and become late or unmatched transfers as if they had been watched.
 * It runs at its own pace: a failing or lying node delays no payment.
 */
export function createLateScanner({ heads, networks, ...deps }: Deps) {
  const { db, ledger, adapter, network, runtime, log } = deps
  const name = network.shortName
  const homes = [...networks.values()].filter((home) => areAddressesOn(home, network)).map(({ shortName }) => shortName)
  const nextSlice = createLateScan({ db, network, homes, heads, runtime, read: endedDeposits })
  const search = createLateSearcher(deps)
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })

  function inBooksOf(payment: DepositPayment, token: string | null): BaseUnits {
    if (payment.network === name && payment.tokenAddress.toLowerCase() === token) return heldInBooks(payment)
    const address = token ?? coinAddress
    const known = payment.unmatched.find((one) => one.network === name && one.token === address)
    return known?.balance ?? (0n as BaseUnits)
  }

  async function readExcesses(deposits: readonly EndedDeposit[], at: number, signal: AbortSignal): Promise<Excess[]> {
    const addresses = deposits.map(({ address }) => address)
    const found: Omit<Excess, 'inBooks' | 'createdAtMs'>[] = []
    const known = await readKnownTokens(db, network)
    for (const token of addresses.length === 0 ? [] : [...known.all, null]) {
      const balances = await readBalancesOf(deps, known, { token, addresses, block: at }, signal)
      if (balances === undefined) continue
      for (const [index, deposit] of deposits.entries()) {
        const balance = (balances[index] ?? 0n) as BaseUnits
        if (balance > 0n) found.push({ deposit, token, balance })
      }
    }
    // Read the books after the balances: in between, the books can only grow.
    const payments = new Map<PaymentId, DepositPayment>()
    await db.read(async (tx) => {
      for (const id of new Set(found.map(({ deposit }) => deposit.id))) {
        const payment = await loadPayment(tx, id).catch((error) => {
          if (isDatabaseFault(error)) throw error
          log.error(
            { network: name, paymentId: id, err: error },
            'Reading one payment failed; retrying in the next round',
          )
        })
        if (payment?.mode === 'deposit') payments.set(id, payment)
      }
    })
    return found.flatMap((one) => {
      const payment = payments.get(one.deposit.id)
      if (payment === undefined) return []
      const inBooks = inBooksOf(payment, one.token)
      return one.balance <= inBooks ? [] : [{ ...one, inBooks, createdAtMs: payment.createdAtMs }]
    })
  }

  /** The searches to store. */
  async function planSearches(
    excesses: readonly Excess[],
    { seenUpTo, head }: Slice<EndedDeposit>,
    at: number,
    signal: AbortSignal,
  ): Promise<LateSearch[]> {
    const ids = [...new Set(excesses.map(({ deposit }) => deposit.id))]
    const stored = ids.length === 0 ? [] : await db.read((tx) => searchesOf(tx, name, ids))
    const oldestMs = Math.min(...excesses.map(({ deposit }) => deposit.windowEndsAtMs))
    let watchedTo: number | undefined
    /** The first block that the watcher may not have read for these addresses. */
    const firstUnwatched = async () => {
      watchedTo ??= await newestBlockBefore(adapter, oldestMs + watchAfterWindowMs, head.number, signal)
      return watchedTo
    }
    const planned: LateSearch[] = []
    for (const { deposit, token, balance, inBooks, createdAtMs } of excesses) {
      if (token === null) continue
      const known = stored.find((one) => one.id === deposit.id && one.token === token)
      const search = { id: deposit.id, token, balance, inBooks, toBlock: at }
      if (known && known.fromBlock !== null) {
        const { fromBlock, rounds } = known
        planned.push({ ...search, fromBlock, rounds, toBlock: Math.max(at, known.toBlock) })
        continue
      }
      const rounds = roundsOf(known, search)
      const isRepeated = rounds > 1
      if (!isSearched(rounds)) {
        planned.push({ ...search, fromBlock: null, rounds })
        continue
      }
      if (isRepeated) logUnexplained(search)
      // In the first round, search from the end of the watch window, or, in blocks scanned before, only as deep as a reorg can
      // go. Later rounds search from the payment's creation: all nodes, including the watcher's, may have omitted the transfers.
      const fromBlock = isRepeated
        ? await newestBlockBefore(adapter, createdAtMs - clockSkewMs, head.number, signal)
        : seenUpTo === undefined
          ? await firstUnwatched()
          : Math.max(0, seenUpTo - network.finalityBlocks)
      planned.push({ ...search, fromBlock: Math.min(fromBlock, at), rounds })
    }
    return planned
  }

  function logUnexplained({ id: paymentId, token, balance, inBooks }: Omit<LateSearch, 'fromBlock' | 'rounds'>): void {
    const fields = { network: name, paymentId, token, balance: String(balance), inBooks: String(inBooks) }
    log.warn(fields, 'No transfer explains the balance of a deposit address')
  }

  function measureCoins(excesses: readonly Excess[], block: number, atMs: number): PaymentStep[] {
    const { symbol: currency, decimals } = network.nativeCurrency
    return excesses
      .filter(({ token }) => token === null)
      .map(({ deposit: { id }, balance }) => {
        const what = { network: name, token: coinAddress, currency, decimals, balance, block, txId: null }
        return { id, part: 'unmatched', place: coinAddress, event: { type: 'unmatched.measured', ...what, atMs } }
      })
  }

  async function scan(signal: AbortSignal): Promise<void> {
    const slice = await nextSlice()
    if (slice === undefined) return
    const at = balancesBlock(slice.head.number, network.confirmations)
    const excesses = await readExcesses(slice.rows, at, signal)
    const searches = await planSearches(excesses, slice, at, signal)
    const atMs = runtime.nowMs()
    await applyIsolated(measureCoins(excesses, at, atMs), async (tx) => {
      for (const search of searches) await saveSearch(tx, name, search)
      await saveLateScan(tx, name, slice.scanned())
    })
  }

  /**
   * Scans the next addresses, then runs the stored searches.
   * @returns true if there is more to search.
   */
  async function pass(signal: AbortSignal): Promise<boolean> {
    await scan(signal)
    const head = heads.get(name)
    return head !== undefined && (await search(head, signal))
  }

  return {
    pass,
    /** Runs passes until aborted. Never rejects. */
    run: (signal: AbortSignal): Promise<void> => runLateScan({ network, log, pass }, signal),
  }
}

type Held = Pick<LateSearch, 'balance' | 'inBooks'>

/** Rounds that found this balance, including the current one. Another balance starts again at round 1. */
function roundsOf(known: (Held & { rounds: number }) | undefined, { balance, inBooks }: Held): number {
  const isSame = known !== undefined && known.balance === balance && known.inBooks === inBooks
  return isSame ? known.rounds + 1 : 1
}

/**
 * Searches in rounds 1, 2, 4, 8 and so on: a node may have withheld the logs, but a token that changes balances by itself must
 * not cost a search per round.
 */
const isSearched = (rounds: number): boolean => Number.isInteger(Math.log2(rounds))
