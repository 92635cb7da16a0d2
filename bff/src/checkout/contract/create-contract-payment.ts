import { boundToAgent } from '../../access/callers/agent-key.ts'
import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { type NetworkHealth, refusalBy, verifyPayable } from '../../network/network-health.ts'
import type { Payment, PlainSender } from '../../payment/payment.ts'
import type { CreatedPayment, NewPayment, PaymentMaker, PricedPayment } from '../payment-maker.ts'
import type { PaymentViewer, PublicView } from '../read/payment-view.ts'
import type { contractShape } from '../wire/contract-schemas.ts'
import { verifySenderAddress } from './named-sender.ts'

type Deps = {
  maker: PaymentMaker
  networks: Networks
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  lenientClients: boolean
  health: NetworkHealth
  splitters: NetworkHealth
  viewer: PaymentViewer
  feeBps: number
  limits: RateLimits
  windowMs: number
}

/** Timeout for the newest slot, when a create names its sender. */
const slotTimeoutMs = 5_000

export type NewContractPayment = NewPayment & {
  /**
   * The paying wallet. Used only for older clients on Solana, whose transfers omit the payment's reference;
   * otherwise ignored.
   */
  senderAddress?: string | undefined
}

type ContractView = PublicView & Required<Pick<PublicView, keyof typeof contractShape>>
type CreatedContractPayment = { success: true; requestId: string; amount: number; payment: ContractView }

export type CreateContractPayment = ReturnType<typeof createContractPayments>

/** Creates a payment that the customer's wallet pays in one call. Nothing is sent to the chain. */
export function createContractPayments(deps: Deps) {
  const { maker, networks, chains, lenientClients, health, splitters } = deps
  const { viewer, feeBps, limits, windowMs } = deps

  /** @param key - From the header, the order id or the body. Undefined only in the sandbox. */
  return async function createContractPayment(
    caller: Caller,
    { requestId, origin }: RequestInfo,
    asked: NewContractPayment,
    key: IdempotencyKey | undefined,
    endpoint: 'payments/create' | 'sandbox/payments/create' = 'payments/create',
  ): Promise<CreatedPayment<CreatedContractPayment>> {
    const body = boundToAgent(caller, asked)
    await limits.agentCalled(caller, body.agentId)
    const network = findNetwork(networks, body.network)
    if (network) verifySenderAddress(network, body.senderAddress)
    const isSenderWanted = network !== undefined && isPlainAllowed(network, caller, body)
    const plainSender = isSenderWanted ? await plainSenderOf(network, body.senderAddress) : null
    const verifyNew = (payment: Payment): void => {
      verifyContractsPayable(payment)
      if (!isSenderWanted || plainSender !== null) return
      const message = `${payment.network} does not answer, so senderAddress cannot be used; try again.`
      throw new PaymentError('NETWORK_UNAVAILABLE', message)
    }
    // An ignored sender must not make a repeat a different request.
    const senderAddress = isSenderWanted ? body.senderAddress : undefined
    const named = { ...body, senderAddress }
    const request = { caller, endpoint, key, body: named, verifyNew, mode: 'contract' as const }
    const draftOf = (priced: PricedPayment) => newContractPayment(caller, priced, plainSender)
    return await maker.create(request, draftOf, (payment) => {
      const shown = viewer.public(payment, origin) as ContractView
      const withCall = Object.assign(shown, viewer.walletRequests(payment))
      return { success: true as const, requestId, amount: Number(shown.amount), payment: withCall }
    })
  }

  /** Live payments of older clients only, on networks whose transfers may omit the payment's reference. */
  function isPlainAllowed({ shortName }: Network, { isTest }: Caller, { senderAddress }: NewContractPayment): boolean {
    const hasPlainTransfers = chains.get(shortName)?.plainSender !== undefined
    return hasPlainTransfers && lenientClients && !isTest && senderAddress !== undefined
  }

  /** @returns null when no node returns the newest slot. */
  async function plainSenderOf({ shortName }: Network, address = ''): Promise<PlainSender | null> {
    const { plainSender } = chains.get(shortName) ?? {}
    if (!plainSender || !health.get(shortName).isPayable) return null
    return await withTimeout(slotTimeoutMs, [], (signal) => plainSender(address, signal)).catch(() => null)
  }

  function newContractPayment(caller: Caller, body: PricedPayment, plainSender: PlainSender | null): Payment {
    const { network, merchantWallet, common } = maker.draft(caller, body, windowMs)
    return familyOf(network).newWalletPayment(network, { merchantWallet, common, feeBps, plainSender })
  }

  function verifyContractsPayable({ network }: Payment): void {
    verifyPayable(network, health)
    const state = splitters.get(network)
    if (state.isPayable) return
    const message = `Contract payments are not available on ${network} now; create a deposit instead. ${state.reason}`
    throw new PaymentError('CONTRACT_PAYMENTS_UNAVAILABLE', message, refusalBy(state))
  }
}
