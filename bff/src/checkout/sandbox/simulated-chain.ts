import { ValidationError } from '../../core/errors.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import { simulatedChain } from '../../core/simulated-chain-ids.ts'
import type { Tx } from '../../db/db.ts'
import type { PaymentEvent, Transfer } from '../../payment/event.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { type MerchantRefundEvent, type MerchantRefundId, remainingOf } from '../../payment/merchant-refund.ts'
import type { Payment } from '../../payment/payment.ts'
import { refundsOfPayment, transfersOfRefund } from '../../payment/store/merchant-refund-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { transfersAbove } from '../../payment/store/transfer-store.ts'
import { transfersToConfirm } from '../../payment/store/watched-payments-store.ts'
import { loadAheadMs, saveAheadMs } from './test-clock-store.ts'

const hashBytes = 32
/** An address whose private key is unknown. */
const payer = '0x000000000000000000000000000000000000dEaD'
/** The test clock goes at most one year ahead, so that times stay valid dates. */
const aheadMaxMs = 366 * 24 * 60 * 60 * 1000
/** The time between the window's end and the next block. */
const blockMs = 1_000
/** More than the unconfirmed transfers that the actions on one payment can leave. */
const transfersMax = 100

export type SimulatedChain = Awaited<ReturnType<typeof openSimulatedChain>>

/**
 * The simulated chain and clock of one test payment, inside a unit of work. The ledger receives the same events as from
 * a watcher and a sweeper.
 */
export async function openSimulatedChain(
  tx: Tx,
  opened: Payment,
  { ledger, runtime }: { ledger: Ledger; runtime: Runtime },
) {
  const network = simulatedChain(opened.id)
  const atMs = runtime.nowMs()
  let aheadMs = await loadAheadMs(tx, opened.id)
  let payment = opened

  const randomHash = () => `0x${Buffer.from(runtime.randomBytes(hashBytes)).toString('hex')}`

  async function apply(event: PaymentEvent): Promise<void> {
    payment = (await ledger.applyIn(tx, payment.id, event)) ?? payment
  }

  /** Reloads the payment afterwards, because the refund changes its sums. */
  async function applyToRefund(id: MerchantRefundId, event: MerchantRefundEvent): Promise<void> {
    await ledger.merchantRefunds.applyIn(tx, id, event)
    payment = (await loadPayment(tx, payment.id)) ?? payment
  }

  /** Advances the clock, and ends the window when the clock passes its end. */
  async function advance(ms: number): Promise<void> {
    aheadMs += ms
    if (aheadMs > aheadMaxMs) throw new ValidationError('advance: the test clock goes at most 366 days ahead')
    if (ms > 0) await saveAheadMs(tx, payment.id, aheadMs)
    await apply({ type: 'window.ended', blockTimeMs: atMs + aheadMs, atMs })
  }

  /** A new transfer in its own block. */
  const transferOn = (name: string, amount: BaseUnits): Transfer => ({
    network: name,
    txId: randomHash(),
    logIndex: 0,
    payer,
    amount,
    blockNumber: (payment.lastBlock ?? 0) + 1,
    blockHash: randomHash(),
    blockTimeMs: atMs + aheadMs,
  })

  /** Adds an unconfirmed transfer. */
  async function see(amount: BaseUnits): Promise<Transfer> {
    const transfer = transferOn(network, amount)
    await apply({ type: 'transfer.seen', transfer, atMs })
    return transfer
  }

  return {
    /** The payment after the actions so far. */
    get payment(): Payment {
      return payment
    },
    /** Unix milliseconds on the test clock. */
    clockMs: () => atMs + aheadMs,
    advance,
    see,
    /** Adds a fully confirmed transfer. */
    async pay(amount: BaseUnits): Promise<void> {
      const transfer = await see(amount)
      await apply({ type: 'transfer.confirmed', transfer, atMs })
    },
    async confirmSeen(): Promise<void> {
      for (const transfer of await transfersToConfirm(tx, network, Number.MAX_SAFE_INTEGER, 1, transfersMax)) {
        await apply({ type: 'transfer.confirmed', transfer, atMs })
      }
    },
    /** Drops unconfirmed transfers, as a reorg would. */
    async dropSeen(): Promise<void> {
      for (const transfer of await transfersToConfirm(tx, network, Number.MAX_SAFE_INTEGER, 1, transfersMax)) {
        await apply({ type: 'transfer.reverted', transfer, atMs })
      }
    },
    /** Replaces the block of the newest transfer, as a reorg would. @returns false when there is no transfer. */
    async revertNewest(): Promise<boolean> {
      const [newest] = await transfersAbove(tx, network, 0, 1)
      if (!newest) return false
      await apply({ type: 'transfer.reverted', transfer: newest, atMs })
      return true
    },
    /** Advances the clock past the window's end. */
    endWindow: () => advance(Math.max(0, payment.windowEndsAtMs + blockMs - (atMs + aheadMs))),
    confirmSweep: () => apply({ type: 'sweep.confirmed', txId: randomHash(), atMs }),
    failSweep: () => apply({ type: 'sweep.failed', isGivenUp: true, atMs }),
    /** Refunds to the requested address, else to the payer. */
    async refund(amount: BaseUnits): Promise<void> {
      if (payment.mode !== 'deposit') return
      if (payment.refundAddress === null) await apply({ type: 'refund.requested', address: payer, atMs })
      await apply({ type: 'refund.confirmed', amount, txId: randomHash(), atMs })
    },
    /** Pays every refund that is due, as the merchant's wallet would. @returns false when there is none. */
    async payRefunds(): Promise<boolean> {
      const refunds = await refundsOfPayment(tx, payment.id)
      for (const refund of refunds.filter(({ status }) => status === 'to_pay')) {
        const transfer = transferOn(simulatedChain(refund.id), remainingOf(refund))
        await applyToRefund(refund.id, { type: 'transfer.seen', transfer, atMs })
        await applyToRefund(refund.id, { type: 'transfer.confirmed', transfer, atMs })
      }
      return refunds.some(({ status }) => status === 'to_pay' || status === 'paid')
    },
    /** Replaces the block of the transfer that paid the newest refund, as a reorg would. @returns false when none is paid. */
    async revertRefund(): Promise<boolean> {
      const refund = (await refundsOfPayment(tx, payment.id)).findLast(({ status }) => status === 'paid')
      const transfer = refund && (await transfersOfRefund(tx, refund.id)).findLast(({ state }) => state === 'confirmed')
      if (!refund || !transfer) return false
      await applyToRefund(refund.id, { type: 'transfer.reverted', transfer, atMs })
      return true
    },
    close: () => apply({ type: 'payment.closed', as: 'failed', atMs }),
  }
}
