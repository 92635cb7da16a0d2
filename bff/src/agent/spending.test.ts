import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkAgentPair } from '../access/callers/agent-key.ts'
import { baseUnits } from '../core/money.ts'
import { type Db, type Sql, sql } from '../db/db.ts'
import { createLedger, type Ledger } from '../payment/ledger.ts'
import type { DepositPayment, MerchantId, PaymentId } from '../payment/payment.ts'
import { checkAgentPolicy } from './check-spending.ts'
import { type AgentPolicy, parseDollars } from './policy.ts'
import { type AgentKey, deletePolicy, loadPolicy, loadSpent, savePolicy } from './policy-store.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const other = 'other' as MerchantId
const { merchantId } = newPayment()
const key: AgentKey = { merchantId, isTest: false, agentId: 'shopper' }
const free: AgentPolicy = {
  ...{ agentId: 'shopper', maxPerTransaction: null, dailyBudget: null, monthlyBudget: null, allowedNetworks: null },
  ...{ allowedCurrencies: null, autonomousAllowed: false, expiresAtMs: null, createdAtMs: nowMs, updatedAtMs: nowMs },
}

let database: TestDatabase
let db: Db
let ledger: Ledger
let payments = 0
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    for (const id of [merchantId, other])
      await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 0)`)
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

function draft(changes: Partial<DepositPayment> = {}): DepositPayment {
  payments += 1
  const id = `p${payments}` as PaymentId
  return newPayment({ id, sequence: 0, agentId: 'shopper', agentOwner: 'me', createdAtMs: nowMs, ...changes })
}
async function create(changes: Partial<DepositPayment> = {}) {
  const payment = draft(changes)
  await db.write((tx) => ledger.createIn(tx, payment))
  return payment
}
const spent = async (of: AgentKey = key, atMs = nowMs) => {
  const { today, thisMonth } = await db.read((tx) => loadSpent(tx, of, atMs))
  return [today, thisMonth].map((dollars) => Number(dollars / 10n ** 30n) / 1e6)
}
const save = (policy: Partial<AgentPolicy>, of: AgentKey = key) =>
  db.write((tx) => savePolicy(tx, of, { ...free, agentId: of.agentId, ...policy }))
const load = (of: AgentKey = key) => db.read((tx) => loadPolicy(tx, of))
const check = (changes: Partial<DepositPayment> = {}, isAutonomous = false) =>
  db.write((tx) => checkAgentPolicy(tx, draft(changes), isAutonomous))

test('late money that completes a payment while the sum is read releases nothing of the budget', async () => {
  const { id } = await create({ due: baseUnits('25000000') })
  const set = (status: string) =>
    db.write((tx) => tx.run(sql`update payments set status = ${status}, accepted_until_ms = 9 where id = ${id}`))
  await set('expired')
  const before = await spent()
  expect(before[0]).toBeGreaterThan(0)
  const during = await db.read(async (tx) => {
    const all: typeof tx.all = async <Row>(statement: Sql) => {
      const rows = await tx.all<Row>(statement)
      await set('completed')
      return rows
    }
    return await loadSpent({ ...tx, all }, key, nowMs)
  })
  expect(Number(during.today / 10n ** 30n) / 1e6).toBe(before[0])
})

test('a payment without a rate uses up the budget of its day, and on the next day that of its month alone', async () => {
  await create({ currency: 'EURC', dollarRate: null })
  await save({ dailyBudget: parseDollars('1000') })
  await expect(check()).rejects.toMatchObject({ verdict: { rule: 'daily_budget' } })
  const tomorrowMs = nowMs + 24 * 60 * 60_000
  await expect(check({ createdAtMs: tomorrowMs })).resolves.toMatchObject({ rule: 'within_policy' })
  await save({ monthlyBudget: parseDollars('1000') })
  await expect(check({ createdAtMs: tomorrowMs })).rejects.toMatchObject({ verdict: { rule: 'monthly_budget' } })
})

describe('what an agent has spent', () => {
  test('is what was created and is open, or paid', async () => {
    expect(await spent()).toEqual([0, 0])
    await create()
    const { id } = await create()
    await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferOf('25000000'), atMs: nowMs })
    expect(await spent()).toEqual([50, 50])
  })

  test.each(['expired', 'cancelled', 'failed'] as const)('is given back when the payment is %s', async (as) => {
    await create()
    const { id } = await create()
    await ledger.apply(id, { type: 'payment.closed', as, atMs: nowMs })
    expect(await spent()).toEqual([25, 25])
  })

  test('is given back when the window ends, and spent again when late money pays', async () => {
    const { id } = await create()
    await ledger.apply(id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: nowMs })
    expect(await spent()).toEqual([0, 0])
    const transfer = transferOf('25000000', { blockTimeMs: windowEndsAtMs + 1 })
    await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: nowMs })
    await ledger.apply(id, { type: 'late.accepted', atMs: nowMs })
    expect(await spent()).toEqual([25, 25])
  })

  test('is of the UTC day and month, from their first moment on', async () => {
    for (const at of ['2026-11-21T00:00:00.000Z', '2026-11-20T23:59:59.999Z', '2026-11-01T00:00:00.000Z'])
      await create({ createdAtMs: Date.parse(at) })
    await create({ createdAtMs: Date.parse('2026-10-31T23:59:59.999Z') })
    expect(await spent()).toEqual([25, 75])
  })

  test('is its own: not another agent’s, merchant’s or mode’s, nor that of nobody', async () => {
    await create({ agentId: 'other' })
    await create({ agentId: null, agentOwner: null })
    await create({ merchantId: other })
    await create({ isTest: true })
    expect(await spent()).toEqual([0, 0])
    expect(await spent({ ...key, isTest: true })).toEqual([25, 25])
    expect(await spent({ ...key, merchantId: other })).toEqual([25, 25])
  })

  test('adds up tokens of other decimals', async () => {
    await create({ due: baseUnits('20000000000000000000'), tokenDecimals: 18 })
    await create({ due: baseUnits('20000000000000000000'), tokenDecimals: 18 })
    await create()
    expect(await spent()).toEqual([65, 65])
  })
})

describe('a policy', () => {
  test('is read back as it was saved, replaced whole but for when it was made, and removed once', async () => {
    expect(await load()).toBeUndefined()
    const full: AgentPolicy = {
      ...{ agentId: 'shopper', maxPerTransaction: parseDollars('1'), dailyBudget: parseDollars('2') },
      ...{ monthlyBudget: parseDollars('3.000000000000000003'), allowedNetworks: ['base', 'polygon'] },
      ...{ allowedCurrencies: ['USDC'], autonomousAllowed: true, expiresAtMs: 5, createdAtMs: 6, updatedAtMs: 7 },
    }
    await save(full)
    expect(await load()).toEqual(full)
    await save({ createdAtMs: 60, updatedAtMs: 70 })
    expect(await load()).toEqual({ ...free, createdAtMs: 6, updatedAtMs: 70 })
    await save(full, { ...key, isTest: true })
    const remove = () => db.write((tx) => deletePolicy(tx, key))
    expect([await remove(), await remove()]).toEqual([true, false])
    expect([await load(), await load({ ...key, isTest: true })]).toEqual([undefined, full])
  })

  test('refuses with the agent’s name and the limit', async () => {
    await save({ dailyBudget: parseDollars('49.999999') })
    await check()
    await create()
    await expect(check()).rejects.toMatchObject({
      ...{ code: 'AGENT_CONSTRAINT_VIOLATED', status: 403, error: 'Agent policy does not permit the payment' },
      message: 'Agent shopper: daily budget exceeded.',
    })
    await save({ monthlyBudget: parseDollars('49.999999') })
    await expect(check()).rejects.toThrow('Agent shopper: monthly budget exceeded.')
    await save({ monthlyBudget: parseDollars('50'), dailyBudget: parseDollars('50') })
    await check()
    await save({ allowedNetworks: [] })
    await expect(check()).rejects.toThrow('Agent shopper: network not allowed: devnet.')
  })

  test('is that of the payment’s agent, merchant and mode', async () => {
    await save({ allowedNetworks: [] })
    await check({ isTest: true })
    await check({ merchantId: other })
    await check({ agentId: 'other' })
    await check({ agentId: null, agentOwner: null })
    await expect(check()).rejects.toThrow('network not allowed')
  })

  test('is needed by payments that no person confirmed, and only by those', async () => {
    const refused = 'autonomous payments are not allowed without a policy that allows them.'
    await check()
    await expect(check({}, true)).rejects.toMatchObject({ message: `Agent shopper: ${refused}`, status: 403 })
    await expect(check({ agentId: null, agentOwner: null }, true)).rejects.toMatchObject({
      ...{ code: 'AGENT_CONSTRAINT_VIOLATED', message: refused },
    })
    await save({})
    await expect(check({}, true)).rejects.toThrow('Agent shopper: autonomous payments are not allowed.')
    await save({ autonomousAllowed: true })
    await check({}, true)
  })
})

test('an agent and its owner come together or not at all', () => {
  const pairs = [{}, { agentId: null }, { agentId: null, agentOwner: null }, { agentId: 'a', agentOwner: 'o' }]
  for (const pair of pairs) expect(() => checkAgentPair(pair)).not.toThrow()
  for (const pair of [{ agentId: 'a' }, { agentOwner: 'o' }, { agentId: 'a', agentOwner: null }])
    expect(() => checkAgentPair(pair)).toThrow('Both agentId and agentOwner must be provided together')
})
