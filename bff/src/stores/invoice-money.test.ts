import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/db.ts'

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage()
})
afterAll(() => shop.bff.close())

type Body = Record<string, unknown>

const read = async (id: string) => (await shop.ask('GET', `${shop.store}/invoices/${id}`)).body as Body

test.each([
  ['enough with the tolerance is on its way', 24_500_000n, ['Processing', 'None']],
  ['too little is a part', 24_499_999n, ['New', 'PaidPartial']],
  ['too much is over', 25_000_001n, ['Processing', 'PaidOver']],
])('money in sight counts before it is confirmed: %s', async (_, units, expected) => {
  const id = await shop.invoice({ checkout: { paymentTolerance: 2 } })
  await shop.pay(await shop.choose(id), units, { isSeen: true })
  expect(await shop.status(id)).toEqual(expected)
})

test('a part in another token beside the payment in full is not what was paid too much', async () => {
  const id = await shop.invoice()
  const [one, other] = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT')]
  await shop.pay(other, 5_000_000n)
  await shop.pay(one, 25_000_000n)
  expect(await shop.status(id)).toEqual(['Settled', 'None'])
})

test('what was paid is rounded down in the currency of the price: a unit too little is not the price', async () => {
  const id = await shop.invoice()
  await shop.pay(await shop.choose(id), 24_999_999n)
  expect(await read(id)).toMatchObject({ status: 'New', amount: '20.00', paidAmount: '19.9999' })
})

test('an invoice is settled by its payment, however much dust its other payments have received', async () => {
  const id = await shop.invoice()
  const paid = await shop.choose(id)
  for (let count = 0; count < 50; count++) {
    shop.bff.advance(1)
    await shop.pay(await shop.choose(id, 'USDT'), 1n)
  }
  await shop.pay(paid, 25_000_000n, { isSeen: true })
  expect(await shop.status(id)).toEqual(['Processing', 'None'])
  await shop.pay(paid, 25_000_000n)
  expect(await shop.status(id)).toEqual(['Settled', 'None'])
})

test('a shop reads a part that was paid, however much dust newer payments have received', async () => {
  const id = await shop.invoice()
  await shop.pay(await shop.choose(id), 10_000_000n)
  for (let count = 0; count < 50; count++) {
    shop.bff.advance(1)
    await shop.pay(await shop.choose(id, 'USDT'), 1n)
  }
  expect(await read(id)).toMatchObject({ status: 'New', additionalStatus: 'PaidPartial', paidAmount: '8.00' })
})

test('an invoice is settled by its payment, however much money its failed payments have received and will return', async () => {
  const id = await shop.invoice()
  for (let count = 0; count < 50; count++) {
    const failed = await shop.choose(id, 'USDT')
    await shop.end(failed)
    await shop.pay(failed, 26_000_000n, { isLate: true })
    await shop.apply(failed, { type: 'late.returned', atMs: shop.bff.nowMs() })
    shop.bff.advance(1)
  }
  const paid = await shop.choose(id)
  await shop.pay(paid, 25_000_000n, { isSeen: true })
  expect((await shop.status(id))[0]).toBe('Processing')
  await shop.pay(paid, 25_000_000n)
  expect((await shop.status(id))[0]).toBe('Settled')
})

test('an invoice is settled by its payment, however many more units of a token of less worth others have received', async () => {
  const id = await shop.invoice()
  const paid = await shop.choose(id)
  for (let count = 0; count < 50; count++) {
    shop.bff.advance(1)
    const cheap = await shop.choose(id, 'USDT')
    await shop.bff.deps.db.write((tx) =>
      tx.run(sql`update payments set due = '25000000000000', least = '25000000000000' where id = ${cheap}`),
    )
    await shop.pay(cheap, 1_000_000_000n)
  }
  await shop.pay(paid, 25_000_000n, { isSeen: true })
  expect(await shop.status(id)).toEqual(['Processing', 'None'])
  await shop.pay(paid, 25_000_000n)
  expect(await shop.status(id)).toEqual(['Settled', 'None'])
})

test('an invoice paid in time is not late, however much dust its payment has received before', async () => {
  await shop.hook()
  const id = await shop.invoice()
  const payment = await shop.choose(id)
  for (let nth = 0; nth < 101; nth++) await shop.pay(payment, 1n, { nth })
  await shop.pay(payment, 24_999_899n, { nth: 101 })
  expect(await shop.status(id)).toEqual(['Settled', 'None'])
  const types = await shop.types()
  expect(types).toContain('Settled')
  expect(types).not.toContain('Expired')
})

test('an invoice paid late is late, however much dust its payment has received before', async () => {
  const id = await shop.invoice()
  const payment = await shop.choose(id)
  for (let nth = 0; nth < 101; nth++) await shop.pay(payment, 1n, { nth })
  await shop.bff.deps.db.write((tx) =>
    tx.run(sql`update payments set accepted_until_ms = window_ends_at_ms + 36000000 where id = ${payment}`),
  )
  await shop.end(payment)
  await shop.pay(payment, 24_999_899n, { nth: 101, isLate: true })
  expect(await shop.status(id)).toEqual(['Settled', 'PaidLate'])
  const { body } = await shop.ask('GET', `${shop.store}/invoices/${id}/payment-methods`)
  expect(JSON.stringify(body)).toContain('"24.999899"')
})

test('an invoice paid late in parts that are smaller than the others is late, however many there are', async () => {
  const id = await shop.invoice()
  const payment = await shop.choose(id)
  for (let nth = 0; nth < 110; nth++) await shop.pay(payment, 200_000n, { nth })
  await shop.bff.deps.db.write((tx) =>
    tx.run(sql`update payments set accepted_until_ms = window_ends_at_ms + 36000000 where id = ${payment}`),
  )
  await shop.end(payment)
  for (let nth = 110; nth < 140; nth++) await shop.pay(payment, 100_000n, { nth, isLate: true })
  expect(await shop.status(id)).toEqual(['Settled', 'PaidLate'])
})

test('two payments in one token on one network are one sum, and each of their transfers is listed', async () => {
  const id = await shop.invoice()
  const [one, other] = [await shop.choose(id), await shop.choose(id)]
  expect(one).not.toBe(other)
  await shop.pay(one, 5_000_000n)
  await shop.pay(other, 6_000_000n)
  const [usdc = {}] = (await shop.ask('GET', `${shop.store}/invoices/${id}/payment-methods`)).body as Body[]
  expect(usdc).toMatchObject({ paymentMethodPaid: '11.00', totalPaid: '11.00', due: '19.00', amount: '25.00' })
  expect((usdc['payments'] as Body[]).map(({ value }) => value).sort()).toEqual(['5.00', '6.00'])
})

test('an invoice that was marked as settled stays marked, also when its money comes afterwards', async () => {
  const id = await shop.invoice()
  const payment = await shop.choose(id)
  await shop.pay(payment, 25_000_000n, { isSeen: true })
  await shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status: 'Settled' })
  shop.bff.advance(1)
  await shop.pay(payment, 25_000_000n)
  expect(await shop.status(id)).toEqual(['Settled', 'Marked'])
})

test('an invoice whose money a reorg took and brought back is settled once: the shop ships once', async () => {
  await shop.hook()
  const id = await shop.invoice()
  const payment = await shop.choose(id)
  const transfer = await shop.pay(payment, 25_000_000n)
  expect(await shop.types()).toContain('Settled')
  await shop.apply(payment, { type: 'transfer.reverted', transfer, atMs: shop.bff.nowMs() })
  await shop.pay(payment, 25_000_000n, { isSeen: true })
  expect(await shop.status(id)).toEqual(['Processing', 'None'])
  const again = await shop.types()
  await shop.pay(payment, 25_000_000n)
  expect(await shop.status(id)).toEqual(['Settled', 'None'])
  expect([...again, ...(await shop.types())]).not.toContain('Settled')
})
