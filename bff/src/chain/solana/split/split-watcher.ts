import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import { runWorker } from '../../../core/worker.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { endWindows } from '../../expire-windows.ts'
import { Refusal } from '../../refusal.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { listAfter, readListed } from '../watch/read-account.ts'
import { splitsAfter, unsettledSplits, type WatchedSplit } from './reference-store.ts'
import { parseSolanaSplitTerms } from './solana-split-terms.ts'

/** Payments of one query. */
const pageRows = 5_000
/** Transfers that one pass verifies again because they are not final. */
const unsettledMax = 500
/** Transactions that could not be verified yet, of one network. */
const unverifiedMax = 1_000
/** A block gets its time within seconds, and nodes recover within minutes. */
const unverifiedForMs = 10 * 60 * 1000
/** An account with an unchanged balance may have received and sent the same amount: its transactions are listed this often all the same. */
const listEveryMs = 60_000
/** The longest pause between passes while the RPC nodes fail. */
const backOffMaxMs = 30_000

type Deps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number }
  /** Whether the network's nodes are what the configuration says. */
  isPayable: () => boolean
  chain: SolanaAdapter
  /** @throws {Refusal} */
  verifySubmission: (submission: { id: PaymentId; txId: string }, signal: AbortSignal) => Promise<unknown>
  runtime: Runtime
  log: Log
}

/** A merchant's token account, which wallet payments come to. */
type MerchantAccount = {
  /** Base units at the last reading. Null: it had no token account, or was not read yet. */
  balance: bigint | null
  /** The newest final transaction that was read. Null: there was none; undefined: the account was not read yet. */
  newestFinal: string | null | undefined
  /** Signature and slot of the transactions read after it: a fork may take them away, and bring them again. */
  unsettled: ReadonlySet<string>
  listedAtMs: number
}

/**
 * Finds wallet payments that nobody submitted, so that a customer who closes the page after the wallet has sent has paid all
 * the same. Each pass reads the balances of the merchants' token accounts, a hundred in one call, and the transactions of those
 * that changed: the calls do not grow with the open payments. What a start may have missed is asked once, by reference.
 */
export function createSplitWatcher(deps: Deps) {
  const { db, ledger, network, isPayable, chain, verifySubmission, runtime, log } = deps
  const name = network.shortName
  /** Open payments by their references, oldest first. */
  const watched = new Map<string, { id: PaymentId; windowEndsAtMs: number }>()
  /** By the address of the token account. */
  const accounts = new Map<string, MerchantAccount>()
  /** Transactions that were neither believed nor refused for good, by their ids. */
  const unverified = new Map<string, { id: PaymentId; sinceMs: number }>()
  /** References that were not asked about since the start. */
  const unasked = new Set<string>()
  let newestNumber = 0

  /** Adds the payments created since the last call, and drops those that ended long ago. */
  async function refresh(): Promise<void> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    for (;;) {
      const rows = await db.read((tx) => splitsAfter(tx, name, newestNumber, endedAfterMs, pageRows))
      for (const row of rows) watch(row)
      newestNumber = rows.at(-1)?.number ?? newestNumber
      if (rows.length < pageRows) break
    }
    for (const [reference, { windowEndsAtMs }] of watched) {
      if (windowEndsAtMs > endedAfterMs) break
      watched.delete(reference)
    }
  }

  function watch({ id, reference, splitTerms, windowEndsAtMs }: WatchedSplit): void {
    watched.set(reference, { id, windowEndsAtMs })
    unasked.add(reference)
    const { mint, merchant } = parseSolanaSplitTerms(splitTerms)
    const address = tokenAccountOf(mint, merchant)
    if (accounts.has(address)) return
    accounts.set(address, { balance: null, newestFinal: undefined, unsettled: new Set(), listedAtMs: 0 })
  }

  /** Verifies a transaction that may pay a payment. What may turn out otherwise later is verified again by the next pass. */
  async function verify(id: PaymentId, txId: string, signal: AbortSignal): Promise<void> {
    try {
      await verifySubmission({ id, txId }, signal)
      unverified.delete(txId)
    } catch (error) {
      const isSettled = error instanceof Refusal && (!error.isOpen || error.code === 'TRANSACTION_NOT_FOUND')
      if (isSettled) {
        unverified.delete(txId)
      } else if (unverified.size < unverifiedMax) {
        unverified.set(txId, { id, sinceMs: unverified.get(txId)?.sinceMs ?? runtime.nowMs() })
      }
      if (!(error instanceof Refusal) && !signal.aborted) {
        log.warn({ network: name, paymentId: id, txId, err: error }, 'a wallet payment could not be verified')
      }
    }
  }

  /** Verifies again what was seen and is not final, and what could not be verified before. */
  async function verifyUnsettled(signal: AbortSignal): Promise<void> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    const due = new Map([...unverified].map(([txId, { id }]) => [txId, id]))
    for (const { id, txId } of seen) due.set(txId, id)
    for (const [txId, id] of due) if (!signal.aborted) await verify(id, txId, signal)
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
      log.error({ network: name, paymentId: id, txId }, 'a wallet payment could not be verified: verify it by hand')
    }
    return unverified.size === 0
  }

  /** Until every transaction that was read is final, a fork may put another in its place that leads to the same balance. */
  const isDue = (account: MerchantAccount, balance: bigint | null): boolean =>
    balance !== account.balance || account.unsettled.size > 0 || runtime.nowMs() - account.listedAtMs >= listEveryMs

  /** @returns whether the account was read to its end. Otherwise its balance stays as it was, so that the next pass reads again. */
  async function readAccount(
    address: string,
    account: MerchantAccount,
    balance: bigint | null,
    headSlot: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    // What was final before the first reading is found by the payments' references.
    const listed = await listAfter(chain, address, account.newestFinal, headSlot, signal)
    const unsettled = new Set<string>()
    const isWhole = await readListed(
      chain,
      listed,
      {
        isRead: (one) => account.unsettled.has(placeOf(one)),
        async onTransaction(one, transaction) {
          for (const key of transaction?.keys ?? []) {
            const payment = watched.get(key)
            if (payment) await verify(payment.id, one.signature, signal)
          }
          if (one.isFinal) account.newestFinal = one.signature
          else unsettled.add(placeOf(one))
        },
      },
      signal,
    )
    if (!isWhole) return false
    account.newestFinal ??= null
    account.balance = balance
    account.unsettled = unsettled
    account.listedAtMs = runtime.nowMs()
    return true
  }

  /** @returns whether every account that is due was read to its end. */
  async function readAccounts(headSlot: number, signal: AbortSignal): Promise<boolean> {
    const addresses = [...accounts.keys()]
    const states = await chain.tokenAccounts(addresses, headSlot, signal)
    let isWhole = true
    for (const [index, address] of addresses.entries()) {
      const account = accounts.get(address)
      const balance = states[index]?.amount ?? null
      if (!account || signal.aborted || !isDue(account, balance)) continue
      if (!(await readAccount(address, account, balance, headSlot, signal))) isWhole = false
    }
    return isWhole
  }

  /** Asks once for the transactions that name each reference. */
  async function readReferences(headSlot: number, signal: AbortSignal): Promise<void> {
    for (const reference of unasked) {
      if (signal.aborted) return
      const payment = watched.get(reference)
      if (payment) {
        const listed = await chain.newestSignatures(reference, 'confirmed', headSlot, signal)
        for (const { signature } of listed) await verify(payment.id, signature, signal)
      }
      unasked.delete(reference)
    }
  }

  /** Throws when no node answers: the next pass does what is left. */
  async function pass(signal: AbortSignal): Promise<void> {
    await refresh()
    if (watched.size === 0) return
    // What is in blocks up to this head has been read by the end of the pass, so that windows may be judged by its time.
    const head = await chain.head(signal)
    // Again after the head was read: whoever paid in that block knew a payment that was stored before.
    await refresh()
    // The accounts first: a transaction that comes after this is found by its account, an earlier one by its reference.
    const isWhole = await readAccounts(head.slot, signal)
    await readReferences(head.slot, signal)
    await verifyUnsettled(signal)
    if (!isWhole || signal.aborted || !(await isAllVerified())) return
    const upTo = { windowMs: head.timeMs, lateMs: head.timeMs }
    await endWindows({ db, ledger, network: name, runtime, mode: 'contract' }, upTo, signal)
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
            log.warn({ network: name, err: error, failures }, 'wallet payments could not be watched'),
        },
        signal,
      ),
  }
}

const placeOf = ({ signature, slot }: { signature: string; slot: number }): string => `${signature} ${slot}`
