import type { BaseUnits } from '../../../core/money.ts'
import type { Tx } from '../../../db/db.ts'
import { endOutgoing, membersOf } from '../../../payout/outgoing-store.ts'
import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { deleteRefund, endOutgoingRefund, loadUncounted, requeueRefund } from '../../../payout/refund-queue-store.ts'
import { deleteSweep, requeueSweep } from '../../../payout/sweep-queue-store.ts'
import { faultText } from '../../fault-text.ts'
import type { TransactionStatus } from '../rpc/solana-adapter.ts'
import { broadcastSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import {
  accountMoved,
  accountsOf,
  openSolanaTransactions,
  type SolanaOutgoing,
  setAccount,
} from './solana-outgoing-store.ts'

/** Transactions under way at once. */
export const openMax = 64

/** Leaders change every 1.6 seconds, and each forgets what it could not take. */
const rebroadcastAfterMs = 2_000

/** An account that was not made, or not closed, is tried again after this. */
const accountRetryMs = 60_000

/** The rent of an unpaid deposit comes back so long after its window; who pays later makes the account again. */
export const closeAfterMs = 60 * 60 * 1_000

/** `landed`: final, and done. `failed`: final, and undone. `expired`: in no final block that could have held it. */
type End = 'landed' | 'failed' | 'expired'

/**
 * Looks after every transaction that is not final: ends it, or gives it to a node again.
 * @returns what was done, how many are under way, and the first fault, which did not keep the others waiting.
 */
export async function advanceSolana(context: SolanaContext, signal: AbortSignal) {
  const { db, sender, network, runtime, log } = context
  const open = await db.read((tx) => openSolanaTransactions(tx, network.shortName, openMax))
  if (open.length === 0) return { done: 0, open: 0, fault: undefined }
  const { height, statuses } = await sender.fates(open.map(({ txId }) => txId))
  let done = 0
  let fault: unknown
  for (const [index, outgoing] of open.entries()) {
    if (signal.aborted) break
    const end = endOf(outgoing, statuses[index], height)
    const isUnseen = statuses[index] === undefined
    const isQuiet = outgoing.sentAtMs === null || runtime.nowMs() - outgoing.sentAtMs >= rebroadcastAfterMs
    try {
      if (end !== undefined) done += await finish(context, outgoing, end)
      else if (isUnseen && isQuiet) await broadcastSolana(context, outgoing)
    } catch (error) {
      log.warn(
        { network: network.shortName, txId: outgoing.txId, fault: faultText(error) },
        'A transaction could not be looked after',
      )
      fault ??= error
    }
  }
  return { done, open: open.length, fault }
}

/** Undefined while it may still become one or the other. */
function endOf({ lastValidHeight }: SolanaOutgoing, status: TransactionStatus, height: number): End | undefined {
  if (status !== undefined) return status.isFinal ? (status.isFailed ? 'failed' : 'landed') : undefined
  return height > lastValidHeight ? 'expired' : undefined
}

/** All of it in one commit. @returns 1, or 0 when another process was first. */
async function finish(context: SolanaContext, outgoing: SolanaOutgoing, end: End): Promise<number> {
  const { db, network, log } = context
  const { id, txId, purpose } = outgoing
  const isEnded = await db.write(async (tx) => {
    if (!(await endOutgoing(tx, id, end === 'landed' ? txId : undefined))) return false
    switch (purpose) {
      case 'sweep':
        await endSweep(context, tx, outgoing, end)
        break
      case 'refund':
        await endRefund(context, tx, outgoing, end)
        break
      case 'open':
      case 'close':
        await endAccounts(context, tx, outgoing, end)
        break
      default:
        purpose satisfies never
    }
    return true
  })
  if (!isEnded) return 0
  const fields = { network: network.shortName, txId, purpose }
  if (end === 'landed') log.info(fields, 'A transaction is final')
  if (end === 'failed') log.warn(fields, 'A transaction failed on the chain; what it was for is tried again')
  if (end === 'expired') log.info(fields, 'A transaction has expired and can never land; another is made')
  return 1
}

async function endSweep({ ledger, runtime }: SolanaContext, tx: Tx, { id, txId }: SolanaOutgoing, end: End) {
  const atMs = runtime.nowMs()
  for (const { paymentId, failures } of await membersOf(tx, id)) {
    if (end === 'landed') {
      await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId, atMs })
      await deleteSweep(tx, paymentId)
      await accountMoved(tx, paymentId, atMs)
    } else if (end === 'expired') {
      await requeueSweep(tx, paymentId, id, { failures, dueAtMs: atMs })
    } else {
      const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
      if (!(await requeueSweep(tx, paymentId, id, { failures: failures + 1, dueAtMs }))) continue
      await ledger.applyIn(tx, paymentId, { type: 'sweep.failed', isGivenUp, atMs })
    }
  }
}

async function endRefund({ ledger, runtime, log }: SolanaContext, tx: Tx, { id, txId }: SolanaOutgoing, end: End) {
  const refund = await loadUncounted(tx, id)
  if (refund === undefined) return
  const { paymentId, failures, amount, address } = refund
  const atMs = runtime.nowMs()
  await endOutgoingRefund(tx, id, end === 'landed' ? 'confirmed' : 'failed')
  if (end === 'landed') {
    await deleteRefund(tx, paymentId)
    // All of it or nothing: the transaction that we signed is what happened.
    await ledger.applyIn(tx, paymentId, { type: 'refund.confirmed', amount: amount as BaseUnits, txId, atMs })
    await accountMoved(tx, paymentId, atMs)
    log.info({ paymentId, address, txId, amount: String(amount) }, 'Money was sent back')
  } else if (end === 'expired') {
    await requeueRefund(tx, paymentId, id, { failures, dueAtMs: atMs })
  } else {
    const { dueAtMs, isGivenUp } = planAfterFailure(failures + 1, atMs)
    if (!(await requeueRefund(tx, paymentId, id, { failures: failures + 1, dueAtMs }))) return
    await ledger.applyIn(tx, paymentId, { type: 'refund.failed', isGivenUp, atMs })
  }
}

async function endAccounts({ runtime }: SolanaContext, tx: Tx, { id, purpose }: SolanaOutgoing, end: End) {
  const nowMs = runtime.nowMs()
  for (const account of await accountsOf(tx, id)) {
    if (end !== 'landed') {
      const dueAtMs = end === 'expired' ? nowMs : nowMs + accountRetryMs
      await setAccount(tx, account.id, { state: purpose === 'open' ? 'wanted' : 'open', dueAtMs })
    } else if (purpose === 'open') {
      await setAccount(tx, account.id, { state: 'open', dueAtMs: account.windowEndsAtMs + closeAfterMs })
    } else {
      await setAccount(tx, account.id, { state: 'closed', dueAtMs: nowMs })
    }
  }
}
