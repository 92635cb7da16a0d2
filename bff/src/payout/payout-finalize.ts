import { baseUnits } from '../core/money.ts'
import type { Tx } from '../db/db.ts'
import { hashesOf, restoreLanded } from './outgoing-store.ts'
import type { PayoutDeps } from './payout-chain.ts'
import {
  deletePayout,
  endOutgoingPayout,
  insertOutgoingPayout,
  type OutgoingPayout,
  outgoingPayouts,
  type Payout,
  requeuePayout,
} from './payout-queue-store.ts'
import { planAfterFailure } from './payout-retry.ts'

/**
 * The result of a transaction for one payout. `paid`: `amount` in base units, as the chain shows it; for a sweep the sum for merchant and
 * platform, undefined if an older version sent it without storing the amount. `failed`: reverted, or not included. `unpaid`: the
 * transaction can never be mined, or an external transaction made the payout: not a failure.
 */
export type PayoutResult =
  | { result: 'paid'; txId: string; amount: bigint | undefined; block: number }
  | { result: 'failed'; txId: string }
  | { result: 'unpaid' }

type FinalizeDeps = Omit<PayoutDeps, 'db'>

/**
 * Counts every payout of a final transaction once, and requeues the payouts that it did not make, including those that it had made in
 * blocks that a reorg replaced. Part of the commit that finalizes the transaction.
 * @param only - One of the payouts, if each has its own commit.
 * @returns the payouts with their results.
 */
export async function finalizePayouts(
  deps: FinalizeDeps,
  tx: Tx,
  transactionId: string,
  resultOf: (payout: OutgoingPayout) => PayoutResult,
  only?: Pick<OutgoingPayout, 'kind' | 'paymentId'>,
): Promise<{ payout: OutgoingPayout; result: PayoutResult }[]> {
  const finalized: { payout: OutgoingPayout; result: PayoutResult }[] = []
  for (const payout of await outgoingPayouts(tx, transactionId)) {
    if (only && (payout.paymentId !== only.paymentId || payout.kind !== only.kind)) continue
    const result = resultOf(payout)
    // A sweep is counted again: it may have paid another amount in its new block, and a sweep requeued since must be deleted.
    if (payout.isCounted && result.result === 'paid' && payout.kind !== 'sweep') {
      await noteReplacement(deps, tx, transactionId, payout, result.txId)
      continue
    }
    await endOutgoingPayout(tx, payout, transactionId, result.result === 'paid' ? 'confirmed' : 'failed')
    if (result.result === 'paid') await countPaid(deps, tx, payout, result)
    else if (payout.isCounted) await undoPaid(deps, tx, transactionId, payout)
    else await requeueUnpaid(deps, tx, transactionId, payout, result)
    finalized.push({ payout, result })
  }
  return finalized
}

async function countPaid(
  { ledger, network, runtime, log }: FinalizeDeps,
  tx: Tx,
  payout: OutgoingPayout,
  { txId, block, ...paid }: Extract<PayoutResult, { result: 'paid' }>,
): Promise<void> {
  const { kind, paymentId, token } = payout
  const atMs = runtime.nowMs()
  const amount = baseUnits(String(paid.amount ?? 0n))
  if (kind === 'sweep') {
    const swept = paid.amount === undefined ? {} : { amount }
    await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId, ...swept, atMs })
    await deletePayout(tx, payout)
    return
  }
  // Before the event, because the event queues the remaining sum as another payout.
  await deletePayout(tx, payout)
  const address = payout.sending?.address
  const fields = { network: network.shortName, paymentId, address, txId, amount: String(amount) }
  if (kind === 'refund') {
    await ledger.applyIn(tx, paymentId, { type: 'refund.confirmed', amount, txId, atMs })
    tx.afterCommit(() => log.info(fields, 'Money was sent back'))
  } else {
    const { network: place } = payout
    await ledger.applyIn(tx, paymentId, {
      type: 'unmatched.returned',
      network: place,
      token,
      amount,
      txId,
      block,
      atMs,
    })
    tx.afterCommit(() => log.info({ ...fields, token }, 'An unmatched transfer was sent back'))
  }
}

/** A reorg deeper than the confirmations undid a counted payout. Its amount is due again, and the event requeues it. */
async function undoPaid(
  { ledger, network, runtime, log }: FinalizeDeps,
  tx: Tx,
  transactionId: string,
  { kind, paymentId, network: place, token, sending }: OutgoingPayout,
): Promise<void> {
  const atMs = runtime.nowMs()
  const txIds = await hashesOf(tx, transactionId)
  const amount = baseUnits(String(sending?.amount ?? 0n))
  switch (kind) {
    case 'sweep':
      await ledger.applyIn(tx, paymentId, { type: 'sweep.undone', txIds, atMs })
      break
    case 'refund':
      await ledger.applyIn(tx, paymentId, { type: 'refund.undone', amount, txIds, atMs })
      break
    case 'return':
      await ledger.applyIn(tx, paymentId, {
        type: 'unmatched.return_undone',
        network: place,
        token,
        amount,
        txIds,
        atMs,
      })
      break
    default:
      kind satisfies never
  }
  const fields = { network: network.shortName, paymentId, kind, txIds }
  tx.afterCommit(() => log.warn(fields, 'A reorg undid a final payout; sending it again'))
}

/** Another form of the transaction was mined, such as one with higher fees. The payment shows that form. */
async function noteReplacement(
  { ledger, runtime }: FinalizeDeps,
  tx: Tx,
  transactionId: string,
  { kind, paymentId, network, token }: OutgoingPayout,
  txId: string,
): Promise<void> {
  const replaced = { txId, txIds: await hashesOf(tx, transactionId), atMs: runtime.nowMs() }
  if (kind === 'refund') await ledger.applyIn(tx, paymentId, { type: 'refund.replaced', ...replaced })
  if (kind === 'return') {
    await ledger.applyIn(tx, paymentId, { type: 'unmatched.return_replaced', network, token, ...replaced })
  }
}

async function requeueUnpaid(
  { ledger, network, runtime, log }: FinalizeDeps,
  tx: Tx,
  transactionId: string,
  payout: OutgoingPayout,
  result: Exclude<PayoutResult, { result: 'paid' }>,
): Promise<void> {
  const { kind, paymentId, token, failures, sending } = payout
  const atMs = runtime.nowMs()
  if (kind === 'refund' && sending !== null) {
    // Before the payout is queued again: money that arrived meanwhile may have made the payment paid.
    const amount = baseUnits(String(sending.amount))
    await ledger.applyIn(tx, paymentId, { type: 'refund.dropped', amount, atMs })
  }
  if (result.result === 'unpaid') {
    await requeuePayout(tx, payout, { transactionId, failures, dueAtMs: atMs })
    return
  }
  const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
  if (!(await requeuePayout(tx, payout, { transactionId, failures: failures + 1, dueAtMs }))) return
  const fields = { network: network.shortName, paymentId, address: sending?.address, txId: result.txId }
  switch (kind) {
    case 'sweep':
      await ledger.applyIn(tx, paymentId, { type: 'sweep.failed', isGivenUp, atMs })
      break
    case 'refund':
      await ledger.applyIn(tx, paymentId, { type: 'refund.failed', isGivenUp, atMs })
      tx.afterCommit(() => log.warn(fields, 'A refund failed on chain; retrying'))
      break
    case 'return': {
      const as = isGivenUp ? 'failed' : 'failing'
      await ledger.applyIn(tx, paymentId, { type: 'unmatched.return_failed', network: payout.network, token, as, atMs })
      const message = 'The return of an unmatched transfer failed on chain; retrying'
      tx.afterCommit(() => log.warn({ ...fields, token }, message))
      break
    }
    default:
      kind satisfies never
  }
}

/**
 * Counts a refund that is on chain but not in the books: after a database restore, sent by hand, or by an
 * abandoned transaction of ours. One that is not ours is stored under its transaction id.
 * @param found - In a final block. `amount` in base units.
 */
export async function countExternalRefund(
  { db, ledger, network, runtime, log }: PayoutDeps,
  payout: Payout,
  found: { txId: string; to: string; amount: bigint },
): Promise<void> {
  const { paymentId } = payout
  const { txId, to: address } = found
  const amount = baseUnits(String(found.amount))
  await db.write(async (tx) => {
    const own = await restoreLanded(tx, payout.network, txId)
    if (own === undefined) await insertOutgoingPayout(tx, payout, txId, { address, amount })
    await endOutgoingPayout(tx, payout, own ?? txId, 'confirmed')
    // Before the event, which queues the remaining sum as another payout.
    await deletePayout(tx, payout)
    await ledger.applyIn(tx, paymentId, { type: 'refund.confirmed', amount, txId, atMs: runtime.nowMs() })
  })
  const fields = { network: network.shortName, paymentId, address, txId, amount: String(amount) }
  log.warn(fields, 'Counted a refund that was on chain but not in the books')
}
