import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaSplitTerms } from '../facts/solana-split-terms.ts'
import { newestNumber } from '../watch/token-account-store.ts'
import {
  loadSplitCursor,
  type NewSplit,
  type SplitAccount,
  saveSplitAccount,
  saveSplitCursor,
  splitAccounts,
  splitsBetween,
  splitTermsOf,
} from './split-account-store.ts'
import { clockSkewMs, countedOwnerOf } from './verify-transfer.ts'

/** Payments (of any network) per step, and accounts per query. */
const pageRows = 5_000

/** Maximum cached addresses. */
const addressesMax = 10_000

/** Maximum payments with unreadable terms that are logged. */
const unreadableMax = 1_000

/** A receiving account's state: its stored row, and what is only in memory. */
export type WatchedSplitAccount = SplitAccount & {
  /** Whether the stored row is outdated. */
  isChanged: boolean
  /** The newest final transaction that was read. Ahead of `readTo` while an earlier transaction is unverified. */
  newestFinal: string | null
  /** Balance in base units at the last read. Null if there is no token account, or it was not read since the start. */
  balance: bigint | null
  /** Signature and slot of the transactions read after `newestFinal`: a fork may undo and repeat them. */
  unsettled: ReadonlySet<string>
  /** 0 if not listed since the start. */
  listedAtMs: number
  /** Since when the balance differs although no new transaction is listed; null if it does not. */
  unlistedSinceMs: number | null
  /** Since when it could not be read to its end; null if it could. */
  behindSinceMs: number | null
  /** Whether windows end although it is not read to its end. */
  isGivenUp: boolean
  /** Whether every transaction could be read at the last read. */
  isReadable: boolean
}

/**
 * The token accounts that receive one network's wallet payments, with their cursors. The accounts are stored together with the
 * number of the newest payment considered: a start reads neither earlier payments nor their transactions.
 */
export function createSplitAccounts(db: Db, network: string, { runtime, log }: { runtime: Runtime; log: Log }) {
  /** By address. */
  const accounts = new Map<string, WatchedSplitAccount>()
  /** Token account addresses by mint and owner, cached because deriving one is the most expensive step per payment. */
  const addresses = new Map<string, string>()
  /** Payments whose terms cannot be read, and were logged. */
  const unreadable = new Set<PaymentId>()
  /** The newest payment considered, and the newest stored as such. Undefined until the first load. */
  let newest: { number: number; stored: number } | undefined

  async function load(endedAfterMs: number): Promise<{ number: number; stored: number }> {
    for (let after = ''; ; ) {
      const page = { after, limit: pageRows }
      const rows = await db.read((tx) => splitAccounts(tx, network, endedAfterMs, page))
      for (const row of rows) accounts.set(row.address, unread(row))
      after = rows.at(-1)?.address ?? after
      if (rows.length < pageRows) break
    }
    const number = await db.read((tx) => loadSplitCursor(tx, network))
    return { number, stored: number }
  }

  function watch({ createdAtMs, windowEndsAtMs, ...payment }: NewSplit): void {
    const address = accountOf(payment)
    if (address === undefined) return
    const known = accounts.get(address)
    if (!known) {
      const sinceMs = createdAtMs - clockSkewMs
      accounts.set(address, { ...unread({ address, sinceMs, windowEndsAtMs, readTo: null }), isChanged: true })
    } else if (known.windowEndsAtMs < windowEndsAtMs) {
      known.windowEndsAtMs = windowEndsAtMs
      known.isChanged = true
    }
  }

  /** Undefined if the stored terms cannot be read. */
  function accountOf({ id, splitTerms }: { id: PaymentId; splitTerms: string }): string | undefined {
    let place: { mint: string; owner: string }
    try {
      const terms = parseSolanaSplitTerms(splitTerms)
      place = { mint: terms.mint, owner: countedOwnerOf(terms) }
    } catch (err) {
      if (!unreadable.has(id) && unreadable.size < unreadableMax) {
        unreadable.add(id)
        log.error(
          { network, paymentId: id, err },
          'The terms of a wallet payment cannot be read; the payment is not watched',
        )
      }
      return undefined
    }
    const { mint, owner } = place
    const key = `${mint} ${owner}`
    const address = addresses.get(key) ?? tokenAccountOf(mint, owner)
    if (addresses.size >= addressesMax) addresses.clear()
    addresses.set(key, address)
    return address
  }

  async function save(): Promise<void> {
    const changed = [...accounts.values()].filter(({ isChanged }) => isChanged)
    if (!newest) return
    const { number } = newest
    await db.write(async (tx) => {
      for (const account of changed) await saveSplitAccount(tx, network, account)
      await saveSplitCursor(tx, network, number)
    })
    newest.stored = number
    for (const account of changed) account.isChanged = false
  }

  return {
    all: (): WatchedSplitAccount[] => [...accounts.values()],
    /** The limits of the payments whose account has one, by its address. */
    async limitsOf(ids: readonly PaymentId[], limits: ReadonlyMap<string, number>): Promise<Map<PaymentId, number>> {
      const rows = limits.size === 0 ? [] : await db.read((tx) => splitTermsOf(tx, ids))
      const limited = rows.flatMap((row): [PaymentId, number][] => {
        const limit = limits.get(accountOf(row) ?? '')
        return limit === undefined ? [] : [[row.id, limit]]
      })
      return new Map(limited)
    },
    /** Adds the accounts of payments created since the last call; drops those whose payments ended long ago. */
    async refresh(): Promise<void> {
      const endedAfterMs = runtime.nowMs() - watchAfterWindowMs
      newest ??= await load(endedAfterMs)
      const end = await db.read(newestNumber)
      while (newest.number < end) {
        const after: number = newest.number
        const upTo = Math.min(after + pageRows, end)
        const created = await db.read((tx) => splitsBetween(tx, network, { after, upTo, endedAfterMs }))
        for (const one of created) watch(one)
        newest.number = upTo
        if (created.length > 0 || upTo - newest.stored >= pageRows) await save()
      }
      for (const [address, { windowEndsAtMs }] of accounts) if (windowEndsAtMs <= endedAfterMs) accounts.delete(address)
    },
    /** Call once every transaction read is refused, or stored as detected: a later start continues after it. */
    async saveRead(): Promise<void> {
      for (const account of accounts.values()) {
        if (account.newestFinal === account.readTo) continue
        account.readTo = account.newestFinal
        account.isChanged = true
      }
      if (this.all().some(({ isChanged }) => isChanged)) await save()
    },
  }
}

const unread = (account: SplitAccount): WatchedSplitAccount => ({
  ...account,
  isChanged: false,
  newestFinal: account.readTo,
  balance: null,
  unsettled: new Set(),
  isReadable: true,
  listedAtMs: 0,
  unlistedSinceMs: null,
  behindSinceMs: null,
  isGivenUp: false,
})
