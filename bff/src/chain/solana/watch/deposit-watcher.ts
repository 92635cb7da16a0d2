import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { Fault } from '../../../network/network-health.ts'
import type { PaymentEvent, StoredTransfer, Transfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { unconfirmedDeposits } from '../../../payment/watched-payments-store.ts'
import type { Heads } from '../../chain-adapter.ts'
import { endWindows } from '../../expire-windows.ts'
import { watchLoop } from '../../watch-loop.ts'
import type { SolanaAdapter, SolanaHead } from '../rpc/solana-adapter.ts'
import { creditOf, type SolanaTransaction, type Target } from '../rpc/solana-transaction.ts'
import { createSolanaWatchList, type WatchedAccount } from './account-watch-list.ts'
import { readAgain, saveRead } from './token-account-store.ts'

/** Accounts whose transactions one pass reads; the others have their turn in the next, at once. */
const readsMax = 50

/** Transactions of one account that one pass reads: dust takes time, and holds nobody else up. */
const transactionsMax = 100

/** Transfers that wait to be final, of one pass. */
const unconfirmedMax = 500

/** With nothing to watch the head is still looked at this often, so that health stays true. */
const idleHeadMs = 15_000

/** More than the chain's clock and ours ever differ. */
const clocksDifferMs = 15 * 60 * 1000

type Deps = {
  db: Db
  ledger: Ledger
  adapter: SolanaAdapter
  network: SolanaNetwork
  heads: Heads
  runtime: Runtime
  log: Log
  /** As the watcher of the other family tells it. */
  report?: (fault: Fault | undefined) => void
  passed?: (network: string, isWell: boolean) => void
}

/** What was found out about one account, and how far it is read by that. */
type Reading = { account: WatchedAccount; amount: string | null; to: string | null; credits: Transfer[] }

/** What became of a transfer that was seen. */
type Fate = { id: PaymentId; event: PaymentEvent; isGone: boolean }

/**
 * One loop per network of Solana: head, accounts whose balance has changed, their transactions, transfers that became final
 * or are gone; all writes of a pass in one commit. Confirmed money is seen, finalized money is paid: of high value when two nodes
 * have it.
 */
export function createSolanaWatcher({ db, ledger, adapter, network, heads, runtime, log, report, passed }: Deps) {
  const name = network.shortName
  const watchList = createSolanaWatchList(db, name)
  let lookedAtMs = 0

  /** Reads those whose balance is not the one that was read. @returns undefined in place of one that cannot be read now. */
  async function readChanged(due: readonly WatchedAccount[], head: SolanaHead, signal: AbortSignal) {
    const addresses = due.map(({ account }) => account)
    const found = await adapter.tokenAccounts(addresses, head.slot, signal)
    const changed = due.flatMap((account, index) => {
      const state = found[index]
      const isOurs = state?.mint === account.mint && state.owner === account.owner
      const amount = String(isOurs ? state.amount : 0n)
      const isForgotten = account.isExpected && state === undefined
      if (amount === account.readAmount && !isForgotten) return []
      if (state && !isOurs) log.warn({ network: name, paymentId: account.id }, 'a deposit account has another owner')
      return [{ account, amount }]
    })
    const readings: Reading[] = []
    for (const { account, amount } of changed.slice(0, readsMax)) {
      const reading = await readTransactions(account, amount, head.slot, signal)
      if (reading) readings.push(reading)
    }
    return { readings, isWhole: readings.length === changed.length && readings.every((one) => one.amount !== null) }
  }

  /** What the transaction brought to the deposit's account. @throws {Error} while the node has no time of its block. */
  function transferOf(transaction: SolanaTransaction, target: Target): Transfer | undefined {
    const credit = creditOf(transaction, target)
    if (credit === undefined) return undefined
    if (transaction.timeMs === null) throw new Error(`${name}: the node has no time of slot ${transaction.slot} yet`)
    return { ...credit, network: name, blockTimeMs: transaction.timeMs }
  }

  /** @returns undefined when the node lists a transaction that it does not have yet. */
  async function readTransactions(account: WatchedAccount, amount: string, slot: number, signal: AbortSignal) {
    const listed = await adapter.signatures(account.account, account.readTo, slot, signal)
    const turn = listed.slice(0, transactionsMax)
    const credits: Transfer[] = []
    for (const { signature, isFailed } of turn) {
      if (isFailed) continue
      const transaction = await adapter.transaction(signature, 'confirmed', signal)
      if (transaction === undefined) return undefined
      const credit = transferOf(transaction, account)
      // Nobody knew the address before; whatever that is, it was not sent for this payment.
      if (credit && credit.blockTimeMs >= account.createdAtMs - clocksDifferMs) credits.push(credit)
      else if (credit)
        log.warn({ network: name, paymentId: account.id, txId: signature }, 'money is older than its payment')
    }
    const isRead = turn.length === listed.length
    return { account, credits, amount: isRead ? amount : null, to: turn.at(-1)?.signature ?? account.readTo }
  }

  /** Transfers that became final, as they are then; and those that the node, which has gone past them, does not have. */
  async function readFates(head: SolanaHead, atMs: number, signal: AbortSignal): Promise<Fate[]> {
    const waiting = await db.read((tx) => unconfirmedDeposits(tx, name, unconfirmedMax))
    const statuses = await adapter.statuses(
      waiting.map(({ transfer }) => transfer.txId),
      signal,
    )
    const fates: Fate[] = []
    for (const [index, { transfer, ...target }] of waiting.entries()) {
      const status = statuses[index]
      if (status && !status.isFinal && !status.isFailed) continue
      const fate = status?.isFinal
        ? await confirmed(transfer, target, atMs, signal)
        : await gone(transfer, target, head, atMs, signal)
      if (fate) fates.push(fate)
    }
    return fates
  }

  type Waiting = Awaited<ReturnType<typeof unconfirmedDeposits>>[number]
  type WaitingTarget = Omit<Waiting, 'transfer'>

  async function confirmed(transfer: StoredTransfer, target: WaitingTarget, atMs: number, signal: AbortSignal) {
    const transaction = await adapter.transaction(transfer.txId, 'finalized', signal)
    if (transaction === undefined) return undefined
    const credit = transferOf(transaction, target)
    // It failed, or brings nothing, on the fork that won.
    if (credit === undefined || credit.logIndex !== transfer.logIndex) return taken(transfer, target.id, atMs)
    if (target.isHighValue && !(await adapter.isAttested(transaction, signal))) {
      log.warn({ network: name, paymentId: target.id, txId: transfer.txId }, 'too few nodes attest it')
      return undefined
    }
    return { id: target.id, event: { type: 'transfer.confirmed', transfer: credit, atMs }, isGone: false } as const
  }

  async function gone(
    transfer: StoredTransfer,
    target: WaitingTarget,
    head: SolanaHead,
    atMs: number,
    signal: AbortSignal,
  ) {
    // A node that is behind does not know it yet.
    if (head.slot < transfer.blockNumber) return undefined
    const transaction = await adapter.transaction(transfer.txId, 'confirmed', signal)
    const credit = transaction && transferOf(transaction, target)
    return credit === undefined ? taken(transfer, target.id, atMs) : undefined
  }

  const taken = (transfer: StoredTransfer, id: PaymentId, atMs: number): Fate => ({
    ...{ id, event: { type: 'transfer.reverted', transfer, atMs }, isGone: true },
  })

  async function apply(readings: readonly Reading[], fates: readonly Fate[], atMs: number): Promise<void> {
    if (readings.length + fates.length === 0) return
    await db.write(async (tx) => {
      for (const { account, credits, amount, to } of readings) {
        for (const transfer of credits) {
          await ledger.applyIn(tx, account.id, { type: 'transfer.seen', transfer, atMs })
        }
        await saveRead(tx, account.id, { amount, to })
      }
      for (const { id, event, isGone } of fates) {
        await ledger.applyIn(tx, id, event)
        if (isGone) await readAgain(tx, id)
      }
    })
    // Only what is committed is remembered as read.
    for (const { account, amount, to } of readings)
      Object.assign(account, { readAmount: amount, readTo: to, isExpected: false })
    for (const { id, event, isGone } of fates) {
      if (isGone && 'transfer' in event)
        log.warn({ network: name, paymentId: id, txId: event.transfer.txId }, 'a transfer was taken back')
    }
  }

  /** @returns true when there may be more at once. */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const nowMs = runtime.nowMs()
    const before = heads.get(name)
    await watchList.refresh(Math.min(nowMs, before?.timeMs ?? nowMs), nowMs)
    if (watchList.size === 0 && nowMs - lookedAtMs < idleHeadMs && nowMs >= lookedAtMs) return false
    const head = await adapter.head(signal)
    lookedAtMs = nowMs
    // A node that is behind would hide what another has shown.
    if (before && head.slot < before.number) throw new Error(`${name}: the node is behind what was read before`)
    const { readings, isWhole } = await readChanged(watchList.due(head.timeMs), head, signal)
    const atMs = runtime.nowMs()
    const fates = await readFates(head, atMs, signal)
    await apply(readings, fates, atMs)
    heads.set(name, { number: head.slot, hash: String(head.slot), parentHash: '', timeMs: head.timeMs })
    if (!isWhole) return readings.length > 0
    const lateMs = watchList.looked()
    // Wallet payments are seen, and so ended, by their own finder.
    await endWindows({ db, ledger, network: name, runtime, mode: 'deposit' }, { windowMs: head.timeMs, lateMs }, signal)
    return false
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      watchLoop({ network, pass, report: report ?? (() => undefined), passed, log }, signal),
  }
}
