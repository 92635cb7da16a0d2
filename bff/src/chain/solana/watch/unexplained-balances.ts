import type { Log } from '../../../core/log.ts'
import type { Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { faultSince, removeFault, type WatchFault } from '../../watch-fault-store.ts'
import { mostInBooks } from './token-account-store.ts'

/** How long an unexplained account is read again and keeps its window open. */
const unexplainedMaxMs = 24 * 60 * 60 * 1000

/** Maximum unexplained accounts in memory. */
const onceMax = 10_000

/** Most nodes list everything within seconds; each later attempt costs a hundred calls. */
const firstDelayMs = 5_000
const delayMaxMs = 5 * 60 * 1000

const balanceOf = (id: PaymentId): WatchFault => ({ id, part: 'account', place: 'balance' })

/** An account that was read. `amount` in base units; null if there is more to read. */
type Read = { id: PaymentId; amount: string | null }

/** When an account is read again, unless its amount changes earlier. `delayMs`: since the last read. */
type Wait = { amount: string; delayMs: number; untilMs: number }

/**
 * Accounts that hold more than the books have although their transactions were read: a node's transaction list may lag behind its
 * balances. The first time is not a fault, because most nodes list everything a moment later.
 */
export function createUnexplainedBalances({ network, log }: { network: string; log: Log }) {
  const once = new Set<PaymentId>()
  const waits = new Map<PaymentId, Wait>()

  /** Doubles the delay with each call. */
  function postpone(id: PaymentId, amount: string, atMs: number): void {
    const before = waits.get(id)
    if (before === undefined && waits.size >= onceMax) return
    const delayMs = before === undefined ? firstDelayMs : Math.min(delayMaxMs, before.delayMs * 2)
    waits.set(id, { amount, delayMs, untilMs: atMs + delayMs })
  }

  return {
    /**
     * Whether to skip the account for now: its listed transactions did not explain its balance, and its amount (if given) is
     * unchanged.
     */
    isPostponed(id: PaymentId, nowMs: number, amount?: string): boolean {
      const wait = waits.get(id)
      return wait !== undefined && nowMs < wait.untilMs && (amount === undefined || wait.amount === amount)
    },
    /** Call when the books have lost a transfer of the account. */
    readSoon: (id: PaymentId): void => void waits.delete(id),
    /** Whether the account must be read again. Call once its transfers are in the books. */
    async isUnexplained(tx: Tx, { id, amount }: Read, atMs: number): Promise<boolean> {
      if (amount === null) return false
      const inBooks = await mostInBooks(tx, id)
      if (BigInt(amount) > inBooks) {
        const sinceMs = await faultSince(tx, network, balanceOf(id))
        if (sinceMs === undefined || atMs - sinceMs < unexplainedMaxMs) return true
        const fields = { network, paymentId: id, balance: amount, inBooks: String(inBooks) }
        log.error(fields, 'No listed transaction explains a balance; the account counts as read')
      }
      await removeFault(tx, network, balanceOf(id))
      return false
    },
    /**
     * @param read - Accounts read to their end, with their balances.
     * @param unexplained - Those that must be read again.
     * @returns the faults that keep windows open, and whether an account is unexplained for the first time.
     */
    note(read: readonly { id: PaymentId; amount: string }[], unexplained: ReadonlySet<PaymentId>, atMs: number) {
      const isFirst = (id: PaymentId) => !once.has(id) && once.size < onceMax
      const hasFirst = [...unexplained].some(isFirst)
      const error = 'The token account holds more than its listed transactions account for.'
      const faults = [...unexplained].filter((id) => !isFirst(id)).map((id) => ({ ...balanceOf(id), error }))
      for (const { id, amount } of read) {
        if (!unexplained.has(id)) waits.delete(id)
        else if (!isFirst(id)) postpone(id, amount, atMs)
      }
      for (const { id } of read) once.delete(id)
      for (const id of unexplained) once.add(id)
      return { faults, hasFirst }
    },
  }
}
