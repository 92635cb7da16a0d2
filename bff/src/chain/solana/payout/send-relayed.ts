import type { AuthorizationCode } from '../../../core/error-codes.ts'
import { AuthorizationRefused, signableAmount } from '../../../payment/authorization.ts'
import type { Payment } from '../../../payment/payment.ts'
import {
  failQueuedAuthorization,
  markAuthorizationSent,
  type QueuedAuthorization,
} from '../../../payment/store/authorization-store.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { sendQueued } from '../../queued-authorizations.ts'
import { recheckTransaction, withoutFeePayer } from '../relay/check-transaction.ts'
import { broadcastSolana } from './send-transaction.ts'
import type { SolanaContext } from './solana-context.ts'
import { insertSolanaTransaction } from './solana-outgoing-store.ts'

/** Maximum transactions per pass, so that sweeps do not wait long. */
const batchMax = 10

/**
 * Signs customers' queued transactions as their fee payer, and sends them.
 * @returns how many were sent or given up.
 * @throws the first fault, after the others were attempted; at once if no node responds.
 */
export async function sendRelayed(context: SolanaContext): Promise<number> {
  return await sendQueued(context, batchMax, (one) => sendOne(context, one))
}

async function sendOne(context: SolanaContext, one: QueuedAuthorization): Promise<number> {
  const { db, sender, signer, network, runtime, log } = context
  const giveUp = async (code: AuthorizationCode, reason: string): Promise<number> => {
    await db.write((tx) => failQueuedAuthorization(tx, one.id, { code, reason }))
    log.info(
      { network: network.shortName, paymentId: one.paymentId, code, reason },
      'A transaction was refused before it was sent',
    )
    return 1
  }
  if (runtime.nowMs() > one.sendBeforeMs) return giveUp('EXPIRES_TOO_SOON', 'The transaction has expired.')
  const payment = await db.read((tx) => loadPayment(tx, one.paymentId))
  if (!payment || !isStillOpen(payment, one)) {
    return giveUp('PAYMENT_NOT_OPEN', 'The payment was paid or ended in the meantime.')
  }
  try {
    recheckTransaction(payment, one.data, signer.feePayer.toBase58())
  } catch (error) {
    if (error instanceof AuthorizationRefused) return giveUp(error.code, error.message)
    throw error
  }
  // Simulate without the fee payer's signature: a node that has it could send the transaction before it is stored.
  const fault = await sender.simulate(withoutFeePayer(one.data))
  if (fault !== undefined) return giveUp('TRANSFER_REFUSED', fault)
  // The customer's blockhash is older than this one, so the transaction expires no later.
  const { lastValidBlockHeight } = await sender.recentBlockhash()
  const { raw, txId } = signer.coSign(one.data)
  const id = runtime.newUuid()
  try {
    await db.write(async (tx) => {
      if (!isStillOpen(await loadPayment(tx, one.paymentId), one)) throw new ConflictError()
      if (!(await markAuthorizationSent(tx, one.id, id))) throw new ConflictError()
      await insertSolanaTransaction(tx, {
        id,
        txId,
        raw,
        purpose: null,
        lastValidHeight: lastValidBlockHeight,
        atMs: runtime.nowMs(),
        network: network.shortName,
        sender: signer.feePayer.toBase58(),
      })
    })
  } catch (error) {
    if (error instanceof ConflictError) return 0
    throw error
  }
  log.info({ network: network.shortName, paymentId: one.paymentId, txId }, 'Sending a payment by signature')
  await broadcastSolana(context, { txId, raw })
  return 1
}

const isStillOpen = (payment: Payment | undefined, { value }: QueuedAuthorization): boolean =>
  payment !== undefined && signableAmount(payment) === value
