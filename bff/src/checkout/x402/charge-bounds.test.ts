import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import { times } from '@stablecoin-checkout/rig/nightly'
import { createX402Client } from '@stablecoin-checkout/rig/x402-client'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { paymentIdAt } from '../../payment/store/payment-store.ts'
import { openMax } from './charge-room.ts'

let stage: AuthorizationStage
let client: ReturnType<typeof createX402Client>
const { perMerchant } = openMax
beforeEach(async () => {
  stage = await openAuthorizationStage({ waitMs: 20_000 })
  client = createX402Client(stage)
  await stage.mint(stage.customer.address, 1_000_000_000n)
})
afterEach(async () => {
  openMax.perMerchant = perMerchant
  await stage?.close()
})

type Answer = Awaited<ReturnType<typeof client.charge>>
const resource = 'https://api.example/flood'
const charge = (more: object = {}) => client.charge(undefined, { resource, ...more })
const payToOf = ({ required }: Answer) => required?.accepts[0]?.payTo
const repeat = async (times: number, ask: (index: number) => Promise<Answer>) => {
  const answers: Answer[] = []
  for (let index = 0; index < times; index++) answers.push(await ask(index))
  return answers
}
const countByStatus = () =>
  stage.db.read((tx) => tx.all(sql`select status, count(*) as count from payments group by status order by status`))

test('requests that nobody pays make at most a hundred payments at one price, and each still pays one request', async () => {
  const offered = (await repeat(110, () => charge())).map(payToOf)
  expect(await countByStatus()).toMatchObject([{ status: 'pending', count: 100 }])
  expect(new Set(offered.slice(0, 100)).size).toBe(100)
  // Those of one millisecond come in any order.
  const again = new Set(offered.slice(100))
  expect(again.size, 'the longest offered first, so none twice').toBe(10)
  expect(offered.slice(0, 100)).toEqual(expect.arrayContaining([...again]))
  expect(offered, 'another price has payments of its own').not.toContain(payToOf(await charge({ amount: '26.00' })))
  const proof = await client.prove((await charge()).required?.accepts[0])
  expect((await client.drive(client.charge(proof, { resource }))).status).toBe(200)
  // What is paid is offered to nobody, and makes room for one.
  expect(offered).not.toContain(payToOf(await charge()))
  expect((await client.charge(proof, { resource })).status).toBe(402)
})

test('two hundred and fifty query strings at once make a hundred payments, and take nobody’s offer away', async () => {
  const of = (query: number) => ({ resource: `${resource}?n=${query}` })
  const first = await charge(of(0))
  const flood = await Promise.all(Array.from({ length: 250 }, (_, index) => charge(of(index + 1))))
  expect(flood.map(({ status }) => status)).toEqual(Array(250).fill(402))
  expect(await countByStatus()).toMatchObject([{ status: 'pending', count: 100 }])
  // The first one's payment was offered to others meanwhile; nobody has paid it, and it pays one request for its own resource alone.
  expect(flood.map(payToOf)).toContain(payToOf(first))
  const proof = await client.prove(first.required?.accepts[0])
  expect((await client.charge(proof, of(10))).settlement?.errorReason).toBe('invalid_payment_requirements')
  expect((await client.drive(client.charge(proof, of(0)))).status).toBe(200)
  expect((await client.charge(proof, of(0))).settlement?.errorReason).toBe('duplicate_settlement')
})

test('one client makes at most twenty payments, at whatever price, and another client gets one of its own', async () => {
  const of = (who: string, amount: string) => charge({ client: who, amount })
  const offered = (await repeat(40, () => of('192.0.2.1', '4.00'))).map(payToOf)
  expect(await countByStatus()).toMatchObject([{ count: 20 }])
  expect(offered.slice(20).sort(), 'its own, again').toEqual(offered.slice(0, 20).sort())
  const dearer = await of('192.0.2.1', '5.00')
  expect([dearer.status, dearer.body]).toMatchObject([
    429,
    { code: 'TOO_MANY_OPEN_PAYMENTS', message: expect.stringMatching(/^This client has 20/) },
  ])
  const other = payToOf(await of('192.0.2.2', '4.00'))
  expect([other, offered.includes(other)]).toEqual([expect.any(String), false])
  // A whole network of 64 bits is one client, as everywhere.
  await repeat(25, (host) => of(`2001:db8:1:2::${host}`, '4.00'))
  expect(await countByStatus()).toMatchObject([{ count: 41 }])
  // Some proxies add the port, which differs for each connection.
  await repeat(3, (port) => of(`192.0.2.2:${4_000 + port}`, '5.00'))
  await repeat(20, (port) => of(`192.0.2.2:${5_000 + port}`, '4.00'))
  expect(await countByStatus()).toMatchObject([{ count: 60 }])
})

test('a client that sends dust to its payments makes no more of them, and takes no room from others', async () => {
  const of = (who: string, amount: string) => charge({ client: who, amount })
  for (const answer of await repeat(20, () => of('192.0.2.1', '4.00'))) await stage.transfer(payToOf(answer) as Hex, 1n)
  await stage.watch()
  expect((await of('192.0.2.1', '4.00')).status).toBe(429)
  expect((await of('192.0.2.2', '4.00')).status).toBe(402)
  expect(await countByStatus()).toMatchObject([{ count: 21 }])
})

test('a used proof that is presented again and again makes no more payments than requests without a proof', async () => {
  const named = { resource, client: '192.0.2.1', amount: '4.00' }
  const proof = await client.prove((await charge(named)).required?.accepts[0])
  expect((await client.drive(client.charge(proof, named))).status).toBe(200)
  for (const answer of await repeat(25, () => client.charge(proof, named))) {
    expect([answer.status, answer.settlement?.errorReason]).toEqual([402, 'duplicate_settlement'])
  }
  const open = await stage.db.read((tx) => tx.get(sql`select count(*) as count from payments where status = 'pending'`))
  expect(open).toEqual({ count: 20 })
})

test('a client that two merchants call by one name is one of each, so that neither uses up the bounds of the other', async () => {
  const body = { amount: '25.00', currency: 'USDC', network: 'devnet', resource, client: '192.0.2.1' }
  for (const { apiKey, apiSecret } of [stage.merchant, stage.merchant, await stage.openMerchant('Tea House')]) {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    expect((await stage.app.request('/api/v1/x402/charge', init)).status).toBe(402)
  }
  const rows = await stage.db.read((tx) =>
    tx.all<{ client: string; merchants: number }>(sql`
        select client, count(distinct merchant_id) as merchants from payments group by client`),
  )
  expect(rows.map(({ merchants }) => merchants)).toEqual([1, 1])
})

test('who the client is stands in the database as a keyed digest, and only while the payment is open', async () => {
  const { required } = await charge({ client: '192.0.2.1' })
  const clients = () => stage.db.read((tx) => tx.all<{ client: string | null }>(sql`select client from payments`))
  expect(await clients()).toEqual([{ client: expect.stringMatching(/^[\w-]{24}$/) }])
  const proof = await client.prove(required?.accepts[0])
  expect((await client.drive(client.charge(proof, { resource, client: '192.0.2.1' }))).status).toBe(200)
  expect(await clients()).toEqual([{ client: null }])
})

/** Charges that were made since then count as made now, however long a busy machine took for them. */
const offerAllNow = (sinceMs: number) =>
  stage.db.write((tx) =>
    tx.run(sql`update x402_charges set offered_at_ms = ${Date.now()} where offered_at_ms >= ${sinceMs}`),
  )

test('a client has at most twenty open charges, a price a hundred, a merchant a thousand', () => {
  expect(openMax).toEqual({ perClient: 20, perPrice: 100, perMerchant: 1_000 })
})

/** Each charge reads all open ones: with a thousand of them a test takes ten seconds. */
const fewerPerMerchant = times(120, 1_000)

test('a merchant has a bounded number, and whoever makes each price another one keeps nobody out for longer than half a minute', async () => {
  const age = (seconds: number) =>
    stage.db.write((tx) =>
      tx.run(sql`update x402_charges set offered_at_ms = offered_at_ms - ${seconds * 1_000} where used_at_ms is null`),
    )
  const statusOf = async (answer: Answer) => {
    const id = await stage.db.read((tx) => paymentIdAt(tx, payToOf(answer) ?? ''))
    const row = await stage.db.read((tx) =>
      tx.get<{ status: string }>(sql`select status from payments where id = ${id ?? ''}`),
    )
    return row?.status
  }
  openMax.perMerchant = fewerPerMerchant
  const first = await charge({ metadata: { of: 'the first' } })
  await age(31)
  const ofNamed = { metadata: { of: 'a named client' }, client: '192.0.2.1' }
  const named = await charge(ofNamed)
  await age(31)
  const floodAtMs = Date.now()
  const others = fewerPerMerchant - 2
  const flood = await Promise.all(
    Array.from({ length: others }, (_, index) =>
      charge(index < others / 2 ? { metadata: { index } } : { amount: `1${String(index).padStart(3, '0')}.00` }),
    ),
  )
  expect(flood.map(({ status }) => status)).toEqual(Array(others).fill(402))
  await offerAllNow(floodAtMs)
  // What was offered longest ago gives way; what somebody may be signing stays.
  expect((await charge({ amount: '5000.00' })).status).toBe(402)
  expect([await statusOf(first), await statusOf(named)]).toEqual(['expired', 'pending'])
  const beyond = await charge({ amount: '5001.00' })
  expect([beyond.status, beyond.body]).toMatchObject([429, { code: 'TOO_MANY_OPEN_PAYMENTS' }])
  expect((await charge({ amount: '5000.00', client: '192.0.2.7' })).status, 'that has none').toBe(402)
  expect((await charge({ metadata: { of: 'somebody' } })).status).toBe(429)
  await age(30)
  const customer = await charge({ metadata: { of: 'a customer' } })
  expect(customer.status).toBe(402)
  expect(await countByStatus()).toMatchObject([
    { status: 'expired', count: 3 },
    { status: 'pending', count: fewerPerMerchant },
  ])
  const pay = async ({ required }: Answer, more: object) => {
    const proof = await client.prove(required?.accepts[0])
    return (await client.drive(client.charge(proof, { resource, ...more }))).status
  }
  expect(await pay(customer, { metadata: { of: 'a customer' } })).toBe(200)
  expect(await pay(named, ofNamed)).toBe(200)
})

test('whoever asks by as many addresses, at as many prices, keeps nobody out for longer than half a minute', async () => {
  const of = (index: number) => ({
    client: `2001:db8:${index.toString(16)}::1`,
    amount: `1${String(index).padStart(3, '0')}.00`,
  })
  openMax.perMerchant = fewerPerMerchant
  const flood = await Promise.all(Array.from({ length: fewerPerMerchant }, (_, index) => charge(of(index))))
  expect(flood.map(({ status }) => status)).toEqual(Array(fewerPerMerchant).fill(402))
  await offerAllNow(0)
  const customer = { client: '192.0.2.1', amount: '5000.00' }
  expect((await charge(customer)).status, 'somebody may be signing those').toBe(429)
  await stage.db.write((tx) => tx.run(sql`update x402_charges set offered_at_ms = offered_at_ms - 30000`))
  expect((await charge()).status, 'who names no client ends no named one').toBe(429)
  const own = await charge(customer)
  expect(own.status).toBe(402)
  const proof = await client.prove(own.required?.accepts[0])
  expect((await client.drive(client.charge(proof, { resource, ...customer }))).status).toBe(200)
})

test('requests make no payment where the network takes no signature', async () => {
  await stage.close()
  stage = await openAuthorizationStage({ signatureGas: null })
  client = createX402Client(stage)
  expect((await charge()).status).toBe(409)
  expect(await countByStatus()).toEqual([])
})
