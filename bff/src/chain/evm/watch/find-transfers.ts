import type { PaymentEvent, Transfer } from '../../../payment/event.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { WatchedRefund } from '../../../payment/store/merchant-refund-store.ts'
import type { PaymentStep } from '../../apply-isolated.ts'
import type { ChainAdapter, SeenTransfer, TransferRange } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'
import type { WatchedPayment, WatchList } from './watch-list.ts'

/** A transfer to a watched payment; `paymentId` is the id of a merchant refund if it pays one. `isShare`: see `RefundTransfer`. */
export type FoundTransfer = SeenTransfer & { paymentId: PaymentId; isHighValue: boolean; isShare: boolean }

/**
 * A block range's transfers. `isProven`: the blocks' filters prove that there are no more. `isContradicted`: two nodes report
 * different transfers for one transaction.
 */
export type Reading = { found: FoundTransfer[]; isProven: boolean; isContradicted: boolean }

type Blocks = Pick<TransferRange, 'from' | 'to' | 'blockHash'>

/** Finds transfers to watched payments in the blocks. */
export async function findTransfers(
  adapter: Pick<ChainAdapter, 'network' | 'transfers'>,
  watchList: WatchList,
  blocks: Blocks,
  signal: AbortSignal,
): Promise<Reading> {
  let watched: ReadonlyMap<string, WatchedPayment> = new Map()
  let refunds: readonly WatchedRefund[] = []
  let isProven = false
  let isContradicted = false
  const transfers = await adapter.transfers(
    {
      ...blocks,
      async findWatched(topics) {
        watched = await watchList.find(topics)
        refunds = await watchList.findRefunds(topics)
        const ofRefunds = new Set(refunds.flatMap(topicsOfRefund))
        return { has: (topic) => watched.has(topic) || ofRefunds.has(topic) }
      },
      few: watchList.few(),
      splitters: watchList.splitters(),
      tokens: watchList.tokens(),
      onProven() {
        isProven = true
      },
      onContradicted() {
        isContradicted = true
      },
    },
    signal,
  )
  const found = transfers.flatMap((transfer) => {
    const payment = watched.get(transfer.topic)
    if (payment?.source !== transfer.source) return []
    return [{ ...transfer, paymentId: payment.id, isHighValue: payment.isHighValue, isShare: false }]
  })
  // After the payments: a wallet payment's own transfer must not also count as a refund.
  const ofRefunds = (await watchList.matchRefunds(transfers, refunds)).map(({ refund, ...transfer }) => ({
    ...transfer,
    paymentId: refund.id as string as PaymentId,
    isHighValue: refund.isHighValue,
  }))
  return { found: [...found, ...ofRefunds], isProven, isContradicted }
}

/**
 * {@link findTransfers} for blocks that were read before. Transfers about which two nodes disagree are read again until they
 * agree; other blocks do not wait.
 * @throws {Error} while nodes contradict each other.
 */
export async function findAgain(...asked: Parameters<typeof findTransfers>): Promise<FoundTransfer[]> {
  const { found, isContradicted } = await findTransfers(...asked)
  if (isContradicted) throw new Error(`${asked[0].network}: nodes contradict each other about transfers`)
  return found
}

/** The topics of a refund's transfers. */
export const topicsOfRefund = ({ address, termsHash }: WatchedRefund): string[] =>
  termsHash === null ? [addressTopic(address)] : [addressTopic(address), termsHash]

/** Identifies a transfer in its block; in another block it differs. */
export const placeOf = ({ txId, logIndex, blockHash }: Transfer): string => `${txId}:${logIndex}:${blockHash}`

/** One event of a payment. If the payment cannot be changed, the block is read again. */
export function stepOf(id: PaymentId, event: Extract<PaymentEvent, { transfer: Transfer }>): PaymentStep {
  return { id, part: 'transfers', place: String(event.transfer.blockNumber), event }
}

/**
 * The payment events of the transfers.
 * @param confirmedTo - The newest confirmed block.
 */
export function stepsOf(found: readonly FoundTransfer[], confirmedTo: number, atMs: number): PaymentStep[] {
  const seen = found.map(({ paymentId, isHighValue, isShare, ...transfer }) =>
    stepOf(paymentId, { type: isShare ? 'transfer.reverted' : 'transfer.seen', transfer, atMs }),
  )
  // A high-value transfer waits for the next pass, which asks a second node.
  const confirmed = found
    .filter(({ isHighValue, isShare, blockNumber }) => !isHighValue && !isShare && blockNumber <= confirmedTo)
    .map(({ paymentId, isHighValue, isShare, ...transfer }) =>
      stepOf(paymentId, { type: 'transfer.confirmed', transfer, atMs }),
    )
  return [...seen, ...confirmed]
}
