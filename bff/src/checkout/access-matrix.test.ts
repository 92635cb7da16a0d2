import { openRequests, unknownId, wallet } from '@stablecoin-checkout/rig/access-stage'
import { openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, describe, expect, test } from 'vitest'
import { nameOf, type Operation } from '../access/context/operation.ts'

const bff = await openApp()
afterAll(() => bff.close())

const { ask, make, endShort, refund, fail, addressOf, outcomeOf } = openRequests(() => bff)

describe('every route by every kind of key', () => {
  /**
   * Responses by caller: no key, the page's, the test key, another merchant's page, its server, the merchant's server.
   */
  type Expected = readonly [
    none: number,
    page: number,
    test: number,
    otherPage: number,
    otherServer: number,
    server: number,
  ]
  const open = [200, 200, 200, 200, 200, 200] as const
  const openUnknown = [404, 404, 404, 404, 404, 404] as const
  const refused = [400, 400, 400, 400, 400, 400] as const
  const notOffered = [409, 409, 409, 409, 409, 409] as const
  const anyKey = [401, 200, 200, 200, 200, 200] as const
  const ownPayment = [401, 200, 404, 404, 404, 200] as const
  const ownPaymentOr500 = [401, 200, 500, 500, 500, 200] as const
  const serverOnly = [401, 403, 403, 403, 200, 200] as const
  const serverRefused = [401, 403, 403, 403, 403, 403] as const
  const badQuery = [401, 403, 403, 403, 400, 400] as const
  const serverOnlyUnknown = [401, 403, 403, 403, 404, 404] as const

  const x402Terms = { scheme: 'exact', network: 'eip155:1', asset: wallet, amount: '1', payTo: wallet }
  const x402Request = {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: x402Terms, payload: {} },
    paymentRequirements: x402Terms,
  }

  /** Neither 401 nor 403. */
  const passes: unknown = expect.toSatisfy((status: number) => status !== 401 && status !== 403)

  /** `{paymentId}` is a payment created by the merchant's server, another one per request. */
  const routes: [operation: string, Expected, body?: (id: string) => unknown][] = [
    ['post /deposits/create', anyKey, () => order],
    ['post /payments/create', anyKey, () => order],
    [
      'post /payments/cross-chain/create',
      [401, 400, 400, 400, 400, 400],
      () => ({ amount: 25, originChainId: 1, originCurrency: 'USDC' }),
    ],
    ['post /sandbox/payments/create', anyKey, () => order],
    ['get /payments/{paymentId}', ownPaymentOr500],
    ['get /deposits/status/{paymentId}', ownPaymentOr500],
    ['get /payments/{paymentId}/status', ownPayment],
    ['get /payments/status/{paymentId}', ownPayment],
    ['get /deposits/balance/{paymentId}', ownPayment],
    ['get /payments/cross-chain/status/{paymentId}', ownPayment],
    ['get /payments/public/{paymentId}', open],
    ['get /payments/public/{paymentId}/events', open],
    ['post /payments/verify-qr', anyKey, (paymentId) => ({ paymentId })],
    ['post /payments/fail', ownPayment, (paymentId) => ({ paymentId })],
    ['post /deposits/refund-request/{paymentId}', [401, 403, 404, 404, 404, 200], () => ({ address: wallet })],
    ['post /payments/{paymentId}/accept-late', [401, 403, 403, 403, 404, 409]],
    ['post /sandbox/payments/{paymentId}/simulate', [401, 400, 404, 404, 404, 400], () => ({ action: 'complete' })],
    [
      'post /payments/process',
      [401, 400, 404, 404, 404, 400],
      (paymentId) => ({ paymentId, network: 'devnet', transactionHash: `0x${'1'.repeat(64)}` }),
    ],
    [
      'post /payments/{paymentId}/authorize',
      refused,
      () => ({
        authorization: {
          ...{ from: wallet, to: wallet, value: '1', validAfter: '0', validBefore: '1' },
          nonce: `0x${'1'.repeat(64)}`,
        },
        signature: '0x11',
      }),
    ],
    ['get /payments/solana-pay/{paymentId}', refused],
    ['post /payments/solana-pay/{paymentId}', refused, () => ({ account: '11111111111111111111111111111112' })],
    ['get /payments', serverOnly],
    ['get /payments/events', serverOnly],
    ['get /payments/{paymentId}/history', [401, 403, 403, 403, 404, 200]],
    ['post /payments/{paymentId}/receipt', [401, 403, 403, 403, 404, 200], () => ({})],
    ['get /payments/merchant/list', anyKey],
    ['get /payments/merchant/stats', anyKey],
    ['get /merchants/agent-policies', serverOnly],
    ['get /merchants/agent-policies/{agentId}', anyKey],
    ['put /merchants/agent-policies/{agentId}', [401, 403, 200, 403, 200, 200], () => ({})],
    ['delete /merchants/agent-policies/{agentId}', [401, 403, 200, 403, 200, 200]],
    ['get /merchants/agent-policies/{agentId}/decisions', [401, 403, 200, 403, 200, 200]],
    ['get /x402/supported', serverOnly],
    [
      'post /x402/charge',
      [401, 403, 403, 403, 409, 409],
      () => ({ ...order, resource: 'https://shop.example/report' }),
    ],
    ['post /x402/verify', serverOnly, () => x402Request],
    ['post /x402/settle', serverOnly, () => x402Request],
    ['get /x402/{paymentId}', notOffered],
    ['post /x402/{paymentId}', notOffered],
    ['get /currency/rates', open],
    ['get /merchants/key-origins', serverOnly],
    ['put /merchants/key-origins', serverOnly, () => ({ origins: [] })],
    ['post /links', serverOnly, () => ({ amount: '25.00' })],
    ['get /links', serverOnly],
    ['get /links/{linkId}', serverOnlyUnknown],
    ['post /links/{linkId}/end', serverOnlyUnknown],
    ['get /links/public/{linkId}', openUnknown],
    ['get /links/public/{linkId}/stablecoins', openUnknown],
    ['post /links/public/{linkId}/create', openUnknown, () => ({ network: 'devnet', currency: 'USDC' })],
    ['get /deposits/chains', open],
    ['get /payments/cross-chain/sources', open],
    ['get /payments/health', open],
    ['get /payments/contract/{chainId}', open],
    ['get /networks', anyKey],
    ['get /networks/stablecoins', anyKey],
    ['get /networks/payable', anyKey],
    ['get /networks/payable/stablecoins', anyKey],
    ['get /networks/{networkId}/tokens', anyKey],
    // With several merchants, as here, only the command line shows the state.
    ['get /system', serverRefused],
    ['post /system/doctor', serverRefused],
    ['get /reports/summary', badQuery],
    ['get /reports/attention', serverOnly],
    ['get /reports/month', badQuery],
    ['get /reports/month.csv', badQuery],
    ['get /reports/errors', serverOnly],
    ['get /events', serverOnly],
    ['get /webhooks/endpoints', serverOnly],
    ['post /webhooks/endpoints', serverOnly, () => ({ url: 'https://shop.example/hooks' })],
    ['get /webhooks/endpoints/{endpointId}', serverOnlyUnknown],
    ['patch /webhooks/endpoints/{endpointId}', serverOnlyUnknown, () => ({ description: 'x' })],
    ['delete /webhooks/endpoints/{endpointId}', serverOnlyUnknown],
    ['post /webhooks/endpoints/{endpointId}/rotate-secret', serverOnlyUnknown, () => ({})],
    ['post /webhooks/endpoints/{endpointId}/test', serverOnlyUnknown],
    ['post /webhooks/rotate-secret', serverOnly, () => ({})],
    ['get /webhooks/deliveries', serverOnly],
    ['get /webhooks/deliveries/{deliveryId}/request', [401, 403, 403, 403, 400, 400]],
    ['post /webhooks/deliveries/{deliveryId}/redeliver', [401, 403, 403, 403, 400, 400]],
    ['post /webhooks/replay', serverOnlyUnknown, () => ({ endpointId: unknownId, since: '2026-11-21T00:00:00Z' })],
  ]

  /** Rights of an operation missing in the table: its guard refuses these callers, and admits the others. */
  function declaredBy({ access }: Operation): unknown[] {
    if (access === 'open') return Array(6).fill(passes)
    if (access === 'till') return Array(6).fill(401)
    if (access === 'page') return Array(6).fill(403)
    if (access === 'session') return [401, 403, 403, 403, 403, 403]
    if (access === 'secret') return [401, 403, 403, 403, passes, passes]
    return [401, passes, passes, passes, passes, passes]
  }

  const operations = bff.operations
    .filter(({ hide, servers }) => !hide && servers === undefined)
    .map((operation) => {
      const [, expected = declaredBy(operation), bodyOf = () => operation.request?.body && {}] =
        routes.find(([name]) => name === nameOf(operation)) ?? []
      return [nameOf(operation), expected, bodyOf] as const
    })

  test('the table names only existing operations', () => {
    const names = operations.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(routes.map(([name]) => name)))
  })

  test.each(operations)('%s', async (operation, expected, bodyOf) => {
    const [method = '', template = ''] = operation.split(' ')
    const otherServer = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
    const callers = [{}, bff.keys.public, bff.keys.test, bff.keys.stranger, otherServer, bff.keys.secret]
    const statuses: number[] = []
    for (const keys of callers) {
      const made = await make(bff.keys.secret)
      if (template.includes('refund-request')) await endShort(made)
      const path = template
        .replace('{paymentId}', made.id)
        .replace('{agentId}', 'somebody')
        .replace('{chainId}', '31337')
        .replace('{networkId}', 'devnet')
        .replace('{linkId}', `pl_${'x'.repeat(24)}`)
        .replace(/\{\w+\}/, unknownId)
      const { status } = await ask(
        method.toUpperCase(),
        path,
        { ...keys, 'Idempotency-Key': crypto.randomUUID() },
        bodyOf?.(made.id),
      )
      statuses.push(status)
      // A live page can change only payments that it created.
      if (keys === bff.keys.public)
        expect(await outcomeOf(made.id)).toBe(template.includes('refund-request') ? 'failed' : 'pending')
    }
    expect(statuses).toEqual(expected)
  })

  test('the client secret gives other merchants’ keys and test keys no additional rights', async () => {
    const callers = [bff.keys.stranger, bff.keys.test]
    const makers = [bff.keys.secret, bff.keys.public]
    for (const [keys, maker] of callers.flatMap((one) => makers.map((maker) => [one, maker] as const))) {
      const { id, clientSecret, ...made } = await make(maker)
      expect((await ask('GET', `/payments/${id}`, keys)).body).toMatchObject({ code: 'PAYMENT_NOT_FOUND' })
      expect(await fail(keys, { paymentId: id, clientSecret })).toMatchObject({
        status: 404,
        body: { code: 'PAYMENT_NOT_FOUND' },
      })
      await endShort({ id, clientSecret, ...made })
      expect(await refund(keys, id, { address: wallet, clientSecret })).toMatchObject({
        status: 404,
        body: { code: 'PAYMENT_NOT_FOUND' },
      })
      expect(await addressOf(id)).toBeNull()
    }
  })
})
