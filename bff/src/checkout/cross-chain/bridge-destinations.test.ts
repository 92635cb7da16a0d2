import { destinationToken, openBridgedApp } from '@stablecoin-checkout/rig/relay-stage'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork, Token } from '../../core/families.ts'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
let devnet: EvmNetwork
beforeAll(async () => {
  bff = await openBridgedApp()
  devnet = bff.deps.networks.get('devnet') as EvmNetwork
})
beforeEach(() => bff.deps.networks.set('devnet', devnet))
afterAll(() => bff.close())

const listed = async () => {
  const { body } = await bff.call('/api/v1/payments/cross-chain/sources')
  return (body['destinations'] as { network: string; currencies: string[] }[]).flatMap(({ network, currencies }) =>
    currencies.map((currency) => `${currency} on ${network}`),
  )
}

/** The code of the refusal; undefined for a payment. */
const refusal = async (currency = 'USDC') => {
  const body = { amount: 25, originChainId: 8453, originCurrency: 'USDC', network: 'devnet', currency }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  return (await bff.post('/api/v1/payments/cross-chain/create', body, headers)).body['code']
}

test('what is listed is created', async () => {
  expect([await listed(), await refusal()]).toEqual([['USDC on devnet'], undefined])
})

test.each(['xpub', 'virtual'] as const)('addresses of kind %s are neither listed nor created', async (deposits) => {
  bff.deps.networks.set('devnet', { ...devnet, deposits })
  expect([await listed(), await refusal()]).toEqual([[], 'NO_DESTINATION'])
})

test('a token of another currency is neither listed nor created, though the bridge pays it out', async () => {
  const euro = { ...devnet.tokens[0], symbol: 'EURC', currency: 'EUR', address: destinationToken } as Token
  bff.deps.networks.set('devnet', { ...devnet, tokens: [euro] })
  expect([await listed(), await refusal('EURC')]).toEqual([[], 'NO_DESTINATION'])
})
