import type { Hex } from 'viem'
import type { AuthorizationCode } from '../../../core/error-codes.ts'
import { AuthorizationRefused, signableAmount } from '../../../payment/authorization.ts'
import {
  failQueuedAuthorization,
  markAuthorizationSent,
  type QueuedAuthorization,
  raiseAuthorizationCost,
} from '../../../payment/store/authorization-store.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { sendQueued } from '../../queued-authorizations.ts'
import { type CallCosts, costMicros, wholeCostMax } from '../authorization/evm-authorizer.ts'
import { recheckCall } from '../authorization/recheck-call.ts'
import { warnEmpty } from './gas-balance.ts'
import type { PayoutContext } from './payout-context.ts'
import { broadcast, signAndStore } from './sign-and-store.ts'

/** Authorizations per pass: each is a separate transaction, and sweeps wait for it. */
const batchMax = 5

/** Allows fees to double after the payment was accepted; beyond that, nothing is sent. */
const costGrowthMax = 2

type Context = PayoutContext & { callCosts: CallCosts }

/**
 * Sends customers' queued authorizations. Simulates each again, because sending it spends gas.
 * @returns how many were sent or abandoned.
 * @throws the first fault, after the others were attempted; at once if no node responds.
 */
export async function sendAuthorizations(context: Context): Promise<number> {
  if (context.runtime.nowMs() < context.memory.emptyUntilMs) return 0
  return await sendQueued(context, batchMax, (one) => sendOne(context, one))
}

async function sendOne(context: Context, one: QueuedAuthorization): Promise<number> {
  const { db, sender, network, runtime, log, account } = context
  const giveUp = async (code: AuthorizationCode, reason: string): Promise<number> => {
    await db.write((tx) => failQueuedAuthorization(tx, one.id, { code, reason }))
    log.info(
      { network: network.shortName, paymentId: one.paymentId, code, reason },
      'An authorization was refused before it was sent',
    )
    return 1
  }
  if (runtime.nowMs() > one.sendBeforeMs) return giveUp('EXPIRES_TOO_SOON', 'The authorization expires too soon.')
  const payment = await db.read((tx) => loadPayment(tx, one.paymentId))
  if (payment === undefined || signableAmount(payment) !== one.value) {
    return giveUp('PAYMENT_NOT_OPEN', 'The payment was paid or ended in the meantime.')
  }
  try {
    recheckCall(network, payment, one)
  } catch (error) {
    if (error instanceof AuthorizationRefused) return giveUp(error.code, error.message)
    throw error
  }
  const measured = await context.callCosts.measure(one)
  if ('code' in measured) return giveUp(measured.code, measured.reason)
  const { gas } = measured
  const fees = await sender.fees(await sender.head())
  const neededWei = wholeCostMax({ ...measured, ...fees })
  const neededMicros = costMicros(neededWei, network)
  if (neededMicros > costGrowthMax * one.costMicros) {
    return giveUp('GAS_TOO_EXPENSIVE', 'The network fee has risen too much since the payment was signed.')
  }
  const balanceWei = await sender.balance(account)
  if (neededWei > balanceWei) {
    warnEmpty(context, { neededWei, balanceWei })
    return 0
  }
  const call = { to: one.target as Hex, data: one.data as Hex, gas, ...fees }
  const stored = await signAndStore(context, call, async (tx, transactionId) => {
    const now = await loadPayment(tx, one.paymentId)
    if (now === undefined || signableAmount(now) !== one.value) throw new ConflictError()
    if (!(await markAuthorizationSent(tx, one.id, transactionId))) throw new ConflictError()
    await raiseAuthorizationCost(tx, transactionId, neededMicros)
  })
  if (stored === undefined) return 0
  const { txId, nonce } = stored
  log.info({ network: network.shortName, paymentId: one.paymentId, txId, nonce }, 'Sending a payment by signature')
  await broadcast(context, stored)
  return 1
}
