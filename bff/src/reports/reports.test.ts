import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { qrCode } from '../checkout/qr.ts'
import { baseUnits, formatAmount } from '../core/money.ts'
import { sql } from '../db/db.ts'
import { createGasBalances } from '../network/gas-balances.ts'
import { exportCsv } from '../ops/export/export-csv.ts'
import type { PaymentEvent } from '../payment/event.ts'
import type { MerchantId, PaymentId } from '../payment/payment.ts'
import { createMonths } from './month.ts'
import { loadMonthSums, loadQuarters, monthSums, saveMonthSums } from './month-store.ts'

const dayMs = 24 * 60 * 60 * 1000
const payer = '0x00000000000000000000000000000000000000aa'
type Row = Record<string, string | number>

const gasBalances = createGasBalances()
const down = new Map<string, string>()
const health = {
  get: (name: string) => ({ isPayable: !down.has(name), reason: down.get(name) ?? null }),
}

let fixture: AppFixture
beforeEach(async () => {
  down.clear()
  fixture = await openApp({ health, gasBalances })
})
afterEach(() => fixture.close())

const read = (path: string) => fixture.read(`/api/v1/reports${path}`, fixture.keys.secret)
const apply = (id: PaymentId, event: PaymentEvent) => fixture.deps.ledger.apply(id, event)

async function create(body: object = {}, headers = fixture.keys.secret): Promise<PaymentId> {
  const answer = await fixture.create({ ...order, ...body }, { ...headers, 'Idempotency-Key': crypto.randomUUID() })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.payment['id'] as PaymentId
}

/** @param lateMs - How long after the end of every window the money came. */
async function pay(id: PaymentId, amount: bigint, lateMs?: number): Promise<void> {
  const blockTimeMs = lateMs === undefined ? fixture.nowMs() : fixture.nowMs() + 900_000 + lateMs
  const transfer = { ...transferTo(id, amount), blockTimeMs }
  await apply(id, { type: 'transfer.confirmed', transfer, atMs: fixture.nowMs() })
}

const sweep = (id: PaymentId) => apply(id, { type: 'sweep.confirmed', txId: '0x5', atMs: fixture.nowMs() })
const expire = (id: PaymentId) =>
  apply(id, { type: 'window.ended', blockTimeMs: fixture.nowMs() + 900_001, atMs: fixture.nowMs() })

async function refund(id: PaymentId, amount: string): Promise<void> {
  await apply(id, { type: 'refund.requested', address: payer, atMs: fixture.nowMs() })
  await apply(id, { type: 'refund.confirmed', amount: baseUnits(amount), txId: '0x6', atMs: fixture.nowMs() })
}

/** Money of every kind, on two days: paid, too much, too late, a little too little, and what nobody asked for. */
async function play() {
  const plain = await create({ amount: '33.333333' })
  await pay(plain, 33_333_333n)
  await sweep(plain)
  const over = await create()
  await pay(over, 26_000_001n)
  await sweep(over)
  await refund(over, '1000001')
  fixture.advance(dayMs)
  const late = await create()
  await expire(late)
  await pay(late, 25_000_000n, 5_000)
  const short = await create()
  await pay(short, 4_000_001n)
  await expire(short)
  await saveTolerance()
  const within = await create()
  await pay(within, 24_900_000n)
  await create()
  const unmatched = { network: 'elsewhere', token: '0x0000000000000000000000000000000000000002' }
  const strange = { ...unmatched, currency: 'USDT', decimals: 6, balance: baseUnits('5000000') }
  await apply(plain, { type: 'unmatched.measured', ...strange, block: 10, txId: '0x57', atMs: fixture.nowMs() })
  await apply(plain, {
    ...{ type: 'unmatched.returned', ...unmatched, amount: baseUnits('2000000'), txId: '0x58', block: 11 },
    atMs: fixture.nowMs(),
  })
  await create({}, fixture.keys.test as never)
  return { plain, over, late, short, within }
}

async function saveTolerance(): Promise<void> {
  const { db } = fixture.deps
  await db.write((tx) =>
    tx.run(
      sql`update merchants set tolerance_bps = 100, tolerance_max_micros = '1000000' where id = ${fixture.merchant.merchantId}`,
    ),
  )
  // Keys are read again after a second.
  fixture.advance(2_000)
}

/** The columns of what `export` writes, added up in base units by network, token and, of the creation, day. */
async function exported(): Promise<Map<string, Record<string, bigint>>> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-reports-'))
  try {
    const path = join(folder, 'all.csv')
    const everything = {
      merchantId: fixture.merchant.merchantId,
      isTest: false,
      fromMs: 0,
      untilMs: Number.MAX_SAFE_INTEGER,
    }
    await exportCsv(fixture.deps.db, everything, path)
    const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\r\n')
    const names = head.split(',')
    const sums = new Map<string, Record<string, bigint>>()
    for (const line of lines) {
      const cells = Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell]))
      const key = `${cells['createdAt']?.slice(0, 10)} ${cells['network']} ${cells['currency']}`
      const sum = sums.get(key) ?? {}
      for (const name of ['received', 'receivedLate', 'merchantAmount', 'platformFee', 'refunded', 'owedToPayer']) {
        const [whole = '', fraction = ''] = (cells[name] ?? '').split('.')
        sum[name] = (sum[name] ?? 0n) + BigInt(whole + fraction.padEnd(6, '0'))
      }
      sums.set(key, sum)
    }
    return sums
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the summary', () => {
  test('has by day, network and token what was created, paid, received and refunded, as `export` has it to the unit', async () => {
    await play()
    const { body, status } = await read('/summary?from=2026-11-21&to=2026-11-30')
    expect([status, body]).toMatchObject([
      200,
      { created: 6, paid: 3, conversionBps: 5_000, timeZone: 'UTC', isTest: false },
    ])
    const days = body['days'] as Row[]
    expect(days).toMatchObject([
      { day: '2026-11-21', network: 'devnet', currency: 'USDC', decimals: 6, created: 2, paid: 2, refunded: '1000001' },
      { day: '2026-11-22', network: 'devnet', currency: 'USDC', created: 4, paid: 1, received: '53900001' },
    ])
    for (const [key, sums] of await exported()) {
      const row = days.find((one) => key === `${one['day']} ${one['network']} ${one['currency']}`)
      const received = (sums['received'] ?? 0n) + (sums['receivedLate'] ?? 0n)
      expect([key, row?.['received'], row?.['refunded']]).toEqual([key, String(received), String(sums['refunded'])])
    }
    const total = { currency: 'USDC', created: 6, paid: 3, received: '113233335', refunded: '1000001' }
    expect(body['totals']).toMatchObject([total])
    expect((await read('/summary?from=2026-11-21&to=2026-11-30&isTest=true')).body).toMatchObject({ created: 1 })
  })

  test('has the days of the time zone, also where its clock is not set by hours', async () => {
    fixture.advance(6.25 * 60 * 60 * 1000)
    // 18:15 UTC is midnight in Kathmandu, to the minute.
    await create()
    const dayOf = async (timeZone: string) => {
      const { body } = await read(`/summary?from=2026-11-20&to=2026-11-23&timeZone=${timeZone}`)
      return (body['days'] as Row[]).map(({ day }) => day)
    }
    expect(await dayOf('Asia/Kathmandu')).toEqual(['2026-11-22'])
    expect(await dayOf('America/New_York')).toEqual(['2026-11-21'])
    expect(await dayOf('Pacific/Kiritimati')).toEqual(['2026-11-22'])
  })

  test.each([
    ['from=2026-02-30&to=2026-03-01', 'from must be a day'],
    ['from=2026-01-01', 'to must be a day'],
    ['from=2026-01-02&to=2026-01-01', 'to must not be before from'],
    ['from=2026-01-01&to=2026-12-31', 'to must be at most 91 days after from'],
    ['from=2026-01-01&to=2026-01-01&timeZone=Mars', 'timeZone must be the name of a time zone'],
    ['from=2026-01-01&to=2026-01-01&timeZone=%2B05:17', 'timeZone must be the name of a time zone'],
    ['from=2026-01-01&to=2026-01-01&isTest=yes', 'isTest must be true or false'],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await read(`/summary?${query}`)
    expect([status, body['message']]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('the month', () => {
  test('has the sums of `export` to the unit, with refunds, late money, tolerance and returns', async () => {
    const ids = await play()
    const { body } = await read('/month?month=2026-11')
    const days = body['days'] as Row[]
    const sums = await exported()
    expect(days.filter((row) => row['payments'] !== 0)).toHaveLength(sums.size)
    for (const [key, expected] of sums) {
      const row = days.find((one) => key === `${one['day']} ${one['network']} ${one['currency']}`)
      expect([key, row]).toEqual([
        key,
        expect.objectContaining(Object.fromEntries(Object.entries(expected).map(([name, sum]) => [name, String(sum)]))),
      ])
    }
    // The tolerated payment is paid, and not swept yet; 1.5 % of 24.9 are 0.3735.
    expect(days.find((row) => row['day'] === '2026-11-22' && row['currency'] === 'USDC')).toMatchObject({
      ...{
        payments: 4,
        paid: 1,
        receivedLate: '25000000',
        merchantAmount: '24526500',
        platformFee: '373500',
        paidOut: '0',
      },
    })
    expect(days.find((row) => row['network'] === 'elsewhere')).toMatchObject({ payments: 0, returned: '2000000' })
    await sweep(ids.within)
    const [first] = ((await read('/month?month=2026-11')).body['totals'] as Row[]).filter(
      (row) => row['currency'] === 'USDC',
    )
    expect(first?.['paidOut']).toBe(first?.['merchantAmount'])
  })

  test('is a file for a spreadsheet too, with the same sums in whole tokens', async () => {
    await play()
    const json = ((await read('/month?month=2026-11')).body['days'] as Row[]).map((row) => [
      ...[row['day'], row['network'], row['currency'], String(row['payments']), String(row['paid'])],
      ...[
        'received',
        'receivedLate',
        'merchantAmount',
        'platformFee',
        'paidOut',
        'refunded',
        'owedToPayer',
        'returned',
        'refundedByMerchant',
        'refundDueByMerchant',
      ].map((name) => formatAmount(baseUnits(String(row[name])), 6)),
    ])
    const answer = await fixture.fetch('/api/v1/reports/month.csv?month=2026-11', { headers: fixture.keys.secret })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="payments-2026-11.csv"')
    const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n')
    expect(head).toMatch(/^day,network,currency,payments,paid,received,/)
    expect(lines.map((line) => line.split(','))).toEqual(json)
  })

  test('is read in pages, and holds what is created in its first and last moment of the time zone alone', async () => {
    fixture.advance(Date.parse('2026-11-30T22:59:59.999Z') - fixture.nowMs())
    await create()
    fixture.advance(1)
    await create()
    const payments = async (month: string) =>
      ((await read(`/month?month=${month}&timeZone=Europe/Berlin`)).body['totals'] as Row[]).map(
        (row) => row['payments'],
      )
    expect([await payments('2026-11'), await payments('2026-12'), await payments('2026-10')]).toEqual([[1], [1], []])
    expect((await read('/month?month=2026-13')).body['message']).toMatch(/month must be a month/)
  })

  test('is the same from what was kept, and reads again only quarters of an hour in which a payment has changed', async () => {
    const ids = await play()
    const month = async () => (await read('/month?month=2026-11')).body['days'] as Row[]
    const first = await month()
    const { db } = fixture.deps
    const kept = () => db.read((tx) => tx.all<Row>(sql`select * from month_sums order by quarter, network, currency`))
    expect((await kept()).map(({ payments }) => payments)).toEqual([2, 0, 4])
    // What is kept is answered, not read again: a mark on it shows.
    await db.write((tx) => tx.run(sql`update month_sums set received = '7' where payments = 2`))
    expect((await month())[0]).toMatchObject({ day: '2026-11-21', received: '7' })
    // A return and a payout change no other sums: each makes the quarter old all the same.
    await apply(ids.plain, {
      ...{ type: 'unmatched.returned', network: 'elsewhere', token: '0x0000000000000000000000000000000000000002' },
      ...{ amount: baseUnits('1000000'), txId: '0x59', block: 12, atMs: fixture.nowMs() },
    })
    const [own, returned, ...later] = await month()
    expect(own).toEqual(first[0])
    expect(returned).toMatchObject({ network: 'elsewhere', returned: '3000000' })
    expect(later).toEqual(first.slice(2))
    await sweep(ids.within)
    expect((await month())[2]).toMatchObject({ paidOut: '24526500', merchantAmount: '24526500' })
    expect((await kept()).map(({ payments }) => payments)).toEqual([2, 0, 4])
  })

  test('keeps no sums of payments that have changed while they were read', async () => {
    const id = await create()
    const { db } = fixture.deps
    const whose = { merchantId: fixture.merchant.merchantId as MerchantId, isTest: false }
    const range = { fromQuarter: 0, untilQuarter: 10_000_000 }
    const [quarter] = await db.read((tx) => loadQuarters(tx, whose, range))
    if (!quarter) throw new Error('There is no quarter.')
    await pay(id, 25_000_000n)
    const unpaid = { network: 'devnet', currency: 'USDC', tokenDecimals: 6, payments: 1, paid: 0, ...monthSums.none }
    const old = { quarter: quarter.quarter, changes: quarter.changes, rows: [unpaid] }
    await db.write((tx) => saveMonthSums(tx, whose, [old]))
    expect(await db.read((tx) => loadMonthSums(tx, whose, range))).toEqual([])
    expect(((await read('/month?month=2026-11')).body['totals'] as Row[])[0]).toMatchObject({ paid: 1 })
    expect(await db.read((tx) => loadMonthSums(tx, whose, range))).toMatchObject([{ rows: [{ paid: 1 }] }])
  })

  test('that takes long says how far it is to whoever waits no longer, and goes on', async () => {
    await play()
    // Nothing can be kept while another unit of work is under way, so the reading does not end.
    let release = (): void => undefined
    const held = fixture.deps.db.write(() => new Promise<void>((resolve) => (release = resolve)))
    const headers = { ...fixture.keys.secret, prefer: 'respond-async, wait=1' }
    const ask = () => fixture.read('/api/v1/reports/month?month=2026-11', headers)
    const { status, body, headers: answered } = await ask()
    release()
    await held
    expect([status, answered.get('retry-after')]).toEqual([202, '1'])
    expect(body).toMatchObject({ success: true, progress: { read: 6, payments: 6 } })
    await expect.poll(async () => (await ask()).status).toBe(200)
    expect((await ask()).body).toEqual((await read('/month?month=2026-11')).body)
  })

  test('lets every other request have its turn after each page, however many months are read at once', async () => {
    for (let count = 0; count < 5; count++) await create()
    const readMonth = createMonths(fixture.deps.db, 1)
    const merchantId = fixture.merchant.merchantId as MerchantId
    const zones = ['UTC', 'Europe/Berlin']
    let turns = 0
    let isRead = false
    const count = () => {
      turns += 1
      if (!isRead) setImmediate(count)
    }
    setImmediate(count)
    const months = await Promise.all(
      zones.map((timeZone) => readMonth({ merchantId, isTest: false, month: '2026-11', timeZone }).rows),
    )
    isRead = true
    expect(months.map(([row]) => row?.payments)).toEqual([5, 5])
    expect(turns).toBeGreaterThanOrEqual(5 * zones.length)
  })
})

describe('open actions', () => {
  const attention = async () => (await read('/attention')).body
  type Need = { attention: string; count: number; newest: { id: string; owed: Record<string, string>[] }[] }
  /** With what is owed, and to whom: not the price of the order. */
  const needs = async () =>
    ((await attention())['payments'] as Need[]).map(({ attention, count, newest }) => [
      attention,
      count,
      newest.flatMap(({ id, owed }) => [
        id,
        ...owed.map((one) => `${one['amount']} ${one['currency']} to ${one['to']}`),
      ]),
    ])

  test('are payments whose payout, refund or return cannot go on by itself, until it can', async () => {
    const { plain, late, short } = await play()
    expect(await needs()).toEqual([
      ['late_held', 1, [late, '25.00 USDC to customer']],
      ['refund_address', 1, [short, '4.000001 USDC to customer']],
      ['unmatched', 1, [plain, '3.00 USDT to customer']],
    ])
    const failing = await create()
    await pay(failing, 25_000_000n)
    await apply(failing, { type: 'sweep.failed', isGivenUp: true, atMs: 1 })
    await apply(short, { type: 'refund.requested', address: payer, atMs: 2 })
    await apply(late, { type: 'late.accepted', atMs: 2 })
    expect(await needs()).toEqual([
      // Without the platform's fee.
      ['payout_failed', 1, [failing, '24.625 USDC to merchant']],
      ['unmatched', 1, [plain, '3.00 USDT to customer']],
    ])
    await apply(short, { type: 'refund.failed', isGivenUp: true, atMs: 3 })
    await sweep(failing)
    expect(await needs()).toEqual([
      ['refund_failed', 1, [short, '4.000001 USDC to customer']],
      ['unmatched', 1, [plain, '3.00 USDT to customer']],
    ])
  })

  test('are endpoints that were switched off by themselves, networks that are down, and gas that runs low', async () => {
    const { db } = fixture.deps
    const headers = { ...fixture.keys.secret, 'Content-Type': 'application/json' }
    const add = async () => {
      const body = JSON.stringify({ url: 'https://shop.example/hooks' })
      const { body: made } = await fixture.call('/api/v1/webhooks/endpoints', { method: 'POST', headers, body })
      return (made['endpoint'] as { id: string }).id
    }
    const [gone, off, ofTests] = [await add(), await add(), await add()]
    await db.write(async (tx) => {
      await tx.run(sql`update webhook_endpoints set disabled_reason = 'gone', disabled_at_ms = 5 where id <> ${off}`)
      await tx.run(sql`update webhook_endpoints set disabled_reason = 'merchant' where id = ${off}`)
      await tx.run(sql`update webhook_endpoints set is_test = 1 where id = ${ofTests}`)
    })
    down.set('devnet', 'No node answers.')
    down.set('elsewhere', 'The merchant has no wallet there.')
    gasBalances.note('devnet', { address: payer, balanceWei: 5n, neededWei: 4n, readAtMs: 1 })
    expect(await attention()).toMatchObject({
      payments: [],
      endpoints: [{ id: gone, disabledReason: 'gone', disabledAt: '1970-01-01T00:00:00.005Z' }],
      networks: [{ network: 'devnet', reason: 'No node answers.' }],
      gas: [{ network: 'devnet', state: 'low', address: payer, currency: 'ETH', qr: qrCode(payer) }],
      setup: { networks: 2, wallets: 1, payments: false, endpoints: 3 },
    })
    expect((await attention())['endpoints']).toHaveLength(1)
  })
})

describe('the refused calls', () => {
  test('are named by method, route, status, code and field, and by nothing that was sent', async () => {
    const headers = { ...fixture.keys.secret, 'Content-Type': 'application/json' }
    const secretText = 'do-not-keep-me'
    await fixture.create({ ...order, amount: secretText }, fixture.keys.secret)
    await fixture.create({ ...order, metadata: { [secretText]: [] } }, fixture.keys.secret)
    const { headers: answered } = await fixture.call('/api/v1/webhooks/endpoints/we_none', { headers })
    await fixture.read(`/api/v1/payments/public/${crypto.randomUUID()}?x=${secretText}`, {})
    const { body } = await read('/errors')
    const errors = body['errors'] as Row[]
    expect(errors).toMatchObject([
      {
        ...{ method: 'GET', route: '/api/v1/webhooks/endpoints/:endpointId', status: 404, code: 'ENDPOINT_NOT_FOUND' },
        ...{ field: null, requestId: answered.get('x-request-id'), at: '2026-11-21T12:00:00.000Z' },
      },
      { method: 'POST', route: '/api/v1/deposits/create', status: 400, code: 'VALIDATION_FAILED', field: 'metadata' },
      { method: 'POST', route: '/api/v1/deposits/create', status: 400, code: 'VALIDATION_FAILED', field: 'amount' },
    ])
    expect(JSON.stringify(errors)).not.toContain(secretText)
    const other = { 'X-API-Key': fixture.other.apiKey, 'X-API-Secret': fixture.other.apiSecret }
    expect((await fixture.read('/api/v1/reports/errors', other)).body['errors']).toEqual([])
  })

  test('are a hundred at most, the newest', async () => {
    for (let count = 0; count < 105; count++) {
      if (count === 5) fixture.advance(1_000)
      await fixture.call('/api/v1/payments/none', { headers: fixture.keys.secret })
    }
    const errors = (await read('/errors')).body['errors'] as Row[]
    expect(errors).toHaveLength(100)
    expect(errors.every(({ at }) => at === '2026-11-21T12:00:01.000Z')).toBe(true)
    const { db } = fixture.deps
    expect(await db.read((tx) => tx.all(sql`select number from api_errors`)), 'older ones are deleted').toHaveLength(
      100,
    )
  })

  test('are those of every replica, and outlive the one that has refused them', async () => {
    const stopping = new AbortController()
    const other = await openApp({}, fixture)
    const running = other.deps.apiErrors.run(stopping.signal)
    const codes = async () =>
      ((await read('/errors')).body['errors'] as Row[]).map(({ route, field }) => [route, field])
    const theirs = ['/api/v1/deposits/create', 'amount']
    await other.create({ ...order, amount: '-1' }, fixture.keys.secret)
    await expect.poll(codes).toEqual([theirs])
    // What is noted in the last moment is written before the process ends.
    await other.create({ ...order, metadata: [] }, fixture.keys.secret)
    stopping.abort()
    await running
    await other.close()
    expect(await codes()).toEqual([['/api/v1/deposits/create', 'metadata'], theirs])
  })
})
