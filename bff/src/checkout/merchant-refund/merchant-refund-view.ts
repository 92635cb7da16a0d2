import type { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../../access/callers/client-secret.ts'
import type { Caller } from '../../access/context/caller.ts'
import type { ContractCall } from '../../chain/family.ts'
import { depositsOf, familyOf } from '../../chain/index.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import { formatAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Tx } from '../../db/db.ts'
import type { Heads } from '../../network/heads.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import {
  describeMerchantRefund,
  type MerchantRefund,
  refundableByMerchant,
  remainingOf,
} from '../../payment/merchant-refund.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { refundSumsOf, transfersOfRefunds } from '../../payment/store/merchant-refund-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { explorerLink } from '../networks/network-view.ts'
import type { contractCall } from '../wire/contract-schemas.ts'
import { openPromptsOf, type RefundPrompt } from './refund-prompt-store.ts'

type Deps = { networks: Networks; heads: Heads; clientSecrets: ClientSecrets; runtime: Runtime }

/**
 * A refund with the transfers that pay it. `isCovered`: the merchant has received what it and the paid refunds give back.
 * A reorg can take that away again, and a cancelled refund that is paid after all takes it from the next one.
 * `orderId`: of the refunded payment. `prompt`: what a wallet was asked to sign for it, while that may still pay.
 */
export type ShownRefund = {
  refund: MerchantRefund
  transfers: readonly StoredTransfer[]
  isCovered: boolean
  orderId: string | null
  prompt: RefundPrompt | null
}

/** In the order given. Reads a payment and its sums once: it may have 200 refunds, and strangers ask for them. */
export async function allWithTransfers<T extends { refund: MerchantRefund }>(
  tx: Tx,
  items: readonly T[],
): Promise<(T & ShownRefund)[]> {
  const left = new Map<PaymentId, bigint>()
  const orderIds = new Map<PaymentId, string | null>()
  for (const id of new Set(items.map(({ refund }) => refund.paymentId))) {
    const payment = await loadPayment(tx, id)
    if (!payment) continue
    left.set(id, refundableByMerchant(payment) - (await refundSumsOf(tx, id)).seen)
    orderIds.set(id, payment.orderId)
  }
  const ids = items.map(({ refund }) => refund.id)
  const transfers = await transfersOfRefunds(tx, ids)
  const prompts = await openPromptsOf(tx, ids)
  return items.map((item) => ({
    ...item,
    transfers: transfers.get(item.refund.id) ?? [],
    prompt: unlessArrived(prompts.get(item.refund.id), transfers.get(item.refund.id) ?? []),
    isCovered: (left.get(item.refund.paymentId) ?? -1n) >= remainingOf(item.refund),
    orderId: orderIds.get(item.refund.paymentId) ?? null,
  }))
}

/** The prompt, unless it has paid for good. */
function unlessArrived(prompt: RefundPrompt | undefined, transfers: readonly StoredTransfer[]): RefundPrompt | null {
  const hasArrived = transfers.some(({ txId, state }) => txId === prompt?.txId && state === 'confirmed')
  return hasArrived ? null : (prompt ?? null)
}

export async function withTransfers(tx: Tx, refund: MerchantRefund): Promise<ShownRefund> {
  const [shown] = await allWithTransfers(tx, [{ refund }])
  return shown as ShownRefund
}

/** Whether money is due that a wallet can pay. */
export const isPayable = ({ refund, isCovered }: Pick<ShownRefund, 'refund' | 'isCovered'>): boolean =>
  refund.status === 'to_pay' && isCovered && !refund.isTest

/** The call of the splitter, which pays the whole amount under its terms, once; undefined: a transfer pays it. */
export const refundCallOf = (network: Network, refund: MerchantRefund, nowMs: number): ContractCall | undefined =>
  refund.seen === 0n ? familyOf(network).refundCall(network, refund, nowMs) : undefined

/** The id of a refund has a client secret as that of a payment has: it is derived from the id. */
export const secretIdOf = (refund: Pick<MerchantRefund, 'id'>): PaymentId => refund.id as string as PaymentId

const refundPageUrl = (origin: string, id: string, clientSecret: string): string =>
  `${origin}/refund/${id}#client_secret=${clientSecret}`

export type MerchantRefundViewer = ReturnType<typeof createMerchantRefundViewer>

export function createMerchantRefundViewer({ networks, heads, clientSecrets, runtime }: Deps) {
  function transactionsOf({ refund, transfers }: Pick<ShownRefund, 'refund' | 'transfers'>) {
    const network = findNetwork(networks, refund.network)
    const required = refund.confirmations ?? network?.confirmations ?? 1
    const head = heads.get(refund.network)?.number
    return transfers
      .filter(({ state }) => state !== 'reverted')
      .map(({ txId, amount, state, blockNumber }) => {
        const depth = head === undefined ? 0 : Math.max(0, head - blockNumber + 1)
        return {
          hash: txId,
          amount: formatAmount(amount, refund.tokenDecimals),
          confirmations: state === 'confirmed' ? required : Math.min(depth, required),
          isFinal: state === 'confirmed',
          explorerUrl: refund.isTest ? null : explorerLink(network, 'tx', txId),
        }
      })
  }

  /** For anyone who knows the refund's id. */
  function publicView(shown: Pick<ShownRefund, 'refund' | 'transfers'>, merchantName: string) {
    const { refund } = shown
    return {
      ...describeMerchantRefund(refund),
      networkName: findNetwork(networks, refund.network)?.name ?? refund.network,
      transactions: transactionsOf(shown),
      merchantName,
    }
  }

  /** For the merchant: with what pays the refund, and the customer's page. */
  function merchantView(shown: ShownRefund, caller: Pick<Caller, 'merchantName' | 'wallets'>, origin: string | null) {
    const { refund } = shown
    const network = findNetwork(networks, refund.network)
    const remaining = remainingOf(refund)
    const payableOn = isPayable(shown) ? network : undefined
    const call = payableOn && refundCallOf(payableOn, refund, runtime.nowMs())
    const { tokenAddress, tokenDecimals, place } = refund
    return {
      ...publicView(shown, caller.merchantName),
      tokenAddress,
      tokenDecimals,
      requestedBy: refund.requestedBy,
      orderId: shown.orderId,
      remainingUnits: String(remaining),
      pageUrl: origin === null ? null : refundPageUrl(origin, refund.id, clientSecrets.of(secretIdOf(refund))),
      // The schema has no read-only arrays.
      call: (call ?? null) as z.output<typeof contractCall> | null,
      paymentUri:
        payableOn && place
          ? familyOf(payableOn).transferUri(
              payableOn,
              { tokenAddress, tokenDecimals, address: place.address, reference: place.termsHash },
              remaining,
            )
          : null,
      ownAddressesPay: network !== undefined && usesOwnAddresses(network),
      wallet: payableOn ? walletOf(payableOn, call !== undefined, caller) : null,
      prompt: shown.prompt && promptView(shown.prompt),
    }
  }

  return { public: publicView, merchant: merchantView }
}

/** How a wallet in the browser pays; null where none can. `account`: the one whose transfer is found by itself. */
function walletOf(network: Network, hasCall: boolean, { wallets }: Pick<Caller, 'wallets'>) {
  const wallet = familyOf(network).refundWallet(network)
  if (wallet === null) return null
  const chain = wallet.chain && { ...wallet.chain, rpcUrls: [...wallet.chain.rpcUrls] }
  const account = isNamed(wallet, hasCall) ? null : (wallets.get(network.shortName) ?? null)
  return { by: hasCall ? ('call' as const) : wallet.by, account, chain }
}

/** Whether customers pay to addresses whose keys the merchant's wallet has: their transfers are the merchant's as well. */
export function usesOwnAddresses(network: Network): boolean {
  const rules = depositsOf(network)
  return rules.isDirect && rules.kind === 'xpub'
}

/** Whether the transaction itself names the refund. Otherwise only that of the merchant's own account is found. */
export const isNamed = ({ by }: { by: 'transfer' | 'transaction' }, hasCall: boolean): boolean =>
  hasCall || by === 'transaction'

const promptView = ({ id, account, askedAtMs, txId, batchId }: RefundPrompt) => ({
  id,
  account,
  askedAt: new Date(askedAtMs).toISOString(),
  transactionHash: txId,
  batchId,
})
