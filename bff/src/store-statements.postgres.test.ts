import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillDatabase } from '@stablecoin-checkout/rig/filled-database'
import { createTestDatabase, makeDatabaseFolder, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPolicies, savePolicy } from './agent/policy-store.ts'
import { loadUnmatchedCursor, saveUnmatchedCursor } from './chain/cursor-store.ts'
import {
  moveSearch,
  openSearches,
  postponeSearch,
  saveSearch,
  searchesOf,
} from './chain/evm/watch/late-search-store.ts'
import { countUnanswered, saveSecondRead, saveUnanswered, unreadRanges } from './chain/evm/watch/second-read-store.ts'
import { listLateScans } from './chain/late-scan-store.ts'
import { loadOutgoing } from './chain/solana/payout/solana-outgoing-store.ts'
import { unsettledSolanaRefunds, watchedSolanaRefunds } from './chain/solana/refund/solana-refund-store.ts'
import { isOfDeposit, isOurs, namesAnother, unsettledSplits } from './chain/solana/split/reference-store.ts'
import {
  loadSplitCursor,
  saveSplitAccount,
  saveSplitCursor,
  splitAccounts,
  splitsBetween,
  splitTermsOf,
} from './chain/solana/split/split-account-store.ts'
import { readAgain } from './chain/solana/watch/token-account-store.ts'
import { countFaulty, faultSince, saveFault } from './chain/watch-fault-store.ts'
import type { LinkId } from './checkout/link/link.ts'
import { listLinks } from './checkout/link/link-store.ts'
import { insertCharge, openCharges, saveOffer } from './checkout/x402/charge-store.ts'
import { holdSettlement, isHeldByAnother, releaseSettlement } from './checkout/x402/settlement-store.ts'
import { baseUnits } from './core/money.ts'
import { openPaymentsOf } from './dashboard/till/sale-store.ts'
import { type Db, type Sql, sql, type Tx } from './db/db.ts'
import { moveDatabase } from './db/move/move.ts'
import { openSqlite } from './db/sqlite/open-sqlite.ts'
import { networksStillNeeded } from './ops/config/removed-networks-store.ts'
import { paymentNetworks } from './ops/reconcile/books-store.ts'
import type { MerchantId, PaymentId } from './payment/payment.ts'
import {
  dropExternalAuthorization,
  failQueuedAuthorization,
  requeueAuthorization,
} from './payment/store/authorization-store.ts'
import { askOnceMore } from './payment/store/bridge-store.ts'
import { deliveryNumber } from './payment/store/outbox-store.ts'
import { paidBefore } from './payment/store/transfer-store.ts'
import { unmatchedAbove } from './payment/store/unmatched-store.ts'
import { firstDepositAfterWindow, isWellWatched } from './payment/store/watched-payments-store.ts'
import {
  deleteExternalSettlement,
  externalSettlementsToRecheck,
  saveExternalSettlement,
} from './payout/external-settlement-store.ts'
import { clearRecheck, restoreLanded } from './payout/outgoing-store.ts'
import { parkedAt, saveParkedShare, shareOfTransaction } from './payout/parked-share-store.ts'
import { firstConfirmedTxId, queuedReturnTerms } from './payout/payout-queue-store.ts'
import { listInvoices } from './stores/invoice-store.ts'
import { disabledEndpoints, openPayments, outgoingOpen } from './system/queue-store.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
const rows = 9

let folder: string
let database: TestDatabase
let sqlite: Db
let postgres: Db

/** The same rows on both. */
beforeAll(async () => {
  folder = makeDatabaseFolder()
  database = await createTestDatabase()
  const file = join(folder, 'filled.sqlite')
  await fillDatabase(file, rows)
  const copy = join(folder, 'copy.sqlite')
  copyFileSync(file, copy)
  await moveDatabase(file, database.location, nowMs, () => undefined)
  sqlite = openSqlite(copy)
  postgres = await database.open()
  // What belongs to a process alone (leases, replicas, limits) is not moved.
  const here = await contentOf(postgres)
  for (const { name } of await tables()) {
    if (here.some((row) => row.startsWith(`${name} `))) continue
    await sqlite.write((tx) => tx.run(statementOf(`delete from "${name}"`)))
  }
})
afterAll(async () => {
  await sqlite.close()
  await postgres.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** A row that both have. */
async function rowOf<Row>(statement: Sql): Promise<Row> {
  const row = await sqlite.read((tx) => tx.get<Row>(statement))
  if (row === undefined) throw new Error('No such row')
  return row
}

type Cells = Record<'network' | 'token' | 'txId' | 'address' | 'resource', string> & { id: PaymentId; number: number }

const tables = () =>
  sqlite.read((tx) =>
    tx.all<{ name: string }>(sql`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`),
  )

const statementOf = (text: string): Sql => ({ strings: [text] as unknown as TemplateStringsArray, params: [] })

/** All rows of all tables, as text. */
async function contentOf(db: Db): Promise<string[]> {
  const texts: string[] = []
  for (const { name } of await tables()) {
    const found = await db.read((tx) => tx.all<object>(statementOf(`select * from "${name}"`)))
    texts.push(...found.map((row) => `${name} ${JSON.stringify(Object.entries(row).sort())}`))
  }
  return texts.sort()
}

type Call = (tx: Tx, cells: Cells) => Promise<unknown>

const search = { fromBlock: 1, toBlock: 9, balance: baseUnits('100'), inBooks: baseUnits('1'), rounds: 2 }
const account = { address: 'new', sinceMs: 1, windowEndsAtMs: 2, readTo: null }

const ofSearches = sql`select network, payment_id as id, token from late_searches order by payment_id limit 1`
const ofTransfers = sql`select network, payment_id as id, tx_id as "txId" from transfers order by payment_id limit 1`
const ofOutgoing = sql`select network, tx_id as "txId", id from outgoing_transactions order by id limit 1`
const ofAccounts = sql`select network, address, payment_id as id from solana_accounts order by payment_id limit 1`
const ofSplits = sql`select network, address from split_accounts order by address limit 1`
const ofCursors = sql`select network from split_cursors order by network limit 1`
const ofPayments = sql`select network, id from payments order by number limit 1`
const ofSplitPayments = sql`select id from payments where split_terms is not null order by number limit 1`
const ofCharges = sql`select payment_id as id, resource from x402_charges order by payment_id limit 1`
const ofAuthorizations = sql`select id, network from authorizations order by id limit 1`
const ofSent = sql`
    select transaction_id as "txId" from authorizations where transaction_id is not null order by id limit 1`
const ofReads = sql`select network from second_reads order by network limit 1`
const ofUnmatched = sql`select network from unmatched_transfers order by payment_id limit 1`
const ofPayouts = sql`select network from payouts order by network limit 1`
const ofBridges = sql`select payment_id as id from bridge_polls order by payment_id limit 1`

/** Groups come in no order. */
const inOrder = (groups: readonly object[]) => groups.map((group) => JSON.stringify(group)).sort()

async function insertChargeOf(tx: Tx, { id }: Cells) {
  await tx.run(sql`delete from x402_charges where payment_id = ${id}`)
  const terms = { merchantId: 'm' as MerchantId, client: 'c', resource: 'r', priceDigest: 'p' }
  await insertCharge(tx, { id, ...terms, atMs: 5 })
}

async function unansweredOf(tx: Tx, { network }: Cells) {
  const name = String(network)
  await tx.run(sql`delete from second_reads`)
  await saveSecondRead(tx, 'transfers', name, { from: 5, to: 9, toTimeMs: 90 })
  for (const nowMs of [7, 8]) await saveUnanswered(tx, 'transfers', name, { block: 5, nowMs })
  return [await unreadRanges(tx, name, 10), await countUnanswered(tx)]
}

async function parkedOf(tx: Tx, { id, network }: Cells) {
  const at = { network: String(network), place: 'p', token: 't' }
  const share = { ...at, paymentId: null, amount: 10n ** 20n }
  for (const recipient of ['one', 'other']) await saveParkedShare(tx, { ...share, recipient }, nowMs)
  await tx.run(sql`update parked_shares set transaction_id = ${id} where recipient = 'one' and place = 'p'`)
  await tx.run(sql`update outgoing_transactions set state = 'stored' where id = ${id}`)
  const parked = await parkedAt(tx, at)
  expect(parked).toEqual({ amount: 2n * 10n ** 20n, isLeaving: true })
  return parked
}

async function openChargesOf(tx: Tx, { id }: Cells) {
  await tx.run(sql`update payments set status = 'pending', seen = '0', window_ends_at_ms = 100 where id = ${id}`)
  await tx.run(sql`delete from authorizations where payment_id = ${id}`)
  await tx.run(
    sql`update x402_charges set merchant_id = 'm', used_at_ms = null, offered_at_ms = 5 where payment_id = ${id}`,
  )
  await saveOffer(tx, { id, resource: 'r', atMs: 6 })
  const open = { merchantId: 'm' as MerchantId, payableAfterMs: 1, offeredAfterMs: 1, limit: 5 }
  const found = await openCharges(tx, open)
  expect(found).toMatchObject([{ id, isPayable: true }])
  return found
}

async function settleOf(tx: Tx, { id }: Cells) {
  const call = { id, callId: 'a', nowMs: 5 }
  const other = { ...call, callId: 'b' }
  for (const one of [call, other]) await holdSettlement(tx, { ...one, endsAtMs: 9 })
  const held = [await isHeldByAnother(tx, call), await isHeldByAnother(tx, other)]
  await releaseSettlement(tx, call)
  expect([...held, await isHeldByAnother(tx, other)]).toEqual([false, true, false])
  return held
}

const ofRefunds = sql`
    select r.network, r.id, t.tx_id as "txId", t.network as token
      from merchant_refunds r, transfers t where r.address is not null order by r.number, t.tx_id limit 1`
/** Of the links' rows the one whose nullable columns are null, which are JSON in others. */
const ofLinks = sql`
    select merchant_id as address, id as resource from payment_links where choices is null order by number limit 1`
const ofInvoices = sql`
    select merchant_id as address, order_id as resource, link_id as token
      from store_invoices where order_id is not null order by number limit 1`
const ofDeliveries = sql`select event_number as number, receiver_key as resource from deliveries order by number limit 1`
const ofShares = sql`
    select transaction_id as "txId" from parked_shares where transaction_id is not null order by place limit 1`

async function refundsOf(tx: Tx, { network, id, txId, token }: Cells) {
  await tx.run(sql`
      update transfers set payment_id = ${id}, network = ${network}, state = 'seen'
       where tx_id = ${txId} and network = ${token}`)
  const watched = await watchedSolanaRefunds(tx, network, 0, 5, (error) => expect(error).toBeUndefined())
  const unsettled = await unsettledSolanaRefunds(tx, network, 5)
  expect([watched.length, unsettled]).toEqual([1, [{ id, txId }]])
  return watched
}

async function policiesOf(tx: Tx) {
  const none = { maxPerTransaction: null, dailyBudget: null, monthlyBudget: null }
  const any = { allowedNetworks: null, allowedCurrencies: null, autonomousAllowed: false, expiresAtMs: null }
  const { id } = (await tx.get<{ id: MerchantId }>(sql`select id from merchants order by id limit 1`)) ?? {}
  const of = { merchantId: id as MerchantId, isTest: true }
  for (const agentId of ['b', 'a', 'B', 'ä']) {
    await savePolicy(tx, { ...of, agentId }, { agentId, ...none, ...any, createdAtMs: 1, updatedAtMs: 2 })
  }
  const found = await loadPolicies(tx, of, 'B', 2)
  expect(found.map(({ agentId }) => agentId)).toEqual(['a', 'b'])
  return found
}

async function linksOf(tx: Tx, { address, resource }: Cells) {
  await tx.run(sql`update payment_links set is_sale = 1 where id = ${resource}`)
  const search = { merchantId: address as MerchantId, isTest: false, before: rows + 1, limit: 5 }
  const all = await listLinks(tx, { ...search, hasSales: true })
  expect([all.length, await listLinks(tx, { ...search, hasSales: false })]).toEqual([1, []])
  return all
}

async function invoicesOf(tx: Tx, { address, resource, token }: Cells) {
  await tx.run(sql`update store_invoices set checkout = '{}', reported = '{}', archived = 0`)
  const any = { orderIds: null, sinceMs: null, untilMs: null, text: null, hasArchived: true }
  const list = (filter: object) => listInvoices(tx, address as MerchantId, { ...any, ...filter }, { limit: 5 })
  const found = [await list({ orderIds: [resource], hasArchived: false }), await list({ text: token })]
  expect(found.map((one) => one.length)).toEqual([1, 1])
  return found
}

async function settledOutside(tx: Tx, { id, network }: Cells) {
  for (const block of [7, 8]) await saveExternalSettlement(tx, network, { paymentId: id, txId: 'x', block })
  const list = () => externalSettlementsToRecheck(tx, network, { after: '', limit: 5 })
  const found = await list()
  await deleteExternalSettlement(tx, network, id)
  expect(await list()).toEqual(found.filter((one) => one.paymentId !== id))
  return found
}

async function requeued(tx: Tx, { txId }: Cells) {
  await tx.run(sql`update authorizations set state = 'sent' where transaction_id = ${txId}`)
  await requeueAuthorization(tx, txId)
}

async function unmatchedOf(tx: Tx, { network }: Cells) {
  for (const number of [7, 8]) await saveUnmatchedCursor(tx, network, { number, hash: 'h' })
  expect(await loadUnmatchedCursor(tx, network)).toEqual({ number: 8, hash: 'h' })
  return await unmatchedAbove(tx, network, 0, 5)
}

async function faultsOf(tx: Tx, { id, network }: Cells) {
  const fault = { id, part: 'window', place: '' } as const
  for (const atMs of [7, 8]) await saveFault(tx, network, fault, { error: 'e', atMs })
  expect(await faultSince(tx, network, fault)).toBe(7)
}

/** Each by what it does; the cells are those of a row that is there. */
const calls: [string, Sql, Call][] = [
  ['hold and release the settlement of a charge', ofCharges, settleOf],
  ['read the open searches', ofSearches, (tx, { network }) => openSearches(tx, network, 5)],
  ['save a search anew', ofSearches, (tx, { id, network, token }) => saveSearch(tx, network, { id, token, ...search })],
  ['read the searches of payments', ofSearches, (tx, { id, network }) => searchesOf(tx, network, [id])],
  [
    'save another search',
    ofSearches,
    (tx, { id, network }) => saveSearch(tx, network, { id, token: 'new', ...search }),
  ],
  ['move a search', ofSearches, (tx, { network, ...key }) => moveSearch(tx, network, key, 7)],
  ['end a search', ofSearches, (tx, { network, ...key }) => moveSearch(tx, network, key, null)],
  ['postpone a search', ofSearches, (tx, { network, ...key }) => postponeSearch(tx, network, key)],
  ['list the late scans', ofPayments, (tx) => listLateScans(tx)],
  ['count payments with faults', ofPayments, (tx) => countFaulty(tx)],
  ['find the reference of another payment', ofPayments, (tx, { id, network }) => namesAnother(tx, network, id, ['a'])],
  ['find a transaction of the service', ofOutgoing, (tx, { network, txId }) => isOurs(tx, network, txId)],
  ['find no transaction of the service', ofOutgoing, (tx, { network }) => isOurs(tx, network, 'other')],
  ['find the account of a deposit', ofAccounts, (tx, { network, address }) => isOfDeposit(tx, network, [address])],
  ['read wallet payments that are not final', ofTransfers, (tx, { network }) => unsettledSplits(tx, network, 5)],
  ['read accounts', ofSplits, (tx, { network }) => splitAccounts(tx, network, 0, { after: '', limit: 5 })],
  ['save an account', ofSplits, (tx, { network }) => saveSplitAccount(tx, network, account)],
  ['save it anew', ofSplits, (tx, { network }) => saveSplitAccount(tx, network, { ...account, readTo: 'here' })],
  ['read the cursor of wallet payments', ofCursors, (tx, { network }) => loadSplitCursor(tx, network)],
  ['save the cursor of wallet payments', ofCursors, (tx, { network }) => saveSplitCursor(tx, network, 77)],
  [
    'read new wallet payments',
    ofPayments,
    (tx, { network }) => splitsBetween(tx, network, { after: 0, upTo: rows, endedAfterMs: 0 }),
  ],
  ['read the terms of wallet payments', ofSplitPayments, (tx, { id }) => splitTermsOf(tx, [id])],
  ['count disabled endpoints', ofPayments, async (tx) => inOrder(await disabledEndpoints(tx))],
  ['count open payments', ofPayments, async (tx) => inOrder(await openPayments(tx))],
  ['count open transactions', ofPayments, async (tx) => inOrder(await outgoingOpen(tx))],
  ['list the networks of payments', ofPayments, (tx) => paymentNetworks(tx)],
  ['find the first transfer', ofTransfers, (tx, { id }) => firstConfirmedTxId(tx, id)],
  [
    'ask whether a transaction has paid another payment',
    ofTransfers,
    (tx, { network, txId }) => paidBefore(tx, { network, txId, logIndex: 1 }, 'another' as PaymentId),
  ],
  ['restore a transaction that landed', ofOutgoing, (tx, { network, txId }) => restoreLanded(tx, network, txId)],
  ['restore none that is not known', ofOutgoing, (tx, { network }) => restoreLanded(tx, network, 'other')],
  [
    'give up an authorization',
    ofAuthorizations,
    (tx, { id }) => failQueuedAuthorization(tx, id, { code: 'WINDOW_OVER' as never, reason: 'It is over.' }),
  ],
  ['drop an authorization of somebody else', ofAuthorizations, (tx, { id }) => dropExternalAuthorization(tx, id)],
  ['send an authorization again', ofSent, requeued],
  ['offer a charge again, and read what is open', ofCharges, openChargesOf],
  ['list what is read again', ofReads, (tx, { network }) => unreadRanges(tx, network, 10)],
  ['list nothing to be read again', ofReads, (tx) => unreadRanges(tx, 'other', 10)],
  ['divide a range that no node answers for', ofReads, unansweredOf],
  ['list the networks in use', ofPayments, async (tx) => inOrder(await networksStillNeeded(tx, []))],
  ['insert a charge of a client', ofCharges, insertChargeOf],
  ['load a transaction', ofOutgoing, (tx, { id }) => loadOutgoing(tx, id)],
  ['sum what is parked at a place', ofOutgoing, parkedOf],
  ['check a transaction no more', ofOutgoing, (tx, { id }) => clearRecheck(tx, id)],
  ['read the terms of returns', ofPayouts, (tx, { network }) => queuedReturnTerms(tx, network, 5)],
  ['find a payment of which nothing waits', ofPayments, (tx, { id }) => isWellWatched(tx, id)],
  ['read refunds on Solana', ofRefunds, refundsOf],
  ['save the policies of agents, and list some', ofPayments, policiesOf],
  ['list links with sales and without', ofLinks, linksOf],
  ['list the open payments of a sale', ofLinks, (tx, { resource }) => openPaymentsOf(tx, resource as LinkId, 5)],
  ['list the invoices of an order, and one by its id', ofInvoices, invoicesOf],
  [
    'find the number of a delivery',
    ofDeliveries,
    (tx, { number, resource }) => deliveryNumber(tx, number, { endpointId: null, url: '', receiverKey: resource }),
  ],
  ['find the share that a transaction pays', ofShares, (tx, { txId }) => shareOfTransaction(tx, txId)],
  ['note what was settled outside, and list it', ofPayments, settledOutside],
  ['move the cursor of unmatched money, and list what is above it', ofUnmatched, unmatchedOf],
  [
    'find the first deposit after a window, or none',
    ofPayments,
    async (tx, { network }) => [
      await firstDepositAfterWindow(tx, network, 0),
      await firstDepositAfterWindow(tx, network, rows),
    ],
  ],
  ['note a fault twice', ofPayments, faultsOf],
  ['read an account again', ofAccounts, (tx, { id }) => readAgain(tx, id)],
  ['ask a relay once more', ofBridges, (tx, { id }) => askOnceMore(tx, id, { blockTimeMs: 5, nowMs: 6 })],
]

test.each(calls)('%s: the same on both', async (_, from, call) => {
  const cells = await rowOf<Cells>(from)
  const [one, other] = [await sqlite.write((tx) => call(tx, cells)), await postgres.write((tx) => call(tx, cells))]
  expect(other).toEqual(one)
  const [before, after] = [await contentOf(sqlite), await contentOf(postgres)]
  expect(after.filter((row) => !before.includes(row))).toEqual([])
  expect(after).toHaveLength(before.length)
})
