import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { endKey } from '../merchant/key-store.ts'
import { createKey } from '../merchant/keys.ts'
import { defaultSettings } from '../merchant/merchant-settings.ts'
import { saveSettings } from '../merchant/settings-store.ts'
import { lateWindowMs, type MerchantId, type PaymentId } from '../payment/payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const path = '/api/v1/merchants/agent-policies/shopper-1'
const agent = { agentId: 'shopper-1', agentOwner: 'me' }

type Keys = Record<string, string>
const send = (method: string, body: unknown, keys: Keys = fixture.keys.secret, at = path) =>
  fixture.call(at, { method, headers: { 'Content-Type': 'application/json', ...keys }, body: JSON.stringify(body) })
const put = (terms: unknown, keys?: Keys) => send('PUT', terms, keys)
const remove = (keys: Keys = fixture.keys.secret) => fixture.call(path, { method: 'DELETE', headers: keys })
const policy = async (keys: Keys = fixture.keys.secret) => (await fixture.read(path, keys)).body['policy']
const pay = (amount: string, more: Record<string, unknown> = {}) =>
  fixture.create({ ...order, ...agent, amount, ...more })
const expire = (id: unknown) => {
  const ended = { type: 'window.ended', blockTimeMs: fixture.nowMs() + 1_000_000, atMs: fixture.nowMs() } as const
  return fixture.deps.ledger.apply(id as PaymentId, ended)
}

describe("an agent's policy", () => {
  test('is null with a message while there is none', async () => {
    const { status, body } = await fixture.read(path, fixture.keys.secret)
    expect([status, body]).toEqual([200, { success: true, policy: null, message: 'This agent has no policy.' }])
  })

  test('is listed with those of the other agents of its mode, page by page, to the server alone', async () => {
    for (const name of ['b', 'c', 'a'])
      await send('PUT', {}, fixture.keys.secret, `/api/v1/merchants/agent-policies/${name}`)
    await send('PUT', {}, fixture.keys.test, '/api/v1/merchants/agent-policies/tester')
    await pay('5.00', { agentId: 'a' })
    await fixture.create({ ...order, ...agent, agentId: 'tester', amount: '3.00' }, fixture.keys.test)
    const list = async (query: string) =>
      (await fixture.read(`/api/v1/merchants/agent-policies${query}`, fixture.keys.secret)).body
    expect(await list('?limit=2')).toMatchObject({
      policies: [{ agentId: 'a', spentToday: '5.00' }, { agentId: 'b' }],
      next: 'b',
    })
    expect(await list('?limit=2&after=b')).toMatchObject({ policies: [{ agentId: 'c' }], next: null })
    expect(await list('?limit=3')).toMatchObject({ next: null })
    expect(await list('?isTest=true')).toMatchObject({
      policies: [{ agentId: 'tester', isTest: true, spentToday: '3.00' }],
    })
    expect((await fixture.read('/api/v1/merchants/agent-policies', fixture.keys.public)).status).toBe(403)
  })

  test('is saved whole, read back exactly, and replaced by the next', async () => {
    const terms = { maxPerTransaction: '100', dailyBudget: 250.5, monthlyBudget: '1000.000001' }
    const lists = { allowedNetworks: ['DevNet'], allowedCurrencies: ['USDC'] }
    const { status } = await put({
      ...terms,
      ...lists,
      autonomousAllowed: true,
      expiresAt: '2027-01-01T00:00:00+01:00',
    })
    expect(status).toBe(200)
    expect(await policy()).toEqual({
      agentId: 'shopper-1',
      maxPerTransaction: '100.00',
      dailyBudget: '250.50',
      monthlyBudget: '1000.000001',
      allowedNetworks: ['devnet'],
      allowedCurrencies: ['USDC'],
      autonomousAllowed: true,
      expiresAt: '2026-12-31T23:00:00.000Z',
      spentToday: '0.00',
      spentThisMonth: '0.00',
      isTest: false,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
    })
    fixture.advance(1_000)
    const { body } = await put({})
    const replaced = {
      dailyBudget: null,
      allowedNetworks: null,
      autonomousAllowed: false,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:01.000Z',
    }
    expect(body['policy']).toMatchObject(replaced)
    expect(await policy()).toMatchObject(replaced)
  })

  test.each([
    [{ maxPerTx: '1' }, /maxPerTx/],
    [{ dailyBudget: '-1' }, /dailyBudget: must be a plain decimal/],
    [{ dailyBudget: '1e3' }, /dailyBudget/],
    [{ maxPerTransaction: true }, /maxPerTransaction/],
    [{ allowedNetworks: ['nowhere'] }, /allowedNetworks: there is no network "nowhere"/],
    [{ allowedCurrencies: ['DAI'] }, /allowedCurrencies/],
    [{ expiresAt: 'tomorrow' }, /expiresAt/],
    [{ autonomousAllowed: 'yes' }, /autonomousAllowed/],
  ])('names the field and the rule: %j', async (terms, message) => {
    const { status, body } = await put(terms)
    expect([status, body['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test('belongs to an agent whose name has a pattern', async () => {
    const spaced = await fixture.read('/api/v1/merchants/agent-policies/a%20b')
    expect([spaced.status, spaced.body['message']]).toEqual([400, 'agentId contains invalid characters'])
    expect((await fixture.read(`/api/v1/merchants/agent-policies/${'a'.repeat(101)}`)).status).toBe(400)
    expect((await fixture.read(`/api/merchants/agent-policies/${'a'.repeat(100)}`)).status).toBe(200)
  })

  test('is removed once, and then there is none', async () => {
    await put({ dailyBudget: '1' })
    expect((await remove()).body).toEqual({ success: true, message: 'The policy was removed.' })
    const again = await remove()
    expect([again.status, again.body['code']]).toEqual([404, 'AGENT_POLICY_NOT_FOUND'])
    expect(await policy()).toBeNull()
  })

  test('cannot be changed with a public key of live mode', async () => {
    await put({ dailyBudget: '1' })
    for (const answer of [await put({}, fixture.keys.public), await remove(fixture.keys.public)]) {
      expect([answer.status, answer.body['code']]).toEqual([403, 'API_SECRET_REQUIRED'])
    }
    expect((await put({}, {})).status).toBe(401)
    expect(await policy()).toMatchObject({ dailyBudget: '1.00' })
  })

  test('is shown to no public key of live mode, not even that there is one', async () => {
    const before = await fixture.read(path)
    await put({ dailyBudget: '100' })
    await pay('60')
    const after = await fixture.read(path)
    expect([after.status, after.body]).toEqual([200, { success: true, policy: null, message: expect.any(String) }])
    expect(after.body).toEqual(before.body)
  })

  test('of test mode, of live mode and of another merchant are three policies', async () => {
    await put({ dailyBudget: '1' })
    await put({ dailyBudget: '2' }, fixture.keys.test)
    expect(await policy(fixture.keys.test)).toMatchObject({ dailyBudget: '2.00', isTest: true })
    expect(await policy()).toMatchObject({ dailyBudget: '1.00', isTest: false })
    expect(await policy(fixture.keys.stranger)).toBeNull()
    expect((await remove(fixture.keys.test)).status).toBe(200)
    expect(await policy()).toMatchObject({ dailyBudget: '1.00' })
  })
})

describe('a payment of an agent', () => {
  test.each([
    [{ maxPerTransaction: '24.99' }, {}, /per-transaction limit/],
    [{ dailyBudget: '24.99' }, {}, /daily budget exceeded/],
    [{ monthlyBudget: '24.99' }, {}, /monthly budget exceeded/],
    [{ allowedNetworks: ['elsewhere'] }, {}, /network not allowed/],
    [{ allowedCurrencies: ['USDT'] }, {}, /currency not allowed/],
    [{ expiresAt: '2026-11-21T11:59:59Z' }, {}, /policy has expired/],
    [{}, { autonomous: true }, /autonomous payments are not allowed/],
  ])('is refused beyond %j', async (terms, more, message) => {
    await put(terms)
    const { status, body } = await pay('25', more)
    expect([status, body['code']]).toEqual([403, 'AGENT_CONSTRAINT_VIOLATED'])
    expect(body['message']).toMatch(message)
  })

  test('without a policy is not limited, but may not be autonomous', async () => {
    expect((await pay('1000000')).status).toBe(200)
    const { status, body } = await pay('1', { autonomous: true })
    expect([status, body['code']]).toEqual([403, 'AGENT_CONSTRAINT_VIOLATED'])
  })

  test('may be autonomous where the policy allows it', async () => {
    await put({ autonomousAllowed: true })
    expect((await pay('1', { autonomous: true })).status).toBe(200)
  })

  test('is spent when it is created, and given back when it fails', async () => {
    await put({ dailyBudget: '100' })
    const first = await pay('60')
    expect(await policy()).toMatchObject({ spentToday: '60.00', spentThisMonth: '60.00' })
    expect((await pay('60')).status).toBe(403)
    await expire(first.body.payment['id'])
    expect(await policy()).toMatchObject({ spentToday: '0.00' })
    expect((await pay('60')).status).toBe(200)
  })

  test('is spent once, however often its create is repeated', async () => {
    await put({ dailyBudget: '60' })
    const again = () => fixture.create({ ...order, ...agent, amount: '60' }, { 'Idempotency-Key': 'k1' })
    const first = await again()
    expect((await again()).body).toEqual(first.body)
    expect(await policy()).toMatchObject({ spentToday: '60.00' })
  })

  test('is reserved by nobody with the public key once the agent has a key of its own', async () => {
    await put({ dailyBudget: '100' })
    const merchantId = fixture.merchant.merchantId as MerchantId
    const terms = { kind: 'api', scope: 'agent', agentId: agent.agentId } as const
    const { runtime, db } = fixture.deps
    const { key } = await db.write((tx) => createKey(tx, runtime, merchantId, terms))
    expect(await pay('60')).toMatchObject({ status: 403, body: { code: 'KEY_SCOPE' } })
    expect((await pay('60', { agentId: 'shopper-2' })).status).toBe(200)
    expect(await policy()).toMatchObject({ spentToday: '0.00' })
    const byServer = { ...order, ...agent, amount: '60' }
    expect((await send('POST', byServer, fixture.keys.secret, '/api/v1/deposits/create')).status).toBe(200)
    await db.write((tx) => endKey(tx, key, fixture.nowMs() + 1))
    expect((await pay('40')).status, 'the key will end').toBe(403)
    await db.write((tx) => endKey(tx, key, fixture.nowMs()))
    expect((await pay('40')).status, 'the key has ended').toBe(200)
  })

  test("uses neither another agent's budget nor another merchant's", async () => {
    await put({ dailyBudget: '60' })
    await pay('60', { agentId: 'shopper-2' })
    await fixture.create({ ...order, ...agent, amount: '60' }, fixture.keys.stranger)
    expect((await pay('60')).status).toBe(200)
  })

  describe('of a merchant who accepts late money', () => {
    const lateWindowEndsMs = () => fixture.nowMs() + 900_000 + lateWindowMs
    const lateEnded = (id: unknown) => {
      const ended = { type: 'window.ended', blockTimeMs: lateWindowEndsMs() + 1_000, atMs: fixture.nowMs() } as const
      return fixture.deps.ledger.apply(id as PaymentId, ended)
    }
    const payByServer = (amount: string) =>
      send('POST', { ...order, ...agent, amount }, fixture.keys.secret, '/api/v1/deposits/create')
    const payOnChain = (id: unknown, amount: bigint) => {
      const transfer = { ...transferTo(id as PaymentId, amount), blockTimeMs: fixture.nowMs() + 2_000_000 }
      return fixture.deps.ledger.apply(id as PaymentId, { type: 'transfer.confirmed', transfer, atMs: fixture.nowMs() })
    }
    beforeEach(() =>
      fixture.deps.db.write((tx) =>
        saveSettings(tx, fixture.merchant.merchantId as MerchantId, { ...defaultSettings, latePayments: 'accept' }),
      ),
    )

    test('keeps its amount while it can still be paid late, so that what is paid in the end stays within the budget', async () => {
      await put({ dailyBudget: '100', monthlyBudget: '100' })
      const first = (await payByServer('60')).body.payment['id']
      await expire(first)
      expect(await policy()).toMatchObject({ spentToday: '60.00', spentThisMonth: '60.00' })
      expect((await payByServer('60')).body['code']).toBe('AGENT_CONSTRAINT_VIOLATED')
      expect((await payByServer('40')).status).toBe(200)
      await payOnChain(first, 60_000_000n)
      expect((await fixture.read(`/api/v1/payments/public/${first}`)).body.payment).toMatchObject({ outcome: 'paid' })
      expect(await policy()).toMatchObject({ spentToday: '100.00' })
    })

    test('gives it back with the window where a public key named the agent, so that nobody reserves the budget for a week', async () => {
      await put({ dailyBudget: '100', monthlyBudget: '100' })
      const made = await pay('100')
      expect(made.status).toBe(200)
      expect(await policy()).toMatchObject({ spentThisMonth: '100.00' })
      await expire(made.body.payment['id'])
      expect(await policy()).toMatchObject({ spentToday: '0.00', spentThisMonth: '0.00' })
    })

    test('gives it back with the window where a customer of its link made it, who may make one after the other', async () => {
      await put({ dailyBudget: '100' })
      const merchantId = fixture.merchant.merchantId as MerchantId
      const { runtime, db } = fixture.deps
      const terms = { kind: 'api', scope: 'agent', agentId: agent.agentId } as const
      const { key, secret } = await db.write((tx) => createKey(tx, runtime, merchantId, terms))
      const keys = { 'X-API-Key': key, 'X-API-Secret': String(secret) }
      const { body } = await send('POST', order, keys, '/api/v1/links')
      const { id } = body['link'] as { id: string }
      const choice = { network: order.network, currency: order.currency }
      for (let count = 0; count < 4; count++) {
        const made = await send('POST', choice, {}, `/api/v1/links/public/${id}/create`)
        expect(made.status).toBe(200)
        await expire(made.body.payment['id'])
      }
      expect(await policy()).toMatchObject({ spentToday: '0.00' })
      expect((await payByServer('100')).status).toBe(200)
    })

    test('gives its amount back when late money can make it paid no more, or somebody ended it', async () => {
      await put({ dailyBudget: '100' })
      const first = (await payByServer('60')).body.payment['id']
      await lateEnded(first)
      expect(await policy()).toMatchObject({ spentToday: '0.00' })
      const second = (await payByServer('60')).body.payment['id']
      const closed = { type: 'payment.closed', as: 'expired', atMs: fixture.nowMs() } as const
      await fixture.deps.ledger.apply(second as PaymentId, closed)
      expect(await policy()).toMatchObject({ spentToday: '0.00' })
      expect((await payByServer('100')).status).toBe(200)
    })
  })

  test('finds a new budget on the next day and in the next month', async () => {
    fixture.advance(Date.parse('2026-11-29T23:59:59Z') - fixture.nowMs())
    await put({ dailyBudget: '60', monthlyBudget: '100' })
    expect((await pay('60')).status).toBe(200)
    fixture.advance(1_000)
    expect(await policy()).toMatchObject({ spentToday: '0.00', spentThisMonth: '60.00' })
    expect((await pay('40')).status).toBe(200)
    expect((await pay('1')).body['message']).toMatch(/monthly budget exceeded/)
    fixture.advance(24 * 60 * 60 * 1_000)
    expect((await pay('60')).status).toBe(200)
    expect(await policy()).toMatchObject({ spentToday: '60.00', spentThisMonth: '60.00' })
  })

  test('adds up exactly with those in a token of other decimals', async () => {
    await put({ dailyBudget: '25.000001' })
    const { ledger, db } = fixture.deps
    const atMs = fixture.nowMs()
    const in18Decimals = newPayment({
      ...{ merchantId: fixture.merchant.merchantId as MerchantId, ...agent, createdAtMs: atMs, sequence: 0 },
      ...{ network: 'bsc', tokenDecimals: 18, due: baseUnits('20000000000000000001') },
    })
    await db.write((tx) => ledger.createIn(tx, in18Decimals))
    expect((await pay('5.000001')).status).toBe(403)
    expect((await pay('5')).status).toBe(200)
    expect(await policy()).toMatchObject({ spentToday: '25.000000000000000001' })
  })

  test('a hundred of them at once never overspend', async () => {
    await put({ dailyBudget: '100', monthlyBudget: '1000' })
    const answers = await Promise.all(Array.from({ length: 100 }, () => pay('10')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(90)
    expect(await policy()).toMatchObject({ spentToday: '100.00' })
  })
})
