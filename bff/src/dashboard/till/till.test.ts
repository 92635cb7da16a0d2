import { accept, type DashboardPage, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { answerOf as answer, openTillStage, type Pairing, tillPin as pin } from '@stablecoin-checkout/rig/till-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { isEasyPin } from './pin.ts'
import { keepOpen } from './till-store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const wrong = '999998'

let bff: AppFixture
let owner: DashboardPage
beforeEach(async () => {
  bff = await openApp()
  owner = await signedIn(bff)
})
afterEach(() => bff.close())

const stage = openTillStage(
  () => bff,
  () => owner,
)
const { make, tokenOf, pair, enter, openTill, sell, read } = stage

const tills = async () => (await owner.ask('GET', '/dashboard/tills')).body['tills'] as Pairing['till'][]
const audit = async () =>
  ((await owner.ask('GET', '/dashboard/audit')).body['entries'] as { action: string; subject: string }[])
    .map(({ action }) => action)
    .filter((action) => action.startsWith('till.'))

describe('the link that pairs a device', () => {
  test('is valid once', async () => {
    const made = await make()
    await pair(made)
    expect(await answer(openPage(bff), 'POST', '/till/pair', { token: tokenOf(made) })).toBe('403 PAIRING_ENDED')
    expect(await audit()).toEqual(['till.paired', 'till.made'])
  })

  test('is valid for ten minutes', async () => {
    const made = await make()
    bff.advance(10 * minuteMs - 1)
    const device = openPage(bff)
    bff.advance(1)
    expect(await answer(device, 'POST', '/till/pair', { token: tokenOf(made) })).toBe('403 PAIRING_ENDED')
  })

  test('ends when a new one is created, and a new device replaces the old one', async () => {
    const made = await make()
    const { body } = await owner.confirm('POST', `/dashboard/tills/${made.till.id}/pairing`)
    expect(await answer(openPage(bff), 'POST', '/till/pair', { token: tokenOf(made) })).toBe('403 PAIRING_ENDED')
    const first = await pair(body as unknown as Pairing)
    expect(await enter(first)).toBe(200)
    const again = await owner.confirm('POST', `/dashboard/tills/${made.till.id}/pairing`)
    expect(await answer(first, 'GET', '/till')).toBe(200)
    const second = await pair(again.body as unknown as Pairing)
    expect(await answer(first, 'GET', '/till')).toBe('401 TILL_ENDED')
    // The PIN that was entered on the first device does not open the second.
    expect(await answer(second, 'GET', `/till/sales?since=${new Date(0).toISOString()}`)).toBe('403 TILL_LOCKED')
  })

  test.each(['', 'A'.repeat(43), "' or 1=1 --"])('cannot be guessed: %s', async (token) => {
    await make()
    expect(await answer(openPage(bff), 'POST', '/till/pair', { token })).toBe('403 PAIRING_ENDED')
  })

  test('sets the session in its own cookie that no script and no other site can use', async () => {
    const made = await make()
    const { headers } = await openPage(bff).ask('POST', '/till/pair', { token: tokenOf(made) })
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^checkout-till=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
  })
})

describe('the PIN', () => {
  test('opens the till, until nobody has used it for ten minutes', async () => {
    const device = await pair(await make())
    const list = `/till/sales?since=${new Date(0).toISOString()}`
    expect(await answer(device, 'GET', list)).toBe('403 TILL_LOCKED')
    expect(await answer(device, 'POST', '/till/sales', { amount: '1' })).toBe('403 TILL_LOCKED')
    expect(await enter(device)).toBe(200)
    bff.advance(9 * minuteMs)
    expect(await answer(device, 'GET', list)).toBe(200)
    bff.advance(10 * minuteMs - 1)
    expect(await answer(device, 'GET', list)).toBe(200)
    bff.advance(10 * minuteMs)
    expect(await answer(device, 'GET', list)).toBe('403 TILL_LOCKED')
    expect(await enter(device)).toBe(200)
    expect(await answer(device, 'POST', '/till/lock')).toBe(200)
    expect(await answer(device, 'GET', list)).toBe('403 TILL_LOCKED')
  })

  test('blocks the till after five wrong ones, even for the right one, until an owner unblocks it', async () => {
    const made = await make()
    const device = await pair(made)
    for (const left of [4, 3, 2, 1]) {
      const { status, body } = await device.ask('POST', '/till/open', { pin: wrong })
      expect([status, body['code'], body['attemptsLeft']]).toEqual([403, 'PIN_WRONG', left])
    }
    expect(await enter(device, wrong)).toBe('403 TILL_BLOCKED')
    expect(await enter(device)).toBe('403 TILL_BLOCKED')
    bff.advance(30 * dayMs)
    owner = await signedIn(bff)
    expect(await enter(device)).toBe('403 TILL_BLOCKED')
    expect((await tills())[0]).toMatchObject({ isBlocked: true })
    // Neither time nor a new device helps.
    const again = await owner.confirm('POST', `/dashboard/tills/${made.till.id}/pairing`)
    expect(await enter(await pair(again.body as unknown as Pairing))).toBe('403 TILL_BLOCKED')
    expect(await audit()).toEqual(['till.paired', 'till.linked', 'till.blocked', 'till.paired', 'till.made'])
  })

  test('opens the till after it was unblocked, and resets the count', async () => {
    const made = await make()
    const device = await pair(made)
    for (let attempt = 0; attempt < 5; attempt++) await enter(device, wrong)
    const changed = await owner.confirm('PATCH', `/dashboard/tills/${made.till.id}`, { unblock: true })
    expect(changed.status).toBe(200)
    for (let attempt = 0; attempt < 4; attempt++) expect(await enter(device, wrong)).toBe('403 PIN_WRONG')
    expect(await enter(device)).toBe(200)
    for (let attempt = 0; attempt < 4; attempt++) expect(await enter(device, wrong)).toBe('403 PIN_WRONG')
    expect(await audit()).toContain('till.unblocked')
  })

  test('that an owner changes unblocks nothing, and unblocking forgives the week too', async () => {
    const made = await make()
    const device = await pair(made)
    const block = (wrongPins: number, ofWeek: number) =>
      bff.deps.db.write((tx) =>
        tx.run(sql`
            update tills set wrong_pins = ${wrongPins}, week_wrong_pins = ${ofWeek}, week_began_at_ms = ${bff.nowMs()}`),
      )
    const change = (changes: object) => owner.confirm('PATCH', `/dashboard/tills/${made.till.id}`, changes)
    await block(5, 5)
    expect((await change({ pin: '583920' })).status).toBe(200)
    expect(await enter(device, '583920')).toBe('403 TILL_BLOCKED')
    await block(5, 20)
    expect((await change({ unblock: true })).status).toBe(200)
    expect(await enter(device, wrong)).toBe('403 PIN_WRONG')
    expect(await enter(device, '583920')).toBe(200)
  })

  test('blocks the till after twenty wrong ones in a week, whatever right ones came between', async () => {
    const made = await make()
    const device = await pair(made)
    for (let guess = 0; guess < 19; guess++) {
      expect(await enter(device, wrong)).toBe('403 PIN_WRONG')
      expect(await enter(device)).toBe(200)
    }
    expect(await enter(device, wrong)).toBe('403 TILL_BLOCKED')
    expect(await enter(device)).toBe('403 TILL_BLOCKED')
    bff.advance(8 * dayMs)
    owner = await signedIn(bff)
    expect(await enter(device), 'time does not unblock it').toBe('403 TILL_BLOCKED')
    await owner.confirm('PATCH', `/dashboard/tills/${made.till.id}`, { unblock: true })
    expect(await enter(device)).toBe(200)
    for (let week = 0; week < 3; week++) {
      for (let guess = 0; guess < 12; guess++) {
        expect(await enter(device, wrong)).toBe('403 PIN_WRONG')
        expect(await enter(device)).toBe(200)
      }
      bff.advance(7 * dayMs)
    }
  })

  test('is compared for five of ten concurrent attempts', async () => {
    const device = await pair(await make())
    const attempts = await Promise.all(Array.from({ length: 10 }, () => enter(device, wrong)))
    expect(attempts.filter((one) => one === '403 PIN_WRONG')).toHaveLength(4)
    expect(attempts.filter((one) => one === '403 TILL_BLOCKED')).toHaveLength(6)
    expect(await enter(device)).toBe('403 TILL_BLOCKED')
  })

  test('also blocks the till while it is open', async () => {
    const device = await openTill()
    for (let attempt = 0; attempt < 5; attempt++) await enter(device, wrong)
    expect(await answer(device, 'POST', '/till/sales', { amount: '1' })).toBe('403 TILL_BLOCKED')
  })

  test('that an owner has changed is required immediately', async () => {
    const made = await make()
    const device = await pair(made)
    await enter(device)
    await owner.confirm('PATCH', `/dashboard/tills/${made.till.id}`, { pin: '918273' })
    expect(await answer(device, 'POST', '/till/sales', { amount: '1' })).toBe('403 TILL_LOCKED')
    expect(await enter(device)).toBe('403 PIN_WRONG')
    expect(await enter(device, '918273')).toBe(200)
  })

  test.each(['000000', '123456', '765432', '890123', '12345', '1234567', 'abcdef', ''])(
    'cannot be %s',
    async (chosen) => {
      const { status, body } = await owner.confirm('POST', '/dashboard/tills', { name: 'Counter', pin: chosen })
      expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    },
  )

  test('is required after a lock, also when a call that began before it ends after it', async () => {
    const device = await openTill()
    const { db } = bff.deps
    const [till] = await tills()
    await device.ask('POST', '/till/lock')
    await db.write((tx) => keepOpen(tx, String(till?.id), bff.nowMs() + 10 * minuteMs, bff.nowMs()))
    expect(await answer(device, 'POST', '/till/sales', { amount: '1.00' })).toBe('403 TILL_LOCKED')
  })

  test('is easy to guess only if its digits are equal or consecutive', () => {
    expect(['204816', '112233', '102030', '135790'].map(isEasyPin)).toEqual([false, false, false, false])
  })

  test('is not stored in the database', async () => {
    await openTill()
    const rows = await bff.deps.db.read((tx) => tx.all({ strings: ['select * from tills'], params: [] } as never))
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(pin)
  })
})

describe('a till', () => {
  test('can call only the operations of tills', async () => {
    const device = await openTill()
    const id = String((await bff.create(order, bff.keys.secret)).body.payment['id'])
    for (const operation of bff.operations) {
      if (operation.hide || operation.servers || ['till', 'open', 'page'].includes(operation.access)) continue
      const path = operation.path.replace('{paymentId}', id).replaceAll(/\{\w+\}/g, 'devnet')
      const { status } = await device.ask(operation.method.toUpperCase(), path, operation.request?.body && {})
      expect([operation.method, operation.path, status]).toEqual([operation.method, operation.path, 401])
    }
  })

  test('cannot be opened by a key or a session', async () => {
    const sale = await sell(await openTill())
    for (const [method, path] of [
      ['GET', '/till'],
      ['GET', `/till/sales/${sale.id}`],
      ['POST', `/till/sales/${sale.id}/cancel`],
    ] as const) {
      expect(await answer(owner, method, path)).toBe('401 TILL_ENDED')
      expect((await bff.call(`/api/v1${path}`, { method, headers: bff.keys.secret })).status).toBe(401)
    }
  })

  test('sees and cancels only its own sales', async () => {
    const first = await openTill()
    const second = await openTill({ name: 'Terrace' })
    const sale = await sell(first)
    const headers = { ...bff.keys.secret, 'Content-Type': 'application/json' }
    const link = await bff.call('/api/v1/links', { method: 'POST', headers, body: '{"amount":"5"}' })
    const ids = [sale.id, (link.body['link'] as { id: string }).id]
    for (const id of ids) {
      expect(await answer(second, 'GET', `/till/sales/${id}`)).toBe('404 NOT_FOUND')
      expect(await answer(second, 'POST', `/till/sales/${id}/cancel`)).toBe('404 NOT_FOUND')
    }
    const list = await second.ask('GET', `/till/sales?since=${new Date(0).toISOString()}`)
    expect(list.body['sales']).toEqual([])
    expect((await read(first, sale)).state).toBe('open')
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['no origin', { Origin: 'null' }],
  ])('refuses requests of %s', async (_, headers) => {
    const device = await openTill()
    for (const [method, path, body] of [
      ['POST', '/till/sales', { amount: '1' }],
      ['POST', '/till/open', { pin }],
      ['GET', '/till', undefined],
    ] as const) {
      const { status, body: refused } = await device.ask(method, path, body, headers)
      expect([path, status, refused['code']]).toEqual([path, 403, 'CROSS_ORIGIN'])
    }
  })

  test('can do nothing once an owner removes it', async () => {
    const made = await make()
    const device = await pair(made)
    await enter(device)
    const sale = await sell(device)
    expect((await owner.confirm('DELETE', `/dashboard/tills/${made.till.id}`)).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/till'],
      ['GET', `/till/sales/${sale.id}`],
    ] as const) {
      expect(await answer(device, method, path)).toBe('401 TILL_ENDED')
    }
    expect(await enter(device)).toBe('401 TILL_ENDED')
    expect(await tills()).toEqual([])
    expect((await owner.confirm('DELETE', `/dashboard/tills/${made.till.id}`)).status).toBe(404)
  })

  test('is listed with its last use, and must be paired again after ninety days without the PIN', async () => {
    const made = await make()
    expect(await tills()).toMatchObject([{ isPaired: false, lastUsedAt: null }])
    const device = await pair(made)
    await enter(device)
    bff.advance(5 * minuteMs)
    await sell(device)
    expect(await tills()).toMatchObject([{ isPaired: true, lastUsedAt: new Date(bff.nowMs()).toISOString() }])
    bff.advance(90 * dayMs)
    owner = await signedIn(bff)
    expect(await answer(device, 'GET', '/till')).toBe('401 TILL_ENDED')
    expect(await tills()).toMatchObject([{ isPaired: false }])
  })

  test('is one of at most fifty of a merchant', async () => {
    for (let count = 0; count < 50; count++) await make()
    const { status, body } = await owner.confirm('POST', '/dashboard/tills', { name: 'Counter', pin })
    expect([status, body['message']]).toEqual([400, 'a merchant has at most 50 tills'])
    expect(await tills()).toHaveLength(50)
  })

  test('belongs to one merchant: other owners neither see nor change it', async () => {
    const made = await make()
    const stranger = await signedInAtOther()
    expect((await stranger.ask('GET', '/dashboard/tills')).body['tills']).toEqual([])
    const path = `/dashboard/tills/${made.till.id}`
    expect((await stranger.confirm('PATCH', path, { unblock: true })).status).toBe(404)
    expect((await stranger.confirm('POST', `${path}/pairing`)).status).toBe(404)
    expect((await stranger.confirm('DELETE', path)).status).toBe(404)
    expect(await tills()).toHaveLength(1)
  })

  test('can be set only to tokens that the shop accepts', async () => {
    const refused = async (fields: object) => {
      const { status, body } = await owner.confirm('POST', '/dashboard/tills', { name: 'Counter', pin, ...fields })
      return `${status} ${String(body['code'])}`
    }
    expect(await refused({ network: 'devnet' })).toBe('400 VALIDATION_FAILED')
    expect(await refused({ network: 'elsewhere', currency: 'USDC' })).toBe('400 WALLET_MISSING')
    expect(await refused({ network: 'nowhere', currency: 'USDC' })).toBe('400 VALIDATION_FAILED')
    expect(await refused({ priceCurrency: 'EURO' })).toBe('400 VALIDATION_FAILED')
  })
})

async function signedInAtOther(): Promise<DashboardPage> {
  const page = openPage(bff)
  await accept(page, await inviteTo(bff, { merchantId: bff.other.merchantId }))
  return page
}
