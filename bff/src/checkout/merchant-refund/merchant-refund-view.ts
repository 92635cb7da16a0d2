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
 * A refund with the transfers that pay it. `isCovered`: whether the merchant has received enough for it and the refunds paid so
 * far. A reorg can undo that, and so can a cancelled refund that is paid anyway.
 * `orderId`: of the refunded payment. `prompt`: what a wallet was asked to sign, while that may still pay.
 */
export type ShownRefund = {
  refund: MerchantRefund
  transfers: readonly StoredTransfer[]
  isCovered: boolean
  orderId: string | null
  prompt: RefundPrompt | null
}

/** In the given order. Reads each payment and its sums once: it may have 200 refunds, and anyone can request them. */
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

/** The prompt, unless its transaction is confirmed. */
function unlessArrived(prompt: RefundPrompt | undefined, transfers: readonly StoredTransfer[]): RefundPrompt | null {
  const hasArrived = transfers.some(({ txId, state }) => txId === prompt?.txId && state === 'confirmed')
  return hasArrived ? null : (prompt ?? null)
}

export async function withTransfers(tx: Tx, refund: MerchantRefund): Promise<ShownRefund> {
  const [shown] = await allWithTransfers(tx, [{ refund }])
  return shown as ShownRefund
}

/** Whether a wallet can pay the refund now. */
export const isPayable = ({ refund, isCovered }: Pick<ShownRefund, 'refund' | 'isCovered'>): boolean =>
  refund.status === 'to_pay' && isCovered && !refund.isTest

/** The splitter's call, which pays the whole amount, once; undefined where a transfer pays. */
export const refundCallOf = (network: Network, refund: MerchantRefund, nowMs: number): ContractCall | undefined =>
  refund.seen === 0n ? familyOf(network).refundCall(network, refund, nowMs) : undefined

/** The id from which a refund's client secret is derived, as for payments. */
export const secretIdOf = (refund: Pick<MerchantRefund, 'id'>): PaymentId => refund.id as string as PaymentId

export const refundPageUrl = (origin: string, id: string, clientSecret: string): string =>
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

  /** The view for anyone who knows the refund's id. */
  function publicView(shown: Pick<ShownRefund, 'refund' | 'transfers'>, merchantName: string) {
    const { refund } = shown
    return {
      ...describeMerchantRefund(refund),
      networkName: findNetwork(networks, refund.network)?.name ?? refund.network,
      transactions: transactionsOf(shown),
      merchantName,
    }
  }

  /** The merchant's view: adds what pays the refund, and the customer's page. */
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

/**
 * How a browser wallet pays; null if none can. `account`: the only one whose transfers are matched automatically; null for any.
 */
function walletOf(network: Network, hasCall: boolean, { wallets }: Pick<Caller, 'wallets'>) {
  const wallet = familyOf(network).refundWallet(network)
  if (wallet === null) return null
  const chain = wallet.chain && { ...wallet.chain, rpcUrls: [...wallet.chain.rpcUrls] }
  const account = isNamed(wallet, hasCall) ? null : (wallets.get(network.shortName) ?? null)
  return { by: hasCall ? ('call' as const) : wallet.by, account, chain }
}

/** Whether customers pay to addresses of the merchant's own wallet: transfers from them are the merchant's too. */
export function usesOwnAddresses(network: Network): boolean {
  const rules = depositsOf(network)
  return rules.isDirect && rules.kind === 'xpub'
}

/** Whether the transaction itself names the refund. Otherwise only transfers from the merchant's own account are matched. */
export const isNamed = ({ by }: { by: 'transfer' | 'transaction' }, hasCall: boolean): boolean =>
  hasCall || by === 'transaction'

const promptView = ({ id, account, askedAtMs, txId, batchId }: RefundPrompt) => ({
  id,
  account,
  askedAt: new Date(askedAtMs).toISOString(),
  transactionHash: txId,
  batchId,
})
