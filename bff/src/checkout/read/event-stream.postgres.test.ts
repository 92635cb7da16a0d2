import { readEvents } from '@stablecoin-checkout/rig/event-reader'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Notified } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** The first change comes right after a read, so that without a notification no delay is much less than a second. */
const notifiedWithinMs = 600

let one: AppFixture
let two: AppFixture
beforeEach(async () => {
  one = await openApp()
  two = await openApp({}, one)
})
afterEach(async () => {
  await two.close()
  await one.close()
})

const create = async () => String((await one.create()).body.payment['id']) as PaymentId
const follow = async (id: PaymentId) => readEvents(await one.fetch(`/api/v1/payments/public/${id}/events`))
/** The payment is paid, as the other replica finds out. */
const pay = (id: PaymentId) =>
  two.deps.ledger.apply(id, {
    type: 'transfer.confirmed',
    transfer: transferTo(id, 25_000_000n),
    atMs: two.nowMs(),
  })

/** Milliseconds from a change at one replica to the event of the stream at the other. */
async function delayMs(): Promise<number> {
  const id = await create()
  const page = await follow(id)
  await page.next()
  await pay(id)
  const paidAtMs = performance.now()
  expect((await page.next())?.data.payment).toMatchObject({ outcome: 'paid' })
  await page.close()
  return performance.now() - paidAtMs
}

async function shortestDelayMs(): Promise<number> {
  const delaysMs: number[] = []
  for (let round = 0; round < 10; round++) delaysMs.push(await delayMs())
  return Math.min(...delaysMs)
}

/** Server processes that listen, of this database. */
const listeners = `from pg_stat_activity where datname = current_database() and query in ('listen stablecoin_checkout', 'select 1')`

async function onDatabase<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(one.database.location)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

test('a change at one replica reaches the stream at another at once, by a notification', async () => {
  expect(await shortestDelayMs()).toBeLessThan(notifiedWithinMs)
})

test('events still come while notifications are lost, and at once when they are back', async () => {
  await delayMs()
  const cut = () => onDatabase<{ isEnded: number }>(`select pg_terminate_backend(pid)::int as "isEnded" ${listeners}`)
  expect(await cut()).toHaveLength(1)
  let isCut = true
  // The connection is lost each time that it is made again.
  const cutting = (async () => {
    while (isCut) await cut()
  })()
  await delayMs()
  isCut = false
  await cutting
  await expect.poll(() => onDatabase(`select 1 as one ${listeners}`)).toHaveLength(1)
  expect(await shortestDelayMs()).toBeLessThan(notifiedWithinMs)
})

test('one commit notifies of each payment that it moved, or of any where they are too many to be named', async () => {
  const ids: PaymentId[] = []
  for (let count = 0; count < 300; count++) ids.push(await create())
  const heard: Notified[] = []
  const endListening = one.deps.db.listen((notified) => heard.push(notified))
  await expect.poll(() => heard).toEqual(['any'])
  const move = (some: PaymentId[]) =>
    two.deps.db.write(async (tx) => {
      const atMs = two.nowMs()
      for (const id of some) await two.deps.ledger.applyIn(tx, id, { type: 'payment.closed', as: 'cancelled', atMs })
    })
  await move(ids.slice(0, 3))
  await expect.poll(() => heard).toEqual(['any', new Set(ids.slice(0, 3))])
  await move(ids.slice(3))
  await expect.poll(() => heard).toEqual(['any', new Set(ids.slice(0, 3)), 'any'])
  endListening()
})
