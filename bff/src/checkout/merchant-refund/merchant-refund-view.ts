import type { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../../access/client-secret.ts'
import { familyOf } from '../../chain/index.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
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

type Deps = { networks: Networks; heads: Heads; clientSecrets: ClientSecrets; runtime: Runtime }

/**
 * A refund with the transfers that pay it. `isCovered`: the merchant has received what it and the paid refunds give back.
 * A reorg can take that away again, and a cancelled refund that is paid after all takes it from the next one.
 */
export type ShownRefund = { refund: MerchantRefund; transfers: readonly StoredTransfer[]; isCovered: boolean }

/** In the order given. Reads a payment and its sums once: it may have 200 refunds, and strangers ask for them. */
export async function allWithTransfers<T extends { refund: MerchantRefund }>(
  tx: Tx,
  items: readonly T[],
): Promise<(T & ShownRefund)[]> {
  const left = new Map<PaymentId, bigint>()
  for (const id of new Set(items.map(({ refund }) => refund.paymentId))) {
    const payment = await loadPayment(tx, id)
    if (payment) left.set(id, refundableByMerchant(payment) - (await refundSumsOf(tx, id)).seen)
  }
  const ids = items.map(({ refund }) => refund.id)
  const transfers = await transfersOfRefunds(tx, ids)
  return items.map((item) => ({
    ...item,
    transfers: transfers.get(item.refund.id) ?? [],
    isCovered: (left.get(item.refund.paymentId) ?? -1n) >= remainingOf(item.refund),
  }))
}

export async function withTransfers(tx: Tx, refund: MerchantRefund): Promise<ShownRefund> {
  const [shown] = await allWithTransfers(tx, [{ refund }])
  return shown as ShownRefund
}

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
  function publicView(shown: ShownRefund, merchantName: string) {
    const { refund } = shown
    return {
      ...describeMerchantRefund(refund),
      networkName: findNetwork(networks, refund.network)?.name ?? refund.network,
      transactions: transactionsOf(shown),
      merchantName,
    }
  }

  /** For the merchant: with what pays the refund, and the customer's page. */
  function merchantView(shown: ShownRefund, merchantName: string, origin: string | null) {
    const { refund } = shown
    const network = findNetwork(networks, refund.network)
    const remaining = remainingOf(refund)
    const isPayable = refund.status === 'to_pay' && shown.isCovered && !refund.isTest && network !== undefined
    // The splitter pays the whole amount under its terms, once.
    const call =
      isPayable && refund.seen === 0n ? familyOf(network).refundCall(network, refund, runtime.nowMs()) : undefined
    const { tokenAddress, tokenDecimals, place } = refund
    return {
      ...publicView(shown, merchantName),
      tokenAddress,
      tokenDecimals,
      remainingUnits: String(remaining),
      pageUrl: origin === null ? null : refundPageUrl(origin, refund.id, clientSecrets.of(secretIdOf(refund))),
      // The schema has no read-only arrays.
      call: (call ?? null) as z.output<typeof contractCall> | null,
      paymentUri:
        isPayable && place
          ? familyOf(network).transferUri(
              network,
              { tokenAddress, tokenDecimals, address: place.address, reference: place.termsHash },
              remaining,
            )
          : null,
    }
  }

  return { public: publicView, merchant: merchantView }
}
