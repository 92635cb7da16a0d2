import type { AccountReading, Movement } from '../../chain/movements.ts'
import { watchAfterWindowMs } from '../../chain/watch-window.ts'
import { bridgeOf, bridgeWaitMaxMs } from '../../payment/bridge.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { Payment } from '../../payment/payment.ts'
import { isPaid } from '../../payment/payment-sums.ts'
import type { PaymentBooks } from './books-store.ts'
import type { Difference, Note } from './difference.ts'

type Incoming = Extract<Movement, { kind: 'in' }>

/** `unconfirmed`: received but not confirmed in the books, in base units. */
export type JudgedTransfers = { differences: Difference[]; notes: Note[]; unconfirmed: bigint }

/** End of the payment's watch window, by the chain's clock. */
export const watchedUntilMs = ({ windowEndsAtMs }: Payment): number => windowEndsAtMs + watchAfterWindowMs

/** Compares the transfers credited to a payment with the chain's, one by one, and their sums. */
export function judgeTransfers(
  { payment, transfers, readTo }: PaymentBooks,
  { movements, blocks }: AccountReading,
  at: number,
): JudgedTransfers {
  const judged: JudgedTransfers = { differences: sumDifferences(payment, transfers), notes: [], unconfirmed: 0n }
  const paymentId = payment.id
  const differs = (code: Difference['code'], txId: string, message: string) =>
    void judged.differences.push({ code, paymentId, txId, message })
  const incoming = movements.filter((movement) => movement.kind === 'in')
  const booked = transfers.filter(({ state }) => state !== 'reverted')
  for (const transfer of booked) {
    const found = incoming.find((one) => isSameTransfer(one, transfer))
    if (found) {
      const message = differenceOf(payment, transfer, found)
      if (message !== undefined) differs('transfer_differs', transfer.txId, message)
      if (transfer.state === 'seen') judged.unconfirmed += found.amount
    } else if (transfer.blockNumber <= at) {
      const books = `the books have ${transfer.amount} in block ${transfer.blockNumber}`
      differs('transfer_not_on_chain', transfer.txId, `${books}; the chain does not have the transfer`)
    }
  }
  const readToBlock = blocks && (typeof readTo === 'string' ? blocks.get(readTo) : undefined)
  const isApplied = ({ block }: Incoming) =>
    blocks === undefined || payment.mode === 'contract' || (readToBlock !== undefined && block <= readToBlock)
  for (const one of incoming) {
    if (booked.some((transfer) => isSameTransfer(one, transfer))) continue
    const { txId, amount, block, timeMs } = one
    const chain = `the chain has ${amount} in block ${block}`
    if (timeMs > watchedUntilMs(payment)) {
      const message = `${chain}, after the address's watch window; the late scan has not found it yet`
      judged.notes.push({ code: 'unwatched', paymentId, txId, message })
    } else if (blocks !== undefined && payment.mode === 'contract' && isPaid(payment)) {
      // Without a contract nothing prevents a second payment; the merchant has its money.
      judged.notes.push({ code: 'paid_again', paymentId, txId, message: `${chain}, which pays the payment again` })
    } else if (isApplied(one)) {
      differs('transfer_not_in_books', txId, `${chain}; the books do not have the transfer`)
    } else {
      judged.unconfirmed += amount
    }
  }
  return judged
}

const isSameTransfer = (one: Incoming, { txId, logIndex }: StoredTransfer): boolean =>
  one.txId === txId && one.logIndex === logIndex

function differenceOf(payment: Payment, transfer: StoredTransfer, found: Incoming): string | undefined {
  const { amount, blockNumber, blockTimeMs, isLate } = transfer
  if (amount !== found.amount) return `the books have ${amount}, the chain has ${found.amount}`
  if (blockNumber !== found.block) return `the books have it in block ${blockNumber}, the chain in ${found.block}`
  if (blockTimeMs !== found.timeMs) return `the books have it at ${blockTimeMs} ms, the chain at ${found.timeMs} ms`
  const isAfterEnd = blockTimeMs > (payment.acceptedUntilMs ?? payment.windowEndsAtMs)
  // For a payment ended manually, money is late from that moment. A bridge under way keeps the window open.
  const isHeldOpen = bridgeOf(payment) !== undefined && blockTimeMs <= payment.windowEndsAtMs + bridgeWaitMaxMs
  const isRight = isLate === isAfterEnd || (isLate ? payment.closedAs !== null : isHeldOpen)
  return isRight
    ? undefined
    : `the books have it ${isLate ? 'as late' : 'as in time'}, which contradicts its block's time`
}

function sumDifferences(payment: Payment, transfers: readonly StoredTransfer[]): Difference[] {
  const sum = (isCounted: (transfer: StoredTransfer) => boolean) =>
    transfers.filter(isCounted).reduce((total, { amount }) => total + amount, 0n)
  const sums = {
    seen: sum(({ state, isLate }) => state !== 'reverted' && !isLate),
    received: sum(({ state, isLate }) => state === 'confirmed' && !isLate),
    late: sum(({ state, isLate }) => state === 'confirmed' && isLate),
  }
  const names = ['seen', 'received', 'late'] as const
  return names
    .filter((name) => payment[name] !== sums[name])
    .map((name) => {
      const message = `the payment's ${name} is ${payment[name]}; its transfers add up to ${sums[name]}`
      return { code: 'sum_differs', paymentId: payment.id, txId: null, message }
    })
}
