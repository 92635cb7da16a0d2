import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Network } from '../../core/families.ts'
import { setWallets } from '../../merchant/wallets.ts'

/** A testnet, `devnet`, on which the merchant was paid at first; then a network with real money was added. */
let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
  const networks = bff.deps.networks as Map<string, Network>
  networks.set('real', { ...devnetFacts, shortName: 'real', name: 'Real', chainId: 8453, isTestnet: false })
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await setWallets(bff.deps, bff.merchant.merchantId, new Map([['real', wallet]]))
})
afterAll(() => bff.close())

const codeOf = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await answer
  return status === 200 ? 200 : `${status} ${String(body['code'])}`
}

const create = (headers: Record<string, string>) =>
  bff.call('/api/v1/deposits/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(order),
  })

test('no customer pays with the free tokens of a testnet where the service has networks with real money', async () => {
  const refused = await create(bff.keys.public)
  expect(refused).toMatchObject({ status: 400, body: { code: 'NETWORK_NOT_SUPPORTED' } })
  expect(refused.body['message']).toContain('devnet is a testnet')
  const listed = await bff.read('/api/v1/networks/payable/stablecoins', bff.keys.public)
  expect(JSON.stringify(listed.body)).not.toContain('devnet')
  // The merchant's own server, and test payments, which nobody takes for money.
  expect(await codeOf(create(bff.keys.secret))).toBe(200)
  expect(await codeOf(create(bff.keys.test))).toBe(200)
  // Who has wallets on testnets alone still tries the service.
  expect(await codeOf(create(bff.keys.stranger))).toBe(200)
})

const makeLink = (terms: object) =>
  bff.call('/api/v1/links', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
    body: JSON.stringify({ amount: '25.00', ...terms }),
  })

test('a payment link offers no testnet beside real money, and is not made for one', async () => {
  expect(await codeOf(makeLink({ network: 'devnet' }))).toBe('400 NETWORK_NOT_SUPPORTED')
  expect(await codeOf(makeLink({ network: 'devnet', isTest: true }))).toBe(200)
})

test('a link from before the network with real money was added takes no free tokens', async () => {
  const networks = bff.deps.networks as Map<string, Network>
  const real = networks.get('real') as Network
  networks.set('real', { ...real, isTestnet: true })
  const { body } = await makeLink({})
  networks.set('real', real)
  const { id } = body['link'] as { id: string }
  const choice = { network: 'devnet', currency: 'USDC' }
  expect(await codeOf(bff.post(`/api/v1/links/public/${id}/create`, choice, {}))).toBe('400 NETWORK_NOT_SUPPORTED')
  const { stablecoins } = (await bff.read(`/api/v1/links/public/${id}/stablecoins`, {})).body as {
    stablecoins?: { Network: { shortName: string } }[]
  }
  expect(stablecoins?.map(({ Network }) => Network.shortName)).toEqual(['real'])
})

test('nor after the network with real money was removed, or a merchant’s only one of them', async () => {
  const networks = bff.deps.networks as Map<string, Network>
  const real = networks.get('real') as Network
  networks.delete('real')
  try {
    expect(await codeOf(create(bff.keys.public))).toBe('400 NETWORK_NOT_SUPPORTED')
    expect(await codeOf(create(bff.keys.stranger))).toBe(200)
    networks.set('other', { ...real, shortName: 'other', chainId: 10 })
    expect(await codeOf(create(bff.keys.public))).toBe('400 NETWORK_NOT_SUPPORTED')
    expect(await codeOf(create(bff.keys.secret))).toBe(200)
  } finally {
    networks.delete('other')
    networks.set('real', real)
  }
})
