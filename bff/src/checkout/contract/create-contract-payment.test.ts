import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import type { contractCall } from '../../chain/evm/split/contract-call.ts'
import { simulatedContract } from '../../core/simulated-chain-ids.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { PaymentId } from '../../payment/payment.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const path = '/api/v1/payments/create'
const create = (body: unknown = order, headers: Record<string, string> = {}, at = path) => bff.post(at, body, headers)
const idOf = async (answer: ReturnType<typeof create>) => String((await answer).body.payment['id']) as PaymentId
const seen = (id: PaymentId) =>
  bff.deps.ledger.apply(id, { type: 'transfer.seen', transfer: transferTo(id, 25_000_000n), atMs: bff.nowMs() })

const usdc = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const zeroAddress = '0x0000000000000000000000000000000000000000'

describe('creating a contract payment', () => {
  test('returns the whole call, and the fields that existing clients read', async () => {
    const { status, body } = await create({ ...order, amount: 25, metadata: { cart: 7 } })
    expect(status).toBe(200)
    const { id, merchantWallet, platformWallet } = body.payment
    expect(body).toMatchObject({
      ...{ success: true, requestId: expect.any(String), amount: 25, serverTime: '2026-11-21T12:00:00.000Z' },
      payment: {
        ...{ status: 'pending', outcome: 'pending', paymentMode: 'contract', amount: '25.00', totalAmount: '25.00' },
        ...{ currency: 'USDC', network: 'devnet', expiresAt: '2026-11-21T12:30:00.000Z', feeAmount: '0.375' },
        ...{ contractAddress: paymentSplitter.address, splitterPaymentId: id, chainId: 31_337 },
        ...{ merchantPercentage: 9_850, platformPercentage: 150, transactionHash: null },
        ...{ tokenAddress: usdc, tokenDecimals: 6, depositAddress: null, depositMethod: 'contract' },
      },
    })
    const params = {
      ...{ token: usdc, amount: '25000000', paymentId: id },
      ...{ recipient1: merchantWallet, recipient2: platformWallet, recipient3: zeroAddress },
      ...{ recipient1Percentage: 9_850, recipient2Percentage: 150, recipient3Percentage: 0 },
    }
    const deadline = String(Date.parse('2026-11-21T12:30:00Z') / 1000)
    const call = body.payment['contractCall'] as ReturnType<typeof contractCall>
    expect(call).toMatchObject({
      ...{ contractAddress: paymentSplitter.address, functionName: 'splitPayment', tokenAddress: usdc, params },
      ...{ approvalAmount: '25000000', approvalRequired: true, chainId: 31_337, value: '0x0' },
      data: expect.stringMatching(/^0xc3ef0114/),
      before: { functionName: 'splitPaymentBefore', params, deadline, data: expect.stringMatching(/^0x/) },
      approval: { to: usdc, requiresReset: false, data: expect.stringMatching(/^0x095ea7b3/) },
      chain: { chainId: 31_337, name: 'Devnet', rpcUrls: [], nativeCurrency: { symbol: 'ETH', decimals: 18 } },
      permit: {
        ...{ functionName: 'splitPaymentWithPermit', deadline, signatureOffset: 138 },
        typedData: {
          primaryType: 'Permit',
          domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: usdc },
          message: { owner: null, nonce: null, spender: paymentSplitter.address, value: '25000000', deadline },
        },
      },
      authorization: {
        ...{ functionName: 'splitPaymentWithAuthorization', deadline, payerOffset: 74, signatureOffset: 266 },
        typedData: {
          message: {
            from: null,
            to: paymentSplitter.address,
            validAfter: '0',
            nonce: expect.stringMatching(/^0x\w{64}$/),
          },
        },
      },
    })
    const names = call.abi.map((item) => ('name' in item ? item.name : ''))
    expect(names).toEqual(expect.arrayContaining(['splitPayment', 'splitPaymentBefore', 'PaymentIdAlreadyUsed']))
  })

  test('is readable by everyone permitted, with the call while it is open and without it afterwards', async () => {
    const id = await idOf(create({ ...order, orderId: 'o-7' }))
    const shown = async () => [
      (await bff.call(`/api/v1/payments/public/${id}`)).body.payment['contractCall'],
      (await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)).body.payment['contractCall'],
    ]
    const call = expect.objectContaining({ functionName: 'splitPayment' })
    expect(await shown()).toEqual([call, call])
    await bff.post('/api/v1/payments/fail', { paymentId: id })
    expect(await shown()).toEqual([undefined, undefined])
    expect((await bff.read('/api/v1/payments/merchant/list', bff.keys.secret)).body['payments']).toMatchObject({
      data: [{ id, orderId: 'o-7', status: 'failed', outcome: 'failed' }],
    })
    expect((await bff.read(`/api/v1/deposits/status/${id}`)).body.payment).toMatchObject({ depositAddress: null })
  })

  test('is refused with the reason where the splitter is missing, while deposits still work', async () => {
    const reason = 'The payment splitter of Devnet is not a contract: it is not deployed.'
    const splitters: NetworkHealth = { get: () => ({ isPayable: false, reason }) }
    const out = await openApp({ contracts: { ...bff.deps.contracts, splitters } })
    try {
      const { status, body } = await out.post(path, order)
      expect([status, body['code'], body['message']]).toEqual([
        400,
        'CONTRACT_PAYMENTS_UNAVAILABLE',
        expect.stringContaining(reason),
      ])
      expect((await out.create()).status).toBe(200)
      expect((await out.call('/api/payments/contract/31337')).body).toMatchObject({
        ...{ success: false, code: 'CONTRACT_PAYMENTS_UNAVAILABLE', message: expect.stringContaining(reason) },
      })
    } finally {
      await out.close()
    }
  })

  test('names the platform as older clients do, if enabled', async () => {
    const lenient = await openApp({ lenientClients: true })
    try {
      const { payment } = (await lenient.post(path, order)).body
      expect(payment).toMatchObject({ coinleyWallet: payment['platformWallet'], coinleyPercentage: 150 })
      expect((await create()).body.payment).not.toHaveProperty('coinleyWallet')
    } finally {
      await lenient.close()
    }
  })

  test('ignores unknown and malformed optional fields', async () => {
    const odd = { ...order, autonomous: 'yes', existingPaymentId: 'none', receiver: { a: 1 } }
    expect((await create(odd)).status).toBe(200)
  })

  test('applies an agent’s policy', async () => {
    const agent = { agentId: 'a1', agentOwner: 'me' }
    const refused = await create({ ...order, ...agent, autonomous: true })
    expect([refused.status, refused.body['code']]).toEqual([403, 'AGENT_CONSTRAINT_VIOLATED'])
    const policy = { method: 'PUT', headers: { 'Content-Type': 'application/json', ...bff.keys.secret } }
    const body = JSON.stringify({ dailyBudget: '40.00' })
    expect((await bff.call('/api/v1/merchants/agent-policies/a1', { ...policy, body })).status).toBe(200)
    expect((await create({ ...order, ...agent })).status).toBe(200)
    const second = await create({ ...order, ...agent, orderId: 'second' })
    expect([second.status, second.body['message']]).toEqual([403, expect.stringContaining('daily budget exceeded')])
  })
})

describe('a repeat', () => {
  test('is found by header, then by order id, on either path, and gets the same response', async () => {
    const first = await create(order, { 'Idempotency-Key': 'k1' })
    const again = await create(order, { 'Idempotency-Key': 'k1' }, '/api/payments/create')
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const named = await idOf(create({ ...order, orderId: 'o1' }))
    expect(await idOf(create({ orderId: 'o1', ...order }))).toBe(named)
    const { status, body } = await create({ ...order, amount: '26' }, { 'Idempotency-Key': 'k1' })
    expect([status, body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
  })

  test('with a deposit’s key is a separate contract payment', async () => {
    const deposit = await bff.create(order, { 'Idempotency-Key': 'k1' })
    expect(await idOf(create(order, { 'Idempotency-Key': 'k1' }))).not.toBe(deposit.body.payment['id'])
  })

  test('is found by the whole body, for five minutes', async () => {
    const first = await idOf(create())
    expect(await idOf(create())).toBe(first)
    expect(await idOf(create({ ...order, metadata: { a: 1 } }))).not.toBe(first)
    bff.advance(5 * 60_000 + 1)
    expect(await idOf(create())).not.toBe(first)
  })

  test('by its body never shows a shopper what another one has paid for, or what has ended', async () => {
    const first = await idOf(create())
    await seen(first)
    const second = await idOf(create())
    expect(second).not.toBe(first)
    await bff.post('/api/v1/payments/fail', { paymentId: second })
    expect(await idOf(create())).not.toBe(second)
  })

  test('by its body is not shared with another browser, another key or the merchant’s server', async () => {
    const ids = [
      await idOf(create(order, { 'User-Agent': 'one' })),
      await idOf(create(order, { 'User-Agent': 'two' })),
      await idOf(create(order, { 'User-Agent': 'one', 'X-Forwarded-For': '203.0.113.7' })),
      await idOf(bff.post(path, order, bff.keys.stranger)),
    ]
    expect(new Set(ids).size).toBe(4)
    const asServer = { method: 'POST', headers: { 'Content-Type': 'application/json', ...bff.keys.secret } }
    const { status, body } = await bff.call(path, { ...asServer, body: JSON.stringify(order) })
    expect(status).toBe(200)
    expect(ids).not.toContain(body.payment['id'])
  })

  test('a hundred times concurrently creates one payment', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => idOf(create())))
    expect(new Set(ids).size).toBe(1)
  })
})

describe('a replacement payment', () => {
  test('cancels the replaced one, in both directions', async () => {
    const deposit = (await bff.create()).body.payment['id'] as PaymentId
    const contract = await idOf(create({ ...order, existingPaymentId: deposit }))
    const statusOf = async (id: string) => (await bff.read(`/api/v1/payments/${id}/status`)).body.payment['status']
    expect([await statusOf(deposit), await statusOf(contract)]).toEqual(['cancelled', 'pending'])
    await bff.create({ ...order, existingPaymentId: contract })
    expect(await statusOf(contract)).toBe('cancelled')
  })

  test('does not cancel it when money was detected, when it is another’s, and when nothing was created', async () => {
    const paid = (await bff.create()).body.payment['id'] as PaymentId
    await seen(paid)
    const theirs = String((await bff.post('/api/v1/deposits/create', order, bff.keys.stranger)).body.payment['id'])
    const mine = (await bff.create()).body.payment['id'] as PaymentId
    for (const existingPaymentId of [paid, theirs])
      expect((await create({ ...order, existingPaymentId })).status).toBe(200)
    expect((await create({ ...order, amount: '-1', existingPaymentId: mine })).status).toBe(400)
    for (const id of [paid, theirs, mine]) {
      const headers = id === theirs ? bff.keys.stranger : bff.keys.public
      expect((await bff.read(`/api/v1/payments/${id}/status`, headers)).body.payment).toMatchObject({
        status: 'pending',
      })
    }
  })
})

describe('with a test key', () => {
  const simulate = (id: string, action: string) =>
    bff.post(`/api/v1/sandbox/payments/${id}/simulate`, { action }, bff.keys.test)

  test('is a sandbox payment: its call moves nothing on any chain, and simulating it emits the same events', async () => {
    const { payment } = (await create(order, bff.keys.test)).body
    expect(payment).toMatchObject({ isTest: true, sandbox: true, chainId: Number.MAX_SAFE_INTEGER })
    const call = payment['contractCall'] as ReturnType<typeof contractCall>
    expect([call.contractAddress, call.tokenAddress, call.approval.to]).toEqual(Array(3).fill(simulatedContract))
    const id = String(payment['id'])
    const submission = { paymentId: id, network: 'devnet', transactionHash: `0x${'ab'.repeat(32)}` }
    const early = await bff.post('/api/v1/payments/process', submission, bff.keys.test)
    expect([early.status, early.body]).toMatchObject([400, { code: 'TRANSACTION_NOT_FOUND', verificationAttempts: 1 }])
    expect((await simulate(id, 'complete')).body.payment).toMatchObject({
      ...{ status: 'completed', outcome: 'paid', isFinal: true, settlement: { state: 'settled' }, sweepTxHash: null },
    })
    const after = await bff.post('/api/v1/payments/process', submission, bff.keys.test)
    expect([after.status, after.body]).toMatchObject([200, { success: true, isAlreadyCompleted: true }])
  })

  test.each([
    ['fail', 'failed'],
    ['expire', 'expired'],
    ['underpay', 'pending'],
    ['late', 'expired'],
    ['reorg', 'pending'],
  ])('simulates %s', async (action, status) => {
    const id = await idOf(create(order, bff.keys.test))
    expect((await simulate(id, action)).body.payment).toMatchObject({ status })
  })

  test('has no payout that could fail', async () => {
    const id = await idOf(create(order, bff.keys.test))
    expect((await simulate(id, 'sweep_fail')).status).toBe(409)
  })
})
