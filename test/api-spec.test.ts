import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openStory } from './harness/story.ts'

// The interface's document in its own order: what it fixes, and nothing that it leaves open.

const { bff, chain, sweep } = await openStory('api-spec')
const { merchant } = bff
const keys = {
  public: { 'X-Public-Key': merchant.publicKey },
  secret: { 'X-API-Key': merchant.apiKey, 'X-API-Secret': merchant.apiSecret },
}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
const amount = /^\d+\.\d+$/
const order = { amount: 25, currency: 'USDC', network: 'devnet' }

type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { payment: Record<string, unknown> } }

const ask = async (path: string, init: RequestInit = {}) => (await bff.ask(path, init)) as Answer
const read = (path: string, headers: Record<string, string> = keys.public) => ask(`/api/v1${path}`, { headers })
const post = (path: string, body: unknown, headers: Record<string, string> = keys.public, base = '/api/v1') =>
  ask(`${base}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const newDeposit = async (change: object = {}) => (await post('/deposits/create', { ...order, ...change })).body.payment

describe('Unauthenticated endpoints', () => {
  test.each([
    '/payments/contract/31337',
    '/deposits/chains',
    '/payments/cross-chain/sources',
    '/currency/rates',
    '/payments/health',
  ])('GET %s needs no key', async (path) => {
    const { status, body } = await read(path, {})
    expect(status).toBe(200)
    expect(body).toHaveProperty('success')
  })

  test('GET /payments/public/{paymentId} needs no key', async () => {
    const { id } = (await newDeposit()) as { id: string }
    expect((await read(`/payments/public/${id}`, {})).body).toMatchObject({
      success: true,
      payment: {
        status: 'pending',
        outcome: 'pending',
        amount: '25.00',
        Token: { symbol: 'USDC' },
        Network: { shortName: 'devnet' },
      },
    })
  })

  test('everything else answers 401 and names the headers', async () => {
    const id = randomUUID()
    const others = [
      `/payments/${id}`,
      `/payments/${id}/status`,
      `/payments/status/${id}`,
      `/deposits/status/${id}`,
      '/networks',
      '/networks/stablecoins',
    ]
    for (const path of [
      ...others,
      '/networks/payable',
      '/payments/merchant/list',
      '/payments/merchant/stats',
      '/merchants/agent-policies/a',
    ]) {
      const { status, body } = await read(path, {})
      expect([path, status]).toEqual([path, 401])
      expect(body['error']).toMatch(/API credentials are required.*x-public-key.*x-api-key.*x-api-secret/i)
    }
    for (const path of [
      '/payments/create',
      '/deposits/create',
      '/payments/cross-chain/create',
      '/sandbox/payments/create',
      '/payments/process',
      '/payments/fail',
      '/payments/verify-qr',
    ]) {
      expect([path, (await post(path, {}, {})).status]).toEqual([path, 401])
    }
  })
})

describe('POST /payments/create', () => {
  test.each([
    [{ currency: 'DAI' }, /not supported on/i],
    [{ currency: 'BUSD' }, /not supported on/i],
    [{ currency: 'XYZ' }, /currency/],
    [{ network: 'nowhere' }, /nowhere/],
    [{ metadata: [] }, /metadata/],
    [{ metadata: { a: {} } }, /metadata/],
    [{ agentId: 'a' }, /Both agentId and agentOwner/],
    [{ agentOwner: 'a' }, /Both agentId and agentOwner/],
    [{ customerEmail: 'x' }, /customerEmail/],
    [{ callbackUrl: 'x' }, /callbackUrl/],
    [{ amount: undefined }, /amount/],
  ])('rejects %j, saying why', async (change, message) => {
    const { status, body } = await post('/payments/create', { ...order, ...change })
    expect([status, body['success']]).toEqual([400, false])
    expect([body['error'], body['message']]).toEqual([expect.any(String), expect.stringMatching(message)])
  })
})

describe('POST /payments/create and GET /payments/contract/{chainId}', () => {
  test('create a payment with the call that pays it, once for the same body, at the contract that is shown', async () => {
    const { status, body } = await post('/payments/create', order)
    const contractCall = { functionName: 'splitPayment', approvalRequired: true, params: { amount: '25000000' } }
    expect([status, body]).toMatchObject([
      200,
      { success: true, requestId: expect.any(String), amount: 25, payment: { amount: '25.00', contractCall } },
    ])
    expect((await post('/payments/create', order, keys.public, '/api')).body.payment['id']).toBe(body.payment['id'])
    expect((await read('/payments/contract/31337', {})).body).toMatchObject({
      success: true,
      contractInfo: { address: body.payment['contractAddress'], abi: expect.any(Array) },
    })
  })
})

describe('POST /deposits/create', () => {
  test('creates a payment with an address, its end after 900 seconds whatever expiresIn says, and the confirmations required', async () => {
    const { status, body } = await post('/deposits/create', {
      ...order,
      expiresIn: 60,
      orderId: 'spec-1',
      metadata: { a: 1, b: null },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      requestId: expect.any(String),
      payment: {
        id: expect.stringMatching(uuid),
        amount: '25.00',
        currency: 'USDC',
        network: 'devnet',
        depositAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        requiredConfirmations: 3,
        expiresAt: expect.stringMatching(time),
      },
    })
    const { createdAt } = (await read(`/payments/${String(body.payment['id'])}`, keys.secret)).body.payment
    expect(Date.parse(String(body.payment['expiresAt'])) - Date.parse(String(createdAt))).toBe(900_000)
  })

  test('takes key and secret too, and a decimal text', async () => {
    const { status } = await post('/deposits/create', { ...order, amount: '0.50' }, keys.secret)
    expect(status).toBe(200)
  })

  test('forbids what the agent’s policy does not allow', async () => {
    const agent = { agentId: 'nobody', agentOwner: 'me' }
    expect((await post('/deposits/create', { ...order, ...agent, autonomous: true })).status).toBe(403)
    expect((await post('/deposits/create', { ...order, ...agent })).status).toBe(200)
  })

  test.each([
    [{ orderId: 'x'.repeat(101) }, /orderId/],
    [{ agentId: 'x'.repeat(101), agentOwner: 'me' }, /agentId/],
    [{ agentId: 'a b', agentOwner: 'me' }, /agentId/],
    [{ agentId: 'a', agentOwner: 'x'.repeat(101) }, /agentOwner/],
  ])('holds the limits: %j', async (change, message) => {
    const { status, body } = await post('/deposits/create', { ...order, ...change })
    expect([status, body['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test('repeats by header, then by order id, on both paths, and refuses a key over 200 characters', async () => {
    const key = { ...keys.public, 'Idempotency-Key': randomUUID() }
    const first = await post('/deposits/create', order, key)
    expect((await post('/deposits/create', order, key, '/api')).body.payment['id']).toBe(first.body.payment['id'])
    const named = await post('/deposits/create', { ...order, orderId: 'spec-2' })
    expect((await post('/deposits/create', { ...order, orderId: 'spec-2' })).body.payment['id']).toBe(
      named.body.payment['id'],
    )
    expect((await post('/deposits/create', order, { ...keys.public, 'Idempotency-Key': 'x'.repeat(200) })).status).toBe(
      200,
    )
    expect((await post('/deposits/create', order, { ...keys.public, 'Idempotency-Key': 'x'.repeat(201) })).status).toBe(
      400,
    )
  })
})

describe('POST /payments/cross-chain/create', () => {
  test('rejects with a code, never with an invented success', async () => {
    const body = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
    const refused = await post('/payments/cross-chain/create', body)
    expect([refused.status, refused.body['code']]).toEqual([400, 'NO_ROUTE'])
    const solana = await post('/payments/cross-chain/create', { ...body, originChainId: 792_703_809 })
    expect([solana.status, solana.body['code']]).toEqual([400, 'ORIGIN_NOT_SUPPORTED'])
  })
})

describe('POST /sandbox/payments/create', () => {
  test('behaves like a payment, and says that it is none', async () => {
    const { status, body } = await post('/sandbox/payments/create', {
      ...order,
      customerEmail: 'a@b.example',
      metadata: { a: true },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: expect.any(String) })
    expect(body.payment).toMatchObject({
      id: expect.stringMatching(uuid),
      amount: '25.00',
      currency: 'USDC',
      network: 'devnet',
      status: 'pending',
      isTest: true,
      sandbox: true,
      paymentMode: expect.any(String),
      feeAmount: expect.any(String),
      expiresAt: expect.stringMatching(time),
      createdAt: expect.stringMatching(time),
    })
  })
})

describe('POST /payments/process', () => {
  test('rejects another network, another form of hash, another sender', async () => {
    const { id } = (await newDeposit()) as { id: string }
    const good = { paymentId: id, network: 'devnet', transactionHash: `0x${'1'.repeat(64)}` }
    for (const change of [
      { network: 'devnet-b' },
      { transactionHash: '0x1' },
      { senderAddress: 'me' },
      { paymentId: 'x' },
    ]) {
      const { status, body } = await post('/payments/process', { ...good, ...change })
      expect([status, body['success'], typeof body['error']]).toEqual([400, false, 'string'])
    }
  })
})

describe('Reading a payment', () => {
  test('answers through its life as the document says, on every path', async () => {
    const payment = await bff.createDeposit({ amount: '25.00' })
    const common = { paymentId: payment.id, amount: '25.00', currency: 'USDC', network: 'devnet', bridgeStatus: null }
    const unpaid = { amountReceived: null, transactionHash: null, detectedAt: null, confirmedAt: null }
    expect((await read(`/payments/${payment.id}/status`, keys.secret)).body).toMatchObject({
      success: true,
      payment: {
        ...common,
        ...unpaid,
        status: 'pending',
        outcome: 'pending',
        isFinal: false,
        confirmations: 0,
        expiresAt: expect.stringMatching(time),
      },
    })
    await chain.pay(payment.depositAddress, '25.00')
    await chain.mine(2)
    await bff.shows(payment.id, { outcome: 'paid', status: 'sweeping' })
    const paid = (await read(`/payments/status/${payment.id}`, keys.secret)).body.payment
    expect(paid).toMatchObject({ ...common, outcome: 'paid', isFinal: true, amountReceived: '25.00', confirmations: 3 })
    expect([paid['detectedAt'], paid['confirmedAt']]).toEqual([
      expect.stringMatching(time),
      expect.stringMatching(time),
    ])
    await sweep([payment])
    const record = (await read(`/payments/${payment.id}`, keys.secret)).body.payment
    expect(record).toMatchObject({
      status: 'swept',
      outcome: 'paid',
      settlement: { state: 'settled', message: expect.any(String) },
    })
    expect(record).toMatchObject({
      Merchant: expect.any(Object),
      Network: expect.any(Object),
      Token: expect.any(Object),
    })
    const deposit = (await read(`/deposits/status/${payment.id}`, keys.secret)).body.payment
    expect(deposit).toMatchObject({
      amount: '25.00',
      amountReceived: '25.00',
      depositAddress: payment.depositAddress,
      confirmations: 3,
    })
    expect([deposit['amountRemaining'], deposit['excessOwed'], typeof deposit['depositMethod']]).toEqual([
      '0.00',
      '0.00',
      'string',
    ])
  })

  test('of an unknown id is 500 on the two routes of version 1, 404 elsewhere', async () => {
    const id = randomUUID()
    for (const [path, expected] of [
      [`/payments/${id}`, 500],
      [`/deposits/status/${id}`, 500],
      [`/payments/${id}/status`, 404],
    ] as const) {
      const { status, body } = await read(path, keys.secret)
      expect([path, status, body['success'], typeof body['error']]).toEqual([path, expected, false, 'string'])
    }
  })
})

describe('POST /payments/fail and /payments/verify-qr', () => {
  test('fail records an outcome, treats an unknown status as failed, and skips what is final', async () => {
    const { id } = (await newDeposit()) as { id: string }
    const failed = (await post('/payments/fail', { paymentId: id, status: 'odd', reason: 'x' })).body
    expect(failed).toMatchObject({ success: true, message: expect.any(String), status: 'failed', skipped: false })
    const again = (await post('/payments/fail', { paymentId: id, status: 'expired' })).body
    expect(again).toMatchObject({ status: 'failed', skipped: true })
  })

  test('verify-qr answers 200 always', async () => {
    const { id } = (await newDeposit()) as { id: string }
    for (const body of [{ paymentId: id }, { paymentId: randomUUID() }, { paymentId: 'x' }]) {
      expect(await post('/payments/verify-qr', body)).toMatchObject({ status: 200, body: { verified: false } })
    }
  })
})

describe('GET /payments/merchant/stats and list', () => {
  test('answer key and secret, and public keys with Deprecation: true', async () => {
    const range = 'startDate=2020-01-01&endDate=2099-12-31'
    const { body } = await read(`/payments/merchant/stats?statusFilter=all&${range}`, keys.secret)
    const counted = ['totalPayments', 'completedPayments', 'pendingPayments', 'failedPayments', 'agentPayments']
    expect(body).toMatchObject({
      success: true,
      stats: {
        ...Object.fromEntries(counted.map((name) => [name, expect.any(Number)])),
        isNairaMerchant: expect.any(Boolean),
        totalAmount: expect.stringMatching(amount),
        averageAmount: expect.stringMatching(amount),
      },
    })
    for (const path of ['/payments/merchant/stats', '/payments/merchant/list']) {
      expect((await read(path, keys.secret)).headers.get('Deprecation')).toBeNull()
      expect((await read(path)).headers.get('Deprecation')).toBe('true')
    }
  })
})

describe('Networks and tokens', () => {
  test('have the shapes of the document', async () => {
    const { body } = await read('/networks')
    const [network] = body['networks'] as Record<string, unknown>[]
    expect(network).toMatchObject({
      id: expect.any(String),
      name: expect.any(String),
      shortName: 'devnet',
      chainId: 31_337,
      type: expect.any(String),
      isTestnet: true,
      // The demo's chains have no explorer.
      explorerUrl: null,
      logo: expect.stringMatching(/^http:.+\/logos\/networks\/other\.svg$/),
    })
    const nested = {
      id: expect.any(String),
      name: expect.any(String),
      shortName: 'devnet',
      chainId: '31337',
      type: expect.any(String),
    }
    const token = {
      id: expect.stringMatching(uuid),
      symbol: 'USDC',
      contractAddress: expect.stringMatching(/^0x/),
      decimals: 6,
    }
    const stablecoins = (await read('/networks/stablecoins')).body['stablecoins'] as Record<string, unknown>[]
    expect(stablecoins[0]).toMatchObject({
      ...token,
      name: expect.any(String),
      isStablecoin: true,
      logo: expect.stringMatching(/^http:.+\/logos\/tokens\/usd[ct]\.svg$/),
      Network: { ...nested, logo: expect.stringMatching(/^http:.+\/logos\/networks\/other\.svg$/) },
    })
    expect(new Set(stablecoins.map(({ symbol }) => symbol))).toEqual(new Set(['USDC', 'USDT']))
    const payable = (await read('/networks/payable/stablecoins')).body['stablecoins'] as Record<string, unknown>[]
    expect(payable[0]).toMatchObject({ ...token, Network: nested })
    expect((await read('/networks/payable')).body['networks']).toContainEqual(
      expect.objectContaining({ shortName: 'devnet' }),
    )
    const tokens = (await read(`/networks/${String(network?.['id'])}/tokens`)).body['tokens'] as Record<
      string,
      unknown
    >[]
    expect(tokens[0]).toMatchObject({ symbol: expect.any(String), name: expect.any(String) })
  })
})

describe('GET and DELETE /merchants/agent-policies/{agentId}', () => {
  test('answer null with a message where there is none, and 404 for deleting it', async () => {
    const { status, body } = await read('/merchants/agent-policies/nobody', keys.secret)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ success: true, policy: null, message: expect.any(String) }),
    ])
    const remove = { method: 'DELETE', headers: keys.secret }
    expect((await ask('/api/v1/merchants/agent-policies/nobody', remove)).status).toBe(404)
    expect((await read('/merchants/agent-policies/a%20b', keys.secret)).status).toBe(400)
  })
})

describe('Authentication', () => {
  test('a public key wins over key and secret, valid or not', async () => {
    const both = { ...keys.secret, 'X-Public-Key': 'pk_live_wrong' }
    expect((await read('/networks', both)).status).toBe(401)
    expect((await read('/payments/merchant/list', { ...keys.secret, ...keys.public })).headers.get('Deprecation')).toBe(
      'true',
    )
  })

  test('key and secret read live data only', async () => {
    const { body } = await post('/deposits/create', order, { 'X-Public-Key': merchant.testPublicKey })
    expect(body.payment).toMatchObject({ isTest: true })
    expect((await read(`/payments/${String(body.payment['id'])}/status`, keys.secret)).status).toBe(404)
  })
})

describe('Versioning', () => {
  test('both paths run the same code, and every answer names the version', async () => {
    const { id } = (await newDeposit()) as { id: string }
    const [a, b] = await Promise.all(
      ['/api/v1', '/api'].map((base) => ask(`${base}/payments/${id}/status`, { headers: keys.public })),
    )
    expect(a?.body).toEqual(b?.body)
    for (const path of [
      '/api/health',
      '/api/versions',
      '/api/v1/health',
      '/api/v1/networks',
      '/nowhere',
      '/api/v1/deposits/status/x',
    ]) {
      expect((await ask(path)).headers.get('X-API-Version')).toBe('v1')
    }
  })

  test('health and versions are not versioned', async () => {
    expect((await ask('/api/health')).status).toBe(200)
    expect((await ask('/api/v1/health')).status).toBe(404)
    const { body } = await ask('/api/versions')
    expect(JSON.stringify(body)).toContain('v1')
  })
})
