import type { LogNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
import type { Log } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import { clockSkewMs } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { sumOfTransfers } from '../../../payment/store/transfer-store.ts'
import { createIsolatedApplier, storeFaults } from '../../apply-isolated.ts'
import { logUnreadable } from '../../confirmed-transfers.ts'
import { removeFault, type WatchFault } from '../../watch-fault-store.ts'
import { newestBlockBefore } from '../rpc/block-time.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { balancesMax } from '../rpc/evm-balances.ts'
import { type EndingDeposit, endingDeposits, type HeldWindow, heldWindows } from './held-windows-store.ts'
import { type LateSearch, saveSearch, searchesOf } from './late-search-store.ts'

/** Held windows retried per pass. */
const retriesMax = 50

/** Searches, each at another node if there are several, before a window ends despite an unexplained balance. */
const roundsMax = 4

/** A window is kept open for at least this long, so that nodes can recover, and at most as long as for a slow bridge. */
const heldMinMs = 60 * 60 * 1000
const heldMaxMs = 24 * 60 * 60 * 1000

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'block' | 'balances' | 'areSettled'>
  network: LogNetwork
  runtime: Runtime
  log: Log
}

/** `number`: block whose balances are read. `timeMs`: time of the newest safe block, which is not younger. */
type SafeBlock = { number: number; timeMs: number }

/** State of a deposit address at a block; a field is undefined if no node returns it. */
type AtAddress = { balance: BaseUnits | undefined; isSettled: boolean | undefined }

/** A deposit whose address holds more than the books have, or that was settled although they have less than it needs. */
type Unexplained<Deposit> = AtAddress & { deposit: Deposit; inBooks: BaseUnits }

/**
 * Keeps a deposit's window open while its address holds more than the books have, or was settled externally with money that they
 * lack: every node queried for logs may have omitted the transfer, and finding it after the window's end would revoke the
 * payment's expiry. The search for the transfer starts at the payment's creation; each round asks another node.
 */
export function createWindowHolder({ db, ledger, adapter, network, runtime, log }: Deps) {
  const name = network.shortName
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  const faultOf = ({ id, token }: Pick<EndingDeposit, 'id' | 'token'>): WatchFault => ({
    id,
    part: 'account',
    place: token,
  })

  /** @returns undefined if no node responds. */
  async function ask<Value>(what: string, block: number, asked: () => Promise<Value[]>, signal: AbortSignal) {
    try {
      return await asked()
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ network: name, block, fault: faultText(error) }, `Reading ${what} of ending windows failed; retrying`)
      return undefined
    }
  }

  /** The state of one token's deposit addresses, with two calls for all. */
  async function readAddresses<Deposit extends EndingDeposit>(
    token: string,
    deposits: readonly Deposit[],
    block: number,
    signal: AbortSignal,
  ): Promise<(AtAddress & { deposit: Deposit })[]> {
    const addresses = deposits.map(({ address }) => address)
    const readBalances = () => adapter.balances(token, addresses, block, signal)
    const balances = await ask('balances', block, readBalances, signal)
    const settled = await ask('settlements', block, () => adapter.areSettled(addresses, block, signal), signal)
    return deposits.map((deposit, index) => ({
      deposit,
      balance: balances?.[index] as BaseUnits | undefined,
      isSettled: settled?.[index],
    }))
  }

  async function findUnexplained<Deposit extends EndingDeposit>(
    deposits: readonly Deposit[],
    block: number,
    signal: AbortSignal,
  ): Promise<Unexplained<Deposit>[]> {
    const found: (AtAddress & { deposit: Deposit })[] = []
    for (const token of new Set(deposits.map((deposit) => deposit.token))) {
      const ofToken = deposits.filter((deposit) => deposit.token === token)
      for (let first = 0; first < ofToken.length; first += balancesMax) {
        const read = await readAddresses(token, ofToken.slice(first, first + balancesMax), block, signal)
        found.push(...read.filter(({ balance, isSettled }) => balance !== 0n || isSettled !== false))
      }
    }
    // Read the books after the addresses: in between, the books can only grow.
    return await db.read(async (tx) => {
      const unexplained: Unexplained<Deposit>[] = []
      for (const one of found) {
        const inBooks = await sumOfTransfers(tx, one.deposit.id, block)
        const isExplained =
          one.balance !== undefined &&
          one.balance <= inBooks &&
          (one.isSettled === false || (one.isSettled && inBooks >= one.deposit.least))
        if (!isExplained) unexplained.push({ ...one, inBooks })
      }
      return unexplained
    })
  }

  /** @returns undefined if no node returns it: that blocks no other payment, and the next pass retries. */
  async function firstBlockOf(
    { id, createdAtMs }: EndingDeposit,
    toBlock: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    try {
      return await newestBlockBefore(adapter, createdAtMs - clockSkewMs, toBlock, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const fields = { network: name, paymentId: id, fault: faultText(error) }
      log.warn(fields, 'Finding the block of a payment’s creation failed; retrying')
      return undefined
    }
  }

  /** The searches to store: one for each deposit whose transfers are not yet being searched for. */
  async function planSearches(
    unexplained: readonly Unexplained<EndingDeposit>[],
    toBlock: number,
    signal: AbortSignal,
  ) {
    const ids = unexplained.map(({ deposit }) => deposit.id)
    const stored = ids.length === 0 ? [] : await db.read((tx) => searchesOf(tx, name, ids))
    const planned: LateSearch[] = []
    for (const { deposit, balance, isSettled, inBooks } of unexplained) {
      const { id, token } = deposit
      const known = stored.find((one) => one.id === id && one.token === token)
      if (balance === undefined || isSettled === undefined || (known && known.fromBlock !== null)) continue
      const fromBlock = await firstBlockOf(deposit, toBlock, signal)
      if (fromBlock === undefined) continue
      planned.push({ id, token, balance, inBooks, rounds: (known?.rounds ?? 0) + 1, fromBlock, toBlock })
    }
    return planned
  }

  async function keepOpen(
    unexplained: readonly Unexplained<EndingDeposit>[],
    block: SafeBlock,
    signal: AbortSignal,
  ): Promise<void> {
    if (unexplained.length === 0) return
    const searches = await planSearches(unexplained, block.number, signal)
    const faults = unexplained.map((one) => ({ ...faultOf(one.deposit), error: whyOpen(one) }))
    await storeFaults({ db, network: name, runtime, log }, faults, async (tx) => {
      for (const search of searches) await saveSearch(tx, name, search)
    })
  }

  /** Whether the search has used its rounds, or the window has been open for too long. */
  async function isGivenUp({ id, token, sinceMs }: HeldWindow): Promise<boolean> {
    const heldMs = runtime.nowMs() - sinceMs
    if (heldMs < heldMinMs) return false
    const search = (await db.read((tx) => searchesOf(tx, name, [id]))).find((one) => one.token === token)
    return heldMs >= heldMaxMs || (search?.fromBlock === null && search.rounds >= roundsMax)
  }

  async function giveUp({ deposit, balance }: Unexplained<HeldWindow>, block: SafeBlock): Promise<void> {
    const fields = { network: name, paymentId: deposit.id, token: deposit.token, balance: String(balance) }
    log.error(fields, 'No transfer explains the balance of a deposit address; its window ends without it')
    const event = { type: 'window.ended', blockTimeMs: block.timeMs, atMs: runtime.nowMs() } as const
    await applyIsolated([{ ...faultOf(deposit), event }], async (tx, failed) => {
      if (!failed.has(deposit.id)) await removeFault(tx, name, faultOf(deposit))
    })
  }

  return {
    /** Whether a window is kept open. */
    async isHolding(): Promise<boolean> {
      let isUnreadable = false
      const unreadable = () => {
        isUnreadable = true
      }
      return (await db.read((tx) => heldWindows(tx, name, 1, unreadable))).length > 0 || isUnreadable
    },
    /**
     * Ends windows whose balances are explained by now, and continues the search for the others.
     * @throws {Error} when the nodes fail.
     */
    async retry(block: SafeBlock, signal: AbortSignal): Promise<void> {
      const broken: (WatchFault & { error: unknown })[] = []
      const held = await db.read((tx) =>
        heldWindows(tx, name, retriesMax, (error, row) => broken.push({ ...faultOf(row), error })),
      )
      // Stored as attempted, so that the next pass begins with others.
      if (broken.length > 0) await storeFaults({ db, network: name, runtime, log }, broken)
      if (held.length === 0) return
      const unexplained = await findUnexplained(held, block.number, signal)
      const kept = new Set(unexplained.map(({ deposit }) => deposit.id))
      await db.write(async (tx) => {
        for (const one of held) if (!kept.has(one.id)) await removeFault(tx, name, faultOf(one))
      })
      const open: Unexplained<HeldWindow>[] = []
      for (const one of unexplained) {
        if (await isGivenUp(one.deposit)) await giveUp(one, block)
        else open.push(one)
      }
      await keepOpen(open, block, signal)
    },
    /**
     * @returns the payments whose windows must stay open for now, which is stored.
     * @throws {Error} when the nodes fail.
     */
    async hold(ids: readonly PaymentId[], block: SafeBlock, signal: AbortSignal): Promise<ReadonlySet<PaymentId>> {
      // A payment that cannot be read cannot expire either.
      const deposits = await db.read((tx) => endingDeposits(tx, ids, logUnreadable(log, name)))
      const unexplained = await findUnexplained(deposits, block.number, signal)
      await keepOpen(unexplained, block, signal)
      return new Set(unexplained.map(({ deposit }) => deposit.id))
    },
  }
}

function whyOpen({ balance, isSettled, inBooks }: Unexplained<EndingDeposit>): string {
  if (balance === undefined || isSettled === undefined) return 'No node returns the balance of the deposit address.'
  if (balance > inBooks) return `The deposit address holds ${balance} base units; the books account for ${inBooks}.`
  return `The deposit was settled externally, and only ${inBooks} base units of it are in the books.`
}
