import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { TransactionRefused } from '../../refusal.ts'
import { unsettledSplits } from './reference-store.ts'
import type { FoundSubmission } from './verify-submission.ts'

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
  verifySubmission: (found: FoundSubmission, signal: AbortSignal) => Promise<unknown>
  /** Whether the nodes return any transaction: while they do not, none is given up. */
  isServing: () => boolean
  runtime: Runtime
  log: Log
}

/** Verifies the transactions that the split watcher finds, and again those that may still pay. */
export function createSplitVerifications({ db, network, verifySubmission, isServing, runtime, log }: Deps) {
  const name = network.shortName
  /** Transactions that are neither attested nor permanently refused, for each payment that they name. */
  const unverified = new Map<string, { id: PaymentId; txId: string; sinceMs: number }>()
  const keyOf = (id: PaymentId, txId: string) => `${id} ${txId}`

  /**
   * Verifies a transaction that may pay a payment. The next pass verifies temporary refusals again.
   * @param isStored - Whether it is stored as detected: then it is verified until the ledger has confirmed or reverted it.
   * @returns false if it must be verified again, and too many already are.
   */
  async function verify(id: PaymentId, txId: string, signal: AbortSignal, isStored = false): Promise<boolean> {
    const key = keyOf(id, txId)
    try {
      await verifySubmission({ id, txId, isFound: true }, signal)
      unverified.delete(key)
      return true
    } catch (error) {
      if (!(error instanceof TransactionRefused) && !signal.aborted) {
        log.warn({ network: name, paymentId: id, txId, err: error }, 'Verifying a wallet payment failed; retrying')
      }
      const sinceMs = unverified.get(key)?.sinceMs ?? runtime.nowMs()
      const isRefused = error instanceof TransactionRefused && !error.isOpen
      const isMissing = error instanceof TransactionRefused && error.code === 'TRANSACTION_NOT_FOUND'
      if (isStored || isRefused || (isMissing && runtime.nowMs() - sinceMs >= missingForMs)) {
        unverified.delete(key)
        return true
      }
      if (!unverified.has(key) && unverified.size >= unverifiedMax) return false
      unverified.set(key, { id, txId, sinceMs })
      return true
    }
  }

  /** Verifies again the detected, unfinalized transactions and those that could not be verified. */
  async function verifyUnsettled(signal: AbortSignal): Promise<void> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    const due = new Map([...unverified].map(([key, { id, txId }]) => [key, { id, txId, isStored: false }]))
    for (const { id, txId } of seen) due.set(keyOf(id, txId), { id, txId, isStored: true })
    for (const { id, txId, isStored } of due.values()) if (!signal.aborted) await verify(id, txId, signal, isStored)
  }

  /**
   * The payments with a transaction that is neither refused nor stored as detected. A transaction about which no node can report is
   * eventually given up, so that it does not keep its payment's window open forever.
   */
  async function unverifiedPayments(): Promise<Set<PaymentId>> {
    const seen = await db.read((tx) => unsettledSplits(tx, name, unsettledMax))
    for (const { id, txId } of seen) unverified.delete(keyOf(id, txId))
    for (const [key, { id, txId, sinceMs }] of unverified) {
      if (!isServing() || runtime.nowMs() - sinceMs < unverifiedForMs) continue
      unverified.delete(key)
      log.error({ network: name, paymentId: id, txId }, 'Verifying a wallet payment failed; verify it manually')
    }
    return new Set([...unverified.values()].map(({ id }) => id))
  }

  return { verify, verifyUnsettled, unverifiedPayments }
}
