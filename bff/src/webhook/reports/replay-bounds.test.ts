import { openWebhookStage, type WebhookStage } from '@stablecoin-checkout/rig/webhook-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { disableEndpoint } from '../endpoints/endpoint-store.ts'

const minuteMs = 60_000
const noonMs = Date.parse('2026-11-21T12:00:00Z')
const at = (afterMs: number) => new Date(noonMs + afterMs).toISOString()

let stage: WebhookStage
beforeEach(async () => {
  stage = await openWebhookStage()
})
afterEach(() => stage.close())

type Json = Record<string, unknown>
type Listed = { url: string; state: string; endpointId: string; type: string }

async function replay(body: Json): Promise<[replayed: unknown, next: unknown]> {
  const answered = await stage.ask('POST', '/webhooks/replay', body)
  expect(answered.status, JSON.stringify(answered.body)).toBe(200)
  return [answered.body['replayed'], answered.body['next']]
}
const deliveries = async () =>
  (await stage.ask('GET', '/webhooks/deliveries?limit=100')).body['deliveries'] as (Listed & { id: string })[]
const run = (query: ReturnType<typeof sql>) => stage.bff.deps.db.write((tx) => tx.run(query))

/** Events of one payment at these times, in the order of their commits. @returns the payment. */
async function eventsAt(...times: readonly number[]): Promise<string> {
  const id = await stage.newPayment()
  await run(sql`update events set created_at_ms = ${noonMs + (times[0] ?? 0)}`)
  await stage.bff.deps.db.write(async (tx) => {
    for (const [place, afterMs] of times.entries()) {
      if (place === 0) continue
      await tx.run(sql`
          insert into events (merchant_id, is_test, payment_id, sequence, type, body, created_at_ms)
          select merchant_id, is_test, payment_id, ${place + 1}, type, '{}', ${noonMs + afterMs} from events where number = 1`)
    }
  })
  return id
}
const eventNumbers = async () => {
  const { db } = stage.bff.deps
  const rows = await db.read((tx) =>
    tx.all<{ n: number }>(sql`select event_number as n from deliveries order by number`),
  )
  return rows.map(({ n }) => n)
}

test('a replay ends before the time until which it was asked for, to one endpoint and to all', async () => {
  const { id: endpointId } = await stage.addEndpoint()
  await stage.newPayment()
  for (const receiver of [{ endpointId }, {}]) {
    expect(await replay({ since: at(-1_000), until: at(0), ...receiver })).toEqual([0, null])
    expect(await replay({ since: at(0), until: at(1), ...receiver })).toEqual([1, null])
    expect(await replay({ since: at(1), until: at(2), ...receiver })).toEqual([0, null])
  }
})

test('an event that was committed before an earlier one is replayed with it', async () => {
  await eventsAt(-2 * minuteMs, 10, -30_000, 20)
  const { id: endpointId } = await stage.addEndpoint()
  stage.bff.advance(minuteMs)
  expect(await replay({ since: at(0), endpointId })).toEqual([2, null])
  expect(await eventNumbers()).toEqual([2, 4])
})

test('a replay goes on after the time until which it was asked for, while an event before it may follow', async () => {
  await eventsAt(...Array<number>(499).fill(0), minuteMs + 1_000, minuteMs - 1)
  const { id: endpointId } = await stage.addEndpoint()
  const order = { since: at(0), until: at(minuteMs), endpointId }
  expect(await replay(order)).toEqual([499, '500'])
  expect(await replay({ ...order, after: '500' })).toEqual([1, null])
  await run(sql`update events set created_at_ms = ${noonMs + 2 * minuteMs} where number = 500`)
  expect(await replay(order)).toEqual([499, null])
})

test('the deliveries of one event are replayed in one part or in the next, and none is left out', async () => {
  await eventsAt(-minuteMs, ...Array<number>(250).fill(0))
  const [one, other] = [await stage.addEndpoint(), await stage.addEndpoint({ url: `${stage.shop.url}/other` })]
  expect(await replay({ since: at(-minuteMs), endpointId: one.id })).toEqual([251, null])
  expect(await replay({ since: at(0), endpointId: other.id })).toEqual([250, null])
  const all = { since: at(-minuteMs) }
  expect(await replay(all)).toEqual([499, '250'])
  expect(await replay({ ...all, after: '250' })).toEqual([2, null])
})

test('what is sent again goes to where its endpoint is now, and the list says where the rest went', async () => {
  const { id: endpointId } = await stage.addEndpoint()
  await stage.newPayment()
  await stage.deliverAll()
  await stage.newPayment()
  const moved = `${stage.shop.url}/moved`
  expect((await stage.ask('PATCH', `/webhooks/endpoints/${endpointId}`, { url: moved })).status).toBe(200)
  const where = async () => (await deliveries()).map(({ state, url }) => [state, url])
  expect(await where()).toEqual([
    ['due', moved],
    ['delivered', stage.shop.url],
  ])
  const [, delivered] = await deliveries()
  const again = await stage.ask('POST', `/webhooks/deliveries/${delivered?.id}/redeliver`)
  expect(again.body['delivery']).toMatchObject({ state: 'due', url: moved })
  await run(sql`update deliveries set state = 'delivered', url = ${stage.shop.url}`)
  expect(await replay({ since: at(0) })).toEqual([2, null])
  expect(await where()).toEqual([
    ['due', moved],
    ['due', moved],
  ])
})

test('what an endpoint took before it was disabled stays delivered', async () => {
  const { id } = await stage.addEndpoint()
  await stage.newPayment()
  await stage.deliverAll()
  await stage.newPayment()
  await stage.bff.deps.db.write((tx) => disableEndpoint(tx, id, 'merchant', noonMs))
  expect((await deliveries()).map(({ state }) => state)).toEqual(['failed', 'delivered'])
})
