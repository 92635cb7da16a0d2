import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { Target } from '../rpc/solana-transaction.ts'
import { depositsAfter, insertAccount, unreadAccounts } from './token-account-store.ts'

/** Rows per query, so that a start with many open payments never holds them all twice. */
const pageRows = 1_000

/** After its window a deposit is looked at on each pass for this long: what was sent at its end arrives then. */
const promptMs = 10 * 60 * 1000

/** Late deposits of one pass, which take one call. */
const lateMax = 100

/** Accounts that one pass reads again. */
const unreadMax = 500

export type WatchedAccount = Target & {
  id: PaymentId
  createdAtMs: number
  windowEndsAtMs: number
  /** What was in it when it was last read to the end, in base units; null: it must be read again. */
  readAmount: string | null
  readTo: string | null
  /**
   * It was known when we started, and should be there. When it is not, a restored database may have forgotten that money came
   * and was paid out.
   */
  isExpected: boolean
}

/**
 * The token accounts of one network that money may still come to. They are read from the database, so that nothing has to
 * tell the watcher of a new payment; it is the first to write down the account of each.
 */
export function createSolanaWatchList(db: Db, network: string) {
  const watched = new Map<PaymentId, WatchedAccount>()
  let newest = 0
  /** Where the round through the late ones goes on, and the chain's time when it began. */
  let late: { ids: PaymentId[]; beganAtMs: number } = { ids: [], beganAtMs: 0 }
  let lateSeenMs = 0

  return {
    get size() {
      return watched.size
    },
    get: (id: PaymentId) => watched.get(id),
    /** Adds what was created since the last call and drops what ended long ago. @param chainMs - Of the chain's clock. */
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
          watched.set(id, {
            ...{ id, account, owner, mint, createdAtMs, windowEndsAtMs, readAmount, readTo: row.readTo, isExpected },
          })
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
    /** All whose window is open or has just ended, and the next of the others. @param chainMs - Of the head that they are read at. */
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
    /** What was due has been looked at. @returns the chain's time up to which every late deposit has been. */
    looked(): number {
      late.ids.splice(0, lateMax)
      if (late.ids.length === 0) lateSeenMs = late.beganAtMs
      return lateSeenMs
    },
  }
}
