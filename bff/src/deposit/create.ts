import { formatDepositTerms } from '../chain/deposit-terms.ts'
import { depositAddress } from '../chain/evm-deposit-address.ts'
import type { NetworkHealth } from '../chain/network-health.ts'
import { simulatedChainId } from '../chain/simulated.ts'
import type { Caller } from '../http/env.ts'
import type { IdempotencyKey } from '../http/idempotency.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { zero } from '../money.ts'
import { type CreatedPayment, type NewPayment, type PaymentMaker, refuseWhileOut } from '../payment/create.ts'
import type { Payment } from '../payment/payment.ts'
import type { PaymentViewer } from '../payment/view.ts'
import type { Runtime } from '../runtime.ts'

/** The contract fixes the window of a deposit: fifteen minutes. */
const depositWindowMs = 900_000

const saltBytes = 32

type Deps = {
  maker: PaymentMaker
  health: NetworkHealth
  viewer: PaymentViewer
  runtime: Runtime
  feeBps: number
  /** Address that may refund what exceeds a payment; it can never take a covered payment's money. */
  operator: string | null
  limits: RateLimits
}

/** Creates a payment with an address of its own; nothing is sent to the chain for it. */
export function createDeposits({ maker, health, viewer, runtime, feeBps, operator, limits }: Deps) {
  return async function createDeposit(
    caller: Caller,
    requestId: string,
    body: NewPayment,
    key: IdempotencyKey | undefined,
    endpoint: 'deposits/create' | 'sandbox/payments/create' = 'deposits/create',
  ): Promise<CreatedPayment> {
    await limits.agentCalled(caller, body.agentId)
    const verifyNew = ({ network }: Payment) => refuseWhileOut(network, health)
    const request = { caller, endpoint, key, body, verifyNew }
    return await maker.store(request, newDeposit(caller, body), (payment) => ({
      success: true,
      requestId,
      payment: viewer.public(payment),
    }))
  }

  function newDeposit(caller: Caller, body: NewPayment): Payment {
    const { network, token, merchantWallet, common } = maker.draft(caller, body, depositWindowMs)
    if (operator === null) throw new Error('A network is configured without an operator')
    const terms = {
      chainId: caller.isTest ? simulatedChainId : network.chainId,
      token: token.address as `0x${string}`,
      amount: common.due,
      least: common.least,
      merchant: merchantWallet as `0x${string}`,
      platform: network.platformWallet as `0x${string}`,
      feeBps,
      deadlineSeconds: Math.ceil(common.windowEndsAtMs / 1000),
      operator: operator as `0x${string}`,
      salt: `0x${Buffer.from(runtime.randomBytes(saltBytes)).toString('hex')}` as const,
    }
    const factory = network.factory as `0x${string}`
    return Object.assign(common, {
      mode: 'deposit' as const,
      sweep: 'none' as const,
      sweepTxId: null,
      sweptAtMs: null,
      refund: 'none' as const,
      refundAddress: null,
      refunded: zero,
      refundTxId: null,
      strays: [],
      depositAddress: depositAddress(terms, factory),
      depositTerms: formatDepositTerms({ ...terms, factory }),
    })
  }
}
