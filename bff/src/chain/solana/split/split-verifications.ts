import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { TransactionRefused } from '../../refusal.ts'
import { unsettledSplits } from './reference-store.ts'

/** Unfinalized transfers verified again per pass. */
const unsettledMax = 500
/** Maximum unverified transactions of one network. */
const unverifiedMax = 1_000
/**
 * An unverified transaction is given up after this long: a block gets its time within seconds, and nodes recover within minutes.
 */
export const unverifiedForMs = 10 * 60 * 1000
/** A lagging node returns a transaction within this time; otherwise a fork removed it. */
const missingForMs = 60 * 1000

type Deps = {
  db: Db
  network: { shortName: string }
  /** @throws {TransactionRefused} */
  verifySubmission: (submission: { id: PaymentId; txId: string }, signal: AbortSignal) => Promise<unknown>
  /** Whether the nodes return any transaction: while they do not, none is given up. */
  isServing: () => boolean
  runtime: Runtime
  log: Log
}

/** Verifies the transactions that the split watcher finds, and again those that may still pay. */
export function createSplitVerifications({ db, network, verifySubmission, isServing, runtime, log }: Deps) {
  const name = network.shortName
  /** Transactions that are neither attested nor permanently refused, by id. */
  const unverified = new Map<string, { id: PaymentId; sinceMs: number }>()

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
      if (!isServing() || runtime.nowMs() - sinceMs < unverifiedForMs) continue
      unverified.delete(txId)
      log.error({ network: name, paymentId: id, txId }, 'Verifying a wallet payment failed; verify it manually')
    }
    return unverified.size === 0
  }

  return { verify, verifyUnsettled, isAllVerified }
}
