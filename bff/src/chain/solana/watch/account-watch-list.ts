import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { WindowPlace } from '../../../payment/store/watched-payments-store.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { Target } from '../rpc/solana-transaction.ts'
import {
  depositsAfter,
  depositsByWindow,
  insertAccount,
  newestNumber,
  type StoredAccount,
  unreadDeposits,
} from './token-account-store.ts'

/** Rows per query: bounds the memory of a start with many open payments. */
const pageRows = 1_000

/** How long after its window a deposit is still read in each pass: money sent at the window's end arrives then. */
export const promptMs = 10 * 60 * 1000

/** Late deposits per pass; they take one call. */
const lateMax = 100

export type WatchedAccount = Target & {
  id: PaymentId
  createdAtMs: number
  windowEndsAtMs: number
  /** Balance at the last complete read, in base units; null: it must be read again. */
  readAmount: string | null
  /** The newest signature that was read. */
  readTo: string | null
  /**
   * Whether the account was known at the start, and so should exist. If it does not, a restored database may lack money that
   * arrived and was paid out.
   */
  isExpected: boolean
}

/** A round over the late deposits: its start by the chain's time, and its progress. */
type Round = { beganAtMs: number; after: WindowPlace }

/**
 * The token accounts of one network's deposits that may still receive money. Those with an open or recently ended window are kept
 * in memory; the others stay in the database, from which each pass takes the next few. A start reads only open ones, however many
 * payments there are. The list also stores each new deposit's account.
 */
export function createAccountWatchList(db: Db, network: string) {
  const prompt = new Map<PaymentId, WatchedAccount>()
  /** Undefined before the first read. */
  let newest: number | undefined
  let round: Round | undefined
  let isFirstRound = true
  /** The late deposits being read. */
  let turn: (WatchedAccount & WindowPlace)[] = []
  let lateReadMs = 0
  let hasLate = false

  /** Adds every account that must be read again: strangers' dust can cause many, and none may wait for the others. */
  async function watchUnread(nowMs: number): Promise<void> {
    for (let after = ''; ; ) {
      const page = { after, limit: pageRows }
      const rows = await db.read((tx) => unreadDeposits(tx, network, page))
      for (const row of rows) {
        const known = prompt.get(row.id) ?? turn.find(({ id }) => id === row.id)
        if (known) Object.assign(known, { readAmount: null, readTo: row.readTo })
        else for (const account of await accountsOf([row], nowMs)) prompt.set(account.id, account)
      }
      const last = rows.at(-1)
      if (!last || rows.length < pageRows) return
      after = last.id
    }
  }

  /** The rows as watched accounts. Stores new accounts. */
  async function accountsOf(rows: readonly StoredAccount[], nowMs: number): Promise<(WatchedAccount & WindowPlace)[]> {
    const found = rows.map((row) => ({ ...row, account: row.address ?? tokenAccountOf(row.mint, row.owner) }))
    const unknown = found.filter(({ address }) => address === null)
    if (unknown.length > 0) {
      await db.write(async (tx) => {
        for (const { id, account } of unknown)
          await insertAccount(tx, { id, network, address: account, dueAtMs: nowMs })
      })
    }
    return found.map(({ address, state, ...row }) => ({
      ...row,
      readAmount: address === null ? '0' : row.readAmount,
      isExpected: address !== null && state !== 'closed',
    }))
  }

  /** Loads every deposit whose window ended after that time, page by page. */
  async function loadPrompt(endedAfterMs: number, nowMs: number): Promise<void> {
    const untilMs = Number.MAX_SAFE_INTEGER
    for (let after: WindowPlace = { windowEndsAtMs: endedAfterMs, number: untilMs }; ; ) {
      const rows = await db.read((tx) => depositsByWindow(tx, network, { after, untilMs }, pageRows))
      for (const account of await accountsOf(rows, nowMs)) prompt.set(account.id, account)
      const last = rows.at(-1)
      if (!last || rows.length < pageRows) return
      after = last
    }
  }

  async function nextTurn(chainMs: number, nowMs: number) {
    round ??= {
      beganAtMs: chainMs,
      after: { windowEndsAtMs: chainMs - watchAfterWindowMs, number: Number.MAX_SAFE_INTEGER },
    }
    const { after, beganAtMs } = round
    const untilMs = beganAtMs - promptMs
    const rows = await db.read((tx) => depositsByWindow(tx, network, { after, untilMs }, lateMax))
    const accounts = await accountsOf(rows, nowMs)
    // By the end of the first round, accounts known at the start have been read once.
    return accounts.map((account) => ({ ...account, isExpected: account.isExpected && isFirstRound }))
  }

  return {
    /** Whether no account can still receive money. */
    isEmpty: () => prompt.size === 0 && !hasLate,
    /**
     * Adds payments created since the last call, and drops ended ones.
     * @param chainMs - The chain's time.
     */
    async refresh(chainMs: number, nowMs: number): Promise<void> {
      const endedAfterMs = chainMs - watchAfterWindowMs
      if (newest === undefined) {
        // Read the number first: rows stored in the meantime have higher ones.
        const number = await db.read(newestNumber)
        await loadPrompt(chainMs - promptMs, nowMs)
        newest = number
      }
      for (;;) {
        const after: number = newest
        const rows = await db.read((tx) => depositsAfter(tx, network, after, endedAfterMs, pageRows))
        for (const account of await accountsOf(rows, nowMs)) prompt.set(account.id, account)
        newest = rows.at(-1)?.number ?? newest
        if (rows.length < pageRows) break
      }
      await watchUnread(nowMs)
      for (const [id, { windowEndsAtMs, readAmount }] of prompt) {
        const isLate = windowEndsAtMs <= chainMs - promptMs
        if (windowEndsAtMs <= endedAfterMs || (isLate && readAmount !== null)) prompt.delete(id)
      }
      const after = { windowEndsAtMs: endedAfterMs, number: Number.MAX_SAFE_INTEGER }
      const untilMs = Number.MAX_SAFE_INTEGER
      hasLate =
        prompt.size === 0 && (await db.read((tx) => depositsByWindow(tx, network, { after, untilMs }, 1))).length === 1
    },
    /**
     * The accounts with an open or recently ended window, and the next late ones.
     * @param chainMs - The head's time.
     */
    async due(chainMs: number, nowMs: number): Promise<WatchedAccount[]> {
      if (turn.length === 0) turn = await nextTurn(chainMs, nowMs)
      const isPrompt = ({ windowEndsAtMs, readAmount }: WatchedAccount) =>
        windowEndsAtMs > chainMs - promptMs || readAmount === null
      const due = [...prompt.values()].filter(isPrompt)
      const known = new Set(due.map(({ id }) => id))
      // After a pause, the chain's time may be later than at the refresh: accounts skipped here are late, and are read in their
      // turn.
      return [...due, ...turn.filter(({ id }) => !known.has(id))]
    },
    /**
     * Call once what is due has been read. Those read in part are stored as to be read again, and so are due until they are read.
     * @param unread - Those that were not read at all.
     * @returns the chain's time up to which every other late deposit has been read.
     */
    completed(unread: ReadonlySet<PaymentId> = new Set()): number {
      if (turn.some(({ id }) => unread.has(id))) return lateReadMs
      const last = turn.at(-1)
      if (round && last && turn.length === lateMax) round.after = last
      else if (round) {
        lateReadMs = round.beganAtMs
        round = undefined
        isFirstRound = false
      }
      turn = []
      return lateReadMs
    },
  }
}
