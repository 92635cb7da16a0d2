import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, expect, test } from 'vitest'
import { type Sql, sql, type Tx } from '../../db/db.ts'
import { type MerchantId, type PaymentId, statuses, statusesOf } from '../../payment/payment.ts'
import { createPaymentSearch } from './payment-search.ts'
import { findNamedByTime } from './payment-search-store.ts'

const fixture = await openApp()
afterAll(fixture.close)
const { keys, deps } = fixture

type Found = { paymentId: string; orderId: string | null; amount: string }
type Page = { payments: Found[]; next: string | null; isCut: boolean }

const find = async (query: string) => {
  const { body, status } = await fixture.read(`/api/v1/payments?${query}`, keys.secret)
  expect(status).toBe(200)
  return body as unknown as Page
}
const ordersOf = async (query: string) => (await find(query)).payments.map(({ orderId }) => orderId)

async function create(orderId: string, fields: Record<string, unknown> = {}) {
  fixture.advance(1_000)
  const { body } = await fixture.create({ ...order, orderId, ...fields }, keys.secret)
  return { id: body.payment['id'] as PaymentId, address: body.payment['depositAddress'] as string }
}

const first = await create('first', { amount: '5.00', customerEmail: 'Ada@example.com' })
const second = await create('second', { amount: '30.00' })
await create('third', { amount: '1000.00' })
const transfer = transferTo(second.id, 30_000_000n)
await deps.ledger.apply(second.id, { type: 'transfer.confirmed', transfer, atMs: fixture.nowMs() })
// The test network has one token only.
await deps.db.write((tx) => tx.run(sql`update payments set currency = 'USDT' where id = ${second.id}`))

test('pages follow each other without a gap or a repeat, also within one millisecond', async () => {
  const { body } = await fixture.create({ ...order, orderId: 'same time' }, keys.secret)
  expect(body.payment['status']).toBe('pending')
  const seen: (string | null)[] = []
  let after = ''
  for (let page = 0; page < 10; page++) {
    const { payments, next } = await find(`limit=1${after && `&after=${after}`}`)
    seen.push(...payments.map(({ orderId }) => orderId))
    if (next === null) break
    after = next
  }
  expect(seen).toEqual(['same time', 'third', 'second', 'first'])
})

test('filters by token, network, amount, time and status', async () => {
  expect(await ordersOf('currency=usdt')).toEqual(['second'])
  expect(await ordersOf('network=elsewhere')).toEqual([])
  expect(await ordersOf('amountMin=30')).toEqual(['third', 'second'])
  expect(await ordersOf('amountMin=5.000001&amountMax=30.00')).toEqual(['same time', 'second'])
  expect(await ordersOf('amountMax=9')).toEqual(['first'])
  expect(await ordersOf('status=pending')).toEqual(['same time', 'third', 'first'])
  expect(await ordersOf('status=paid')).toEqual(['second'])
  expect(await ordersOf('status=swept')).toEqual([])
  const [third] = (await find('')).payments.slice(1) as (Found & { createdAt: string })[]
  expect(await ordersOf(`from=${third?.createdAt}`)).toEqual(['same time', 'third'])
  expect(await ordersOf(`until=${third?.createdAt}`)).toEqual(['second', 'first'])
})

test('finds a payment by its id, its order, the customer’s e-mail and the address, in whatever case', async () => {
  expect(await ordersOf(`search=${first.id}`)).toEqual(['first'])
  expect(await ordersOf('search=second')).toEqual(['second'])
  expect(await ordersOf('search=ada@EXAMPLE.com')).toEqual(['first'])
  expect(await ordersOf(`search=${first.address.toUpperCase().replace('0X', '0x')}`)).toEqual(['first'])
  expect(await ordersOf(`search=${transfer.txId}`)).toEqual(['second'])
  expect(await ordersOf(`search=${transfer.payer}`)).toEqual(['second'])
  expect(await ordersOf('search=nothing')).toEqual([])
  expect(await ordersOf(`search=${first.id}&status=swept`)).toEqual([])
})

test('a page ends early where hardly any payment passes, and says where to go on', async () => {
  const search = createPaymentSearch(deps, 1)
  const caller = { merchantId: fixture.merchant.merchantId, isTest: false } as never
  const one = await search.search(caller, { currency: 'USDT', limit: 10 })
  expect(one).toMatchObject({ payments: [], isCut: true })
  const two = await search.search(caller, { currency: 'USDT', limit: 10, ...(one.next && { after: one.next }) })
  expect(two.payments.map(({ orderId }) => orderId)).toEqual(['second'])
})

test('the stream says at once where the list is, and again after a payment', async () => {
  const response = await fixture.fetch('/api/v1/payments/events', { headers: keys.secret })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const reads = async (pattern: RegExp) => {
    for (let found: string | undefined; ; text += (await reader?.read())?.value ?? '') {
      found = pattern.exec(text)?.[1]
      if (found !== undefined) return found
    }
  }
  const newest = /event: payments\ndata: \{"newest":"(\d+-\d+)"\}/
  const before = await reads(newest)
  text = ''
  await create('live')
  expect(await reads(newest)).not.toBe(before)
  await reader?.cancel()
})

/** Of `GET /payments/counts`. */
const countAll = async (headers: Record<string, string>) => {
  const { body, status } = await fixture.read('/api/v1/payments/counts', headers)
  expect(status).toBe(200)
  return body['counts'] as Record<string, number>
}

test('the counts are of the mode’s payments: paid ones in whatever status, none of another merchant', async () => {
  const none = { all: 0, paid: 0, partly_paid: 0, overpaid: 0, late: 0, refunded: 0, to_do: 0 }
  const before = await countAll(keys.secret)
  expect(before).toEqual({ ...none, all: 5, paid: 1 })
  const setStatus = (status: string) =>
    deps.db.write((tx) => tx.run(sql`update payments set status = ${status} where id = ${second.id}`))
  for (const status of statusesOf('paid')) {
    await setStatus(status)
    expect((await countAll(keys.secret))['paid'], status).toBe(1)
  }
  await setStatus('completed')
  const inTestMode = { merchantId: fixture.merchant.merchantId, isTest: true } as never
  expect(await createPaymentSearch(deps).count(inTestMode)).toEqual(none)
  await fixture.create({ ...order, orderId: 'counted-test' }, keys.test)
  expect(await createPaymentSearch(deps).count(inTestMode)).toEqual({ ...none, all: 1 })
  expect(await countAll(keys.secret)).toEqual(before)
  const headers = { 'X-API-Key': fixture.other.apiKey, 'X-API-Secret': fixture.other.apiSecret }
  expect(await countAll(headers)).toEqual(none)
})

test('a payment whose status changes while the paid ones are counted counts once', async () => {
  const [from, to] = [statusesOf('paid')[0], statusesOf('paid').at(-1)]
  const setStatus = (status: string | undefined) =>
    deps.db.write((tx) => tx.run(sql`update payments set status = ${status ?? ''} where id = ${second.id}`))
  await setStatus(from)
  let statements = 0
  // As on PostgreSQL, each statement sees what was committed before it.
  const get = async <Row>(statement: Sql) => {
    const row = await deps.db.read((tx) => tx.get<Row>(statement))
    if (++statements === 2) await setStatus(to)
    return row
  }
  const db = { ...deps.db, read: <T>(unit: (tx: Tx) => Promise<T>) => unit({ get } as unknown as Tx) }
  const caller = { merchantId: fixture.merchant.merchantId, isTest: false } as never
  expect((await createPaymentSearch({ ...deps, db } as typeof deps).count(caller)).paid).toBe(1)
  await setStatus('completed')
})

test('another merchant’s payments are in no list and found by no search', async () => {
  const headers = { 'X-API-Key': fixture.other.apiKey, 'X-API-Secret': fixture.other.apiSecret }
  for (const query of ['', `search=${first.id}`, 'search=first', `search=${first.address}`]) {
    const { body } = await fixture.read(`/api/v1/payments?${query}`, headers)
    expect(body['payments']).toEqual([])
  }
})

test('a public key gets no list, no counts, no stream and no history', async () => {
  for (const path of ['payments', 'payments/counts', 'payments/events', `payments/${first.id}/history`]) {
    expect((await fixture.read(`/api/v1/${path}`)).status).toBe(403)
  }
})

test('bad filters are refused with the field and the rule', async () => {
  const { body, status } = await fixture.read('/api/v1/payments?limit=101', keys.secret)
  expect(status).toBe(400)
  expect(body['message']).toContain('limit must be at most 100')
  for (const query of ['after=x', 'status=odd', 'from=yesterday', 'amountMin=-1', `search=${'a'.repeat(201)}`]) {
    expect((await fixture.read(`/api/v1/payments?${query}`, keys.secret)).status).toBe(400)
  }
})

test('the history names what happened', async () => {
  const { body } = await fixture.read(`/api/v1/payments/${second.id}/history`, keys.secret)
  const kinds = (body['history'] as { kind: string; says: string }[]).map(({ kind, says }) => [kind, says])
  expect(kinds).toContainEqual(['event', 'payment.completed'])
  expect(kinds.map(([kind]) => kind)).toContain('transfer')
  expect(body['shares']).toEqual({ merchant: '29.55', fee: '0.45' })
})

test('compares amounts of tokens with other decimals, whatever their length', async () => {
  const { id } = await create('exact', { amount: '7.00' })
  const inTurn = async (due: string, decimals: number, query: string) => {
    await deps.db.write((tx) =>
      tx.run(sql`update payments set due = ${due}, token_decimals = ${decimals} where id = ${id}`),
    )
    const found = await ordersOf(`${query}&search=exact`)
    expect((await ordersOf(query)).includes('exact')).toBe(found.includes('exact'))
    return found.length === 1
  }
  const eighteen = '0'.repeat(18)
  expect(await inTurn(`9${eighteen}`, 18, 'amountMin=9&amountMax=9')).toBe(true)
  expect(await inTurn(`9${eighteen}`, 18, 'amountMin=9.000000000000000001')).toBe(false)
  expect(await inTurn(`1000000000${eighteen}`, 18, 'amountMin=999999999.99')).toBe(true)
  expect(await inTurn(`1000000000${eighteen}`, 18, 'amountMax=999999999.99')).toBe(false)
  expect(await inTurn('1', 18, 'amountMax=0.000000000000000001')).toBe(true)
  expect(await inTurn('1', 18, 'amountMin=0.000000000000000002')).toBe(false)
  expect(await inTurn('12', 0, 'amountMin=2&amountMax=12')).toBe(true)
  await inTurn('7000000', 6, '')
})

test('finds orders and e-mail addresses by how they begin, each in its own mode', async () => {
  for (const orderId of ['PRE-1', 'PRE-2', 'PRE-10', 'pre-3', 'APRE-4']) await create(orderId)
  await create('PR', { customerEmail: 'grace@example.com' })
  await create('PS', { customerEmail: 'gracie@example.com' })
  await fixture.create({ ...order, orderId: 'PRE-test' }, keys.test)
  expect(await ordersOf('search=PRE-')).toEqual(['PRE-10', 'PRE-2', 'PRE-1'])
  expect(await ordersOf('search=PR')).toEqual(['PR', 'PRE-10', 'PRE-2', 'PRE-1'])
  expect(await ordersOf('search=PRE-1')).toEqual(['PRE-10', 'PRE-1'])
  expect(await ordersOf('search=GRAC')).toEqual(['PS', 'PR'])
  expect(await ordersOf('search=grace')).toEqual(['PR'])
  expect(await ordersOf('search=example.com')).toEqual([])
  for (const text of ['PRE%25', 'PRE_1', '%25']) expect(await ordersOf(`search=${text}`)).toEqual([])
})

test('a text that names more payments than a page is read page by page, newest first, without a gap or a repeat', async () => {
  const newestFirst: string[] = []
  for (let count = 0; count < 105; count++) {
    const orderId = `MANY-${count % 2 === 0 ? 'a' : 'b'}-${count}`
    // Two at a time were created within one millisecond.
    if (count % 2 === 0) fixture.advance(1_000)
    await fixture.create({ ...order, orderId, customerEmail: 'many@example.com' }, keys.secret)
    newestFirst.unshift(orderId)
  }
  const pagesOf = async (search: string, read: (query: string) => Promise<Page>) => {
    const pages: (string | null)[][] = []
    for (let after = ''; pages.length < 20; ) {
      const { payments, next } = await read(`search=${search}&limit=40${after && `&after=${after}`}`)
      pages.push(payments.map(({ orderId }) => orderId))
      if (next === null) return pages
      after = next
    }
    return pages
  }
  for (const search of ['MANY-', 'many@example.com']) {
    const pages = await pagesOf(search, find)
    expect(pages.map(({ length }) => length)).toEqual([40, 40, 25])
    expect(pages.flat()).toEqual(newestFirst)
  }
  // Where a text names more than one request sorts, too: then by creation time, thirty payments at a time.
  const caller = { merchantId: fixture.merchant.merchantId, isTest: false } as never
  const search = createPaymentSearch(deps, 30)
  const often = await pagesOf('MANY-', async (query) => {
    const [createdAtMs = 0, number = 0] = (/after=([\d.]+)/.exec(query)?.[1] ?? '').split('.').map(Number)
    const after = query.includes('after=') ? { after: { createdAtMs, number } } : {}
    const found = await search.search(caller, { search: 'MANY-', limit: 40, ...after })
    const next = found.next && `${found.next.createdAtMs}.${found.next.number}`
    return { ...found, next } as unknown as Page
  })
  expect(often.flat()).toEqual(newestFirst)
})

test('the search that goes by creation time finds the same as the other, by whatever a payment is named', async () => {
  const caller = { merchantId: fixture.merchant.merchantId, isTest: false } as never
  const texts = [
    first.id,
    'sec',
    'ADA@exam',
    first.address.toUpperCase().replace('0X', '0x'),
    transfer.txId,
    transfer.payer,
  ]
  for (const text of texts) {
    const at = { search: text, limit: 100, status: undefined }
    const byName = await createPaymentSearch(deps).search(caller, at)
    expect(byName.payments).not.toEqual([])
    const whole = { after: { createdAtMs: Number.MAX_SAFE_INTEGER, number: 0 }, until: { createdAtMs: 0, number: 0 } }
    const filter = {
      merchantId: fixture.merchant.merchantId as MerchantId,
      isTest: false,
      network: null,
      currency: null,
      kind: null,
    }
    const byTime = await deps.db.read((tx) =>
      findNamedByTime(tx, { ...filter, attention: null, amounts: null }, statuses, text, whole, 100),
    )
    expect(byTime).toEqual(byName.payments)
  }
})

test('the list names what is missing of a payment that is partly paid', async () => {
  const half = await create('half', { amount: '10.00' })
  const part = transferTo(half.id, 4_000_001n)
  await deps.ledger.apply(half.id, { type: 'transfer.confirmed', transfer: part, atMs: fixture.nowMs() })
  const [found] = (await find('search=half')).payments
  expect(found).toMatchObject({ amountReceived: '4.000001', amountRemaining: '5.999999' })
  expect((await find('search=second')).payments).toMatchObject([{ amountRemaining: '0.00' }])
})

test('nothing is missing of a payment that late money paid', async () => {
  const { id } = await create('taken', { amount: '10.00' })
  const atMs = fixture.nowMs()
  const blockTimeMs = atMs + 3_600_000
  await deps.ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs })
  const transfer = { ...transferTo(id, 10_000_000n), blockTimeMs }
  await deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs })
  expect((await find('search=taken')).payments).toMatchObject([{ outcome: 'failed', amountRemaining: '10.00' }])
  await deps.ledger.apply(id, { type: 'late.accepted', atMs })
  expect((await find('search=taken')).payments).toMatchObject([{ outcome: 'paid', amountRemaining: '0.00' }])
})

test('finds what is partly paid, overpaid, late, refunded and to do, by time and by text alike', async () => {
  const make = async (orderId: string) => (await create(orderId, { amount: '10.00' })).id
  const pay = async (id: PaymentId, units: bigint) => {
    const transfer = transferTo(id, units)
    await deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: fixture.nowMs() })
  }
  const [partly, over, exact] = [await make('kind-partly'), await make('kind-over'), await make('kind-exact')]
  await make('kind-open')
  await pay(partly, 9_999_999n)
  // One digit more than the amount has; as text it sorts before.
  await pay(over, 10_000_001n)
  await pay(exact, 10_000_000n)
  const [late, refunded] = [await make('kind-late'), await make('kind-refunded')]
  await deps.db.write((tx) => tx.run(sql`update payments set late = '1' where id = ${late}`))
  await deps.db.write((tx) => tx.run(sql`update payments set refunded = '100' where id = ${refunded}`))
  const large = await make('kind-large')
  await deps.db.write((tx) => tx.run(sql`update payments set received = '100000000' where id = ${large}`))
  const expected = {
    partly_paid: ['kind-large', 'kind-partly'],
    overpaid: ['kind-large', 'kind-over'],
    late: ['kind-late'],
    refunded: ['kind-refunded'],
    to_do: ['kind-over'],
  }
  for (const [kind, orders] of Object.entries(expected)) {
    expect(await ordersOf(`kind=${kind}&search=kind-`), kind).toEqual(orders)
    expect(
      (await ordersOf(`kind=${kind}`)).filter((orderId) => orderId?.startsWith('kind-')),
      kind,
    ).toEqual(orders)
  }
  expect((await fixture.read('/api/v1/payments?kind=odd', keys.secret)).status).toBe(400)
  // Each count is the length of its list, and ends at a hundred.
  const counts = await countAll(keys.secret)
  for (const kind of Object.keys(expected))
    expect(counts[kind], kind).toBe((await ordersOf(`kind=${kind}&limit=100`)).length)
  expect(counts['paid']).toBe((await ordersOf('status=paid&limit=100')).length)
  expect(counts['all']).toBe(100)
})
