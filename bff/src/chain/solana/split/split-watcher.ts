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
import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import { splitsAfter, unsettledSplits, type WatchedSplit } from './reference-store.ts'
import { parseSolanaSplitTerms } from './solana-split-terms.ts'
import type { LookAtSolana } from './verify-submission.ts'

const pageRows = 5_000
const unsettledMax = 500
const openMax = 1_000
/** A block gets its time within seconds, and nodes mend within minutes. */
const openForMs = 10 * 60 * 1000
/** An account whose balance is the same may have got and given: its list is read this often all the same. */
const listEveryMs = 60_000
const backOffMaxMs = 30_000

type Deps = {
  db: Db
  ledger: Ledger
  network: { shortName: string; pollMs: number }
  /** Whether the network's nodes are what the configuration says. */
  isPayable: () => boolean
  chain: SolanaAdapter
  look: LookAtSolana
  runtime: Runtime
  log: Log
}

/** An account of a merchant's that payments come to. */
type Till = {
  balance: bigint | null
  /** The newest final signature that was read; null: there was none, undefined: nobody has looked. */
  newest: string | null | undefined
  /** Those that were read after it, with their slots: a fork may take them away, and bring them again. */
  read: ReadonlySet<string>
  listedAtMs: number
}

/**
 * Finds payments that nobody reported: a customer who closes the page after the wallet has sent is paid for all the same.
 * It looks at the merchants' token accounts, a hundred a call, and asks what is new in those that changed, so that calls do
 * not grow with the open payments. What a start may have missed is asked by the payments' own references, once.
 */
export function createSolanaFinder({ db, ledger, network, isPayable, chain, look, runtime, log }: Deps) {
  const name = network.shortName
  const watched = new Map<string, { id: PaymentId; windowEndsAtMs: number }>()
  const tills = new Map<string, Till>()
  /** Transactions that were not judged for good, by their ids. */
  const open = new Map<string, { id: PaymentId; sinceMs: number }>()
  /** Not asked about since the start. */
  const unasked = new Set<string>()
  let newest = 0

  async function refresh(): Promise<void> {
    const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
    for (;;) {
      const rows = await db.read((tx) => splitsAfter(tx, name, newest, endedAfterMs, pageRows))
      for (const row of rows) watch(row)
      newest = rows.at(-1)?.number ?? newest
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
    const account = tokenAccountOf(mint, merchant)
    if (!tills.has(account)) tills.set(account, { balance: null, newest: undefined, read: new Set(), listedAtMs: 0 })
  }

  /** A transaction that may pay, whoever found it. What time may turn around is looked at again with the next pass. */
  async function tell(id: PaymentId, txId: string, signal: AbortSignal): Promise<void> {
    try {
      await look({ id, txId }, signal)
      open.delete(txId)
    } catch (error) {
      const isSettled = error instanceof Refusal && (!error.isOpen || error.code === 'TRANSACTION_NOT_FOUND')
      if (isSettled) open.delete(txId)
      else if (open.size < openMax) open.set(txId, { id, sinceMs: open.get(txId)?.sinceMs ?? runtime.nowMs() })
      if (!(error instanceof Refusal) && !signal.aborted) {
        log.warn({ network: name, paymentId: id, txId, err: error }, 'a wallet payment could not be looked at')
      }
    }
  }

  /** Whether all that was found is judged, or stored as seen. What no node can tell for long does not hold up the rest for ever. */
  async function isSettled(): Promise<boolean> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    for (const { txId } of seen) open.delete(txId)
    for (const [txId, { id, sinceMs }] of open) {
      if (runtime.nowMs() - sinceMs < openForMs) continue
      open.delete(txId)
      log.error({ network: name, paymentId: id, txId }, 'a wallet payment could not be looked at: look at it by hand')
    }
    return open.size === 0
  }

  /** Those newer than the newest final one that was read, oldest first. */
  async function news(
    account: string,
    { newest: after }: Till,
    slot: number,
    signal: AbortSignal,
  ): Promise<ListedSignature[]> {
    if (after !== undefined) return await chain.signatures(account, after, slot, signal)
    // What was final before the first look is found by the payments' references.
    const list = await chain.newestSignatures(account, slot, signal)
    const newestFinal = list.findIndex(({ isFinal }) => isFinal)
    return (newestFinal === -1 ? list : list.slice(0, newestFinal + 1)).reverse()
  }

  /** Until all that was read is final, a fork may put something else in its place that comes to the same balance. */
  const isDue = (till: Till, balance: bigint | null): boolean =>
    balance !== till.balance || till.read.size > 0 || runtime.nowMs() - till.listedAtMs >= listEveryMs

  /** @returns whether it was read to its end. */
  async function readTill(
    account: string,
    till: Till,
    balance: bigint | null,
    headSlot: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const read = new Set<string>()
    for (const { signature, slot, isFailed, isFinal } of await news(account, till, headSlot, signal)) {
      const place = `${signature} ${slot}`
      const isNew = !isFailed && !till.read.has(place)
      const transaction = isNew ? await chain.transaction(signature, 'confirmed', signal) : undefined
      // A fork or a node that lags: the balance stays unread, so that the next pass looks again.
      if (isNew && !transaction) return false
      for (const key of transaction?.keys ?? []) {
        const payment = watched.get(key)
        if (payment) await tell(payment.id, signature, signal)
      }
      if (isFinal) till.newest = signature
      else read.add(place)
    }
    till.newest ??= null
    Object.assign(till, { balance, read, listedAtMs: runtime.nowMs() })
    return true
  }

  return {
    /** One look at everything. Throws when no node answers: what is left is done by the next. */
    async pass(signal: AbortSignal): Promise<void> {
      await refresh()
      if (watched.size === 0) return
      // What is in blocks up to here is seen by the end of this pass, so that windows may be judged by it.
      const head = await chain.head(signal)
      // Again after the head was read: whoever paid in it knew a payment that was stored before.
      await refresh()
      let isWhole = true
      // The accounts first: what comes to them after this is news, what came before is found by reference.
      const accounts = [...tills.keys()]
      const states = await chain.tokenAccounts(accounts, head.slot, signal)
      for (const [index, account] of accounts.entries()) {
        const till = tills.get(account)
        const balance = states[index]?.amount ?? null
        if (!till || signal.aborted) continue
        if (!isDue(till, balance)) continue
        if (!(await readTill(account, till, balance, head.slot, signal))) isWhole = false
      }
      for (const reference of unasked) {
        const payment = watched.get(reference)
        if (signal.aborted) return
        const listed = payment ? await chain.newestSignatures(reference, head.slot, signal) : []
        for (const { signature } of listed) if (payment) await tell(payment.id, signature, signal)
        unasked.delete(reference)
      }
      const unsettled = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
      const again = new Map([...open].map(([txId, { id }]) => [txId, id]))
      for (const { id, txId } of unsettled) again.set(txId, id)
      for (const [txId, id] of again) if (!signal.aborted) await tell(id, txId, signal)
      if (!isWhole || signal.aborted || !(await isSettled())) return
      const upTo = { windowMs: head.timeMs, lateMs: head.timeMs }
      await endWindows({ db, ledger, network: name, runtime, mode: 'contract' }, upTo, signal)
    },
    run(signal: AbortSignal): Promise<void> {
      return runWorker(
        {
          pauseMs: network.pollMs,
          backOffMaxMs,
          pass: async () => {
            if (isPayable()) await this.pass(signal)
            return false
          },
          onFailure: ({ error, failures }) =>
            log.warn({ network: name, err: error, failures }, 'wallet payments could not be looked for'),
        },
        signal,
      )
    },
  }
}
