import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openStoreStage, type StoreStage, wooPermissions } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../access/limits/rate-limit.ts'
import { sql } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { openDoor } from './door.ts'
import { storePermissions } from './permissions.ts'
import { openStores } from './stores.part.ts'

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage()
})
afterAll(() => shop.bff.close())

test('the calls of one key are counted, and of no other', async () => {
  const limits = createRateLimits({ limits: { ...defaultLimits, secretCalls: 3 }, trustedProxies: [] })
  const limited = await openStoreStage({ limits })
  const statuses: number[] = []
  for (let call = 0; call < 4; call++) statuses.push((await limited.ask('GET', '/server/info')).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await limited.bff.close()
})

describe('a plug-in reads', () => {
  test('the service, which is a BTCPay server that is in step', async () => {
    expect(await shop.ask('GET', '/server/info')).toEqual({
      status: 200,
      body: {
        version: '2.3.0',
        onion: null,
        supportedPaymentMethods: ['USDC-devnet', 'USDT-devnet'],
        fullySynched: true,
        syncStatus: [],
      },
    })
  })

  test('its key, with exactly what was asked for', async () => {
    const { status, body } = await shop.ask('GET', '/api-keys/current')
    expect(status).toBe(200)
    expect(body).toEqual({
      apiKey: shop.apiKey,
      label: 'Corner shop',
      permissions: wooPermissions.map((one) => `${one}:${shop.merchantId}`),
    })
    expect(shop.apiKey).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('its store, and no other', async () => {
    const own = expect.objectContaining({ id: shop.merchantId, name: 'Corner Coffee' })
    expect(await shop.ask('GET', '/stores')).toEqual({ status: 200, body: [own] })
    expect(await shop.ask('GET', shop.store)).toEqual({ status: 200, body: own })
    const other = await shop.ask('GET', `/stores/${shop.bff.other.merchantId}`)
    expect(other).toEqual({ status: 404, body: { code: 'store-not-found', message: 'The store was not found' } })
  })

  test('its payment methods, by ids of one dash; none by the names of BTCPay’s own', async () => {
    const { body } = await shop.ask('GET', `${shop.store}/payment-methods`)
    expect(body).toMatchObject([
      { enabled: true, paymentMethodId: 'USDC-devnet' },
      { enabled: true, paymentMethodId: 'USDT-devnet' },
    ])
    for (const absent of ['OnChain', 'LightningNetwork'])
      expect(await shop.ask('GET', `${shop.store}/payment-methods/${absent}`)).toEqual({ status: 200, body: [] })
    expect(await shop.ask('GET', `${shop.store}/payment-methods/usdc_devnet`)).toMatchObject({ status: 200 })
    expect(await shop.ask('GET', `${shop.store}/payment-methods/BTC`)).toMatchObject({ status: 404 })
  })
})

test('an invoice that names no currency is in that of the store, dollars where none is chosen', async () => {
  const { db } = shop.bff.deps
  const own = async (currency: string | null) => {
    await db.write((tx) => tx.run(sql`update merchants set currency = ${currency} where id = ${shop.merchantId}`))
    return await shop.ask('GET', shop.store)
  }
  onTestFinished(async () => void (await own(null)))
  const create = (given: object) => shop.ask('POST', `${shop.store}/invoices`, { amount: '20', ...given })
  for (const [chosen, currency] of [
    [null, 'USD'],
    ['EUR', 'EUR'],
  ] as const) {
    expect(await own(chosen)).toMatchObject({ body: { defaultCurrency: currency } })
    for (const none of [{}, { currency: null }, { currency: '' }]) {
      expect(await create(none)).toMatchObject({ status: 200, body: { amount: '20.00', currency } })
    }
  }
  expect(await create({ currency: 'USD' })).toMatchObject({ body: { currency: 'USD' } })
})

test.each([
  ['none', null],
  ['a wrong one', 'x'.repeat(43)],
  ['an empty one', ''],
  ['a long one', 'x'.repeat(5_000)],
  ['SQL', "'--"],
])('without a good key (%s) there is no answer, in the words of Greenfield', async (_, key) => {
  const { status, body } = await shop.ask('GET', '/stores', undefined, key)
  expect([status, body]).toEqual([401, { code: 'unauthenticated', message: expect.any(String) }])
})

test('a key of a store is no key of the API', async () => {
  const headers = { 'X-API-Key': shop.apiKey, 'X-API-Secret': shop.apiKey, Authorization: `token ${shop.apiKey}` }
  expect((await shop.bff.call('/api/v1/payments', { headers })).status).toBe(401)
})

test('a call that is not supported is a 404 of Greenfield', async () => {
  expect(await shop.ask('GET', '/users/me')).toMatchObject({ status: 404, body: { code: 'not-found' } })
})

describe('who may call what', () => {
  const { deps } = {} as { deps: never }
  const { calls } = openStoresForCalls()

  function openStoresForCalls() {
    const dashboard = { pageOf: () => ({}) }
    return openStores({ ...(deps as object), dashboard, links: { links: {}, pages: {} } } as never)
  }

  const keys = new Map<string, string>()

  /** A key for each permission, which has no other. */
  async function oneByOne() {
    if (keys.size === 0) for (const one of storePermissions) keys.set(one, (await shop.pair([one])).apiKey)
    return keys
  }

  /** A path of the door with ids that exist in form. */
  const pathOf = (path: string) =>
    path.replace(':storeId', shop.merchantId).replaceAll(/:(\w+)/g, (_, name) => `${name}1`)

  test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s needs its permission, and the right of no other permission opens it',
    async (_, { method, path, permission }) => {
      if (path === '/api-keys/current' && method === 'delete') return
      for (const [granted, apiKey] of await oneByOne()) {
        const { status, body } = await shop.ask(
          method.toUpperCase(),
          pathOf(path),
          method === 'get' ? undefined : {},
          apiKey,
        )
        const isImplied =
          granted === 'btcpay.store.canmodifystoresettings' &&
          ['btcpay.store.canviewstoresettings', 'btcpay.store.webhooks.canmodifywebhooks'].includes(String(permission))
        if (permission === null || granted === permission || isImplied)
          expect([granted, status]).not.toEqual([granted, 403])
        else
          expect([granted, status, body]).toEqual([
            granted,
            403,
            { code: 'missing-permission', message: expect.any(String), missingPermission: permission },
          ])
      }
    },
  )

  test('a key that lacks one permission is refused each call that needs it, and no other', async () => {
    for (const lacking of storePermissions) {
      // As in BTCPay, this one includes two others.
      const others = storePermissions.filter((one) => one !== lacking && one !== 'btcpay.store.canmodifystoresettings')
      const { apiKey } = await shop.pair(others)
      for (const { method, path, permission } of calls) {
        if (path === '/api-keys/current' && method === 'delete') continue
        const body = method === 'get' ? undefined : {}
        const { status } = await shop.ask(method.toUpperCase(), pathOf(path), body, apiKey)
        const seen = [lacking, method, path, status === 403]
        expect(seen).toEqual([lacking, method, path, permission === lacking])
      }
    }
  })

  test('the door serves no call that declares nothing', () => {
    const door = openDoor({} as never)
    const routes = door.app.routes.length
    door.serve({ method: 'get', path: '/x', permission: null }, async () => ({}))
    expect(door.app.routes.length - routes).toBe(door.calls.length)
  })
})

describe('pairing', () => {
  test('is for an owner with a passkey', async () => {
    const body = { permissions: wooPermissions, redirect: 'https://shop.example/' }
    expect((await shop.owner.ask('POST', '/dashboard/stores', body)).status).toBe(403)
    const staff = await signedIn(shop.bff, 'staff', 'Sue')
    expect((await shop.pair(wooPermissions, staff)).status).toBe(403)
    expect((await staff.ask('GET', '/dashboard/stores')).status).toBe(403)
  })

  test.each([
    ['a right over the server', ['btcpay.server.canmodifyserversettings']],
    ['everything', ['unrestricted']],
    ['a right of a person', ['btcpay.user.canmodifyprofile']],
    ['another store', ['btcpay.store.canviewinvoices:other']],
    ['one of ours beside it', ['btcpay.store.canviewinvoices', 'unrestricted']],
    ['nothing', []],
  ])('grants nothing to who asks for %s', async (_, permissions) => {
    expect((await shop.pair(permissions)).status).toBe(400)
  })

  test.each([
    'http://shop.example/',
    'javascript:alert(1)',
    '//shop.example',
    'https://',
    'https://*/',
    'https://shop.example@evil.example/',
    'https://a"onload=b.example/',
    'https://a;sandbox/',
  ])('sends no key to %s, where others could read it', async (redirect) => {
    const answer = await shop.owner.confirm('POST', '/dashboard/stores', { permissions: wooPermissions, redirect })
    expect(answer.status).toBe(400)
  })

  test('is listed, recorded, and ends when it is revoked', async () => {
    const { apiKey } = await shop.pair(['btcpay.store.canviewstoresettings'])
    const { body } = await shop.owner.ask('GET', '/dashboard/stores')
    const [newest] = body['stores'] as { id: string }[]
    expect(JSON.stringify(body)).not.toContain(apiKey)
    expect(newest).toMatchObject({ label: 'Corner shop', shopOrigin: 'https://shop.example', revokedAt: null })
    expect((await shop.ask('GET', '/stores', undefined, apiKey)).status).toBe(200)
    expect((await shop.owner.ask('DELETE', `/dashboard/stores/${newest?.id}`)).status).toBe(403)
    expect((await shop.owner.confirm('DELETE', `/dashboard/stores/${newest?.id}`)).status).toBe(200)
    expect((await shop.ask('GET', '/stores', undefined, apiKey)).status).toBe(401)
    const audit = (await shop.owner.ask('GET', '/dashboard/audit')).body['entries'] as { action: string }[]
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['store.paired', 'store.revoked']))
    expect(JSON.stringify(audit)).not.toContain(apiKey)
  })

  test('by another merchant’s owner ends nothing', async () => {
    const { body } = await shop.owner.ask('GET', '/dashboard/stores')
    const [newest] = body['stores'] as { id: string }[]
    const { unpairStore } = await import('./store-keys.ts')
    const { db } = shop.bff.deps
    const other = shop.bff.other.merchantId as never
    await expect(db.write((tx) => unpairStore(tx, other, newest?.id ?? '', 1))).rejects.toThrow('no paired store')
  })

  test('ends at a hundred shops, until one is revoked', async () => {
    const { pairStore, unpairStore } = await import('./store-keys.ts')
    const { db, runtime } = shop.bff.deps
    const merchantId = shop.bff.other.merchantId as MerchantId
    await db.write(async (tx) => {
      const person = await tx.get<{ id: string }>(sql`select person_id as id from store_keys limit 1`)
      const pairing = { merchantId, personId: person?.id ?? '', label: '', permissions: [], shopOrigin: null }
      const paired = []
      for (let nth = 0; nth < 100; nth++) paired.push(await pairStore(tx, runtime, pairing))
      await expect(pairStore(tx, runtime, pairing)).rejects.toThrow('At most 100 stores can be paired')
      await unpairStore(tx, merchantId, paired[0]?.stored.id ?? '', 1)
      await pairStore(tx, runtime, pairing)
    })
  })

  test('a plug-in may give its own key back', async () => {
    const { apiKey } = await shop.pair(['btcpay.store.canviewstoresettings'])
    expect(await shop.ask('DELETE', '/api-keys/current', undefined, apiKey)).toEqual({ status: 200, body: {} })
    expect((await shop.ask('GET', '/stores', undefined, apiKey)).status).toBe(401)
  })

  test('begins at BTCPay’s address, and its page may post a form to the shop that asks alone', async () => {
    const query = '?permissions=btcpay.store.canviewinvoices&redirect=https%3A%2F%2Fshop.example%2Fcb'
    for (const path of ['/btcpay/api-keys/authorize', '/btcpay/api-keys/authorize/']) {
      const response = await shop.bff.fetch(`${path}${query}`)
      expect([response.status, response.headers.get('location')]).toEqual([302, `/dashboard/stores/authorize${query}`])
    }
  })
})
