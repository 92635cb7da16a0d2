import type { NetworkHealth } from '../chain/network-health.ts'
import { simulatedChainId, simulatedContract } from '../chain/simulated.ts'
import { isSolanaSplit } from '../chain/solana-split-terms.ts'
import { formatSplitTerms, type SplitTerms, termsHash } from '../chain/split-terms.ts'
import { PaymentError } from '../errors.ts'
import type { Caller, RequestInfo } from '../http/env.ts'
import type { IdempotencyKey } from '../http/idempotency.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { type CreatedPayment, type NewPayment, type PaymentMaker, refuseWhileOut } from '../payment/create.ts'
import type { Payment } from '../payment/payment.ts'
import type { PaymentViewer } from '../payment/view.ts'
import type { ContractCallOf } from './contract-call.ts'
import { newSolanaPayment } from './solana-create.ts'

type Deps = {
  maker: PaymentMaker
  health: NetworkHealth
  splitters: NetworkHealth
  viewer: PaymentViewer
  contractCall: ContractCallOf
  feeBps: number
  limits: RateLimits
  windowMs: number
}

export type CreateContractPayment = ReturnType<typeof createContractPayments>

/** Creates a payment that the customer's wallet makes in one call; nothing is sent to the chain for it. */
export function createContractPayments(deps: Deps) {
  const { maker, health, splitters, viewer, contractCall, feeBps, limits, windowMs } = deps

  /** @param key - Of the header, the order id or the body: every create has one. */
  return async function createContractPayment(
    caller: Caller,
    { requestId, origin }: RequestInfo,
    body: NewPayment,
    key: IdempotencyKey,
  ): Promise<CreatedPayment> {
    await limits.agentCalled(caller, body.agentId)
    const request = { caller, endpoint: 'payments/create', key, body, verifyNew }
    return await maker.store(request, newContractPayment(caller, body), (payment) => {
      const shown = viewer.public(payment, origin)
      const withCall = Object.assign(shown, { contractCall: contractCall(payment) })
      return { success: true, requestId, amount: Number(shown.amount), payment: withCall }
    })
  }

  function newContractPayment(caller: Caller, body: NewPayment): Payment {
    const { network, token, merchantWallet, common } = maker.draft(caller, body, windowMs)
    const { isTest } = caller
    if (network.family === 'solana') return newSolanaPayment({ network, merchantWallet, common, feeBps })
    const terms: SplitTerms = {
      chainId: isTest ? simulatedChainId : network.chainId,
      splitter: (isTest ? simulatedContract : network.splitter) as `0x${string}`,
      token: (isTest ? simulatedContract : token.address) as `0x${string}`,
      amount: common.due,
      paymentId: common.id,
      merchant: merchantWallet as `0x${string}`,
      platform: network.platformWallet as `0x${string}`,
      feeBps,
      // Rounded down: a block in the last second that the splitter lets pass is still in the window.
      deadlineSeconds: Math.floor(common.windowEndsAtMs / 1000),
    }
    return Object.assign(common, {
      mode: 'contract' as const,
      splitter: terms.splitter.toLowerCase(),
      termsHash: termsHash(terms),
      splitTerms: formatSplitTerms(terms),
    })
  }

  function verifyNew({ network, ...payment }: Payment): void {
    refuseWhileOut(network, health)
    // There is no contract of ours to look at.
    if (payment.mode === 'contract' && isSolanaSplit(payment.splitTerms)) return
    const { isPayable, reason } = splitters.get(network)
    if (isPayable) return
    const message = `Contract payments are not available on ${network} now; create a deposit instead. ${reason}`
    throw new PaymentError('CONTRACT_PAYMENTS_UNAVAILABLE', message, {
      status: 400,
      error: 'Contract payments unavailable',
    })
  }
}
