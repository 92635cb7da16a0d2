import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pngOf } from '@stablecoin-checkout/rig/pictures'
import { openSetupStage, setupShop } from '@stablecoin-checkout/rig/setup-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { loadBranding, loadLogo } from '../../merchant/branding-store.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { withDb } from '../cli/with-db.ts'
import { loadConfig } from '../config/config.ts'
import { createService } from './create-service.ts'
import { setupPageOf } from './setup-access.ts'

let folder: string
let setup: ReturnType<typeof openSetupStage>
let cookie: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-shop-'))
  setup = openSetupStage(folder)
  cookie = await setup.signIn()
})
afterEach(async () => {
  await setup.close()
  rmSync(folder, { recursive: true })
})

const logo = pngOf(8, 8).toString('base64')
const put = (shop: object) => setup.refusalOf('shop', { method: 'PUT', body: { ...setupShop, ...shop }, cookie })
const taken = [200, undefined, undefined]
const stored = async () => (await setup.send('state', { cookie })).answer['answers'] as { shop: object }

test('logo and colour are shown as they will be, and stay when only the name changes', async () => {
  expect(await put({})).toEqual(taken)
  expect((await stored()).shop).toEqual({ ...setupShop, color: null, logo: null })
  expect(await put({ color: '#C8502B', logo })).toEqual(taken)
  const shown = { ...setupShop, color: '#c8502b', logo: `data:image/png;base64,${logo}` }
  expect((await stored()).shop).toEqual(shown)
  expect(await put({ name: 'Corner Tea', color: '#c8502b' })).toEqual(taken)
  expect((await stored()).shop).toEqual({ ...shown, name: 'Corner Tea' })
  expect(await put({ logo: null })).toEqual(taken)
  expect((await stored()).shop).toEqual({ ...setupShop, color: null, logo: null })
})

test.each([
  [
    'a script',
    { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
    'LOGO_BAD',
    'logo',
  ],
  ['a picture of another size', { logo: pngOf(513, 8).toString('base64') }, 'LOGO_BAD', 'logo'],
  ['no base64', { logo: '<>' }, 'INVALID', 'logo'],
  ['a colour with more behind it', { color: '#2b50c8;background:red' }, 'COLOR_BAD', 'color'],
])('%s is refused at its field', async (_, shop, code, field) => {
  expect(await put(shop)).toEqual([400, code, field])
})

function create(at: string, address: string, trustedProxies: string[] = []) {
  const evm = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', signed: null }
  const draft = {
    ...setup.draft,
    owner: { name: 'Ada', passkey: { id: 'passkey', publicKey: 'key', counter: 0 } },
    networks: [{ network: 'base', rpcUrls: ['https://node.example'], deposits: 'forwarder' as const }],
    wallets: new Map([['evm' as const, evm]]),
  }
  const place = { folder, port: 8787, trustedProxies, env: {} }
  const browser = { page: setupPageOf(at, new URL(at).host), address, name: '' }
  return createService(draft, place, browser, systemRuntime)
}

test('the merchant that is created has them', async () => {
  expect(await put({ color: '#2b50c8', logo })).toEqual(taken)
  const { merchant, files } = await create('http://localhost:8787', '127.0.0.1')
  await withDb(files, async (db) => {
    const branding = await db.read((tx) => loadBranding(tx, merchant.merchantId as MerchantId))
    expect(branding).toMatchObject({ color: '#2b50c8', logo: expect.stringMatching(/\.png$/), termsUrl: null })
    const picture = await db.read((tx) => loadLogo(tx, branding.logo ?? ''))
    expect(picture?.toString('base64')).toBe(logo)
  })
})

test.each([
  ['https://pay.example', '127.0.0.1', [], ['127.0.0.1']],
  ['https://pay.example', '203.0.113.5', [], []],
  ['https://pay.example', '127.0.0.1', ['172.30.87.0/24'], ['172.30.87.0/24']],
  ['http://localhost:8787', '127.0.0.1', [], []],
])('the configuration of a page at %s, asked by %s, trusts the proxy in front', async (at, address, given, trusted) => {
  expect(await put({})).toEqual(taken)
  const { configuration } = await create(at, address, given)
  expect(loadConfig({ BFF_CONFIG: configuration }).trustedProxies).toEqual(trusted)
})
