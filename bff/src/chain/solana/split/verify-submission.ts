import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db, Tx } from '../../../db/db.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { StoredTransfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { ContractPayment, Payment, PaymentId } from '../../../payment/payment.ts'
import { isPaid } from '../../../payment/payment-sums.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { paidBefore, transfersIn } from '../../../payment/store/transfer-store.ts'
import type { Submission } from '../../connector.ts'
import { stillUnconfirmed, stillUnpaid, TransactionRefused, unknownTransaction } from '../../refusal.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaSplitTerms } from '../facts/solana-split-terms.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'
import { isOwnPayout } from './own-payouts.ts'
import { namesAnother } from './reference-store.ts'
import { countedOwnerOf, verifyTransfer } from './verify-transfer.ts'

type Deps = {
  db: Db
  ledger: Ledger
  health: NetworkHealth
  runtime: Runtime
  log: Log
  adapter: SolanaAdapter
  /** The service's fee payer; null if the service sends no transactions. */
  feePayer: string | null
  /** Whether plain transfers can pay a payment that named its sender when created. */
  lenientClients: boolean
}

/** `isFound`: by the split watcher, and not named by a client. */
export type FoundSubmission = Submission & { isFound?: boolean }

/**
 * Verifies a transaction submitted by a client or found by the split watcher. The ledger gets the transfer as an event: detected
 * when confirmed, paid when finalized, reverted when a later slot is finalized and the transaction is gone.
 */
export function createSolanaSubmissions(deps: Deps) {
  const { db, ledger, health, runtime, log, adapter, lenientClients } = deps

  async function load({ id, txId }: Submission) {
    return await db.read(async (tx) => {
      const payment = await loadPayment(tx, id)
      return { payment, known: payment ? await transfersIn(tx, payment.network, txId) : [] }
    })
  }

  async function isUsed(tx: Tx, payment: ContractPayment, transaction: SolanaTransaction): Promise<boolean> {
    const { id, network, splitTerms } = payment
    const { signature: txId, keys, changes } = transaction
    const terms = parseSolanaSplitTerms(splitTerms)
    const account = tokenAccountOf(terms.mint, countedOwnerOf(terms))
    const logIndex = changes.find((change) => change.account === account)?.index ?? -1
    return (await paidBefore(tx, { network, txId, logIndex }, id)) || (await namesAnother(tx, network, id, keys))
  }

  /** Reverts a detected transfer that the finalized fork lacks. */
  const revert = (id: PaymentId, transfer: StoredTransfer) =>
    ledger.apply(id, { type: 'transfer.reverted', transfer, atMs: runtime.nowMs() })

  /**
   * A transaction that a client names for a paid payment changes nothing.
   * @returns the paid payment.
   * @throws {TransactionRefused} with what is missing, or the node's error.
   */
  return async function verifySubmission(
    { isFound = false, ...submission }: FoundSubmission,
    signal: AbortSignal,
  ): Promise<Payment> {
    const { id, txId } = submission
    const { payment, known } = await load(submission)
    if (payment?.mode !== 'contract') throw new Error(`No contract payment ${id}`)
    const own = known.find(({ paymentId }) => paymentId === id)
    // Nothing on chain prevents a second payment: two tabs or two wallets may each have a transaction.
    if (isPaid(payment) && (!isFound || own?.state === 'confirmed')) return payment
    if (payment.isTest) throw unknownTransaction('this is a test payment; simulate its events')
    if (!health.get(payment.network).isPayable)
      throw stillUnconfirmed(`no node of ${payment.network} responds; try again`)
    const isDetected = own?.state === 'seen'
    const final = await adapter.transaction(txId, 'finalized', signal)
    const transaction = final ?? (await adapter.transaction(txId, 'confirmed', signal))
    if (!transaction) {
      if (isDetected && (await adapter.isGone(txId, own.blockNumber, signal))) await revert(id, own)
      throw unknownTransaction(`no block of ${payment.network} contains ${txId} yet`)
    }
    const transfer = await verifyTransfer({
      payment,
      transaction,
      terms: parseSolanaSplitTerms(payment.splitTerms),
      // A detected transfer was accepted under the setting at that time.
      plainSender: lenientClients || isDetected ? payment.plainSender : null,
      isUsed: () => db.read((tx) => isUsed(tx, payment, transaction)),
      isPayout: () => isOwnPayout(deps, transaction, payment.network),
    }).catch(async (error: unknown) => {
      // On the finalized fork, it failed or transferred nothing. It is not read again, so one node's word is not enough.
      const isRefused = error instanceof TransactionRefused && !error.isOpen
      if (isDetected && final && isRefused && (await adapter.isAttested(final, signal))) await revert(id, own)
      throw error
    })
    const isAttested = final && (payment.confirmations === null || (await adapter.isAttested(final, signal)))
    if (final && !isAttested)
      log.warn({ network: payment.network, paymentId: id, txId }, 'Too few RPC nodes confirm the transaction; waiting')
    const type = isAttested ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // Again within the commit: the transaction may have been verified for another payment in the meantime.
      if (await isUsed(tx, payment, transaction)) return undefined
      return await ledger.applyIn(tx, id, { type, transfer, atMs: runtime.nowMs() })
    })
    if (!after) throw new TransactionRefused('ALREADY_USED', 'the transaction pays another payment')
    if (final && !isAttested) throw stillUnconfirmed('too few nodes have the transaction yet')
    return verifyPaid(after, final !== undefined)
  }
}

/**
 * Returns a paid payment.
 * @throws {TransactionRefused} with what is missing.
 */
function verifyPaid(payment: Payment, isFinal: boolean): Payment {
  if (isPaid(payment)) return payment
  if (!isFinal) throw stillUnconfirmed('the transaction is in a block that is not finalized yet')
  throw stillUnpaid(payment)
}
