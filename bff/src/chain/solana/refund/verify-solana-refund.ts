import { PaymentError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db, Tx } from '../../../db/db.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { StoredTransfer, Transfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { MerchantRefund, MerchantRefundId } from '../../../payment/merchant-refund.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadMerchantRefund } from '../../../payment/store/merchant-refund-store.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { findTransfer, transfersIn } from '../../../payment/store/transfer-store.ts'
import { stillUnconfirmed, TransactionRefused, unknownTransaction } from '../../refusal.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { creditOf, type SolanaTransaction } from '../rpc/solana-transaction.ts'
import { isOwnPayout } from '../split/own-payouts.ts'
import { namesAnother } from '../split/reference-store.ts'
import { clockSkewMs } from '../split/verify-transfer.ts'

type Deps = {
  db: Db
  ledger: Ledger
  health: NetworkHealth
  network: { shortName: string }
  adapter: Pick<SolanaAdapter, 'transaction' | 'isGone' | 'isAttested'>
  runtime: Runtime
  log: Log
  /** The service's fee payer; null if the service sends no transactions. */
  feePayer: string | null
}

/**
 * Verifies a transaction that a merchant names for a merchant refund, or that the refund watcher found. Any wallet may have paid,
 * such as an exchange: what counts is the gain of the customer's token account. The ledger gets the transfer as an event:
 * detected when confirmed, paid when finalized, reverted when a later slot is finalized and the transaction is gone. Repeating it
 * changes nothing.
 */
export function createSolanaRefundVerification(deps: Deps) {
  const { db, ledger, health, network, adapter, runtime, log } = deps
  const name = network.shortName

  /** Reverts a detected transfer that the finalized fork lacks. */
  const revert = (id: MerchantRefundId, transfer: StoredTransfer) =>
    ledger.apply(id as string as PaymentId, { type: 'transfer.reverted', transfer, atMs: runtime.nowMs() })

  /** Whether the transfer already counts for something else, or the transaction names something else. */
  async function isUsed(tx: Tx, refund: MerchantRefund, transfer: Transfer, keys: readonly string[]): Promise<boolean> {
    const stored = await findTransfer(tx, transfer)
    const isOthers =
      stored !== undefined && stored.state !== 'reverted' && (stored.paymentId as string) !== (refund.id as string)
    return isOthers || (await namesAnother(tx, name, refund.id, keys))
  }

  /** @throws {TransactionRefused} for the first reason that applies. */
  async function transferTo(
    refund: MerchantRefund,
    transaction: SolanaTransaction,
    createdAtMs: number,
  ): Promise<Transfer> {
    const { place, tokenAddress: mint } = refund
    if (!place) throw new PaymentError('REFUND_NEEDS_ADDRESS', 'Nobody has named the address of this refund.')
    const { signature, timeMs } = transaction
    if (!transaction.isSuccess)
      throw new TransactionRefused('TRANSACTION_REVERTED', `the transaction ${signature} failed: it moved nothing`)
    const target = { account: tokenAccountOf(mint, place.address), owner: place.address, mint }
    const credit = creditOf(transaction, target)
    if (!credit && !transaction.changes.some((change) => change.mint === mint))
      throw new TransactionRefused('OTHER_TOKEN', `the transaction moves no token of the mint ${mint}`)
    if (!credit) throw new TransactionRefused('OTHER_TERMS', `the transaction pays nothing to ${place.address}`)
    if (await isOwnPayout(deps, transaction, name))
      throw new TransactionRefused('ALREADY_USED', 'the transaction is a payout of this service, not a refund of yours')
    if (timeMs === null) throw stillUnconfirmed('the block has no timestamp yet')
    if (timeMs < createdAtMs - clockSkewMs)
      throw new TransactionRefused('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
    return { ...credit, network: name, blockTimeMs: timeMs }
  }

  /**
   * @returns the refund with the transfer.
   * @throws {TransactionRefused} with the reason why the transaction does not pay the refund, or the node's error.
   */
  return async function verifyRefund(
    { id, txId }: { id: MerchantRefundId; txId: string },
    signal: AbortSignal,
  ): Promise<MerchantRefund> {
    const { refund, payment, known } = await db.read(async (tx) => {
      const found = await loadMerchantRefund(tx, id)
      return {
        refund: found,
        payment: found && (await loadPayment(tx, found.paymentId)),
        known: await transfersIn(tx, name, txId),
      }
    })
    if (!refund || !payment) throw new Error(`There is no refund ${id}.`)
    const own = known.find(({ paymentId }) => (paymentId as string) === id)
    if (own?.state === 'confirmed') return refund
    if (!health.get(name).isPayable) throw stillUnconfirmed(`no node of ${name} responds; try again`)
    const final = await adapter.transaction(txId, 'finalized', signal)
    const transaction = final ?? (await adapter.transaction(txId, 'confirmed', signal))
    if (!transaction) {
      if (own && (await adapter.isGone(txId, own.blockNumber, signal))) await revert(id, own)
      throw unknownTransaction(`no block of ${name} contains ${txId} yet`)
    }
    const transfer = await transferTo(refund, transaction, payment.createdAtMs).catch(async (error: unknown) => {
      // On the finalized fork, it failed or transferred nothing. It is not read again, so one node's word is not enough.
      const isRefused = error instanceof TransactionRefused && !error.isOpen
      if (own && final && isRefused && (await adapter.isAttested(final, signal))) await revert(id, own)
      throw error
    })
    const isAttested = final && (refund.confirmations === null || (await adapter.isAttested(final, signal)))
    if (final && !isAttested)
      log.warn({ network: name, refundId: id, txId }, 'Too few RPC nodes confirm the transaction; waiting')
    const type = isAttested ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // Within the commit: the transaction may have been verified for something else in the meantime.
      if (await isUsed(tx, refund, transfer, transaction.keys)) return undefined
      await ledger.applyIn(tx, id as string as PaymentId, { type, transfer, atMs: runtime.nowMs() })
      // The ledger refuses the money of a wallet payment.
      const stored = await findTransfer(tx, transfer)
      return (stored?.paymentId as string | undefined) === id ? await loadMerchantRefund(tx, id) : undefined
    })
    if (!after) throw new TransactionRefused('ALREADY_USED', 'the transaction pays a payment, or another refund')
    return after
  }
}
