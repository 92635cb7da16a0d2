import type { Sponsor } from '../../chain/authorization.ts'
import { createFairShares } from '../../core/fair-shares.ts'
import { pause } from '../../core/worker.ts'
import type { DepositPayment, PaymentId } from '../../payment/payment.ts'

const pauseMs = 500

/** Payments whose token account is awaited concurrently: each causes two node calls per second. */
const waitsMax = { perClient: 5, perMerchant: 20, all: 50 }

/** Returns false at once if no further wait can start, and when the account does not exist in time. */
export type WaitForTokenAccount = (sponsor: Sponsor, payment: DepositPayment, client: string | null) => Promise<boolean>

/**
 * Waits until a transfer to a deposit can arrive: the service creates the deposit's token account within a second or
 * two of the create. All requests for one payment share its wait, and no few merchants or clients take all waits.
 * @param withinMs - Duration of one wait.
 */
export function createTokenAccountWaits(stopping: AbortSignal, withinMs: number): WaitForTokenAccount {
  const open = new Map<PaymentId, Promise<boolean>>()
  const shares = createFairShares(waitsMax)

  async function wait(sponsor: Sponsor, payment: DepositPayment): Promise<boolean> {
    const lastMs = performance.now() + withinMs
    while (!(await sponsor.isReady(payment).catch(() => false))) {
      if (performance.now() > lastMs || stopping.aborted) return false
      await pause(pauseMs, stopping)
    }
    return true
  }

  return async (sponsor, payment, client) => {
    const { id, merchantId } = payment
    const shared = open.get(id)
    if (shared) return await shared
    if (!shares.take({ client, merchantId })) return false
    const isReady = wait(sponsor, payment).finally(() => {
      open.delete(id)
      shares.release({ client, merchantId })
    })
    open.set(id, isReady)
    return await isReady
  }
}
