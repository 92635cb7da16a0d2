import { noRateLimits } from '@stablecoin-checkout/rig/app-defaults'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import { depositAddress } from '../../chain/evm/deposit/forwarder-address.ts'
import { createWatchList } from '../../chain/evm/watch/watch-list.ts'
import { simulatedChain } from '../../core/simulated-chain-ids.ts'
import { sql } from '../../db/db.ts'
import { createMerchant } from '../../merchant/accounts.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { transfersAbove } from '../../payment/store/transfer-store.ts'
import { endedWindows, transfersToConfirm } from '../../payment/store/watched-payments-store.ts'
import { duePayouts, hasPayoutWork } from '../../payout/payout-queue-store.ts'
import { newWebhookSecret } from '../../webhook/send/sign.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const path = '/api/v1/sandbox/payments/create'
const bare = { amount: 25, currency: 'USDC' }
const sandbox = (body: unknown = bare, headers: Record<string, string> = bff.keys.test, at = path) =>
  bff.post(at, body, headers)
const simulate = (id: unknown, action: string, headers: Record<string, string> = bff.keys.test) =>
  bff.post(`/api/v1/sandbox/payments/${id}/simulate`, { action }, headers)
const deliveries = () =>
  bff.deps.db.read((tx) => tx.all<{ type: string }>(sql`select type from deliveries order by sequence`))

/** With key and secret no public key may be there. */
const call = (at: string, body: unknown, headers: Record<string, string>) =>
  bff.call(at, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('creating a sandbox payment', () => {
  test('answers with the fields of the contract, on the first network with a wallet when none is named', async () => {
    const { status, body } = await sandbox()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: expect.stringContaining('test payment'),
      payment: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount: '25.00',
        currency: 'USDC',
        network: 'devnet',
        status: 'pending',
        isTest: true,
        sandbox: true,
        paymentMode: 'deposit',
        feeAmount: '0.375',
        expiresAt: '2026-11-21T12:15:00.000Z',
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    })
  })

  test.each(['public', 'test', 'secret'] as const)(
    'makes a contract payment when asked, with the key "%s"',
    async (name) => {
      const keys = bff.keys[name]
      const { status, body } = await call(path, { ...bare, paymentMode: 'contract' }, keys)
      expect([status, body['message']]).toEqual([200, expect.stringContaining('test payment')])
      expect(body.payment).toMatchObject({ paymentMode: 'contract', isTest: true, feeAmount: '0.375' })
      expect(body.payment).toMatchObject({ splitterPaymentId: expect.any(String), contractCall: expect.any(Object) })
      const done = await call(`/api/v1/sandbox/payments/${body.payment['id']}/simulate`, { action: 'complete' }, keys)
      expect(done.body.payment).toMatchObject({ status: 'completed', outcome: 'paid' })
    },
  )

  test('works with every kind of key, on a network without a wallet too, and takes fields it does not know', async () => {
    for (const headers of [bff.keys.public, bff.keys.test, bff.keys.secret]) {
      const { status, body } = await call(path, { ...bare, network: 'ELSEWHERE', colour: 'red' }, headers)
      expect([status, body.payment['isTest'], body.payment['network']]).toEqual([200, true, 'elsewhere'])
    }
    expect((await call(path, bare, {})).status).toBe(401)
  })

  test('repeats its answer for the same Idempotency-Key on both paths, apart from deposits of that key', async () => {
    const key = { ...bff.keys.test, 'Idempotency-Key': 'k1' }
    const first = await sandbox(bare, key)
    const second = await sandbox(bare, key, '/api/sandbox/payments/create')
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await bff.create(order, key)).body.payment['id']).not.toBe(first.body.payment['id'])
  })

  test.each([
    [{ amount: '0' }, /amount/],
    [{ currency: 'usdc' }, /currency must be/],
    [{ currency: 'USDT' }, /currency USDT is not supported on Devnet/],
    [{ network: 'nowhere' }, /network "nowhere" is not supported/],
    [{ metadata: [] }, /metadata/],
    [{ customerEmail: 'x' }, /customerEmail/],
    [{ paymentMode: 'cross_chain' }, /paymentMode must be deposit or contract/],
  ])('names the field and the rule: %j', async (change, message) => {
    const { status, body } = await sandbox({ ...bare, ...change })
    expect([status, body['error']]).toEqual([400, 'Validation failed'])
    expect(body['message']).toMatch(message)
  })
})

test('a sandbox payment is on the merchant’s network and to the merchant’s wallet, where there is one', async () => {
  const wallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const wallets = new Map([['elsewhere', wallet]])
  const webhookSecret = newWebhookSecret(bff.deps.runtime)
  const merchant = await createMerchant(bff.deps, { name: 'Elsewhere', wallets, webhookSecret })
  const { status, body } = await sandbox(bare, { 'X-Public-Key': merchant.publicKey })
  expect([status, body.payment['network']]).toEqual([200, 'elsewhere'])
  const payment = await bff.deps.db.read((tx) => loadPayment(tx, body.payment['id'] as PaymentId))
  expect(payment?.mode === 'deposit' && parseDepositTerms(payment.depositTerms).merchant).toBe(wallet)
})

describe('a payment of a test key', () => {
  test('is a sandbox payment, and wants the wallet that the live one will want', async () => {
    const { status, body } = await bff.create(order, bff.keys.test)
    expect([status, body.payment['isTest'], body.payment['sandbox']]).toEqual([200, true, true])
    const without = await bff.create({ ...order, network: 'elsewhere' }, bff.keys.test)
    expect([without.status, without.body['code']]).toEqual([400, 'WALLET_MISSING'])
  })

  test('shares no idempotency key with live payments', async () => {
    const live = await bff.create(order, { 'Idempotency-Key': 'k1' })
    const tried = await bff.create(order, { ...bff.keys.test, 'Idempotency-Key': 'k1' })
    expect(tried.body.payment['id']).not.toBe(live.body.payment['id'])
    expect([live.body.payment['isTest'], tried.body.payment['isTest']]).toEqual([false, true])
  })

  test('cannot be paid: it names no chain, and its address belongs to one that does not exist', async () => {
    const { payment } = (await bff.create(order, bff.keys.test)).body
    expect(payment).toMatchObject({
      paymentUri: null,
      explorer: { address: null, transaction: null },
      Network: { shortName: 'devnet', chainId: null, explorerUrl: null },
    })
    const stored = await bff.deps.db.read((tx) => loadPayment(tx, payment['id'] as PaymentId))
    const terms = parseDepositTerms(stored?.mode === 'deposit' ? stored.depositTerms : '')
    expect(terms.chainId).toBe(Number.MAX_SAFE_INTEGER)
    expect(depositAddress(terms, terms.factory)).toBe(payment['depositAddress'])
  })
})

describe('sandbox and live never meet', () => {
  test('a sandbox payment of a live key is read and completed by it, and by no key of test mode only or of others', async () => {
    for (const keys of [bff.keys.public, bff.keys.secret]) {
      const { id } = (await call(path, { ...bare, metadata: { table: 4 } }, keys)).body.payment
      const verified = () => call('/api/v1/payments/verify-qr', { paymentId: id }, keys)
      expect((await bff.read(`/api/v1/payments/${id}`, keys)).body.payment).toMatchObject({ isTest: true })
      expect((await bff.read(`/api/v1/payments/${id}/status`, keys)).status).toBe(200)
      expect((await bff.read(`/api/v1/deposits/status/${id}`, keys)).status).toBe(200)
      expect((await verified()).body).toMatchObject({ success: true, verified: false })
      const done = await call(`/api/v1/sandbox/payments/${id}/simulate`, { action: 'complete' }, keys)
      expect(done.body.payment).toMatchObject({ status: 'swept', outcome: 'paid' })
      expect((await verified()).body).toMatchObject({ success: true, verified: true })
      expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.stranger)).status).toBe(404)
      expect((await bff.read(`/api/v1/deposits/status/${id}`, bff.keys.stranger)).status).toBe(500)
    }
    const { id } = (await sandbox(bare, bff.keys.public)).body.payment
    expect((await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)).body.payment).toMatchObject({ isTest: true })
  })

  test('a sandbox payment of a live key is in no live list and in no live number', async () => {
    for (const keys of [bff.keys.public, bff.keys.secret]) {
      const { id } = (await call(path, { ...bare, orderId: Object.keys(keys)[0] }, keys)).body.payment
      await call(`/api/v1/sandbox/payments/${id}/simulate`, { action: 'complete' }, keys)
    }
    const list = await bff.read('/api/v1/payments/merchant/list', bff.keys.secret)
    expect(list.body['payments']).toMatchObject({ totalCount: 0, data: [] })
    const stats = await bff.read('/api/v1/payments/merchant/stats', bff.keys.secret)
    expect(stats.body['stats']).toMatchObject({ totalPayments: 0, totalAmount: '0.00' })
  })

  test('a payment of a test key is read by that mode alone; whoever holds the id sees that it is one', async () => {
    const id = (await sandbox()).body.payment['id']
    for (const headers of [bff.keys.public, bff.keys.secret, bff.keys.stranger]) {
      expect((await bff.read(`/api/v1/payments/${id}/status`, headers)).status).toBe(404)
      expect((await bff.read(`/api/v1/deposits/status/${id}`, headers)).status).toBe(500)
    }
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)).status).toBe(200)
    expect((await bff.read(`/api/v1/payments/public/${id}`, {})).body.payment).toMatchObject({ isTest: true })
  })

  test('a live public key moves no test payment that the merchant’s server or a test key made', async () => {
    for (const keys of [bff.keys.test, bff.keys.secret]) {
      const { id } = (await call(path, bare, keys)).body.payment
      expect((await simulate(id, 'complete', bff.keys.public)).status).toBe(404)
    }
  })

  test('no key simulates on a live payment, and none on another merchant', async () => {
    const live = (await bff.create()).body.payment['id']
    expect((await simulate(live, 'complete', bff.keys.public)).body).toMatchObject({ code: 'NOT_A_SANDBOX_PAYMENT' })
    expect((await simulate(live, 'complete', bff.keys.test)).status).toBe(404)
    expect((await simulate(live, 'complete', bff.keys.stranger)).status).toBe(404)
    expect((await bff.read(`/api/v1/payments/${live}/status`)).body.payment).toMatchObject({ status: 'pending' })
    const tried = (await sandbox()).body.payment['id']
    expect((await simulate(tried, 'complete', bff.keys.stranger)).status).toBe(404)
    expect((await simulate('7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', 'complete')).status).toBe(404)
  })

  test('every key moves the test payments that it made', async () => {
    for (const headers of [bff.keys.public, bff.keys.test, bff.keys.secret]) {
      const id = (await call(path, bare, headers)).body.payment['id']
      const { body } = await call(`/api/v1/sandbox/payments/${id}/simulate`, { action: 'complete' }, headers)
      expect(body.payment).toMatchObject({ status: 'swept' })
    }
  })

  test('sandbox payments of a live key do not use up what it may have open', async () => {
    const limits = { ...noRateLimits, openPayments: { perKey: 10, perAddress: 1 } }
    const bounded = await openApp({ limits })
    const open = (at: string) => bounded.post(at, order)
    expect([(await open(path)).status, (await open(path)).status]).toEqual([200, 429])
    expect((await open('/api/v1/deposits/create')).status).toBe(200)
    await bounded.close()
  })

  test.each(['public', 'test', 'secret'] as const)('a payment of the key "%s" sends its webhooks', async (name) => {
    const keys = bff.keys[name]
    const body = { ...bare, callbackUrl: 'https://shop.example/hooks' }
    const created = await call(path, body, keys)
    expect(created.body['message']).not.toContain('webhooks')
    await call(`/api/v1/sandbox/payments/${created.body.payment['id']}/simulate`, { action: 'complete' }, keys)
    expect((await deliveries()).map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.detected',
      'payment.completed',
      'deposit.swept',
    ])
  })

  test('neither watcher nor sweeper of the real chain finds anything of it', async () => {
    const paid = (await sandbox()).body.payment['id'] as PaymentId
    const seen = (await sandbox()).body.payment['id'] as PaymentId
    await simulate(paid, 'sweep_fail')
    await simulate(seen, 'detect')
    bff.advance(100_000_000)
    const nowMs = bff.nowMs()
    const watchList = createWatchList(bff.deps.db, 'devnet')
    await watchList.refresh(nowMs - 100_000_000)
    expect(watchList.isEmpty()).toBe(true)
    await bff.deps.db.read(async (tx) => {
      expect(await endedWindows(tx, 'devnet', nowMs, 10)).toEqual([])
      expect(await transfersAbove(tx, 'devnet', 0, 10)).toEqual([])
      expect(await transfersToConfirm(tx, 'devnet', 1_000_000, 1, 10)).toEqual([])
      expect(await transfersToConfirm(tx, simulatedChain(seen), 1_000_000, 1, 10)).toHaveLength(1)
      const scope = { kind: 'sweep', network: 'devnet', nowMs, head: 1_000_000, limit: 10 } as const
      expect(await duePayouts(tx, scope)).toEqual([])
      expect(await hasPayoutWork(tx, 'devnet', nowMs)).toBe(false)
    })
  })
})
