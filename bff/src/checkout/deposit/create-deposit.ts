import { boundToAgent } from '../../access/callers/agent-key.ts'
import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { type NetworkHealth, verifyPayable } from '../../network/network-health.ts'
import type { Payment } from '../../payment/payment.ts'
import type { CreatedPayment, NewPayment, PaymentMaker, Within } from '../payment-maker.ts'
import type { PaymentViewer, PublicView } from '../read/payment-view.ts'
import type { AccountRefusal } from './account-refusal.ts'
import type { DraftDeposit, PlaceDeposit } from './deposit-draft.ts'

/** The API's fixed payment window of deposits: 15 minutes. */
const depositWindowMs = 900_000

type Deps = {
  accountRefusal: AccountRefusal
  draftDeposit: DraftDeposit
  placeDeposit: PlaceDeposit
  maker: PaymentMaker
  health: NetworkHealth
  viewer: PaymentViewer
  limits: RateLimits
}

export type CreatedDeposit = { success: true; requestId: string; payment: PublicView }

/** Creates a payment with its own deposit address. Nothing is sent to the chain. */
export function createDeposits({ accountRefusal, draftDeposit, placeDeposit, maker, health, viewer, limits }: Deps) {
  return async function createDeposit(
    caller: Caller,
    { requestId, origin }: RequestInfo,
    asked: NewPayment,
    key: IdempotencyKey | undefined,
    endpoint:
      | 'deposits/create'
      | 'sandbox/payments/create'
      | 'till/sales'
      | `links/${string}/create` = 'deposits/create',
    within?: Within,
  ): Promise<CreatedPayment<CreatedDeposit>> {
    const body = boundToAgent(caller, asked)
    await limits.agentCalled(caller, body.agentId)
    const refusal = await accountRefusal(caller, body.network)
    const verifyNew = ({ network }: Payment) => {
      verifyPayable(network, health)
      if (refusal !== undefined) throw refusal
    }
    return await maker.create(
      { caller, endpoint, key, body, verifyNew, complete: placeDeposit, within, mode: 'deposit' },
      (priced) => draftDeposit(caller, priced, depositWindowMs),
      (payment) => ({
        success: true as const,
        requestId,
        payment: Object.assign(viewer.public(payment, origin), viewer.walletRequests(payment)),
      }),
    )
  }
}
