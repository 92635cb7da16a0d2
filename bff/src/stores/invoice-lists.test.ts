import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'

const count = 45

let shop: StoreStage
/** Newest first. */
const ids: string[] = []
beforeAll(async () => {
  shop = await openStoreStage()
  for (let nth = 0; nth < count; nth++) ids.unshift(await shop.invoice())
  for (const id of ids.slice(0, 30))
    await shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status: 'Invalid' })
})
afterAll(() => shop.bff.close())

async function list(query: string): Promise<string[]> {
  const { status, body } = await shop.ask('GET', `${shop.store}/invoices?${query}`)
  expect(status).toBe(200)
  return (body as { id: string }[]).map(({ id }) => id)
}

test.each([
  ['take=100', [0, count]],
  ['take=25&skip=10', [10, 35]],
  ['take=25&skip=40', [40, count]],
  ['take=5&skip=1000', [count, count]],
  ['take=100&status=Invalid', [0, 30]],
  ['take=12&skip=15&status=Invalid', [15, 27]],
  ['take=100&skip=28&status=Invalid', [28, 30]],
  ['take=100&status=New', [30, count]],
  ['take=3&skip=2&status=new', [32, 35]],
  ['take=20&status=New&status=Invalid&skip=25', [25, count]],
])('%s has those invoices, newest first', async (query, [from, until]) => {
  expect(await list(query)).toEqual(ids.slice(from, until))
})

test('a long list lets other requests be answered before it, and another list of the merchant waits for it', async () => {
  const order: string[] = []
  const listed = list('take=100').then(() => order.push('list'))
  const short = list('take=1').then(() => order.push('short list'))
  await new Promise((resolve) => setImmediate(resolve))
  await shop.bff.fetch('/api/health').then(() => order.push('health'))
  await Promise.all([listed, short])
  expect(order).toEqual(['health', 'list', 'short list'])
})

test('a list is not read on for a client that has left', async () => {
  const left = new AbortController()
  const init = { headers: { Authorization: `token ${shop.apiKey}` }, signal: left.signal }
  const asking = shop.bff.fetch(`/btcpay/api/v1${shop.store}/invoices?take=100`, init)
  await new Promise((resolve) => setImmediate(resolve))
  left.abort()
  expect(((await (await asking).json()) as object[]).length).toBeLessThan(count)
})
