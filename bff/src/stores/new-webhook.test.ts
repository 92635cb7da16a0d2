import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MerchantId } from '../payment/payment.ts'
import { unpairStore } from './store-keys.ts'

let shop: StoreStage
beforeEach(async () => {
  shop = await openStoreStage({ webhookTargets: { ports: [443] } })
})
afterEach(() => shop.bff.close())

const url = 'https://shop.example/payment_callback.php?_xfProvider=btcPayServer'

async function pairing(): Promise<string> {
  const { body } = await shop.owner.ask('GET', '/dashboard/stores')
  return (body['stores'] as { id: string }[])[0]?.id ?? ''
}

const create = async (body: object, id?: string) =>
  await shop.owner.confirm('POST', `/dashboard/stores/${id ?? (await pairing())}/webhooks`, body)

describe('a webhook that the owner registers for a shop', () => {
  test('reports every event, and its secret is shown once', async () => {
    const { status, body } = await create({ url })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        webhook: { id: expect.stringMatching(/^we_/), url },
        secret: expect.stringMatching(/^[\w-]{27}$/),
      },
    ])
    const secret = String(body['secret'])
    const list = await shop.owner.ask('GET', '/dashboard/stores')
    expect(list.body['webhooks']).toEqual([expect.objectContaining({ url, enabled: true, failingSince: null })])
    const audit = await shop.owner.ask('GET', '/dashboard/audit')
    expect((audit.body['entries'] as object[])[0]).toMatchObject({ action: 'webhookEndpoint.created' })
    expect(JSON.stringify([list.body, audit.body])).not.toContain(secret)
    const read = await shop.ask('GET', `${shop.store}/webhooks`)
    expect(read.body).toMatchObject([{ url, enabled: true, authorizedEvents: { everything: true } }])
    await shop.invoice()
    expect(await shop.types()).toEqual(['Created'])
  })

  test('ends with the pairing', async () => {
    const id = await pairing()
    await create({ url }, id)
    await shop.owner.confirm('DELETE', `/dashboard/stores/${id}`)
    expect((await shop.owner.ask('GET', '/dashboard/stores')).body['webhooks']).toEqual([])
    expect((await create({ url }, id)).status).toBe(404)
  })

  test.each([
    ['POST', ''],
    ['PUT', '/'],
  ])('is not left by a plug-in whose pairing ends before it is stored: %s', async (method, end) => {
    const id = await pairing()
    const other = await shop.pair()
    const made = await shop.ask('POST', `${shop.store}/webhooks`, { url }, other.apiKey)
    const { id: hookId } = made.body as { id: string }
    const { db } = shop.bff.deps
    const { write } = db
    db.write = async (work) => {
      db.write = write
      await write((tx) => unpairStore(tx, shop.merchantId as MerchantId, id, shop.bff.nowMs()))
      return await write(work)
    }
    const path = `${shop.store}/webhooks${end === '' ? '' : `/${hookId}`}`
    expect(await shop.ask(method, path, { url: 'https://shop.example/late' })).toMatchObject({ status: 401 })
    expect((await shop.owner.ask('GET', '/dashboard/stores')).body['webhooks']).toMatchObject([{ id: hookId, url }])
  })

  test('needs an owner and the passkey', async () => {
    const path = `/dashboard/stores/${await pairing()}/webhooks`
    expect((await shop.owner.ask('POST', path, { url })).status).toBe(403)
    const staff = await signedIn(shop.bff, 'staff', 'Sue')
    expect((await staff.confirm('POST', path, { url })).status).toBe(403)
    expect((await create({ url }, 'st_unknown')).status).toBe(404)
  })

  test.each([
    'https://collector.example/hook',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:8443/hook',
    'http://shop.example/hook',
    'javascript:alert(1)',
    '',
  ])('is at the origin of the shop: not %s', async (other) => {
    const { status, body } = await create({ url: other })
    expect([status, body['message']]).toEqual([400, 'url must be an address at https://shop.example'])
  })

  test('is refused as one of a plug-in is: with user and password, and beyond the bound', async () => {
    expect(await create({ url: 'https://user:word@shop.example/' })).toMatchObject({ status: 400 })
    for (let nth = 0; nth < 20; nth++) await shop.hook({ url })
    const { status, body } = await create({ url })
    expect([status, body['message']]).toEqual([400, 'A store has at most 20 webhooks: delete one first.'])
  })
})
