import { formatSplitTerms, type SplitTerms, termsHash } from '../../chain/evm/split/split-terms.ts'
import type { SolanaAdapter } from '../../chain/solana/rpc/solana-adapter.ts'
import { newSolanaPayment } from '../../chain/solana/split/create-solana-payment.ts'
import { isSolanaSplit } from '../../chain/solana/split/solana-split-terms.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks, type SolanaNetwork } from '../../core/families.ts'
import { simulatedChainId, simulatedContract } from '../../core/simulated-chain-ids.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { RequestInfo } from '../../http/env.ts'
import type { RateLimits } from '../../http/rate-limit.ts'
import type { Caller } from '../../merchant/caller.ts'
import { type NetworkHealth, verifyPayable } from '../../network/network-health.ts'
import type { Payment, PlainSender } from '../../payment/payment.ts'
import type { IdempotencyKey } from '../idempotency-store.ts'
import type { CreatedPayment, NewPayment, PaymentMaker } from '../payment-maker.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import type { ContractCallOf } from './contract-call.ts'
import { verifySenderAddress } from './named-sender.ts'

type Deps = {
  maker: PaymentMaker
  networks: Networks
  /** Of networks of Solana, by short name. */
  solanaChains: ReadonlyMap<string, SolanaAdapter>
  lenientClients: boolean
  health: NetworkHealth
  splitters: NetworkHealth
  viewer: PaymentViewer
  contractCall: ContractCallOf
  feeBps: number
  limits: RateLimits
  windowMs: number
}

/** After this long no other node is asked for the newest slot, where a sender is named. */
const slotTimeoutMs = 5_000

export type NewContractPayment = NewPayment & {
  /** Who will pay. Only older clients on Solana need it, whose transfers name no payment; elsewhere it is ignored. */
  senderAddress?: string | undefined
}

export type CreateContractPayment = ReturnType<typeof createContractPayments>

/** Creates a payment that the customer's wallet makes in one call; nothing is sent to the chain for it. */
export function createContractPayments(deps: Deps) {
  const { maker, networks, solanaChains, lenientClients, health, splitters } = deps
  const { viewer, contractCall, feeBps, limits, windowMs } = deps

  /** @param key - Of the header, the order id or the body: every create has one. */
  return async function createContractPayment(
    caller: Caller,
    { requestId, origin }: RequestInfo,
    body: NewContractPayment,
    key: IdempotencyKey,
  ): Promise<CreatedPayment> {
    await limits.agentCalled(caller, body.agentId)
    const network = findNetwork(networks, body.network)
    if (network) verifySenderAddress(network, body.senderAddress)
    const isSenderWanted = network?.family === 'solana' && isPlainAllowed(caller, body)
    const plainSender = isSenderWanted ? await plainSenderOf(network, body.senderAddress) : null
    const verifyNew = (payment: Payment): void => {
      verifyContractsPayable(payment)
      if (!isSenderWanted || plainSender !== null) return
      const message = `${payment.network} does not answer, so that no sender can be named; try again.`
      throw new PaymentError('NETWORK_UNAVAILABLE', message, { status: 400, error: 'Network unavailable' })
    }
    const request = { caller, endpoint: 'payments/create', key, body, verifyNew }
    return await maker.store(request, newContractPayment(caller, body, plainSender), (payment) => {
      const shown = viewer.public(payment, origin)
      const withCall = Object.assign(shown, { contractCall: contractCall(payment) })
      return { success: true, requestId, amount: Number(shown.amount), payment: withCall }
    })
  }

  /** A sender counts for live payments of older clients alone. */
  function isPlainAllowed({ isTest }: Caller, { senderAddress }: NewContractPayment): boolean {
    return lenientClients && !isTest && senderAddress !== undefined
  }

  /** What is in a block by now was not sent for the payment. @returns null when no node says how far the chain is. */
  async function plainSenderOf({ shortName }: SolanaNetwork, address = ''): Promise<PlainSender | null> {
    const chain = solanaChains.get(shortName)
    if (!chain || !health.get(shortName).isPayable) return null
    const afterSlot = await withTimeout(slotTimeoutMs, [], (signal) => chain.newestSlot(signal)).catch(() => undefined)
    return afterSlot === undefined ? null : { address, afterSlot }
  }

  function newContractPayment(caller: Caller, body: NewPayment, plainSender: PlainSender | null): Payment {
    const { network, token, merchantWallet, common } = maker.draft(caller, body, windowMs)
    const { isTest } = caller
    if (network.family === 'solana') return newSolanaPayment({ network, merchantWallet, common, feeBps, plainSender })
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
      plainSender: null,
    })
  }

  function verifyContractsPayable({ network, ...payment }: Payment): void {
    verifyPayable(network, health)
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
