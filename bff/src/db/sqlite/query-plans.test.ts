import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabaseFolder, writeDatabaseFile } from '@stablecoin-checkout/rig/test-database'
import { afterAll, expect, test } from 'vitest'
import { openSearches, searchesOf } from '../../chain/evm/watch/late-search-store.ts'
import { endedDeposits } from '../../chain/late-scan-store.ts'
import { depositsByWindow } from '../../chain/solana/watch/token-account-store.ts'
import type { LinkId } from '../../checkout/link/link.ts'
import { listLinks } from '../../checkout/link/link-store.ts'
import {
  countOfStatuses,
  countUpTo,
  findByTime,
  findNamed,
  findNamedByTime,
  kinds,
  newestChange,
  type PaymentKind,
  placeAfter,
  type SearchFilter,
} from '../../checkout/read/payment-search-store.ts'
import { listAuditEntries } from '../../dashboard/audit/audit-store.ts'
import { type MerchantId, type PaymentId, statuses, statusesOf } from '../../payment/payment.ts'
import { paymentsCreated } from '../../payment/store/payment-store.ts'
import { loadSums } from '../../payment/store/sums-store.ts'
import {
  depositsAfterWindow,
  depositsAt,
  firstDepositAfterWindow,
  splitsOf,
  watchedPlaces,
  watchedSplitters,
} from '../../payment/store/watched-payments-store.ts'
import { hasPayments, loadNeeds } from '../../reports/attention-store.ts'
import { loadMonthSums, loadQuarters } from '../../reports/month-store.ts'
import { countPayments, newest, placeAfter as reportPlaceAfter } from '../../reports/payment-report-store.ts'
import { listInvoices, loadInvoicePayments } from '../../stores/invoice-store.ts'
import { listStoreDeliveries } from '../../stores/store-webhook-store.ts'
import { listDeliveries } from '../../webhook/reports/delivery-report-store.ts'
import { type Sql, sql, type Tx } from '../db.ts'
import { openSqlite } from './open-sqlite.ts'

const folder = makeDatabaseFolder()
const path = join(folder, 'test.sqlite')
await writeDatabaseFile(path)
const db = openSqlite(path)
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const planOf = async (statement: Sql) =>
  (await db.read((tx) => tx.all<{ detail: string }>(statement))).map(({ detail }) => detail)

/** The plan of the statement that a store runs. */
async function planOfStore(ask: (tx: Tx) => Promise<unknown>): Promise<string> {
  const statements: Sql[] = []
  const noted = async <Row>(statement: Sql): Promise<Row[]> => {
    statements.push(statement)
    return []
  }
  await ask({ all: noted, get: async (statement: Sql) => void (await noted(statement)) } as unknown as Tx)
  const plans = await Promise.all(
    statements.map(({ strings: [first = '', ...rest], params }) =>
      planOf({ strings: [`explain query plan ${first}`, ...rest] as unknown as TemplateStringsArray, params }),
    ),
  )
  return plans.flat().join(', ')
}

test('a search for an invoice reads those that it names, and not every invoice of the merchant', async () => {
  const filter = { orderIds: null, sinceMs: null, untilMs: null, hasArchived: false }
  const plan = await planOfStore((tx) =>
    listInvoices(tx, 'm' as MerchantId, { ...filter, text: '1000' }, { limit: 50 }),
  )
  expect(plan).toContain('store_invoices_by_merchant (merchant_id=? AND number=?')
  expect(plan).toContain('store_invoices_by_order (merchant_id=? AND order_id=?)')
  expect(plan).toContain('(link_id=?)')
})

test('of the payments of an invoice those with money are read, and the newest of each status, however many were opened', async () => {
  const plan = await planOfStore((tx) => loadInvoicePayments(tx, 'pl_1' as LinkId))
  expect(plan).toContain('payments_by_link_with_money (link_id=?)')
  expect(
    plan.match(/payments_by_link \(\(status,link_id\)>\(\?,\?\) AND \(status,link_id\)<\(\?,\?\)\)/g),
  ).toHaveLength(statuses.length)
  expect(plan).not.toMatch(/SCAN payments/)
})

test('links are read newest first, without a till’s sales too, and none of those is read then', async () => {
  const search = { merchantId: 'm' as MerchantId, isTest: false, before: Number.MAX_SAFE_INTEGER, limit: 50 }
  const plan = (hasSales: boolean) => planOfStore((tx) => listLinks(tx, { ...search, hasSales }))
  const place = '(merchant_id=? AND is_test=? AND number<?)'
  expect(await plan(true)).toContain(`SEARCH l USING INDEX payment_links_by_merchant ${place}`)
  expect(await plan(false)).toContain(`SEARCH l USING INDEX payment_links_without_sales ${place}`)
})

test('the audit log of a person, or of a kind, is read newest first from an index of its own', async () => {
  const before = Number.MAX_SAFE_INTEGER
  const plan = (filter: { personId?: string; kind?: 'tills' }) =>
    planOfStore((tx) =>
      listAuditEntries(tx, 'm' as MerchantId, { before, personId: filter.personId, kind: filter.kind }, 50),
    )
  expect(await plan({})).toBe('SEARCH audit_log USING INDEX audit_log_by_merchant (merchant_id=? AND number<?)')
  expect(await plan({ personId: 'p' })).toBe(
    'SEARCH audit_log USING INDEX audit_log_by_person (merchant_id=? AND person_id=? AND number<?)',
  )
  expect(await plan({ kind: 'tills' })).toBe(
    'SEARCH audit_log USING INDEX audit_log_by_kind (merchant_id=? AND kind=? AND number<?)',
  )
})

test('what a block names, and what is watched at all, is found without reading the other payments', async () => {
  const place = { network: 'devnet', mode: 'deposit', endedAfterMs: 0 } as const
  expect(await planOfStore((tx) => depositsAt(tx, ['0x01', '0x02']))).toMatch(
    /^SEARCH payments USING INDEX payments_by_deposit_address \(<expr>=\?\), LIST SUBQUERY/,
  )
  expect(await planOfStore((tx) => splitsOf(tx, 'devnet', ['0x01']))).toMatch(
    /^SEARCH payments USING INDEX payments_by_terms \(network=\? AND terms_hash=\?\), LIST SUBQUERY/,
  )
  expect(await planOfStore((tx) => watchedPlaces(tx, place, 1))).toBe(
    'SEARCH payments USING INDEX payments_watched (network=? AND mode=? AND window_ends_at_ms>?)',
  )
  const after = { windowEndsAtMs: 0, number: 0 }
  expect(await planOfStore((tx) => depositsAfterWindow(tx, 'devnet', after, 1))).toBe(
    'SEARCH payments USING INDEX payments_watched (network=? AND mode=? AND window_ends_at_ms>?)',
  )
  expect(await planOfStore((tx) => firstDepositAfterWindow(tx, 'devnet', 0))).toBe(
    'SEARCH payments USING INDEX payments_watched (network=? AND mode=? AND window_ends_at_ms>?)',
  )
  const range = { after, untilMs: 1 }
  expect(await planOfStore((tx) => depositsByWindow(tx, 'solana', range, 1))).toMatch(
    /^SEARCH p USING INDEX payments_watched \(network=\? AND mode=\? AND window_ends_at_ms>\? AND window_ends_at_ms<\?\), SEARCH a USING PRIMARY KEY/,
  )
  const splitters = await planOfStore((tx) => watchedSplitters(tx, 'devnet', 0))
  expect(splitters).not.toMatch(/SCAN (payments|p)\b/)
  expect(splitters).toMatch(/payments_by_splitter \(network=\? AND splitter=\? AND window_ends_at_ms>\?\)/)
})

test('the slow scan reads the next addresses and searches by their places, however many deposits have ended', async () => {
  const range = { after: { windowEndsAtMs: 1, number: 1 }, untilMs: 2 }
  expect(await planOfStore((tx) => endedDeposits(tx, 'devnet', range, 500))).toBe(
    'SEARCH payments USING INDEX payments_watched (network=? AND mode=? AND window_ends_at_ms>? AND window_ends_at_ms<?)',
  )
  expect(await planOfStore((tx) => openSearches(tx, 'devnet', 500))).toMatch(
    /^SEARCH s USING INDEX late_searches_open \(network=\?\), SEARCH p USING INDEX sqlite_autoindex_payments_1 \(id=\?\)$/,
  )
  expect(await planOfStore((tx) => searchesOf(tx, 'devnet', ['a', 'b'] as PaymentId[]))).toMatch(
    /^SEARCH late_searches USING PRIMARY KEY \(network=\? AND payment_id=\?\)/,
  )
})

test('the newest of however many transfers is found in one step', async () => {
  const plan = await planOf(sql`
      explain query plan
      select * from transfers
       where payment_id = ${'p'} and state <> 'reverted' and not (tx_id = ${'0x1'} and log_index = ${0})
       order by block_number desc, log_index desc limit 1`)
  expect(plan).toEqual(['SEARCH transfers USING INDEX transfers_newest (payment_id=?)'])
})

test('what an agent’s late payments cost is added up by their index alone, however many payments the merchant has', async () => {
  const plan = await planOf(sql`
      explain query plan select token_decimals, due, count(*) from payments
       where merchant_id = 'm' and is_test = 0 and agent_id = 'a' and created_at_ms >= 0 and status = 'expired'
         and closed_as is null and accepted_until_ms is not null and late_ended = 0
       group by token_decimals, due`)
  expect(plan.join()).toMatch(/payments_by_agent_late/)
})

test('each count of the payments’ chips walks the index of its list, without sorting', async () => {
  const whose = { merchantId: 'm' as MerchantId, isTest: false }
  const plan = (kind: PaymentKind | null) => planOfStore((tx) => countUpTo(tx, whose, kind, 100))
  const plans = [
    [await plan(null), 'by_creation'],
    [await planOfStore((tx) => countOfStatuses(tx, whose, statusesOf('paid'), 100)), 'by_status'],
    ...(await Promise.all(kinds.map(async (kind) => [await plan(kind), kind]))),
  ] as const
  for (const [found, index] of plans) {
    expect(found).toMatch(new RegExp(`SEARCH payments USING (COVERING )?INDEX payments_${index} `))
    expect(found).not.toContain('TEMP B-TREE')
  }
})

test('a page of a merchant’s payments is read from its place on, however many there are and whatever is searched for', async () => {
  const filter: SearchFilter = {
    merchantId: 'm' as MerchantId,
    isTest: false,
    network: 'base',
    currency: 'USDC',
    attention: null,
    kind: null,
    amounts: { min: '1', max: '2' },
  }
  const range = { after: { createdAtMs: 2, number: 2 }, until: { createdAtMs: 1, number: 1 } }
  for (const ask of [findByTime, placeAfter]) {
    const byTime = await planOfStore((tx) => ask(tx, filter, null, range, 50))
    expect(byTime).toMatch(
      /^SEARCH payments USING (COVERING )?INDEX payments_by_creation \(merchant_id=\? AND is_test=\? AND/,
    )
    const byStatus = await planOfStore((tx) => ask(tx, filter, 'swept', range, 50))
    expect(byStatus).toMatch(/^SEARCH payments USING (COVERING )?INDEX payments_by_status/)
    expect(byTime + byStatus).not.toMatch(/TEMP B-TREE/)
    for (const kind of kinds) {
      const byKind = await planOfStore((tx) => ask(tx, { ...filter, kind }, null, range, 50))
      expect(byKind).toMatch(new RegExp(`^SEARCH payments USING (COVERING )?INDEX payments_${kind} `))
      expect(byKind).not.toMatch(/TEMP B-TREE/)
    }
  }
  const named = await planOfStore((tx) => findNamed(tx, filter.merchantId, 'text', ['base', 'solana'], 100))
  expect(named).not.toMatch(/SCAN (payments|p|t|transfers|x|o)\b|\(merchant_id=\?\)/)
  expect(named).toContain('SEARCH t USING PRIMARY KEY (network=? AND tx_id=?)')
  for (const index of ['payments_by_order', 'payments_by_email', 'payments_by_deposit_address', 'transfers_by_payer'])
    expect(named).toContain(index)
  for (const range of [
    'payments_by_order (merchant_id=? AND order_id>? AND order_id<?)',
    'payments_by_email (merchant_id=? AND <expr>>? AND <expr><?)',
  ])
    expect(named).toContain(`SEARCH payments USING INDEX ${range}`)
  const often = await planOfStore((tx) => findNamedByTime(tx, filter, statuses, 'text', range, 50))
  expect(often).toMatch(/SEARCH payments USING INDEX payments_by_creation \(merchant_id=\? AND is_test=\? AND/)
  expect(often).not.toMatch(/TEMP B-TREE|SCAN (payments|t|x|o)\b/)
  const newest = await planOfStore((tx) => newestChange(tx, filter.merchantId, false))
  expect(newest).not.toMatch(/SCAN|TEMP B-TREE/)
})

test('the first page of a merchant reads sums and open actions by their indexes, however many payments there are', async () => {
  const whose = { merchantId: 'm' as MerchantId, isTest: false }
  expect(await planOfStore((tx) => loadSums(tx, whose, { fromQuarter: 0, untilQuarter: 1 }))).toBe(
    'SEARCH payment_sums USING PRIMARY KEY (merchant_id=? AND is_test=? AND quarter>? AND quarter<?)',
  )
  const needs = await planOfStore((tx) => loadNeeds(tx, whose, 1))
  expect(needs).toMatch(/payments_attention \(merchant_id=\? AND is_test=\? AND attention=\?\)/)
  expect(needs).not.toMatch(/SCAN payments|TEMP B-TREE/)
  expect(await planOfStore((tx) => hasPayments(tx, whose))).toBe(
    'SEARCH payments USING COVERING INDEX payments_by_creation (merchant_id=? AND is_test=?)',
  )
  const page = await planOfStore((tx) =>
    paymentsCreated(tx, { ...whose, untilMs: 1 }, { createdAtMs: 0, number: 0 }, 1),
  )
  expect(page).toMatch(/p USING INDEX payments_by_creation \(merchant_id=\? AND is_test=\? AND /)
  expect(page).not.toMatch(/TEMP B-TREE/)
  const range = { fromQuarter: 0, untilQuarter: 1 }
  const month = [
    await planOfStore((tx) => loadQuarters(tx, whose, range)),
    await planOfStore((tx) => loadMonthSums(tx, whose, range)),
  ]
  expect(month).toEqual(
    ['payment_sums', 'month_sums'].map(
      (table) => `SEARCH ${table} USING PRIMARY KEY (merchant_id=? AND is_test=? AND quarter>? AND quarter<?)`,
    ),
  )
})

test('a page of deliveries reads those of a payment, those that failed, or a bounded number of the newest', async () => {
  const none = { endpointId: null, paymentId: null, type: null, state: null, sinceMs: null }
  const filter = { merchantId: 'm' as MerchantId, isTest: false, ...none }
  const plan = (changes: object) => planOfStore((tx) => listDeliveries(tx, { ...filter, ...changes }, 9, 1))
  expect(await plan({ paymentId: 'p' })).toMatch(/deliveries_by_payment \(payment_id=\?\)/)
  expect(await plan({ state: 'failed' })).toMatch(/deliveries_failed \(merchant_id=\? AND is_test=\? AND number<\?\)/)
  const all = await plan({ type: 'payment.completed' })
  expect(all).toMatch(/deliveries_by_merchant \(merchant_id=\? AND is_test=\? AND number<\?\)/)
  expect(all).not.toMatch(/SCAN deliveries|TEMP B-TREE/)
})

test('the deliveries of a shop’s webhook are found among a bounded number of the merchant’s newest, however many others have', async () => {
  const plan = await planOfStore((tx) => listStoreDeliveries(tx, 'm' as MerchantId, 'we_1', 100))
  expect(plan).toMatch(/deliveries USING INDEX deliveries_by_merchant \(merchant_id=\? AND is_test=\?\)/)
  expect(plan).not.toMatch(/SCAN (deliveries|d)\b|TEMP B-TREE/)
})

test('all payments of a merchant are counted, and stepped through, by their index alone', async () => {
  const none = { statuses: null, currency: null, fromMs: null, untilMs: null, search: null }
  const filter = { merchantId: 'm' as MerchantId, isTest: false, ...none }
  for (const ask of [(tx: Tx) => countPayments(tx, filter), (tx: Tx) => reportPlaceAfter(tx, filter, newest, 100)]) {
    expect(await planOfStore(ask)).toMatch(
      /^SEARCH payments USING COVERING INDEX payments_by_creation \(merchant_id=\? AND is_test=\? AND [^,]*\)$/,
    )
  }
})
