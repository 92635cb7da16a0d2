import type { AccountReading, MovementReader } from '../../chain/movements.ts'
import { watchAfterWindowMs } from '../../chain/watch-window.ts'
import type { Difference, Judged } from './difference.ts'
import type { RefundBooks } from './refund-books-store.ts'

/** On Solana the books do not say how far the refund watcher has read: newer transactions may be unread. */
const unreadMs = 10 * 60 * 1000

type Reader = Pick<MovementReader, 'at' | 'transferOf'>

/**
 * Compares a merchant refund with the chain: each of its transfers in the books, and each payment on chain that names the
 * refund. A plain transfer names no refund, so it could be for anything else.
 */
export async function judgeRefund(
  { account, paymentId, transfers, endedAtMs, ...sums }: RefundBooks,
  { movements, blocks, unread }: AccountReading,
  { at, transferOf }: Reader,
  signal: AbortSignal,
): Promise<Pick<Judged, 'differences' | 'notes'>> {
  const judged: Pick<Judged, 'differences' | 'notes'> = { differences: [], notes: [] }
  const differs = (code: Difference['code'], txId: string | null, message: string) =>
    void judged.differences.push({ code, paymentId, txId, message: `refund ${account.id}: ${message}` })
  const booked = transfers.filter(({ state }) => state !== 'reverted')
  for (const transfer of booked) {
    const { txId, amount, blockNumber } = transfer
    if (blockNumber > at.number) continue
    const found = await transferOf(account, transfer, signal)
    if (found === undefined)
      differs(
        'merchant_refund_not_on_chain',
        txId,
        `the books have ${amount} in block ${blockNumber}; the chain does not`,
      )
    else if (found.amount !== amount || found.block !== blockNumber) {
      const books = `the books have ${amount} in block ${blockNumber}`
      differs('transfer_differs', txId, `${books}, the chain ${found.amount} in block ${found.block}`)
    }
  }
  if (unread !== undefined) differs('not_compared', null, unread)
  for (const movement of movements) {
    const { txId, logIndex, block, timeMs } = movement
    if (movement.kind !== 'in' || booked.some((one) => one.txId === txId && one.logIndex === logIndex)) continue
    if (blocks !== undefined && timeMs > at.timeMs - unreadMs) continue
    const chain = `the chain paid ${movement.amount} in block ${block}`
    if (endedAtMs !== null && timeMs > endedAtMs + watchAfterWindowMs) {
      const message = `refund ${account.id}: ${chain}, long after the refund had ended`
      judged.notes.push({ code: 'unwatched', paymentId, txId, message })
    } else differs('merchant_refund_not_in_books', txId, `${chain}; the books do not have it`)
  }
  const sum = (isCounted: (one: (typeof booked)[number]) => boolean) =>
    booked.filter(isCounted).reduce((total, { amount }) => total + amount, 0n)
  const added = { seen: sum(() => true), paid: sum(({ state }) => state === 'confirmed') }
  for (const name of ['seen', 'paid'] as const) {
    if (sums[name] === added[name]) continue
    differs('sum_differs', null, `its ${name} is ${sums[name]}; its transfers add up to ${added[name]}`)
  }
  return judged
}
