import { noRateLimits } from '@stablecoin-checkout/rig/app-defaults'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../access/limits/rate-limit.ts'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/** Rounds of each race. */
const rounds = 40

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const otherWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let one: AppFixture
let two: AppFixture
async function openReplicas(limits = noRateLimits): Promise<void> {
  one = await openApp({ limits })
  two = await openApp({ limits }, one)
}
beforeEach(() => openReplicas())
afterEach(async () => {
  await two.close()
  await one.close()
})

/** The same call at both replicas in the same instant. */
const atBoth = <Result>(call: (replica: AppFixture) => Promise<Result>) => Promise.all([call(one), call(two)])

const isReplayed = ({ headers }: { headers: Headers }) => headers.get('Idempotent-Replayed') === 'true'

const count = async (table: 'payments' | 'payouts' | 'refund_requests') => {
  const statements = {
    payments: sql`select count(*) as count from payments`,
    payouts: sql`select count(*) as count from payouts`,
    refund_requests: sql`select count(*) as count from refund_requests`,
  }
  return (await one.deps.db.read((tx) => tx.get<{ count: number }>(statements[table])))?.count
}

const newDeposit = async () => {
  const { payment } = (await one.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  return payment['id'] as PaymentId
}

/** An expired payment of 25.00 that so much came for, before its window ended or after. */
async function expired(amount: bigint, isLate: boolean): Promise<PaymentId> {
  const id = await newDeposit()
  const { ledger } = one.deps
  const endMs = one.nowMs() + 3_600_000
  const atMs = one.nowMs()
  const transfer = { ...transferTo(id, amount), ...(isLate && { blockTimeMs: endMs }) }
  if (!isLate) await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs })
  await ledger.apply(id, { type: 'window.ended', blockTimeMs: endMs, atMs })
  if (isLate) await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs })
  return id
}

test('twins of a create make one payment, and both answer it', async () => {
  for (let round = 0; round < rounds; round++) {
    const keyed = { 'Idempotency-Key': `key ${round}` }
    const answers = await atBoth((replica) => replica.create(order, keyed))
    const [first, second] = answers
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.payment['id']).toBe(second.body.payment['id'])
    expect(first.body.payment).toEqual(second.body.payment)
    expect(answers.filter(isReplayed)).toHaveLength(1)
  }
  expect(await count('payments')).toBe(rounds)
})

test('twins are found by an order id and by the whole body too', async () => {
  for (let round = 0; round < rounds; round++) {
    const byOrder = await atBoth((replica) => replica.create({ ...order, orderId: `order ${round}` }, one.keys.secret))
    const body = { ...order, metadata: { round } }
    const byBody = await atBoth((replica) => replica.create(body, {}, '/api/v1/payments/create'))
    for (const answers of [byOrder, byBody]) {
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(new Set(answers.map((answer) => answer.body.payment['id'])).size).toBe(1)
      expect(answers.filter(isReplayed)).toHaveLength(1)
    }
  }
  expect(await count('payments')).toBe(2 * rounds)
})

test('of two creates with one key and different money one is made, and the other refused', async () => {
  for (let round = 0; round < rounds; round++) {
    const keyed = { 'Idempotency-Key': `key ${round}` }
    const [first, second] = await Promise.all([
      one.create(order, keyed),
      two.create({ ...order, amount: '26.00' }, keyed),
    ])
    expect([first.status, second.status].sort()).toEqual([200, 400])
    expect([first, second].find(({ status }) => status === 400)?.body['code']).toBe('IDEMPOTENCY_MISMATCH')
  }
  expect(await count('payments')).toBe(rounds)
})

test('the bound of open payments holds over both replicas', async () => {
  await two.close()
  await one.close()
  const openPaymentsPerAddress = 5
  await openReplicas(createRateLimits({ limits: { ...defaultLimits, openPaymentsPerAddress }, trustedProxies: [] }))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => atBoth((replica) => replica.create(order, one.keys.public))),
  )
  const statuses = answers.flat().map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(openPaymentsPerAddress)
  expect(await count('payments')).toBe(openPaymentsPerAddress)
})

test('an agent never reserves more than its budget at two replicas', async () => {
  const saved = await one.call('/api/v1/merchants/agent-policies/shopper', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...one.keys.secret },
    body: JSON.stringify({ dailyBudget: '100.00' }),
  })
  expect(saved.status).toBe(200)
  const body = { ...order, agentId: 'shopper', agentOwner: 'me' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      atBoth((replica) => replica.create(body, { 'Idempotency-Key': crypto.randomUUID() })),
    ),
  )
  const codes = answers.flat().map(({ status, body: { code } }) => (status === 200 ? 'made' : code))
  expect(codes.filter((code) => code === 'made')).toHaveLength(4)
  expect(new Set(codes)).toEqual(new Set(['made', 'AGENT_CONSTRAINT_VIOLATED']))
})

test('of two addresses for one refund the first is taken, and the money is queued once', async () => {
  for (let round = 0; round < rounds / 4; round++) {
    const id = await expired(10_000_000n, false)
    const clientSecret = one.clientSecretOf(id)
    const request = (replica: AppFixture, address: string) =>
      replica.post(`/api/v1/deposits/refund-request/${id}`, { address, clientSecret })
    const answers = await Promise.all([request(one, wallet), request(two, otherWallet)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const same = await atBoth((replica) => request(replica, answers[0].status === 200 ? wallet : otherWallet))
    expect(same.map(({ status }) => status)).toEqual([200, 200])
  }
  expect([await count('refund_requests'), await count('payouts')]).toEqual([rounds / 4, rounds / 4])
})

/** The webhook events of a payment, in the order of the feed, and what its sequence says of that order. */
async function eventsOf(id: PaymentId): Promise<{ type: string; sequence: number }[]> {
  return await one.deps.db.read((tx) =>
    tx.all<{ type: string; sequence: number }>(sql`
        select type, sequence from events where payment_id = ${id} order by number`),
  )
}

test('late money is accepted once, and the merchant is notified once, whichever replicas are asked', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await expired(25_000_000n, true)
    const answers = await atBoth((replica) =>
      replica.call(`/api/v1/payments/${id}/accept-late`, { method: 'POST', headers: one.keys.secret }),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0].body.payment['sequence']).toBe(answers[1].body.payment['sequence'])
    const events = await eventsOf(id)
    expect(events.filter(({ type }) => type === 'payment.completed')).toHaveLength(1)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  }
  expect(await count('payouts')).toBe(rounds)
})

test('one transfer is credited to one payment, whichever replicas hear of it', async () => {
  for (let round = 0; round < rounds / 4; round++) {
    const [first, second] = [await newDeposit(), await newDeposit()]
    const transfer = transferTo(first, 25_000_000n)
    const credit = (replica: AppFixture, id: PaymentId) =>
      replica.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: one.nowMs() })
    const credited = await Promise.allSettled([credit(one, first), credit(two, second), credit(two, first)])
    const paid = await Promise.all(
      [first, second].map(async (id) => (await one.read(`/api/v1/payments/public/${id}`)).body.payment['outcome']),
    )
    expect(paid.filter((outcome) => outcome === 'paid')).toHaveLength(1)
    expect(credited.some(({ status }) => status === 'rejected')).toBe(true)
  }
})

test('a key that one replica revokes is refused by the other within a second, also when the clock is set back', async () => {
  const status = async () => (await two.read('/api/v1/networks')).status
  for (const clockMs of [1_000, -60_000]) {
    expect(await status()).toBe(200)
    const revoke = (atMs: number | null) =>
      one.deps.db.write((tx) =>
        tx.run(sql`update credentials set revoked_at_ms = ${atMs} where id = ${one.merchant.publicKey}`),
      )
    await revoke(0)
    expect(await status()).toBe(200)
    two.advance(clockMs)
    expect(await status()).toBe(401)
    await revoke(null)
    two.advance(1_000)
  }
})
