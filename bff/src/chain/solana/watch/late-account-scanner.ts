import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db, Tx } from '../../../db/db.ts'
import { isDatabaseFault } from '../../../db/unavailable.ts'
import type { Heads } from '../../../network/heads.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { createLateScan, heldInBooks, runLateScan } from '../../late-scan.ts'
import { saveLateScan } from '../../late-scan-store.ts'
import { removeFault } from '../../watch-fault-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { type AccountTransfers, readTransfers } from './read-account.ts'
import { depositsByWindow, insertAccount, type StoredAccount, saveRead } from './token-account-store.ts'

/** Transactions per pass. If an account has more, the next pass starts with it. */
const transactionsMax = 100

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<SolanaAdapter, 'network' | 'tokenAccounts' | 'signatures' | 'transaction'>
  network: SolanaNetwork
  heads: Heads
  runtime: Runtime
  log: Log
}

/** Logged when nothing of an account was stored as read. */
const failedText = 'Changing one payment failed; retrying in the next round'

/** An account whose balance differs from the last read, or exceeds the books. */
type ChangedAccount = StoredAccount & { account: string; amount: bigint; place: number }

type Reading = ChangedAccount & { found: AccountTransfers }

/**
 * Finds money received by deposits' token accounts after the watch window, however late. Each pass reads the balances of the next
 * accounts, a hundred per call, and the transactions of those that changed. Their transfers become late transfers as if they had
 * been watched; the watcher counts them once they are final.
 */
export function createLateAccountScanner({ db, ledger, adapter, network, heads, runtime, log }: Deps) {
  const name = network.shortName
  const nextSlice = createLateScan({ db, network, homes: [name], heads, runtime, read: depositsByWindow })

  const reportUnreadable =
    ({ id: paymentId }: StoredAccount) =>
    (error: unknown) => {
      if (isDatabaseFault(error)) throw error
      log.error({ network: name, paymentId, err: error }, failedText)
      return undefined
    }

  /** @returns the accounts whose transactions must be read, in row order. */
  async function readChanged(rows: readonly StoredAccount[], slot: number, signal: AbortSignal) {
    const accounts = rows.map(({ address, mint, owner }) => address ?? tokenAccountOf(mint, owner))
    const states = await adapter.tokenAccounts(accounts, slot, signal)
    const held = rows.map((row, place): ChangedAccount => {
      const state = states[place]
      const isOurs = state?.mint === row.mint && state.owner === row.owner
      return { ...row, account: accounts[place] ?? '', amount: isOurs ? state.amount : 0n, place }
    })
    return await db.read(async (tx) => {
      const changed: ChangedAccount[] = []
      for (const one of held) {
        const readAmount = one.address === null ? '0' : one.readAmount
        // Money that left and returned between two rounds gives the same amount, but the books know that it left.
        const isRead = String(one.amount) === readAmount
        const payment =
          isRead && one.amount > 0n ? await loadPayment(tx, one.id).catch(reportUnreadable(one)) : undefined
        const isInBooks = payment?.mode !== 'deposit' || one.amount <= heldInBooks(payment)
        if (!isRead || !isInBooks) changed.push(one)
      }
      return changed
    })
  }

  /** @returns the transfers read, and the first account that was too long for this pass. */
  async function readAccounts(changed: readonly ChangedAccount[], slot: number, signal: AbortSignal) {
    const readings: Reading[] = []
    let limit = transactionsMax
    for (const account of changed) {
      if (limit === 0) return { readings, unread: account }
      const found = await readTransfers({ adapter, log }, account, { slot, limit }, signal)
      if (found === undefined) {
        // The next round reads it again, so that no other account waits for the node.
        log.warn({ network: name, paymentId: account.id }, 'A node lists a transaction that it does not return')
        continue
      }
      readings.push({ ...account, found })
      if (found.left > 0) return { readings, unread: account }
      limit -= found.read
    }
    return { readings, unread: undefined }
  }

  /**
   * Scans the next accounts.
   * @returns true if one of them has more transactions.
   */
  async function pass(signal: AbortSignal): Promise<boolean> {
    const slice = await nextSlice()
    if (slice === undefined) return false
    const slot = slice.head.number
    const changed = await readChanged(slice.rows, slot, signal)
    const { readings, unread } = await readAccounts(changed, slot, signal)
    const atMs = runtime.nowMs()
    const store = (some: readonly Reading[], also: (tx: Tx) => Promise<void>) =>
      db.write(async (tx) => {
        for (const { id, address, account, amount, readAmount, found } of some) {
          for (const transfer of found.credits) await ledger.applyIn(tx, id, { type: 'transfer.seen', transfer, atMs })
          if (address === null) await insertAccount(tx, { id, network: name, address: account, dueAtMs: atMs })
          // Keeping the old amount makes a later pass read the account again from there.
          const isWhole = found.left === 0 && !found.unreadable
          await saveRead(tx, id, { amount: isWhole ? String(amount) : readAmount, to: found.to })
          if (isWhole) await removeFault(tx, name, { id, part: 'account', place: '' })
        }
        await also(tx)
      })
    const saveScan = (tx: Tx) => saveLateScan(tx, name, slice.scanned(unread?.place))
    for (const { id: paymentId, found } of readings)
      if (found.unreadable) log.error({ network: name, paymentId, err: found.unreadable.error }, failedText)
    try {
      await store(readings, saveScan)
    } catch (error) {
      if (readings.length === 0 || isDatabaseFault(error)) throw error
      for (const reading of readings)
        await store([reading], async () => undefined).catch((fault) => {
          if (isDatabaseFault(fault)) throw fault
          log.error({ network: name, paymentId: reading.id, err: fault }, failedText)
        })
      await store([], saveScan)
    }
    return unread !== undefined
  }

  return {
    pass,
    /** Runs passes until aborted. Never rejects. */
    run: (signal: AbortSignal): Promise<void> => runLateScan({ network, log, pass }, signal),
  }
}
