import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { Heads } from '../../../network/heads.ts'
import type { Fault } from '../../../network/network-health.ts'
import type { PaymentEvent, StoredTransfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { unconfirmedDeposits } from '../../../payment/store/watched-payments-store.ts'
import { createIsolatedApplier, type PaymentStep, storeFaults } from '../../apply-isolated.ts'
import { faultyPayments, removeFault, type WatchFault } from '../../watch-fault-store.ts'
import { watchLoop } from '../../watch-loop.ts'
import { believedTimeMs } from '../../watch-window.ts'
import type { SolanaAdapter, SolanaHead } from '../rpc/solana-adapter.ts'
import { createAccountWatchList, type WatchedAccount } from './account-watch-list.ts'
import { endFinalWindows } from './end-final-windows.ts'
import { type AccountTransfers, readTransfers, transferOf } from './read-account.ts'
import { readAgain, saveRead } from './token-account-store.ts'
import { createUnexplainedBalances } from './unexplained-balances.ts'

/** Accounts whose transactions one pass reads. The next pass, which follows at once, reads the others. */
const readsMax = 50

/** Transactions of one account that one pass reads, so that an account that is sent dust does not delay the others. */
const transactionsMax = 100

/** Transfers that are not final, of which one pass asks the status. */
const unconfirmedMax = 500

/** With nothing to watch the head is still read this often, so that health stays true. */
const idleHeadMs = 15_000

/** Accounts that failed before and that one pass tries again, of so many that are known. */
const retriesMax = 5
const faultyMax = 10_000

const accountOf = (id: PaymentId): WatchFault => ({ id, part: 'account', place: '' })

const stepOf = (id: PaymentId, event: PaymentEvent): PaymentStep => ({ ...accountOf(id), event })

type Deps = {
  db: Db
  ledger: Ledger
  adapter: SolanaAdapter
  network: SolanaNetwork
  heads: Heads
  runtime: Runtime
  log: Log
  /** Called with the fault when the chain cannot be read for long, and without one when it can be again. */
  report?: (fault: Fault | undefined) => void
  /** Called after each pass, for the metrics. */
  passed?: (network: string, isWell: boolean) => void
}

/** The transfers that were read from one account, and how far. `amount` is null while there is more to read. */
type Reading = Pick<AccountTransfers, 'credits' | 'to' | 'unreadable'> & {
  account: WatchedAccount
  amount: string | null
}

/** A transfer that was seen before and is now final (`transfer.confirmed`) or in no fork any more (`transfer.reverted`). */
type SettledTransfer = {
  id: PaymentId
  event: Extract<PaymentEvent, { type: 'transfer.confirmed' | 'transfer.reverted' }>
}

/**
 * Watches the token accounts of one network's deposits. Each pass reads the head, the accounts whose balance changed, their
 * transactions, and the statuses of transfers that are not final; all its writes are one commit. A transfer is seen at
 * commitment `confirmed` and counts at `finalized`, of high value only when two nodes have it.
 */
export function createDepositWatcher({ db, ledger, adapter, network, heads, runtime, log, report, passed }: Deps) {
  const name = network.shortName
  const watchList = createAccountWatchList(db, name)
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  const balances = createUnexplainedBalances({ network: name, log })
  let headReadAtMs = 0

  /** Reads the accounts whose balance is not the one that was read last. `isWhole`: all of them, each to its end. */
  async function readChanged(
    due: readonly WatchedAccount[],
    { head, nowMs }: { head: SolanaHead; nowMs: number },
    signal: AbortSignal,
  ) {
    const addresses = due.map(({ account }) => account)
    const found = await adapter.tokenAccounts(addresses, head.slot, signal)
    const changed = due.flatMap((account, index) => {
      const state = found[index]
      const isOurs = state?.mint === account.mint && state.owner === account.owner
      const amount = String(isOurs ? state.amount : 0n)
      const isForgotten = account.isExpected && state === undefined
      if (amount === account.readAmount && !isForgotten) return []
      if (balances.isPostponed(account.id, nowMs, amount)) return []
      if (state && !isOurs)
        log.warn({ network: name, paymentId: account.id }, 'A deposit’s token account has another owner')
      return [{ account, amount }]
    })
    const readings: Reading[] = []
    for (const { account, amount } of changed.slice(0, readsMax)) {
      const reading = await readTransactions(account, amount, head.slot, signal)
      if (reading) readings.push(reading)
    }
    const isRead = ({ amount, unreadable }: Reading) => amount !== null || unreadable !== undefined
    return { readings, isWhole: readings.length === changed.length && readings.every(isRead) }
  }

  /** @returns undefined when the node lists a transaction that it does not have yet. */
  async function readTransactions(
    account: WatchedAccount,
    amount: string,
    slot: number,
    signal: AbortSignal,
  ): Promise<Reading | undefined> {
    const found = await readTransfers({ adapter, log }, account, { slot, limit: transactionsMax }, signal)
    if (found === undefined) return undefined
    const { credits, to, left, unreadable } = found
    return { account, credits, to, unreadable, amount: left === 0 && !unreadable ? amount : null }
  }

  /** The seen transfers that are final now, as they are then, and the ones that no fork has any more. */
  async function readSettled(head: SolanaHead, atMs: number, signal: AbortSignal): Promise<SettledTransfer[]> {
    const waiting = await db.read((tx) => unconfirmedDeposits(tx, name, unconfirmedMax))
    const txIds = waiting.map(({ transfer }) => transfer.txId)
    const statuses = await adapter.statuses(txIds, signal)
    const settled: SettledTransfer[] = []
    for (const [index, { transfer, ...target }] of waiting.entries()) {
      const status = statuses[index]
      if (status && !status.isFinal && !status.isFailed) continue
      const event = status?.isFinal
        ? await readFinal(transfer, target, atMs, signal)
        : await readGone(transfer, target, head, atMs, signal)
      if (event) settled.push({ id: target.id, event })
    }
    return settled
  }

  type Waiting = Omit<Awaited<ReturnType<typeof unconfirmedDeposits>>[number], 'transfer'>

  /** @returns undefined when the node does not have the final transaction yet, or too few nodes confirm the transaction. */
  async function readFinal(
    transfer: StoredTransfer,
    target: Waiting,
    atMs: number,
    signal: AbortSignal,
  ): Promise<SettledTransfer['event'] | undefined> {
    const transaction = await adapter.transaction(transfer.txId, 'finalized', signal)
    if (transaction === undefined) return undefined
    const credit = transferOf(name, transaction, target)
    // On the final fork it failed, or brought nothing.
    if (credit === undefined || credit.logIndex !== transfer.logIndex) {
      return { type: 'transfer.reverted', transfer, atMs }
    }
    if (target.isHighValue && !(await adapter.isAttested(transaction, signal))) {
      log.warn({ network: name, paymentId: target.id, txId: transfer.txId }, 'too few nodes confirm the transaction')
      return undefined
    }
    return { type: 'transfer.confirmed', transfer: credit, atMs }
  }

  /** @returns undefined while the transfer may still be there. */
  async function readGone(
    transfer: StoredTransfer,
    target: Waiting,
    head: SolanaHead,
    atMs: number,
    signal: AbortSignal,
  ): Promise<SettledTransfer['event'] | undefined> {
    // A node that is behind does not know it yet.
    if (head.slot < transfer.blockNumber) return undefined
    const transaction = await adapter.transaction(transfer.txId, 'confirmed', signal)
    const credit = transaction && transferOf(name, transaction, target)
    // Nor does another one that may have been asked: what it has not is gone when it has made a later slot final.
    if (transaction === undefined && !(await adapter.isGone(transfer.txId, transfer.blockNumber, signal)))
      return undefined
    return credit === undefined ? { type: 'transfer.reverted', transfer, atMs } : undefined
  }

  /**
   * A node's list of an account's transactions may be behind its balance: an account that holds more than the books have is read again from
   * the beginning.
   * @returns whether windows may be judged: no account is unexplained for the first time.
   */
  async function apply(
    readings: readonly Reading[],
    settled: readonly SettledTransfer[],
    atMs: number,
  ): Promise<boolean> {
    if (readings.length + settled.length === 0) return true
    const seen = readings.flatMap(({ account, credits }) =>
      credits.map((transfer) => stepOf(account.id, { type: 'transfer.seen', transfer, atMs })),
    )
    let failed: ReadonlyMap<PaymentId, unknown> = new Map()
    const unexplained = new Set<PaymentId>()
    await applyIsolated([...seen, ...settled.map(({ id, event }) => stepOf(id, event))], async (tx, failures) => {
      failed = failures
      unexplained.clear()
      for (const { account, amount, to, unreadable } of readings) {
        if (failures.has(account.id)) continue
        const isOpen = await balances.isUnexplained(tx, { id: account.id, amount }, atMs)
        if (isOpen) unexplained.add(account.id)
        await saveRead(tx, account.id, isOpen ? { amount: null, to: null } : { amount, to })
        if (!unreadable) await removeFault(tx, name, accountOf(account.id))
      }
      for (const { id, event } of settled)
        if (event.type === 'transfer.reverted' || failures.has(id)) await readAgain(tx, id)
    })
    // Only what is committed counts as read.
    for (const { account, amount, to } of readings) {
      const isRead = !failed.has(account.id) && !unexplained.has(account.id)
      account.readAmount = isRead ? amount : null
      if (!failed.has(account.id)) account.readTo = unexplained.has(account.id) ? null : to
      account.isExpected = false
    }
    const unreadable = readings.flatMap(({ account: { id }, unreadable: fault }) =>
      fault ? [{ ...accountOf(id), error: fault.error }] : [],
    )
    const whole = readings.flatMap(({ account: { id }, amount }) => (amount === null ? [] : [{ id, amount }]))
    const { faults, hasFirst } = balances.note(whole, unexplained, atMs)
    if (unreadable.length + faults.length > 0)
      await storeFaults({ db, network: name, runtime, log }, [...unreadable, ...faults])
    for (const { id, event } of settled) {
      balances.readSoon(id)
      if (event.type === 'transfer.reverted')
        log.warn({ network: name, paymentId: id, txId: event.transfer.txId }, 'Reorg: a transfer was dropped')
    }
    return !hasFirst
  }

  /** The accounts to be read, and of those that failed before and are not postponed only the next few: they delay no other one. */
  async function readDue(chainMs: number, nowMs: number): Promise<WatchedAccount[]> {
    const due = await watchList.due(chainMs, nowMs)
    const faulty = await db.read((tx) => faultyPayments(tx, name, 'account', faultyMax))
    const dueIds = new Set(due.map(({ id }) => id))
    const waiting = new Set(faulty.filter((id) => dueIds.has(id) && !balances.isPostponed(id, nowMs)).slice(retriesMax))
    return due.filter(({ id }) => !waiting.has(id))
  }

  /** @returns true when there may be more at once. */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    const before = heads.get(name)
    await watchList.refresh(Math.min(nowMs, before?.timeMs ?? nowMs), nowMs)
    if (watchList.isEmpty() && nowMs - headReadAtMs < idleHeadMs && nowMs >= headReadAtMs) return false
    const read = await adapter.head(signal)
    const head = { ...read, timeMs: believedTimeMs(network, read, runtime) }
    headReadAtMs = nowMs
    // A node that is behind would hide what another has shown.
    if (before && head.slot < before.number) throw new Error(`${name}: the node is behind what was read before`)
    const { readings, isWhole } = await readChanged(await readDue(head.timeMs, nowMs), { head, nowMs }, signal)
    const atMs = runtime.nowMs()
    const settled = await readSettled(head, atMs, signal)
    const isExplained = await apply(readings, settled, atMs)
    heads.set(name, { number: head.slot, hash: String(head.slot), parentHash: '', timeMs: head.timeMs })
    if (!isWhole) return readings.length > 0
    // What was taken back may have been read from a node that has forgotten it: its account is read again first.
    if (!isExplained || settled.some(({ event }) => event.type === 'transfer.reverted')) return false
    const lateMs = watchList.completed()
    // The windows of wallet payments are ended by the split watcher.
    await endFinalWindows(
      { db, ledger, adapter, network: name, isTestnet: network.isTestnet, runtime, log, of: { mode: 'deposit' } },
      { head, lateMs },
      signal,
    )
    return false
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      watchLoop({ network, pass, report: report ?? (() => undefined), passed, log }, signal),
  }
}
