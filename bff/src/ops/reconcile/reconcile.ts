import { setTimeout as sleep } from 'node:timers/promises'
import { inspectNetwork } from '../../chain/connect-networks.ts'
import { loadHeaders, loadUnmatchedCursor } from '../../chain/cursor-store.ts'
import { familyOf } from '../../chain/index.ts'
import type { Account, AccountReading, MovementReader } from '../../chain/movements.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Network, Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { recordedTokens } from '../../payment/store/token-store.ts'
import { accountsAfter, loadBooks, type PaymentBooks } from './books-store.ts'
import type { Difference, Judged, Note, Scope } from './difference.ts'
import { judgePayment } from './judge-payment.ts'
import { judgeRefund } from './judge-refund.ts'
import { type RefundBooks, refundBooksAfter } from './refund-books-store.ts'
import { createStatement, type Period, type StatementLine } from './statement.ts'

/** Maximum payments in memory at once, beside the little that is kept of each while a chain is read. */
const pageMax = 200

/** Maximum listed of each kind. All are counted. */
const listedMax = 1_000

/** A running service may be about to store what the first read of the books lacks. */
const secondReadingMs = 2_000

/** A block that the chain or the service has not reached. */
export class BlockAheadError extends Error {}

export type Reconciled = {
  network: Network
  /** Everything was compared up to this block. */
  at: { number: number; timeMs: number }
  payments: number
  lines: readonly StatementLine[]
  differences: readonly Difference[]
  differenceCount: number
  notes: readonly Note[]
  noteCount: number
}

type OnProgress = (step: 'chain' | 'books', done: number, total: number) => void

type Deps = { db: Db; networks: Networks; runtime: Pick<Runtime, 'nowMs'>; period: Period; onProgress: OnProgress }

/**
 * Compares a network's books with its chain. Reads the chain first, up to a block that the service has applied, and then
 * each payment's books in one read: movements after that are in later blocks.
 * @throws the node's error when the chain cannot be read; the result is then unknown.
 */
export async function reconcileNetwork(deps: Deps, network: Network, signal: AbortSignal): Promise<Reconciled> {
  const { db, networks, runtime, period, onProgress } = deps
  const name = network.shortName
  const family = familyOf(network)
  const cursors = await db.read(async (tx) => ({
    applied: (await loadHeaders(tx, name, 1)).at(-1)?.number,
    unmatched: (await loadUnmatchedCursor(tx, name))?.number,
  }))
  const tokens = await db.read((tx) => recordedTokens(tx, name))
  const { applied } = cursors
  const request = { applied, accounts: () => allAccounts(db, name), networks, tokens, nowMs: runtime.nowMs }
  const onRead = (done: number, total: number) => onProgress('chain', done, total)
  const inspection = await inspectNetwork(network, commandPoolDeps(runtime))
  const reader = await inspection.readMovements({ ...request, onProgress: onRead }, signal)
  if (period.kind === 'block' && period.block > reader.at.number) {
    const newest = `the newest final and applied block is ${reader.at.number}`
    throw new BlockAheadError(`block ${period.block} of ${network.name} cannot be compared yet: ${newest}`)
  }
  const { isSameAddress } = family
  const scope = { network: name, at: reader.at, unmatchedApplied: cursors.unmatched, isSameAddress }
  const statement = createStatement(period, isSameAddress)
  const notes = createList<Note>()
  const doubtful = createList<Doubt>()
  let payments = 0
  let total = 0
  for await (const page of accountPages(db)) total += page.length
  let done = 0
  for await (const page of accountPages(db)) {
    const readings = await reader.read(page, signal)
    const books = await db.read((tx) => loadBooks(tx, page[0]?.number ?? 0, page.at(-1)?.number ?? 0))
    for (const [index, account] of page.entries()) {
      const reading = readings[index]
      const book = books.get(account.id)
      if (reading === undefined || book === undefined) continue
      payments += 1
      const judged = await judge({ account, reading }, book, scope, reader, signal)
      statement.add(judged)
      for (const note of judged.notes) notes.add(note)
      if (judged.differences.length > 0) doubtful.add({ account, reading })
    }
    done += page.length
    onProgress('books', done, total)
  }
  const differences = createList<Difference>()
  const doubtfulRefunds = createList<RefundDoubt>()
  for await (const page of refundPages(db, name)) {
    const accounts = namedAccounts(page)
    const read = await reader.read(accounts, signal)
    const readings = new Map(accounts.map(({ number }, index) => [number, read[index]]))
    for (const book of page) {
      const reading = book.isNamed ? readings.get(book.account.number) : unnamed
      // The refund was requested while the chain was read.
      if (reading === undefined) continue
      const judged = await judgeRefund(book, reading, reader, signal)
      for (const note of judged.notes) notes.add(note)
      if (judged.differences.length > 0) doubtfulRefunds.add({ number: book.account.number, reading })
    }
  }
  if (doubtful.count + doubtfulRefunds.count > 0) await sleep(secondReadingMs, undefined, { signal })
  for (const { number, reading } of doubtfulRefunds.items) {
    const [book] = await db.read((tx) => refundBooksAfter(tx, name, number - 1, 1))
    if (book === undefined) continue
    for (const difference of (await judgeRefund(book, reading, reader, signal)).differences) differences.add(difference)
  }
  for (const doubt of doubtful.items) {
    const { number, id } = doubt.account
    const book = (await db.read((tx) => loadBooks(tx, number, number))).get(id)
    if (book === undefined) continue
    const judged = await judge(doubt, book, scope, reader, signal)
    for (const difference of judged.differences) differences.add(difference)
  }
  await reader.verifyUnchanged(signal)
  return {
    network,
    at: reader.at,
    payments,
    lines: statement.lines(),
    differences: differences.items,
    differenceCount: differences.count + unjudged(doubtful) + unjudged(doubtfulRefunds),
    notes: notes.items,
    noteCount: notes.count,
  }
}

/** A refund that plain transfers pay, which do not name it: only the transfers in the books can be looked up. */
const unnamed: AccountReading = { movements: [], balances: [], blocks: undefined }

const namedAccounts = (page: readonly RefundBooks[]): Account[] =>
  page.flatMap(({ account, isNamed }) => (isNamed ? [account] : []))

type Doubt = { account: Account; reading: AccountReading }
type RefundDoubt = { number: number; reading: AccountReading }

/** Doubts that were counted but not kept, which count as differences. */
const unjudged = ({ count, items }: { count: number; items: readonly unknown[] }): number => count - items.length

/** Compares one payment, and looks up each transaction that the books have in later blocks. */
async function judge(
  { account, reading }: Doubt,
  books: PaymentBooks,
  scope: Omit<Scope, 'later'>,
  reader: MovementReader,
  signal: AbortSignal,
): Promise<Judged> {
  const judged = judgePayment(books, reading, { ...scope, later: new Set() })
  const missing = judged.differences.filter(({ code }) => code === 'sweep_not_on_chain' || isPayoutMissing(code))
  const later = new Set<string>()
  for (const { txId } of missing) {
    const block = txId === null ? undefined : await reader.blockOf(account, txId, signal)
    if (txId !== null && block !== undefined && block > scope.at.number) later.add(txId)
  }
  return later.size === 0 ? judged : judgePayment(books, reading, { ...scope, later })
}

const isPayoutMissing = (code: Difference['code']): boolean =>
  code === 'refund_not_on_chain' || code === 'return_not_on_chain'

/** Every live payment, in creation order. */
async function* accountPages(db: Db): AsyncGenerator<Account[]> {
  let after = 0
  for (;;) {
    const page = await db.read((tx) => accountsAfter(tx, after, pageMax))
    if (page.length > 0) yield page
    if (page.length < pageMax) return
    after = page.at(-1)?.number ?? after
  }
}

/** Every live refund of the network that a merchant's wallet can pay, in the order of the requests. */
async function* refundPages(db: Db, network: string): AsyncGenerator<RefundBooks[]> {
  let after = 0
  for (;;) {
    const page = await db.read((tx) => refundBooksAfter(tx, network, after, pageMax))
    if (page.length > 0) yield page
    if (page.length < pageMax) return
    after = page.at(-1)?.account.number ?? after
  }
}

async function* allAccounts(db: Db, network: string): AsyncGenerator<Account[]> {
  yield* accountPages(db)
  for await (const page of refundPages(db, network)) yield namedAccounts(page)
}

/** Keeps the first differences, and counts all. */
function createList<T>() {
  const items: T[] = []
  let count = 0
  return {
    items,
    get count() {
      return count
    },
    add(item: T): void {
      count += 1
      if (items.length < listedMax) items.push(item)
    },
  }
}
