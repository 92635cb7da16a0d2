import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import { setWallets } from '../merchant/wallets.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let bff: AppFixture
/** Runs while a create waits for its rate. */
let meanwhile: () => Promise<unknown>
beforeEach(async () => {
  bff = await openApp({
    readRates: async () => {
      await meanwhile()
      return { rates: { USDC: { EUR: '0.9213' } }, asOfMs: 0, provider: 'test' }
    },
  })
  meanwhile = async () => undefined
  await setWallet(first)
})
afterEach(() => bff.close())

const setWallet = (address: string) => setWallets(bff.deps, bff.merchant.merchantId, new Map([['devnet', address]]))
const payments = () => bff.deps.db.read((tx) => tx.all(sql`select id from payments`))

const { amount: _, ...unpriced } = order
const create = (door: string, keys: Record<string, string> = bff.keys.secret) =>
  bff.call(`/api/v1/${door}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1', ...keys },
    body: JSON.stringify({ ...unpriced, price: '25.00', priceCurrency: 'EUR' }),
  })

test.each(['deposits/create', 'payments/create'])(
  'no payment by %s is to a wallet that was replaced while its price was awaited, and a repeat is to the new one',
  async (door) => {
    meanwhile = () => setWallet(second)
    const { status, body, headers } = await create(door)
    expect([status, body['code'], headers.get('Retry-After')]).toEqual([503, 'NOT_READY', '1'])
    expect(await payments()).toEqual([])
    meanwhile = async () => undefined
    bff.advance(1_000)
    expect((await create(door)).status).toBe(200)
    expect(await payments()).toHaveLength(1)
  },
)

test('a payment whose response is repeated keeps its wallet, also after another was set', async () => {
  const made = (await create('deposits/create')).body.payment
  await setWallet(second)
  expect((await create('deposits/create')).body.payment['id']).toBe(made['id'])
})

test('a wallet that is set for another network, or again, refuses nothing', async () => {
  meanwhile = () =>
    Promise.all([setWallet(first), setWallets(bff.deps, bff.merchant.merchantId, new Map([['elsewhere', second]]))])
  expect((await create('deposits/create')).status).toBe(200)
})
