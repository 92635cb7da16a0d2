import { faultText } from '../../../core/fault-text.ts'
import type { Tx } from '../../../db/db.ts'
import { finalizeAuthorization } from '../../../payment/store/authorization-store.ts'
import { finalizeOutgoing } from '../../../payout/outgoing-store.ts'
import type { Monitored } from '../../../payout/payout-chain.ts'
import { finalizePayouts, type PayoutResult } from '../../../payout/payout-finalize.ts'
import { type OutgoingPayout, outgoingPayouts } from '../../../payout/payout-queue-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { TransactionStatus } from '../rpc/solana-adapter.ts'
import { historyRetryMs, readHistory } from './earlier-payouts.ts'
import { finalizeShare } from './parked-shares.ts'
import { broadcastSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import {
  accountMoved,
  accountsOf,
  openSolanaTransactions,
  type SolanaOutgoing,
  setAccount,
} from './solana-outgoing-store.ts'
import type { SolanaHead } from './solana-sender.ts'

/** Maximum pending transactions. */
export const openMax = 64

/**
 * Maximum transactions whose end too few nodes confirm and that hold up no others. A stranger can add one by having a payment by
 * signature fail. Together with the others they are at most the 256 of one `getSignatureStatuses`.
 */
const unprovenMax = 128

/** Leaders change every 1.6 seconds, and each drops the transactions that it could not include. */
const rebroadcastAfterMs = 2_000

/** Retry delay for creating or closing an account. */
const accountRetryMs = 60_000

/** Delay after the window before an unpaid deposit's account is closed; a later payer creates it again. */
export const closeAfterMs = 60 * 60 * 1_000

/** `landed`: final and successful. `failed`: final and reverted. `expired`: in no final block that could contain it. */
type End = 'landed' | 'failed' | 'expired'

/** Finalizes or rebroadcasts every transaction that is not final. */
export async function monitorSolana(context: SolanaContext, signal: AbortSignal): Promise<Monitored<SolanaHead>> {
  const { db, sender, network, runtime, log, memory } = context
  const open = await db.read((tx) => openSolanaTransactions(tx, network.shortName, openMax + unprovenMax))
  if (open.length === 0) return { done: 0, open: 0, fault: undefined }
  const { height, statuses } = await sender.statuses(open.map(({ txId }) => txId))
  let done = 0
  let fault: unknown
  for (const [index, outgoing] of open.entries()) {
    if (signal.aborted) break
    const ending = endOf(outgoing, statuses[index], height)
    const isUnseen = statuses[index] === undefined
    const isQuiet = outgoing.sentAtMs === null || runtime.nowMs() - outgoing.sentAtMs >= rebroadcastAfterMs
    try {
      const end = ending && (await provenEnd(context, outgoing, ending))
      if (end !== undefined) done += await finish(context, outgoing, end)
      else if (ending === undefined && isUnseen && isQuiet) await broadcastSolana(context, outgoing)
    } catch (error) {
      log.warn(
        { network: network.shortName, txId: outgoing.txId, fault: faultText(error) },
        'Monitoring a transaction failed; retrying',
      )
      fault ??= error
    }
  }
  for (const txId of memory.historyAtMs.keys())
    if (!open.some((one) => one.txId === txId)) memory.historyAtMs.delete(txId)
  return { done, open: open.length - Math.min(memory.historyAtMs.size, unprovenMax), fault }
}

/** Undefined while the transaction can still land or fail. */
function endOf({ lastValidHeight }: SolanaOutgoing, status: TransactionStatus, height: number): End | undefined {
  if (status !== undefined) return status.isFinal ? (status.isFailed ? 'failed' : 'landed') : undefined
  return height > lastValidHeight ? 'expired' : undefined
}

/**
 * A transaction's end, after a node reported `ending`; undefined until nodes prove it. Unproven ends are read again after a
 * pause.
 */
async function provenEnd(context: SolanaContext, outgoing: SolanaOutgoing, ending: End): Promise<End | undefined> {
  const { runtime, memory } = context
  const { txId } = outgoing
  if (runtime.nowMs() < (memory.historyAtMs.get(txId) ?? 0)) return undefined
  const end = await readEnd(context, outgoing, ending)
  if (end === undefined) memory.historyAtMs.set(txId, runtime.nowMs() + historyRetryMs)
  else memory.historyAtMs.delete(txId)
  return end
}

/**
 * Requires proof of a reported end. One node's word is enough for `landed`, unless the transaction carries a high-value payment.
 * `failed` and `expired` need two nodes (if configured), because the money is then sent again.
 */
async function readEnd(context: SolanaContext, outgoing: SolanaOutgoing, ending: End): Promise<End | undefined> {
  const { db, sender, network, log } = context
  const { id, txId, purpose, lastValidHeight } = outgoing
  // Creating or closing an account twice has no effect.
  if (purpose === 'open' || purpose === 'close') return ending
  const payouts = purpose === null ? [] : await db.read((tx) => outgoingPayouts(tx, id))
  if (ending === 'landed') {
    const isBelieved = payouts.every(({ isHighValue }) => !isHighValue)
    if (isBelieved || (await sender.isFinalized({ txId, isFailed: false }))) return 'landed'
    log.warn({ network: network.shortName, txId }, 'Too few RPC nodes confirm the transaction; waiting')
    return undefined
  }
  if (purpose === null) {
    const isProven =
      ending === 'failed'
        ? await sender.isFinalized({ txId, isFailed: true })
        : await sender.isExpired({ txId, lastValidHeight })
    return isProven ? ending : undefined
  }
  const [payout] = payouts
  if (payout === undefined) return ending
  const account = tokenAccountOf(payout.token, payout.depositAddress)
  const history = await readHistory(context, { paymentId: payout.paymentId, account, transactions: [outgoing] })
  if (history === undefined) return undefined
  if (history.landed.includes(txId)) return 'landed'
  return history.failed.includes(txId) ? 'failed' : 'expired'
}

/**
 * Applies a transaction's end in one commit.
 * @returns 1, or 0 when another process was first.
 */
async function finish(context: SolanaContext, outgoing: SolanaOutgoing, end: End): Promise<number> {
  const { db, network, log } = context
  const { id, txId, purpose } = outgoing
  const isFinalized = await db.write(async (tx) => {
    if (!(await finalizeOutgoing(tx, id, end === 'landed' ? txId : undefined))) return false
    switch (purpose) {
      case 'sweep':
      case 'refund':
        await finalizeMoney(context, tx, outgoing, end)
        break
      case 'open':
      case 'close':
        await finalizeAccounts(context, tx, outgoing, end)
        break
      case null:
        await finalizeRelayed(tx, outgoing, end)
        await finalizeShare(context, tx, id, end === 'landed')
        break
      default:
        purpose satisfies never
    }
    return true
  })
  if (!isFinalized) return 0
  const fields = { network: network.shortName, txId, purpose }
  if (end === 'landed') log.info(fields, 'A transaction is final')
  if (end === 'failed') log.warn(fields, 'A transaction failed on chain; retrying its payouts')
  if (end === 'expired') log.info(fields, 'A transaction expired; replacing it')
  return 1
}

/** Ends a relayed payment: an expired transaction can never land, so the customer must sign another. */
async function finalizeRelayed(tx: Tx, { id }: SolanaOutgoing, end: End) {
  await finalizeAuthorization(tx, id, end === 'landed')
}

async function finalizeMoney(context: SolanaContext, tx: Tx, { id, txId }: SolanaOutgoing, end: End) {
  for (const { payout, result } of await finalizePayouts(context, tx, id, (one) => resultOf(one, txId, end))) {
    if (result.result === 'paid') await accountMoved(tx, payout.paymentId, context.runtime.nowMs())
  }
}

/** Transactions are atomic, so every payout shares the result. An expired transaction has not failed. */
function resultOf({ sending }: OutgoingPayout, txId: string, end: End): PayoutResult {
  if (end === 'expired') return { result: 'unpaid' }
  return end === 'failed' ? { result: 'failed', txId } : { result: 'paid', txId, amount: sending?.amount, block: 0 }
}

async function finalizeAccounts({ runtime }: SolanaContext, tx: Tx, { id, purpose }: SolanaOutgoing, end: End) {
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
