import type { SolanaNetwork } from '../../../core/families.ts'
import { faultText } from '../../../core/fault-text.ts'
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
import { createAttestationTurns } from '../../attestation-turns.ts'
import { logUnreadable } from '../../confirmed-transfers.ts'
import { isOfNodes } from '../../rpc-pool.ts'
import { faultyPayments, removeFault, type WatchFault } from '../../watch-fault-store.ts'
import { watchLoop } from '../../watch-loop.ts'
import { believedTimeMs } from '../../watch-window.ts'
import type { SolanaAdapter, SolanaHead } from '../rpc/solana-adapter.ts'
import { isOfSolanaNodes } from '../rpc/solana-rpc.ts'
import { createAccountWatchList, type WatchedAccount } from './account-watch-list.ts'
import { endFinalWindows, seenUpTo } from './end-final-windows.ts'
import { type AccountTransfers, readTransfers, transferOf } from './read-account.ts'
import { readAgain, saveRead } from './token-account-store.ts'
import { createUnexplainedBalances } from './unexplained-balances.ts'

/** Accounts whose transactions are read per pass. The next pass, which follows immediately, reads the others. */
const readsMax = 50

/** Transactions read per account and pass, so that dust sent to one account does not delay the others. */
const transactionsMax = 100

/** Unfinalized transfers whose status is read per pass. */
const unconfirmedMax = 500

/** Interval of head reads with nothing to watch, so that health stays accurate. */
const idleHeadMs = 15_000

/** Failed accounts retried per pass, out of the known ones. */
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
  /** Called with the fault while passes have been failing for long, and with undefined once the chain is readable again. */
  report?: (fault: Fault | undefined) => void
  /** Called after each pass, for metrics. */
  passed?: (network: string, isWell: boolean) => void
}

/**
 * The transfers read from one account, and its cursor. `amount` is null while there is more to read; `hasMore`: the next pass reads it.
 */
type Reading = Pick<AccountTransfers, 'credits' | 'to' | 'unreadable'> & {
  account: WatchedAccount
  amount: string | null
  hasMore: boolean
}

/** A detected transfer that is now final (`transfer.confirmed`) or no longer in any fork (`transfer.reverted`). */
type SettledTransfer = {
  id: PaymentId
  event: Extract<PaymentEvent, { type: 'transfer.confirmed' | 'transfer.reverted' }>
}

/**
 * Watches the token accounts of one network's deposits. Each pass reads the head, the accounts with changed balances, their
 * transactions, and the statuses of unfinalized transfers; all its writes are one commit. A transfer is detected at commitment
 * `confirmed` and counts at `finalized`, a high-value one only once two nodes have it.
 */
export function createDepositWatcher({ db, ledger, adapter, network, heads, runtime, log, report, passed }: Deps) {
  const name = network.shortName
  const watchList = createAccountWatchList(db, name)
  const applyIsolated = createIsolatedApplier({ db, ledger, network: name, runtime, log })
  const balances = createUnexplainedBalances({ network: name, log })
  const turns = createAttestationTurns<{ id: PaymentId; transfer: StoredTransfer }>(
    ({ id, transfer }) => `${id}:${transfer.txId}:${transfer.logIndex}`,
  )
  let headReadAtMs = 0
  /** Accounts that the last pass did not read to their end: they come after the others, so that a flood of transactions delays none. */
  let crowded: ReadonlySet<PaymentId> = new Set()

  /** Reads the accounts whose balance has changed since the last read. `unread`: those that the next pass reads. */
  async function readChanged({ head, nowMs }: { head: SolanaHead; nowMs: number }, signal: AbortSignal) {
    const due = await readDue(head.timeMs, nowMs)
    const found = await adapter.tokenAccounts(accountsOf(due), head.slot, signal)
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
    const inOrder = changed.toSorted((a, b) => Number(crowded.has(a.account.id)) - Number(crowded.has(b.account.id)))
    const readings: Reading[] = []
    for (const { account, amount } of inOrder.slice(0, readsMax))
      readings.push(await readTransactions({ adapter, log }, account, amount, head.slot, signal))
    crowded = new Set(readings.filter(({ hasMore }) => hasMore).map(({ account }) => account.id))
    return { due, readings, unread: inOrder.slice(readsMax).map(({ account }) => account.id) }
  }

  /** Events for detected transfers that are now final, and for those no longer in any fork. */
  async function readSettled(atMs: number, signal: AbortSignal): Promise<SettledTransfer[]> {
    const waiting = await db.read((tx) => unconfirmedDeposits(tx, name, unconfirmedMax, logUnreadable(log, name)))
    const txIds = waiting.map(({ transfer }) => transfer.txId)
    const statuses = await adapter.statuses(txIds, signal)
    const settled: SettledTransfer[] = []
    const statusOf = new Map(waiting.map((one, index) => [one, statuses[index]]))
    for (const one of turns.order(waiting)) {
      const { transfer, ...target } = one
      const status = statusOf.get(one)
      if (status && !status.isFinal && !status.isFailed) continue
      if (target.isHighValue && turns.isOver()) continue
      try {
        const event = status?.isFinal
          ? await readFinal(transfer, target, atMs, signal)
          : await readGone(transfer, target, atMs, signal)
        if (event) settled.push({ id: target.id, event })
      } catch (error) {
        if (signal.aborted || isOfNodes(error)) throw error
        const fields = { network: name, paymentId: target.id, txId: transfer.txId, fault: faultText(error) }
        log.warn(fields, 'Reading the end of a transfer failed; retrying')
      }
    }
    return settled
  }

  type Waiting = Omit<Awaited<ReturnType<typeof unconfirmedDeposits>>[number], 'transfer'>

  /** @returns undefined if the node lacks the final transaction, or too few nodes confirm it. */
  async function readFinal(
    transfer: StoredTransfer,
    target: Waiting,
    atMs: number,
    signal: AbortSignal,
  ): Promise<SettledTransfer['event'] | undefined> {
    const transaction = await adapter.transaction(transfer.txId, 'finalized', signal)
    if (transaction === undefined) return undefined
    const credit = transferOf(name, transaction, target)
    // On the finalized fork, it failed or transferred nothing.
    if (credit === undefined || credit.logIndex !== transfer.logIndex) {
      return { type: 'transfer.reverted', transfer, atMs }
    }
    if (target.isHighValue && !(await adapter.isAttested(transaction, signal))) {
      turns.failed({ id: target.id, transfer })
      log.warn(
        { network: name, paymentId: target.id, txId: transfer.txId },
        'Too few RPC nodes confirm the transaction; waiting',
      )
      return undefined
    }
    return { type: 'transfer.confirmed', transfer: credit, atMs }
  }

  /** @returns undefined while the transfer may still exist. */
  async function readGone(
    transfer: StoredTransfer,
    target: Waiting,
    atMs: number,
    signal: AbortSignal,
  ): Promise<SettledTransfer['event'] | undefined> {
    const transaction = await adapter.transaction(transfer.txId, 'confirmed', signal)
    const credit = transaction && transferOf(name, transaction, target)
    // The node may lag: the transaction is gone only if the node has finalized a later slot.
    if (transaction === undefined && !(await adapter.isGone(transfer.txId, transfer.blockNumber, signal)))
      return undefined
    return credit === undefined ? { type: 'transfer.reverted', transfer, atMs } : undefined
  }

  /**
   * Applies what was read. A node's transaction list may lag behind its balances: an account that holds more than the books have
   * is read again from the beginning.
   * @returns whether windows may be judged: false if an account is unexplained for the first time.
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
    // Update the memory only after the commit.
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

  /** The accounts to read; of the failed ones only the next few, so that they delay no other. */
  async function readDue(chainMs: number, nowMs: number): Promise<WatchedAccount[]> {
    const due = await watchList.due(chainMs, nowMs)
    const faulty = await db.read((tx) => faultyPayments(tx, name, 'account', faultyMax))
    const dueIds = new Set(due.map(({ id }) => id))
    const waiting = new Set(faulty.filter((id) => dueIds.has(id) && !balances.isPostponed(id, nowMs)).slice(retriesMax))
    return due.filter(({ id }) => !waiting.has(id))
  }

  /** @returns true if there may be more to read immediately. */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    const before = heads.get(name)
    await watchList.refresh(Math.min(nowMs, before?.timeMs ?? nowMs), nowMs)
    if (watchList.isEmpty() && nowMs - headReadAtMs < idleHeadMs && nowMs >= headReadAtMs) return false
    const read = await adapter.head(signal)
    const head = { ...read, timeMs: believedTimeMs(network, read, runtime) }
    headReadAtMs = nowMs
    // A lagging node would hide what another has shown.
    if (before && head.slot < before.number) throw new Error(`${name}: the node is behind the slot read before`)
    const { due, readings, unread } = await readChanged({ head, nowMs }, signal)
    const atMs = runtime.nowMs()
    const settled = await readSettled(atMs, signal)
    const isExplained = await apply(readings, settled, atMs)
    heads.set(name, { number: head.slot, hash: String(head.slot), parentHash: '', timeMs: head.timeMs })
    const hasMore = unread.length > 0 || readings.some((reading) => reading.hasMore)
    // The node that reverted a transfer may have forgotten it: read its account again first.
    if (!isExplained || settled.some(({ event }) => event.type === 'transfer.reverted')) return hasMore
    const lateMs = watchList.completed(new Set(unread))
    const hold = async (ids: readonly PaymentId[]) => seenUpTo(ids, { due, open: openOf(unread, readings), lateMs })
    const windows = { db, ledger, adapter, network: name, isTestnet: network.isTestnet, runtime, log }
    // The split watcher ends the windows of wallet payments.
    await endFinalWindows({ ...windows, of: { mode: 'deposit' }, hold }, { head, lateMs }, signal)
    return hasMore
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      watchLoop({ network, pass, report: report ?? (() => undefined), passed, log }, signal),
  }
}

const accountsOf = (due: readonly WatchedAccount[]) => due.map(({ account }) => account)

/** The deposits whose accounts were not read to their end. */
function openOf(unread: readonly PaymentId[], readings: readonly Reading[]): PaymentId[] {
  const open = readings.filter(({ amount }) => amount === null).map(({ account }) => account.id)
  return [...unread, ...open]
}

/**
 * A refusal for one account, such as of its history, makes that account unreadable alone. If the node lists a transaction that it does
 * not return yet, the account is read again from where it was.
 * @throws {Error} when no node responds, or all are behind.
 */
async function readTransactions(
  node: Pick<Deps, 'adapter' | 'log'>,
  account: WatchedAccount,
  amount: string,
  slot: number,
  signal: AbortSignal,
): Promise<Reading> {
  const again = { account, credits: [], to: account.readTo, unreadable: undefined, amount: null, hasMore: false }
  let found: AccountTransfers | undefined
  try {
    found = await readTransfers(node, account, { slot, limit: transactionsMax }, signal)
  } catch (error) {
    if (signal.aborted || isOfSolanaNodes(error)) throw error
    return { ...again, unreadable: { error } }
  }
  if (found === undefined) return again
  const { credits, to, left, unreadable } = found
  const hasMore = left > 0 && !unreadable
  return { account, credits, to, unreadable, amount: left === 0 && !unreadable ? amount : null, hasMore }
}
