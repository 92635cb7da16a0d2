import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import { isFaultOfAll } from '../../../db/write-each.ts'
import type { MerchantRefund, MerchantRefundId } from '../../../payment/merchant-refund.ts'
import { TransactionRefused } from '../../refusal.ts'
import { isOfNodes } from '../../rpc-pool.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import { clockSkewMs } from '../split/verify-transfer.ts'
import { readListed } from '../watch/read-account.ts'
import { matchSolanaRefund } from './match-solana-refund.ts'
import { unsettledSolanaRefunds, type WatchedSolanaRefund, watchedSolanaRefunds } from './solana-refund-store.ts'

/** Maximum watched refunds of one network. Merchants report transactions for older ones themselves. */
const refundsMax = 1_000
/** Unfinalized transfers verified again per pass. */
const unsettledMax = 500
/**
 * Transactions read per account and pass, because a customer may name an exchange's account: more than the busiest receive
 * between two passes, and few enough to delay the next refunds by at most a minute.
 */
const readsMax = 500
/** Minimum pause between passes: nobody waits at a checkout for a refund. */
const pauseMinMs = 5_000
/** Interval of listing accounts whose balance is unchanged: they may have received and sent the same amount. */
const listEveryMs = 60_000
/** Maximum pause between passes while the RPC nodes fail. */
const backOffMaxMs = 60_000

type Deps = {
  db: Db
  network: { shortName: string; pollMs: number }
  /** Whether the network's nodes match the configuration. */
  isPayable: () => boolean
  adapter: Pick<SolanaAdapter, 'head' | 'tokenAccounts' | 'signatures' | 'transaction'>
  /** Maximum reads of one account per pass. */
  readsPerPass?: number
  /** @throws {TransactionRefused} */
  verifyRefund: (refund: { id: MerchantRefundId; txId: string }, signal: AbortSignal) => Promise<MerchantRefund>
  runtime: Runtime
  log: Log
}

/** Reading progress of a customer's token account. */
type Account = {
  /** Null if there is no token account, or it was not read since the start. */
  balance: bigint | null
  /** The newest final transaction up to which everything was read. */
  newestFinal: string | null
  /** Signature and slot of later transactions that were read: a fork may undo and repeat them. */
  unsettled: ReadonlySet<string>
  /** 0 if it was not read to the end since the start. */
  listedAtMs: number
}

/**
 * Finds the transactions that pay merchant refunds: by the reference in the refund's payment request, from any wallet; without
 * it, only from the merchant's settlement wallet. Each pass reads the balances of the customers' token accounts, a hundred per
 * call, and the transactions of those that changed. Progress is kept in memory: after a start, each account is read again from
 * its oldest watched refund on.
 */
export function createRefundWatcher(deps: Deps) {
  const { db, network, isPayable, adapter, verifyRefund, runtime, log, readsPerPass = readsMax } = deps
  const name = network.shortName
  const accounts = new Map<string, Account>()

  /** @returns the refund with the transfer; `refused` if the transaction can never pay it. */
  async function verify(
    id: MerchantRefundId,
    txId: string,
    signal: AbortSignal,
  ): Promise<MerchantRefund | 'refused' | 'open'> {
    try {
      return await verifyRefund({ id, txId }, signal)
    } catch (error) {
      if (error instanceof TransactionRefused) return error.isOpen ? 'open' : 'refused'
      if (!signal.aborted)
        log.warn({ network: name, refundId: id, txId, err: error }, 'Verifying a refund failed; retrying')
      return 'open'
    }
  }

  async function readAccount(
    address: string,
    refunds: readonly WatchedSolanaRefund[],
    { balance, slot }: { balance: bigint | null; slot: number },
    signal: AbortSignal,
  ): Promise<void> {
    const known = accounts.get(address)
    const sinceMs = Math.min(...refunds.map(({ createdAtMs }) => createdAtMs)) - clockSkewMs
    let newestFinal = known?.newestFinal ?? null
    const listed = await adapter.signatures(address, newestFinal, slot, signal, sinceMs)
    const isRead = (one: ListedSignature): boolean =>
      isBefore(one, sinceMs) || (known?.unsettled.has(placeOf(one)) ?? false)
    let reads = 0
    const end = listed.findIndex((one) => !one.isFailed && !isRead(one) && ++reads > readsPerPass)
    const batch = end === -1 ? listed : listed.slice(0, end)
    const unsettled = new Set<string>()
    // Updated with each transaction verified in this pass.
    const open = new Map(refunds.map(({ id, amount, seen }) => [id, amount - seen]))
    let isReadable = true
    const isWhole = await readListed(
      adapter,
      batch,
      {
        isRead,
        onUnreadable({ signature }, error) {
          isReadable = false
          log.error({ network: name, account: address, txId: signature, err: error }, 'Reading a transaction failed')
        },
        async onTransaction(one, transaction) {
          const id = transaction && matchSolanaRefund(transaction, refunds, open)
          const verified = id ? await verify(id, one.signature, signal) : 'refused'
          if (verified === 'open') return false
          if (verified !== 'refused') open.set(verified.id, verified.amount - verified.seen)
          if (one.isFinal && isReadable) newestFinal = one.signature
          else unsettled.add(placeOf(one))
          return true
        },
      },
      signal,
    )
    const isDone = isWhole && isReadable && end === -1
    // Otherwise keep the old balance, so that the next pass continues.
    accounts.set(address, {
      balance: isDone ? balance : (known?.balance ?? null),
      newestFinal,
      unsettled,
      listedAtMs: isDone ? runtime.nowMs() : 0,
    })
  }

  /** Until every transaction read is final, a fork may replace one with the same resulting balance. */
  function isDue(address: string, balance: bigint | null): boolean {
    const known = accounts.get(address)
    if (!known || known.balance !== balance || known.unsettled.size > 0) return true
    return runtime.nowMs() - known.listedAtMs >= listEveryMs
  }

  /** @throws {Error} when no node responds; the next pass continues. */
  async function pass(signal: AbortSignal): Promise<void> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    // Also the readable refunds of such an account wait: a transfer may be the unreadable one's.
    const unread = new Set<string>()
    const refunds = await db.read((tx) =>
      watchedSolanaRefunds(tx, name, endedAfterMs, refundsMax, (err, { id, address, mint }) => {
        log.error({ network: name, refundId: id, err }, 'A stored refund cannot be read; its account waits')
        unread.add(tokenAccountOf(mint, address))
      }),
    )
    // Oldest first: of several with the same address and amount, the oldest is paid first.
    const byAccount = new Map<string, WatchedSolanaRefund[]>()
    for (const refund of refunds.toReversed()) {
      const address = tokenAccountOf(refund.mint, refund.address)
      if (unread.has(address)) continue
      byAccount.set(address, [...(byAccount.get(address) ?? []), refund])
    }
    for (const address of accounts.keys()) if (!byAccount.has(address)) accounts.delete(address)
    if (byAccount.size > 0) {
      const { slot } = await adapter.head(signal)
      const addresses = [...byAccount.keys()]
      const states = await adapter.tokenAccounts(addresses, slot, signal)
      for (const [index, address] of addresses.entries()) {
        const balance = states[index]?.amount ?? null
        if (signal.aborted || !isDue(address, balance)) continue
        try {
          await readAccount(address, byAccount.get(address) ?? [], { balance, slot }, signal)
        } catch (error) {
          // A refusal for one account, such as of its history, must not delay the others.
          if (signal.aborted || isOfNodes(error) || isFaultOfAll(error)) throw error
          log.error({ network: name, account: address, err: error }, 'Reading an account of refunds failed')
        }
      }
    }
    for (const { id, txId } of await db.read((tx) => unsettledSolanaRefunds(tx, name, unsettledMax)))
      if (!signal.aborted) await verify(id, txId, signal)
  }

  return {
    pass,
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs: Math.max(network.pollMs, pauseMinMs),
          backOffMaxMs,
          async pass() {
            if (isPayable()) await pass(signal)
            return false
          },
          onFailure: ({ error, failures }) =>
            log.warn({ network: name, err: error, failures }, 'Watching refunds failed; retrying'),
        },
        signal,
      ),
  }
}

const placeOf = ({ signature, slot }: ListedSignature): string => `${signature} ${slot}`

const isBefore = ({ isFinal, timeMs }: ListedSignature, sinceMs: number): boolean =>
  isFinal && timeMs !== null && timeMs < sinceMs
