import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import { isFaultOfAll } from '../../../db/write-each.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { splitsOf } from '../../../payment/store/watched-payments-store.ts'
import { believedTimeMs, watchAfterWindowMs } from '../../watch-window.ts'
import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import { isOfSolanaNodes } from '../rpc/solana-rpc.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'
import { endFinalWindows } from '../watch/end-final-windows.ts'
import { readListed } from '../watch/read-account.ts'
import { createSplitAccounts, type WatchedSplitAccount } from './split-accounts.ts'
import { createSplitVerifications, unverifiedForMs } from './split-verifications.ts'
import { createUnreadableTransactions } from './unreadable-transactions.ts'
import type { FoundSubmission } from './verify-submission.ts'

/** Transactions read per account and pass, so that a stranger who floods one account does not delay the others. */
const readsMax = 200
/** Interval of listing accounts whose balance is unchanged: they may have received and sent the same amount. */
const listEveryMs = 60_000
/** Nodes that have listed no account for this long list none: longer than between two listings, also in long passes. */
const listedWithinMs = 5 * 60_000
/** Maximum pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

/**
 * How far an account was read. `hasMore`: the next pass continues immediately. `isWaiting`: the nodes do not return everything.
 * `upToMs`: the chain's time before which every transaction that they return was read.
 */
type Progress = { hasMore: boolean; isWaiting: boolean; upToMs: number }

const behind: Progress = { hasMore: false, isWaiting: true, upToMs: Number.POSITIVE_INFINITY }

type Deps = {
  db: Db
  ledger: Ledger
  network: Pick<SolanaNetwork, 'shortName' | 'pollMs' | 'isTestnet' | 'tokens'>
  /** Whether the network's nodes match the configuration. */
  isPayable: () => boolean
  adapter: SolanaAdapter
  /** @throws {TransactionRefused} */
  verifySubmission: (found: FoundSubmission, signal: AbortSignal) => Promise<unknown>
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
  const accounts = createSplitAccounts(db, name, { runtime, log })
  const unreadable = createUnreadableTransactions({ adapter, tokens: network.tokens, runtime, log })
  const { verify, verifyUnsettled, unverifiedPayments } = createSplitVerifications({
    db,
    network,
    verifySubmission,
    isServing: unreadable.isServing,
    runtime,
    log,
  })
  /** When a node last listed the transactions of any account. */
  let listedAtMs = 0

  /** Until every transaction read is final, a fork may replace one with the same resulting balance. */
  const isDue = (account: WatchedSplitAccount, balance: bigint | null): boolean =>
    balance !== account.balance ||
    !account.isReadable ||
    account.unsettled.size > 0 ||
    runtime.nowMs() - account.listedAtMs >= listEveryMs

  /** The transaction's payments, by their references. */
  async function paymentsOf({ keys }: SolanaTransaction): Promise<PaymentId[]> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    const named = await db.read((tx) => splitsOf(tx, name, keys))
    return named.filter(({ windowEndsAtMs }) => windowEndsAtMs > endedAfterMs).map(({ id }) => id)
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

  /** Unless it was read to its end, the account keeps its old balance, so that the next pass reads it again. */
  async function readAccount(
    account: WatchedSplitAccount,
    balance: bigint | null,
    headSlot: number,
    signal: AbortSignal,
  ): Promise<Progress> {
    const { address, sinceMs } = account
    const listed = await adapter.signatures(address, account.newestFinal, headSlot, signal, sinceMs)
    listedAtMs = runtime.nowMs()
    if (isListBehind(account, balance, listed)) return behind
    const isOld = ({ isFinal, timeMs }: ListedSignature) => isFinal && timeMs !== null && timeMs < sinceMs
    const isRead = (one: ListedSignature) => isOld(one) || account.unsettled.has(placeOf(one))
    const isUnread = (one: ListedSignature) => !one.isFailed && !isRead(one) && !unreadable.has(one.signature)
    let reads = 0
    const end = listed.findIndex((one) => isUnread(one) && ++reads > readsMax)
    const unsettled = new Set<string>()
    let [isReadable, isWaiting] = [true, false]
    const isWhole = await readListed(
      adapter,
      end === -1 ? listed : listed.slice(0, end),
      {
        isRead,
        // The account's cursor stays before the unreadable transaction; later transactions are read too.
        onUnreadable(one, error) {
          isReadable = false
          if (unreadable.isStillUnreadable(address, one.signature, error)) isWaiting = true
        },
        async onTransaction(one, transaction) {
          for (const id of transaction ? await paymentsOf(transaction) : []) {
            if (!(await verify(id, one.signature, signal))) return false
          }
          unreadable.wasRead(one.signature, transaction !== undefined)
          if (one.isFinal && isReadable) account.newestFinal = one.signature
          else unsettled.add(placeOf(one))
          return true
        },
      },
      signal,
    )
    if (!isWhole) return behind
    account.unsettled = unsettled
    account.isReadable = isReadable
    // What is not read yet is in the same block as the first of it, or in later ones.
    if (end !== -1) {
      const upToMs = listed.slice(0, end + 1).findLast(({ timeMs }) => timeMs !== null)?.timeMs ?? 0
      return { hasMore: true, isWaiting, upToMs }
    }
    account.balance = balance
    account.listedAtMs = runtime.nowMs()
    return { ...behind, isWaiting }
  }

  /** A refusal for one account, such as of its history, must not delay the others. */
  async function readAlone(...asked: Parameters<typeof readAccount>): Promise<Progress> {
    const [{ address, behindSinceMs }, , , signal] = asked
    try {
      return await readAccount(...asked)
    } catch (error) {
      if (signal.aborted || isOfSolanaNodes(error) || isFaultOfAll(error)) throw error
      if (behindSinceMs === null)
        log.error({ network: name, account: address, err: error }, 'Reading an account failed; retrying')
      return behind
    }
  }

  /**
   * Whether the nodes have long not returned everything of an account: it must not keep windows open forever. While they list no
   * account, or return no transaction, none is given up.
   */
  function isGivenUp(account: WatchedSplitAccount): boolean {
    const nowMs = runtime.nowMs()
    const isServing = unreadable.isServing()
    if (account.behindSinceMs === null || !isServing || nowMs - listedAtMs > listedWithinMs)
      account.behindSinceMs = nowMs
    if (nowMs - account.behindSinceMs < unverifiedForMs) return false
    if (!account.isGivenUp)
      log.error(
        { network: name, account: account.address },
        'An account cannot be read to its end; windows end without it',
      )
    account.isGivenUp = true
    return true
  }

  /**
   * Reads the accounts that changed.
   * @returns of each account that was not read to its end, the chain's time up to which its windows may end; 0 while they have to wait.
   */
  async function readAccounts(headSlot: number, signal: AbortSignal) {
    const all = accounts.all()
    const states = await adapter.tokenAccounts(
      all.map(({ address }) => address),
      headSlot,
      signal,
    )
    let hasMore = false
    const upToMs = new Map<string, number>()
    const waiting: WatchedSplitAccount[] = []
    for (const [index, account] of all.entries()) {
      const balance = states[index]?.amount ?? null
      if (signal.aborted || !isDue(account, balance)) continue
      const progress = await readAlone(account, balance, headSlot, signal)
      hasMore ||= progress.hasMore
      if (Number.isFinite(progress.upToMs)) upToMs.set(account.address, progress.upToMs)
      if (progress.isWaiting) waiting.push(account)
      else Object.assign(account, { behindSinceMs: null, isGivenUp: false })
    }
    for (const account of waiting) if (!isGivenUp(account)) upToMs.set(account.address, 0)
    return { hasMore, upToMs }
  }

  /**
   * @returns true if there is more to read immediately.
   * @throws {Error} when no node responds; the next pass continues.
   */
  async function pass(signal: AbortSignal): Promise<boolean> {
    await accounts.refresh()
    if (accounts.all().length === 0) return false
    // By the end of the pass, everything up to this head is read, so windows can be judged by its time.
    const head = await adapter.head(signal)
    // Again after the head was read: a payer in that block may have known a payment stored just before.
    await accounts.refresh()
    await unreadable.check(accounts.all(), head.slot, signal)
    const { hasMore, upToMs } = await readAccounts(head.slot, signal)
    await verifyUnsettled(signal)
    const unverified = await unverifiedPayments()
    if (signal.aborted) return hasMore
    if (unverified.size === 0) await accounts.saveRead()
    const timeMs = believedTimeMs(network, head, runtime)
    const hold = async (ids: readonly PaymentId[]) => {
      const held = ids.filter((id) => unverified.has(id)).map((id): [PaymentId, number] => [id, 0])
      return new Map([...(await accounts.limitsOf(ids, upToMs)), ...held])
    }
    const windows = { db, ledger, adapter, network: name, isTestnet: network.isTestnet, runtime, log }
    await endFinalWindows(
      { ...windows, of: { mode: 'contract' }, hold },
      { head: { slot: head.slot, timeMs }, lateMs: timeMs },
      signal,
    )
    return hasMore
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs: network.pollMs,
          backOffMaxMs,
          pass: async () => isPayable() && (await pass(signal)),
          onFailure: ({ error, failures }) =>
            log.warn({ network: name, err: error, failures }, 'Watching wallet payments failed; retrying'),
        },
        signal,
      ),
  }
}

const placeOf = ({ signature, slot }: { signature: string; slot: number }): string => `${signature} ${slot}`
