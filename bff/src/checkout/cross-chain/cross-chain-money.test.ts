import { everyNetworkPayable } from '@stablecoin-checkout/rig/app-defaults'
import { chainsShape, openBridgedApp, quoteShape } from '@stablecoin-checkout/rig/relay-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork, Token } from '../../core/families.ts'

let isPayable = true
let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeEach(async () => {
  isPayable = true
  const get = () => (isPayable ? everyNetworkPayable.get('') : { isPayable, reason: 'The node is away.' })
  bff = await openBridgedApp({ health: { ...everyNetworkPayable, get } })
})
afterEach(() => bff.close())

const path = '/api/v1/payments/cross-chain/create'
const create = (change: object = {}) =>
  bff.post(path, { amount: 25, originChainId: 8453, originCurrency: 'USDC', ...change })

test.each([
  ['27500000000000000000', 200],
  ['27500000000000000001', 400],
  // As many units as the payment has.
  ['25000000', 200],
])('a fee is bounded where the customer’s token has 18 decimals: %s units for 25.00', async (asked, expected) => {
  const usdc = { symbol: 'USDC', address: `0x${'56'.repeat(20)}`, decimals: 18 }
  const bnb = { ...chainsShape().chains[0], id: 56, name: 'BNB', displayName: 'BNB', solverCurrencies: [usdc] }
  bff.responses.set('/chains', () => ({ body: chainsShape([bnb]) }))
  bff.responses.set('/quote/v2', ({ body }) => {
    const { details, ...quote } = quoteShape(body)
    return { body: { ...quote, details: { ...details, currencyIn: { ...details.currencyIn, amount: asked } } } }
  })
  const { status, body } = await create({ originChainId: 56 })
  expect(status).toBe(expected)
  if (expected === 400) return expect(body['message']).toContain('27.500000000000000001 USDC on chain 56')
  expect(body.payment['amountToSend']).toBe(asked)
})

test('what the bridge cannot send back goes to the address of the setting, not to the account that pays gas', async () => {
  const recoveryAddress = `0x${'7e'.repeat(20)}`
  const settings = bff.deps.bridges?.settings
  if (settings) settings.recoveryAddress = recoveryAddress
  expect((await create()).status).toBe(200)
  expect(bff.relay.of('/quote/v2').at(-1)?.body).toMatchObject({ recoveryAddress, user: recoveryAddress })
})

test('a network that goes away while the bridge is asked has no payment', async () => {
  bff.responses.set('/quote/v2', ({ body }) => {
    isPayable = false
    return { body: quoteShape(body) }
  })
  const { status, body } = await create()
  expect([status, body['code'], bff.relay.of('/quote/v2').length]).toEqual([400, 'NETWORK_UNAVAILABLE', 1])
})

test('of many destinations the relay is asked for a quote to three, and the customer is told why the first has none', async () => {
  const { networks } = bff.deps
  const devnet = networks.get('devnet') as EvmNetwork
  const tokens = [1, 2, 3, 4, 5].map((nth) => {
    return { ...devnet.tokens[0], symbol: `USD${nth}`, address: `0x${String(nth).repeat(40)}` } as Token
  })
  networks.set('devnet', { ...devnet, tokens })
  const reached = { ...chainsShape().chains[1], solverCurrencies: tokens.map((token) => ({ ...token })) }
  bff.responses.set('/chains', () => ({
    body: { chains: chainsShape().chains.map((one) => ('id' in one && one.id === 31_337 ? reached : one)) },
  }))
  bff.responses.set('/quote/v2', ({ body }) => ({ body: quoteShape({ ...body, amount: '50000000' }) }))
  const { status, body } = await create()
  const asked = bff.relay.of('/quote/v2').map((one) => one.body['destinationCurrency'])
  expect([status, body['code'], asked]).toEqual([400, 'NO_ROUTE', tokens.slice(0, 3).map(({ address }) => address)])
  expect(body['message']).toContain('25.00 USD1')
})
