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

/** Unfinalized transfers verified again per pass. */
const unsettledMax = 500
/** Maximum unverified transactions of one network. */
const unverifiedMax = 1_000
/**
 * An unverified transaction is given up after this long: a block gets its time within seconds, and nodes recover within minutes.
 */
const unverifiedForMs = 10 * 60 * 1000
/** A lagging node returns a transaction within this time; otherwise a fork removed it. */
const missingForMs = 60 * 1000
/** Interval of listing accounts whose balance is unchanged: they may have received and sent the same amount. */
const listEveryMs = 60_000
/** Maximum pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

type Deps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number; isTestnet: boolean }
  /** Whether the network's nodes match the configuration. */
  isPayable: () => boolean
  adapter: SolanaAdapter
  /** @throws {TransactionRefused} */
  verifySubmission: (submission: { id: PaymentId; txId: string }, signal: AbortSignal) => Promise<unknown>
  runtime: Runtime
  log: Log
}

/**
 * Finds wallet payments that nobody submitted, so that a payment counts even if the customer closes the page after the wallet has
 * sent it. Each pass reads the balances of receiving token accounts, a hundred per call, and the transactions of those that
 * changed; the database maps them to payments. So neither calls nor memory grow with the number of open payments. An account's
 * cursor is stored once every earlier transaction is refused, or stored as detected: a start reads only newer ones.
 */
export function createSplitWatcher(deps: Deps) {
  const { db, ledger, network, isPayable, adapter, verifySubmission, runtime, log } = deps
  const name = network.shortName
  const accounts = createSplitAccounts(db, name, runtime)
  /** Transactions that are neither attested nor permanently refused, by id. */
  const unverified = new Map<string, { id: PaymentId; sinceMs: number }>()
  /** Unreadable transactions already logged. */
  const unreadable = new Set<string>()
  /**
   * Verifies a transaction that may pay a payment. The next pass verifies temporary refusals again.
   * @param isStored - Whether it is stored as detected: then it is verified until the ledger has confirmed or reverted it.
   * @returns false if it must be verified again, and too many already are.
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

  /** Verifies again the detected, unfinalized transactions and those that could not be verified. */
  async function verifyUnsettled(signal: AbortSignal): Promise<void> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    const due = new Map([...unverified].map(([txId, { id }]) => [txId, { id, isStored: false }]))
    for (const { id, txId } of seen) due.set(txId, { id, isStored: true })
    for (const [txId, { id, isStored }] of due) if (!signal.aborted) await verify(id, txId, signal, isStored)
  }

  /**
   * Whether every transaction found is refused, or stored as detected. A transaction about which no node can report is eventually
   * given up, so that it does not keep windows open forever.
   */
  async function isAllVerified(): Promise<boolean> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    for (const { txId } of seen) unverified.delete(txId)
    for (const [txId, { id, sinceMs }] of unverified) {
      if (runtime.nowMs() - sinceMs < unverifiedForMs) continue
      unverified.delete(txId)
      log.error({ network: name, paymentId: id, txId }, 'Verifying a wallet payment failed; verify it manually')
    }
    return unverified.size === 0
  }

  /** Until every transaction read is final, a fork may replace one with the same resulting balance. */
  const isDue = (account: WatchedSplitAccount, balance: bigint | null): boolean =>
    balance !== account.balance ||
    !account.isReadable ||
    account.unsettled.size > 0 ||
    runtime.nowMs() - account.listedAtMs >= listEveryMs

  /** The transaction's payments, by references and named senders stored before it. */
  async function paymentsOf({ keys }: SolanaTransaction): Promise<PaymentId[]> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    const named = await db.read((tx) => splitsOf(tx, name, keys))
    return named.filter(({ windowEndsAtMs }) => windowEndsAtMs > endedAfterMs).map(({ id }) => id)
  }

  /** Whether the transaction was already logged as unreadable. */
  function isReported({ signature }: ListedSignature): boolean {
    const isKnown = unreadable.has(signature)
    if (unreadable.size >= unverifiedMax) unreadable.clear()
    unreadable.add(signature)
    return isKnown
  }

  /**
   * Whether the balance was changed by a transaction that the node does not list yet, because its list may lag behind its
   * balances. Given up after some time, so that it does not keep windows open forever.
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

  /**
   * @returns whether the account was read to its end; otherwise the old balance is kept, so that the next pass reads it again.
   */
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
        // The account's cursor stays before the unreadable transaction; later transactions are read too.
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

  /** @returns whether every due account was read to its end. */
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

  /** @throws {Error} when no node responds; the next pass continues. */
  async function pass(signal: AbortSignal): Promise<void> {
    await accounts.refresh()
    if (accounts.all().length === 0) return
    // By the end of the pass, everything up to this head is read, so windows can be judged by its time.
    const head = await adapter.head(signal)
    // Again after the head was read: a payer in that block may have known a payment stored just before.
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
