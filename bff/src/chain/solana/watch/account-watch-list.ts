import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { Target } from '../rpc/solana-transaction.ts'
import { depositsAfter, insertAccount, unreadAccounts } from './token-account-store.ts'

/** Rows per query, so that a start with many open payments never holds them all twice. */
const pageRows = 1_000

/** For this long after its window a deposit is read on each pass: what was sent at the window's end arrives then. */
const promptMs = 10 * 60 * 1000

/** Late deposits that one pass reads. They take one call. */
const lateMax = 100

/** Accounts that one pass takes up to be read again. */
const unreadMax = 500

export type WatchedAccount = Target & {
  id: PaymentId
  createdAtMs: number
  windowEndsAtMs: number
  /** Its balance when it was last read to its end, in base units; null: it must be read again. */
  readAmount: string | null
  /** The newest signature that was read. */
  readTo: string | null
  /**
   * The account was known when the service started, and should exist. When it does not, a restored database may have forgotten
   * that money came and was paid out.
   */
  isExpected: boolean
}

/**
 * The token accounts of one network's deposits that money may still come to. New payments are read from the database. The list
 * is also what first stores the account of each deposit.
 */
export function createAccountWatchList(db: Db, network: string) {
  const watched = new Map<PaymentId, WatchedAccount>()
  let newest = 0
  /** Late deposits that the current round has still to read, and the chain's time when the round began. */
  let late: { ids: PaymentId[]; beganAtMs: number } = { ids: [], beganAtMs: 0 }
  let lateReadMs = 0

  return {
    get size() {
      return watched.size
    },
    get: (id: PaymentId) => watched.get(id),
    /** Adds what was created since the last call and drops what ended long ago. @param chainMs - The chain's time. */
    async refresh(chainMs: number, nowMs: number): Promise<void> {
      for (;;) {
        const rows = await db.read((tx) => depositsAfter(tx, network, newest, chainMs - watchAfterWindowMs, pageRows))
        const added = rows.map((row) => ({ ...row, account: row.address ?? tokenAccountOf(row.mint, row.owner) }))
        const unknown = added.filter(({ address }) => address === null)
        if (unknown.length > 0) {
          await db.write(async (tx) => {
            for (const { id, account } of unknown)
              await insertAccount(tx, { id, network, address: account, dueAtMs: nowMs })
          })
        }
        for (const { id, account, owner, mint, createdAtMs, windowEndsAtMs, address, state, ...row } of added) {
          const readAmount = address === null ? '0' : row.readAmount
          const isExpected = address !== null && state !== 'closed'
          const { readTo } = row
          watched.set(id, { id, account, owner, mint, createdAtMs, windowEndsAtMs, readAmount, readTo, isExpected })
        }
        newest = rows.at(-1)?.number ?? newest
        if (rows.length < pageRows) break
      }
      for (const [id, { windowEndsAtMs }] of watched) {
        if (windowEndsAtMs > chainMs - watchAfterWindowMs) break
        watched.delete(id)
      }
      for (const { id, readTo } of await db.read((tx) => unreadAccounts(tx, network, unreadMax))) {
        const account = watched.get(id)
        if (account) Object.assign(account, { readAmount: null, readTo })
      }
    },
    /** The accounts whose window is open or has just ended, and the next of the late ones. @param chainMs - The time of the head. */
    due(chainMs: number): WatchedAccount[] {
      const isPrompt = ({ windowEndsAtMs, readAmount }: WatchedAccount) =>
        windowEndsAtMs > chainMs - promptMs || readAmount === null
      const all = [...watched.values()]
      if (late.ids.length === 0) {
        late = { ids: all.filter((account) => !isPrompt(account)).map(({ id }) => id), beganAtMs: chainMs }
      }
      const turn = late.ids.slice(0, lateMax).flatMap((id) => watched.get(id) ?? [])
      return [...all.filter(isPrompt), ...turn.filter((account) => !isPrompt(account))]
    },
    /** Call when all that was due has been read. @returns the chain's time up to which every late deposit has been read. */
    completed(): number {
      late.ids.splice(0, lateMax)
      if (late.ids.length === 0) lateReadMs = late.beganAtMs
      return lateReadMs
    },
  }
}
