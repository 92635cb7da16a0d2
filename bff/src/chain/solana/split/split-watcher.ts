import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { splitsOf } from '../../../payment/store/watched-payments-store.ts'
import { TransactionRefused } from '../../refusal.ts'
import { believedTimeMs, watchAfterWindowMs } from '../../watch-window.ts'
import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'
import { endFinalWindows } from '../watch/end-final-windows.ts'
import { readListed } from '../watch/read-account.ts'
import { unsettledSplits } from './reference-store.ts'
import { createSplitAccounts, type WatchedSplitAccount } from './split-accounts.ts'

/** Transfers that one pass verifies again because they are not final. */
const unsettledMax = 500
/** Transactions that could not be verified yet, of one network. */
const unverifiedMax = 1_000
/** A block gets its time within seconds, and nodes recover within minutes. */
const unverifiedForMs = 10 * 60 * 1000
/** A node that has not yet come to the transaction does so within this time; then a fork took the transaction away. */
const missingForMs = 60 * 1000
/** An account with an unchanged balance may have received and sent the same amount: its transactions are listed this often all the same. */
const listEveryMs = 60_000
/** The longest pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

type Deps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number; isTestnet: boolean }
  /** Whether the network's nodes are what the configuration says. */
  isPayable: () => boolean
  adapter: SolanaAdapter
  /** @throws {TransactionRefused} */
  verifySubmission: (submission: { id: PaymentId; txId: string }, signal: AbortSignal) => Promise<unknown>
  runtime: Runtime
  log: Log
}

/**
 * Finds wallet payments that nobody submitted, so that a customer who closes the page after the wallet has sent has paid all
 * the same. Each pass reads the balances of the token accounts that payments come to, a hundred in one call, and the transactions of those
 * that changed; the database says which payments they name. So neither calls nor memory grow with the open payments. How far an account was
 * read is stored once each transaction up to there is refused, or stored as seen: a start reads what came since.
 */
export function createSplitWatcher(deps: Deps) {
  const { db, ledger, network, isPayable, adapter, verifySubmission, runtime, log } = deps
  const name = network.shortName
  const accounts = createSplitAccounts(db, name, runtime)
  /** Transactions that are neither attested nor refused for good, by their ids. */
  const unverified = new Map<string, { id: PaymentId; sinceMs: number }>()
  /** Transactions that could not be read, and were reported. */
  const unreadable = new Set<string>()
  /**
   * Verifies a transaction that may pay a payment. What may turn out otherwise later is verified again by the next pass.
   * @param isStored - Whether it is stored as seen: then it is verified again until the ledger has confirmed or reverted it.
   * @returns false when it is to be verified again, and too many are.
   */
  async function verify(id: PaymentId, txId: string, signal: AbortSignal, isStored = false): Promise<boolean> {
    try {
      await verifySubmission({ id, txId }, signal)
      unverified.delete(txId)
      return true
    } catch (error) {
      if (!(error instanceof TransactionRefused) && !signal.aborted) {
        log.warn({ network: name, paymentId: id, txId, err: error }, 'Verifying a wallet payment failed; retrying')
      }
      const sinceMs = unverified.get(txId)?.sinceMs ?? runtime.nowMs()
      const isRefused = error instanceof TransactionRefused && !error.isOpen
      const isMissing = error instanceof TransactionRefused && error.code === 'TRANSACTION_NOT_FOUND'
      if (isStored || isRefused || (isMissing && runtime.nowMs() - sinceMs >= missingForMs)) {
        unverified.delete(txId)
        return true
      }
      if (!unverified.has(txId) && unverified.size >= unverifiedMax) return false
      unverified.set(txId, { id, sinceMs })
      return true
    }
  }

  /** Verifies again what was seen and is not final, and what could not be verified before. */
  async function verifyUnsettled(signal: AbortSignal): Promise<void> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    const due = new Map([...unverified].map(([txId, { id }]) => [txId, { id, isStored: false }]))
    for (const { id, txId } of seen) due.set(txId, { id, isStored: true })
    for (const [txId, { id, isStored }] of due) if (!signal.aborted) await verify(id, txId, signal, isStored)
  }

  /**
   * Whether every transaction that was found is refused, or stored as seen. A transaction that no node can say anything about
   * for long is given up, so that it does not keep windows open for ever.
   */
  async function isAllVerified(): Promise<boolean> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    for (const { txId } of seen) unverified.delete(txId)
    for (const [txId, { id, sinceMs }] of unverified) {
      if (runtime.nowMs() - sinceMs < unverifiedForMs) continue
      unverified.delete(txId)
      log.error({ network: name, paymentId: id, txId }, 'Verifying a wallet payment failed; verify it by hand')
    }
    return unverified.size === 0
  }

  /** Until every transaction that was read is final, a fork may put another in its place that leads to the same balance. */
  const isDue = (account: WatchedSplitAccount, balance: bigint | null): boolean =>
    balance !== account.balance ||
    !account.isReadable ||
    account.unsettled.size > 0 ||
    runtime.nowMs() - account.listedAtMs >= listEveryMs

  /** The payments that the transaction names. What is paid in it was stored before it. */
  async function paymentsOf({ keys }: SolanaTransaction): Promise<PaymentId[]> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    const named = await db.read((tx) => splitsOf(tx, name, keys))
    return named.filter(({ windowEndsAtMs }) => windowEndsAtMs > endedAfterMs).map(({ id }) => id)
  }

  /** Whether it was reported before that the transaction cannot be read. */
  function isReported({ signature }: ListedSignature): boolean {
    const isKnown = unreadable.has(signature)
    if (unreadable.size >= unverifiedMax) unreadable.clear()
    unreadable.add(signature)
    return isKnown
  }

  /**
   * Whether the balance has changed by a transaction that the node does not list yet: its list may be behind its balances. Given up after
   * some time, so that it does not keep windows open for ever.
   */
  function isListBehind(account: WatchedSplitAccount, balance: bigint | null, listed: readonly ListedSignature[]) {
    const { address, unsettled, listedAtMs } = account
    const places = new Set(listed.map(placeOf))
    const isExplained =
      [...places].some((place) => !unsettled.has(place)) || [...unsettled].some((place) => !places.has(place))
    if (listedAtMs === 0 || balance === account.balance || isExplained) {
      account.unlistedSinceMs = null
      return false
    }
    account.unlistedSinceMs ??= runtime.nowMs()
    if (runtime.nowMs() - account.unlistedSinceMs < unverifiedForMs) return true
    log.error({ network: name, account: address }, 'No listed transaction explains a balance; windows end without it')
    account.unlistedSinceMs = null
    return false
  }

  /** @returns whether the account was read to its end. Otherwise its balance stays as it was, so that the next pass reads again. */
  async function readAccount(
    account: WatchedSplitAccount,
    balance: bigint | null,
    headSlot: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { address, sinceMs } = account
    const listed = await adapter.signatures(address, account.newestFinal, headSlot, signal, sinceMs)
    if (isListBehind(account, balance, listed)) return false
    const isOld = ({ isFinal, timeMs }: ListedSignature) => isFinal && timeMs !== null && timeMs < sinceMs
    const unsettled = new Set<string>()
    let isReadable = true
    const isWhole = await readListed(
      adapter,
      listed,
      {
        isRead: (one) => isOld(one) || account.unsettled.has(placeOf(one)),
        // The account is read from before it again, so that it is not lost. What comes behind it is read, too.
        onUnreadable(one, error) {
          isReadable = false
          if (isReported(one)) return
          log.error(
            { network: name, account: address, txId: one.signature, err: error },
            'Reading one transaction failed; retrying',
          )
        },
        async onTransaction(one, transaction) {
          for (const id of transaction ? await paymentsOf(transaction) : []) {
            if (!(await verify(id, one.signature, signal))) return false
          }
          if (one.isFinal && isReadable) account.newestFinal = one.signature
          else unsettled.add(placeOf(one))
          return true
        },
      },
      signal,
    )
    if (!isWhole) return false
    account.balance = balance
    account.unsettled = unsettled
    account.isReadable = isReadable
    account.listedAtMs = runtime.nowMs()
    return true
  }

  /** @returns whether every account that is due was read to its end. */
  async function readAccounts(headSlot: number, signal: AbortSignal): Promise<boolean> {
    const all = accounts.all()
    const states = await adapter.tokenAccounts(
      all.map(({ address }) => address),
      headSlot,
      signal,
    )
    let isWhole = true
    for (const [index, account] of all.entries()) {
      const balance = states[index]?.amount ?? null
      if (signal.aborted || !isDue(account, balance)) continue
      if (!(await readAccount(account, balance, headSlot, signal))) isWhole = false
    }
    return isWhole
  }

  /** @throws {Error} when no node responds: the next pass does the rest. */
  async function pass(signal: AbortSignal): Promise<void> {
    await accounts.refresh()
    if (accounts.all().length === 0) return
    // What is in blocks up to this head has been read by the end of the pass, so that windows may be judged by its time.
    const head = await adapter.head(signal)
    // Again after the head was read: the payer in that block knew a payment that was stored before.
    await accounts.refresh()
    const isWhole = await readAccounts(head.slot, signal)
    await verifyUnsettled(signal)
    if (signal.aborted || !(await isAllVerified())) return
    await accounts.saveRead()
    if (!isWhole) return
    const timeMs = believedTimeMs(network, head, runtime)
    await endFinalWindows(
      { db, ledger, adapter, network: name, isTestnet: network.isTestnet, runtime, log, of: { mode: 'contract' } },
      { head: { slot: head.slot, timeMs }, lateMs: timeMs },
      signal,
    )
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs: network.pollMs,
          backOffMaxMs,
          async pass() {
            if (isPayable()) await pass(signal)
            return false
          },
          onFailure: ({ error, failures }) =>
            log.warn({ network: name, err: error, failures }, 'Watching wallet payments failed; retrying'),
        },
        signal,
      ),
  }
}

const placeOf = ({ signature, slot }: { signature: string; slot: number }): string => `${signature} ${slot}`
