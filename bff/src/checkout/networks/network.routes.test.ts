import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkHealth } from '../../network/network-health.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const reason = 'USDC on Devnet has 18 decimals on chain, not 6.'

let isOut: boolean
let fixture: AppFixture
let lenient: AppFixture

beforeEach(async () => {
  isOut = false
  const health: NetworkHealth = {
    get: (name) => (name === 'devnet' && isOut ? { isPayable: false, reason } : { isPayable: true, reason: null }),
  }
  fixture = await openApp({ health })
  lenient = await openApp({ health, lenientClients: true })
})
afterEach(async () => {
  await fixture.close()
  await lenient.close()
})

const names = (body: Record<string, unknown>, key = 'networks') =>
  (body[key] as { shortName: string }[]).map(({ shortName }) => shortName)

describe('listing networks', () => {
  test('shows every network with its chain id as a number', async () => {
    const { status, body } = await fixture.read('/api/v1/networks')
    expect(status).toBe(200)
    expect(body['networks']).toEqual([
      {
        id: expect.stringMatching(uuid),
        name: 'Devnet',
        shortName: 'devnet',
        chainId: 31_337,
        type: 'evm',
        isTestnet: true,
        explorerUrl: 'https://scan.example',
        logo: 'http://localhost/logos/networks/other.svg',
      },
      expect.objectContaining({ shortName: 'elsewhere' }),
    ])
  })

  test('shows every token with its network, whose chain id is text there', async () => {
    const { body } = await fixture.read('/api/networks/stablecoins')
    expect(body['stablecoins']).toHaveLength(2)
    expect((body['stablecoins'] as unknown[])[0]).toEqual({
      id: expect.stringMatching(uuid),
      name: 'USD Coin',
      symbol: 'USDC',
      currency: 'USD',
      contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      decimals: 6,
      logo: 'http://localhost/logos/tokens/usdc.svg',
      isStablecoin: true,
      Network: {
        id: expect.stringMatching(uuid),
        name: 'Devnet',
        shortName: 'devnet',
        chainId: '31337',
        type: 'evm',
        isTestnet: true,
        explorerUrl: 'https://scan.example',
        logo: 'http://localhost/logos/networks/other.svg',
      },
    })
  })

  test('shows the tokens of one network by its short name in any case, and by its id', async () => {
    const { body } = await fixture.read('/api/v1/networks')
    const [{ id }] = body['networks'] as [{ id: string }]
    const byName = await fixture.read('/api/v1/networks/DevNet/tokens')
    expect(byName.body['tokens']).toMatchObject([{ symbol: 'USDC', name: 'USD Coin', Network: { id } }])
    expect((await fixture.read(`/api/v1/networks/${id.toUpperCase()}/tokens`)).body).toEqual(byName.body)
    const unknown = await fixture.read('/api/v1/networks/mars/tokens')
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'NETWORK_NOT_FOUND'])
  })

  test('gives the same ids on every service', async () => {
    const [ours, theirs] = [await fixture.read('/api/networks'), await lenient.read('/api/networks')]
    expect(ours.body).toEqual(theirs.body)
  })

  test('calls payable only where this merchant has a wallet and the network is well', async () => {
    expect(names((await fixture.read('/api/v1/networks/payable')).body)).toEqual(['devnet'])
    const { body } = await fixture.read('/api/v1/networks/payable/stablecoins', fixture.keys.secret)
    expect(body['stablecoins']).toEqual([
      {
        id: expect.stringMatching(uuid),
        name: 'USD Coin',
        symbol: 'USDC',
        currency: 'USD',
        contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        decimals: 6,
        logo: 'http://localhost/logos/tokens/usdc.svg',
        isStablecoin: true,
        Network: {
          id: expect.stringMatching(uuid),
          name: 'Devnet',
          shortName: 'devnet',
          chainId: '31337',
          type: 'evm',
          isTestnet: true,
          explorerUrl: 'https://scan.example',
          logo: 'http://localhost/logos/networks/other.svg',
          confirmations: 3,
          confirmSeconds: null,
          feeLevel: null,
        },
      },
    ])
    isOut = true
    expect(names((await fixture.read('/api/v1/networks/payable')).body)).toEqual([])
    expect((await fixture.read('/api/v1/networks/payable/stablecoins')).body['stablecoins']).toEqual([])
    expect(names((await fixture.read('/api/v1/networks/payable', fixture.keys.test)).body)).toEqual(['devnet'])
    expect(names((await fixture.read('/api/v1/networks')).body)).toEqual(['devnet', 'elsewhere'])
  })

  test('says of a price what it comes to in each token, rounded up as a create does', async () => {
    const path = '/api/v1/networks/payable/stablecoins'
    const amounts = async (query: string) => {
      const { status, body } = await fixture.read(`${path}?${query}`)
      return status === 200 ? (body['stablecoins'] as { amount?: unknown }[]).map(({ amount }) => amount) : body['code']
    }
    expect(await amounts('price=25.005&priceCurrency=USD')).toEqual(['25.01'])
    expect(await amounts('price=25&priceCurrency=EUR'), 'no rate').toEqual([null])
    expect(await amounts('')).toEqual([undefined])
    expect(await amounts('price=25')).toBe('VALIDATION_FAILED')
    expect(await amounts('price=-1&priceCurrency=USD')).toBe('VALIDATION_FAILED')
  })

  test.each([
    '/networks',
    '/networks/stablecoins',
    '/networks/payable',
    '/networks/payable/stablecoins',
    '/networks/devnet/tokens',
  ])('%s wants a key, of either kind', async (path) => {
    expect((await fixture.call(`/api/v1${path}`)).status).toBe(401)
    expect((await fixture.read(`/api/v1${path}`, { 'X-Public-Key': 'pk_live_wrong' })).status).toBe(401)
    for (const key of [fixture.keys.public, fixture.keys.secret, fixture.keys.test]) {
      expect((await fixture.read(`/api/v1${path}`, key)).status).toBe(200)
    }
  })
})

describe('a network that is kept out', () => {
  test('takes no new payment and says why, while a repeat still gets its answer', async () => {
    const key = { 'Idempotency-Key': 'k1' }
    const first = await fixture.create(order, key)
    isOut = true
    const refused = await fixture.create(order, { 'Idempotency-Key': 'k2' })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'NETWORK_UNAVAILABLE', message: expect.stringContaining(reason) })
    expect((await fixture.create(order, key)).body.payment['id']).toBe(first.body.payment['id'])
    isOut = false
    expect((await fixture.create(order, { 'Idempotency-Key': 'k2' })).status).toBe(200)
  })

  test('is shown with its reason to anybody, and is not among the chains of deposits', async () => {
    const health = async () => (await fixture.call('/api/v1/payments/health')).body
    expect(await health()).toMatchObject({ success: true, status: 'ok' })
    isOut = true
    expect(await health()).toEqual({
      success: true,
      status: 'degraded',
      networks: [
        { shortName: 'devnet', healthy: false, reason, gasBalance: null },
        { shortName: 'elsewhere', healthy: true, reason: null, gasBalance: null },
      ],
    })
    const { body } = await fixture.call('/api/v1/deposits/chains')
    expect([names(body), names(body, 'chains')]).toEqual([['elsewhere'], ['elsewhere']])
  })

  test('says where coins for payouts are missing, and how many', async () => {
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const gasBalances = fixture.deps.gasBalances
    const shown = async () => (await fixture.call('/api/v1/payments/health')).body['networks'] as unknown as object[]
    const reading = { address, neededWei: 2n * 10n ** 15n, readAtMs: 0 }
    gasBalances.note('devnet', { ...reading, balanceWei: 10n ** 15n })
    const gas = { state: 'empty', address, balance: '0.001', needed: '0.002', currency: 'ETH' }
    const message = `Payouts wait: the next one needs 0.002 ETH at ${address}, which holds 0.001.`
    expect(await shown()).toMatchObject([{ gasBalance: { ...gas, message } }, { gasBalance: null }])
    gasBalances.note('devnet', { ...reading, balanceWei: 10n ** 16n })
    expect(await shown()).toMatchObject([
      { gasBalance: { state: 'low', message: expect.stringContaining(address) } },
      {},
    ])
    gasBalances.note('devnet', { ...reading, balanceWei: 10n ** 18n })
    expect(await shown()).toMatchObject([{ gasBalance: { state: 'ok' } }, {}])
  })
})

describe('without a key', () => {
  test('the chains of deposits are listed in both forms', async () => {
    expect((await fixture.call('/api/deposits/chains')).body).toMatchObject({
      success: true,
      networks: [{ name: 'Devnet', shortName: 'devnet', chainId: 31_337, tokens: ['USDC'] }, { chainId: 1 }],
      chains: [{ chainId: 31_337, name: 'Devnet', shortName: 'devnet', confirmations: 3 }, { chainId: 1 }],
    })
  })

  test('a chain’s contract is shown with its ABI, to anybody', async () => {
    const configured = await fixture.call('/api/v1/payments/contract/31337')
    expect(configured.status).toBe(200)
    expect(configured.body).toMatchObject({
      success: true,
      contractInfo: { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), chainId: 31_337 },
    })
    const { abi } = configured.body['contractInfo'] as { abi: { name?: string }[] }
    expect(abi.map(({ name }) => name)).toEqual(expect.arrayContaining(['splitPayment', 'PaymentSplit', 'isPaid']))
    const unknown = await fixture.call('/api/v1/payments/contract/999')
    expect(unknown.body).toMatchObject({ success: false, message: 'Chain 999 is not configured.' })
    expect((await fixture.call('/api/v1/payments/contract/base')).status).toBe(400)
  })

  test('no chain is a source of cross-chain payments yet, and the answer says so', async () => {
    const { status, body } = await fixture.call('/api/v1/payments/cross-chain/sources')
    expect([status, body]).toEqual([
      200,
      { success: true, sources: [], destinations: [], message: expect.stringContaining('not supported') },
    ])
  })
})

describe('lenient towards old clients', () => {
  test('networks are listed without a key, payable ones whosever wallets there are; a wrong key stays wrong', async () => {
    expect(names((await lenient.call('/api/networks')).body)).toEqual(['devnet', 'elsewhere'])
    expect(names((await lenient.call('/api/networks/payable')).body)).toEqual(['devnet', 'elsewhere'])
    expect(names((await lenient.read('/api/networks/payable')).body)).toEqual(['devnet'])
    expect((await lenient.read('/api/networks', { 'X-Public-Key': 'pk_live_wrong' })).status).toBe(401)
  })

  test('the status of a deposit is answered without a key, and only then', async () => {
    const answers = async (app: AppFixture) => {
      const id = (await app.create()).body.payment['id']
      return (await app.call(`/api/v1/deposits/status/${id}`)).status
    }
    expect([await answers(fixture), await answers(lenient)]).toEqual([401, 200])
    const unknown = await lenient.call('/api/v1/deposits/status/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11')
    expect([unknown.status, unknown.body['code']]).toEqual([500, 'PAYMENT_NOT_FOUND'])
    const id = (await lenient.create()).body.payment['id']
    expect((await lenient.read(`/api/v1/deposits/status/${id}`, lenient.keys.stranger)).status).toBe(500)
  })

  test('nested metadata is kept as its JSON text; strictly it is refused and the field is named', async () => {
    const body = { ...order, metadata: { plain: 7, cart: [{ sku: 'a', count: 2 }], buyer: { name: 'Ada' } } }
    const refused = await fixture.create(body)
    expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('metadata')])
    const { body: created, status } = await lenient.create(body)
    expect(status).toBe(200)
    const read = await lenient.read(`/api/v1/payments/${created.payment['id']}`, lenient.keys.secret)
    expect(read.body.payment['metadata']).toEqual({
      plain: 7,
      cart: '[{"sku":"a","count":2}]',
      buyer: '{"name":"Ada"}',
    })
  })

  test('what is no metadata, and what is no JSON, is refused all the same', async () => {
    for (const body of [{ ...order, metadata: ['a'] }, { ...order, metadata: 'a' }, '{"metadata":', 'null']) {
      expect((await lenient.create(body)).status).toBe(400)
    }
    const bad = `{"amount":"25.00","currency":"USDC","network":"devnet","metadata":{"constructor":{"a":1}}}`
    expect((await lenient.create(bad)).status).toBe(400)
  })
})
