import type { Caller } from '../../access/context/caller.ts'
import { PaymentError } from '../../core/errors.ts'
import { add, type BaseUnits, excess } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { isSwept, outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import { isPaid, refundableOf, seenOfDue } from '../../payment/payment-sums.ts'
import { planRefund } from '../../payment/refund.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { isOfCaller } from '../access.ts'
import { paymentNotFound } from '../read/payment-reader.ts'
import { openSimulatedChain, type SimulatedChain } from './simulated-chain.ts'

export const actions = [
  'complete',
  'fail',
  'detect',
  'underpay',
  'overpay',
  'expire',
  'late',
  'reorg',
  'sweep_fail',
  'refund',
  'refund_paid',
  'refund_reorg',
] as const
type Action = (typeof actions)[number]

/** An overpayment is one tenth too much. */
const overpaidShare = 10n
/** An underpayment is half of the remaining amount. */
const underpaidShare = 2n

const notPossible = (why: string) => new PaymentError('SIMULATION_NOT_POSSIBLE', why)

/** The amount that the customer still has to send. */
const missing = (payment: Payment): BaseUnits => excess(payment.due, seenOfDue(payment))

/** @throws {PaymentError} when money would be late: a test that expects otherwise must not pass by mistake. */
function refuseEnded({ payment }: SimulatedChain): void {
  if (outcomeOf(payment) !== 'failed') return
  throw notPossible(`The payment is ${payment.status}: money that comes now is late. Use the action late.`)
}

async function payInFull(chain: SimulatedChain): Promise<void> {
  refuseEnded(chain)
  await chain.confirmSeen()
  if (!isPaid(chain.payment)) await chain.pay(missing(chain.payment))
}

async function overpay(chain: SimulatedChain): Promise<void> {
  refuseEnded(chain)
  await chain.confirmSeen()
  const tooMuch = (chain.payment.due / overpaidShare || 1n) as BaseUnits
  await chain.pay(add(missing(chain.payment), tooMuch))
  await chain.confirmSweep()
}

/** The effect of each action. A repeated action changes nothing. */
const perform: Record<Action, (chain: SimulatedChain) => Promise<void>> = {
  async complete(chain) {
    await payInFull(chain)
    await chain.confirmSweep()
  },
  async fail(chain) {
    await chain.close()
    if (outcomeOf(chain.payment) === 'failed') return
    throw notPossible('Money has been seen for the payment: it can no longer be failed by hand.')
  },
  async detect(chain) {
    refuseEnded(chain)
    if (!isPaid(chain.payment) && missing(chain.payment) > 0n) await chain.see(missing(chain.payment))
  },
  async underpay(chain) {
    refuseEnded(chain)
    const amount = (missing(chain.payment) / underpaidShare) as BaseUnits
    if (amount === 0n) throw notPossible('There is nothing left to underpay: the amount has been seen in full.')
    await chain.pay(amount)
  },
  overpay,
  async expire(chain) {
    await chain.endWindow()
  },
  async late(chain) {
    await chain.endWindow()
    const wasPaid = isPaid(chain.payment)
    await chain.pay(missing(chain.payment) || chain.payment.due)
    // A late payment becomes paid only if the merchant accepts late money.
    if (!wasPaid && isPaid(chain.payment)) await chain.confirmSweep()
  },
  async reorg(chain) {
    if (isSwept(chain.payment)) {
      throw notPossible('The money is in the wallet of the merchant, final on the chain: no reorg takes it back.')
    }
    if (await chain.revertNewest()) return
    refuseEnded(chain)
    await chain.see(missing(chain.payment))
    await chain.revertNewest()
  },
  async sweep_fail(chain) {
    if (chain.payment.mode !== 'deposit' || chain.payment.isDirect) {
      throw notPossible('The payment itself brings the money to the wallet of the merchant: no payout can fail.')
    }
    if (isSwept(chain.payment)) {
      throw notPossible('The money is in the wallet of the merchant already: its payout cannot fail any more.')
    }
    await payInFull(chain)
    await chain.failSweep()
  },
  /** Overpays the payment first if nothing is to be refunded. */
  async refund(chain) {
    if (chain.payment.mode !== 'deposit' || chain.payment.isDirect) {
      throw notPossible('The payment itself brings the money to the wallet of the merchant, who returns it.')
    }
    if (refundableOf(chain.payment) === 0n && chain.payment.refunded > 0n) return
    if (outcomeOf(chain.payment) !== 'failed') {
      if (refundableOf(chain.payment) === 0n) await overpay(chain)
      else await chain.confirmSweep()
    }
    const amount = planRefund(chain.payment)
    if (amount === 0n) {
      throw notPossible('Nothing can go back: nothing arrived, or the whole amount came late and is held.')
    }
    await chain.refund(amount)
  },
  /** Pays the refunds requested by `POST /payments/{id}/refunds`, as the merchant's wallet would. */
  async refund_paid(chain) {
    if (await chain.payRefunds()) return
    throw notPossible('No refund is to be paid: request one with POST /payments/{id}/refunds, and name its address.')
  },
  async refund_reorg(chain) {
    if (await chain.revertRefund()) return
    throw notPossible('No refund of the payment is paid. Use the action refund_paid first.')
  },
}

/** Runs one action on a test payment in one commit. @returns the updated payment. */
export function createSimulator({ db, ledger, runtime }: { db: Db; ledger: Ledger; runtime: Runtime }) {
  return async function simulate(
    caller: Caller,
    id: PaymentId,
    { action, advanceSeconds }: { action: Action; advanceSeconds: number },
  ): Promise<Payment> {
    return await db.write(async (tx) => {
      const payment = await loadPayment(tx, id)
      verifySandboxAccess(caller, id, payment)
      const chain = await openSimulatedChain(tx, payment, { ledger, runtime })
      await chain.advance(advanceSeconds * 1000)
      await perform[action](chain)
      return chain.payment
    })
  }
}

/**
 * A caller may simulate the test payments that it may read; API key and secret may simulate all of the merchant's.
 * @throws {PaymentError} 404 when the caller has no such payment, 400 for a live payment of the caller.
 */
function verifySandboxAccess(caller: Caller, id: PaymentId, payment: Payment | undefined): asserts payment is Payment {
  const isOfMerchant = caller.kind === 'api' && payment?.merchantId === caller.merchantId
  if (!payment || !(isOfMerchant || isOfCaller(caller, payment))) throw paymentNotFound(id)
  if (payment.isTest) return
  const message = `Payment ${id} is a live payment: only the chain moves it.`
  throw new PaymentError('NOT_A_SANDBOX_PAYMENT', message)
}
