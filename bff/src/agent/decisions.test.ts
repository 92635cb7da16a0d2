import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { Decision } from './decision.ts'
import {
  decisionsKeptMs,
  decisionsMax,
  deleteOldDecisions,
  loadDecisions,
  saveDecision,
  trimEvery,
} from './decision-store.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const path = '/api/v1/merchants/agent-policies/shopper-1'
const agent = { agentId: 'shopper-1', agentOwner: 'me' }

const put = (terms: unknown) =>
  fixture.call(path, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...fixture.keys.secret },
    body: JSON.stringify(terms),
  })
const pay = (amount: string, more: Record<string, unknown> = {}) =>
  fixture.create({ ...order, ...agent, amount, ...more })
type Shown = { decisions: Record<string, unknown>[]; next: number | null }
const page = async (query = '', keys = fixture.keys.secret) =>
  (await fixture.read(`${path}/decisions${query}`, keys)).body as unknown as Shown
const rules = async () => (await page()).decisions.map(({ rule, isAllowed }) => [rule, isAllowed])
const keyOf = (agentId = 'shopper-1') => ({
  merchantId: fixture.merchant.merchantId as MerchantId,
  isTest: false,
  agentId,
})
const decision = (decidedAtMs: number): Decision => ({
  action: 'create',
  decidedAtMs,
  isAllowed: false,
  rule: 'network',
  amount: baseUnits('1500000'),
  tokenDecimals: 6,
  currency: 'USDC',
  network: 'devnet',
  paymentId: null,
})
const save = (made: Decision, agentId?: string) => fixture.deps.db.write((tx) => saveDecision(tx, keyOf(agentId), made))

describe('the log of decisions', () => {
  test('has each decision with its time, amount, rule and payment, the newest first', async () => {
    const first = await pay('25')
    fixture.advance(1_000)
    await put({ maxPerTransaction: '20' })
    expect((await pay('25')).body).toMatchObject({ code: 'AGENT_CONSTRAINT_VIOLATED', rule: 'per_transaction' })
    const third = await pay('20')
    const same = { action: 'create', currency: 'USDC', network: 'devnet' }
    expect(await page()).toEqual({
      success: true,
      next: null,
      decisions: [
        {
          ...{ ...same, sequence: 3, decidedAt: '2026-11-21T12:00:01.000Z', isAllowed: true, rule: 'within_policy' },
          ...{ amount: '20.00', paymentId: third.body.payment['id'] },
        },
        {
          ...{ ...same, sequence: 2, decidedAt: '2026-11-21T12:00:01.000Z', isAllowed: false, rule: 'per_transaction' },
          ...{ amount: '25.00', paymentId: null },
        },
        {
          ...{ ...same, sequence: 1, decidedAt: '2026-11-21T12:00:00.000Z', isAllowed: true, rule: 'no_policy' },
          ...{ amount: '25.00', paymentId: first.body.payment['id'] },
        },
      ],
    })
  })

  test.each([
    [{ dailyBudget: '24' }, {}, 'daily_budget'],
    [{ monthlyBudget: '24' }, {}, 'monthly_budget'],
    [{ allowedNetworks: [] }, {}, 'network'],
    [{ allowedCurrencies: [] }, {}, 'currency'],
    [{ expiresAt: '2026-11-21T12:00:00Z' }, {}, 'expired'],
    [{}, { autonomous: true }, 'autonomous'],
  ])('names the rule of %j that refuses', async (terms, more, rule) => {
    await put(terms)
    expect((await pay('25', more)).body['rule']).toBe(rule)
    expect(await rules()).toEqual([[rule, false]])
  })

  test('has a payment once, however often its create is repeated', async () => {
    const again = () => fixture.create({ ...order, ...agent }, { 'Idempotency-Key': 'k1' })
    await again()
    await again()
    expect(await rules()).toEqual([['no_policy', true]])
  })

  test('has an autonomous payment that no policy allows, and nothing of payments without an agent', async () => {
    await pay('1', { autonomous: true })
    await fixture.create()
    await fixture.create({ ...order, autonomous: true })
    expect(await rules()).toEqual([['autonomous', false]])
  })

  test('is read page by page, up to a hundred at once', async () => {
    for (let count = 0; count < 5; count++) await save(decision(fixture.nowMs()))
    const first = await page('?limit=2')
    expect([first.decisions.map(({ sequence }) => sequence), first.next]).toEqual([[5, 4], 4])
    const second = await page(`?limit=3&before=${first.next}`)
    expect([second.decisions.map(({ sequence }) => sequence), second.next]).toEqual([[3, 2, 1], null])
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?before=0', '?before=1.5'])
      expect((await fixture.read(`${path}/decisions${query}`, fixture.keys.secret)).status).toBe(400)
  })

  test('is for API key and secret, and for the test key its own', async () => {
    await pay('25')
    const refused = await fixture.read(`${path}/decisions`)
    expect([refused.status, refused.body['code']]).toEqual([403, 'API_SECRET_REQUIRED'])
    expect((await page('', fixture.keys.test as never)).decisions).toEqual([])
    const { apiKey, apiSecret } = fixture.other
    expect((await page('', { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret })).decisions).toEqual([])
  })

  /** Adds so many decisions that are as the newest one. */
  const repeatNewest = (count: number) =>
    fixture.deps.db.write((tx) =>
      tx.run(sql`
          insert into agent_decisions
          with recursive more (n) as (select 1 union all select n + 1 from more where n < ${count})
          select merchant_id, is_test, agent_id, sequence + n, decided_at_ms, action, is_allowed, rule, amount,
                 token_decimals, currency, network, payment_id
            from agent_decisions, more
           where agent_id = 'shopper-1' and merchant_id = ${fixture.merchant.merchantId} and is_test = 0
             and sequence = (select max(sequence) from agent_decisions
                              where agent_id = 'shopper-1' and merchant_id = ${fixture.merchant.merchantId} and is_test = 0)`),
    )
  const kept = async (agentId = 'shopper-1') =>
    (await fixture.deps.db.read((tx) => loadDecisions(tx, keyOf(agentId), { before: undefined, limit: 20_000 }))).map(
      ({ isAllowed, sequence }) => [isAllowed, sequence] as const,
    )

  test('keeps the newest of each agent, and all of agents of the same name: of another merchant, and in test mode', async () => {
    for (const agentId of ['other', 'shopper-1']) await save(decision(0), agentId)
    const namesakes = [
      { ...keyOf('shopper-1'), merchantId: fixture.other.merchantId as MerchantId },
      { ...keyOf('shopper-1'), isTest: true },
    ]
    const { db } = fixture.deps
    for (const key of namesakes) await db.write((tx) => saveDecision(tx, key, decision(0)))
    await repeatNewest(decisionsMax + trimEvery - 2)
    expect(await kept()).toHaveLength(decisionsMax + trimEvery - 1)
    await save(decision(0))
    const newest = decisionsMax + trimEvery
    expect(await kept()).toEqual(Array.from({ length: decisionsMax }, (_, index) => [false, newest - index]))
    expect(await kept('other')).toEqual([[false, 1]])
    for (const key of namesakes) {
      const found = await db.read((tx) => loadDecisions(tx, key, { before: undefined, limit: 10 }))
      expect(found.map(({ sequence }) => sequence)).toEqual([1])
    }
  })

  test('loses no decision that allowed to refusals that a stranger who names the agent causes', async () => {
    await pay('25')
    await put({ maxPerTransaction: '20' })
    await pay('25')
    for (let times = 0; times < 3; times++) {
      await repeatNewest(2 * decisionsMax - (times === 0 ? 3 : 1))
      await pay('25')
    }
    const all = await kept()
    expect(all.at(-1)).toEqual([true, 1])
    expect(all.length).toBeLessThanOrEqual(1 + decisionsMax + trimEvery)
  })

  test('keeps no more decisions that allowed', async () => {
    await save({ ...decision(0), isAllowed: true, rule: 'within_policy' })
    await repeatNewest(decisionsMax + trimEvery - 2)
    await save(decision(0))
    const found = await kept()
    expect([found.length, found[0], found.at(-1)]).toEqual([
      decisionsMax + 1,
      [false, decisionsMax + trimEvery],
      [true, trimEvery],
    ])
  })

  test('loses what is older than ninety days', async () => {
    const { db } = fixture.deps
    const oldestMs = fixture.nowMs() - decisionsKeptMs
    for (const atMs of [0, oldestMs - 1, oldestMs]) await save(decision(atMs))
    const prune = () => db.write((tx) => deleteOldDecisions(tx, fixture.nowMs(), 1))
    expect([await prune(), await prune(), await prune()]).toEqual([1, 1, 0])
    expect((await page()).decisions.map(({ sequence }) => sequence)).toEqual([3])
  })
})

test('a refused payment is stored nowhere but in the log', async () => {
  await put({ allowedNetworks: [] })
  await pay('25')
  const { body } = await fixture.read('/api/v1/payments/merchant/list', fixture.keys.secret)
  expect(body['payments']).toMatchObject({ totalCount: 0 })
})
