import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openElementFiles } from '../pay-page/element-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'element-'))
writeFileSync(join(folder, 'stablecoin-checkout.js'), 'void 0')
writeFileSync(join(folder, 'stablecoin-checkout-element-B1a2c3d4.js'), 'export {}')

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({ elementFiles: openElementFiles(folder) })
})
afterAll(async () => {
  await bff.close()
  rmSync(folder, { recursive: true, force: true })
})

type Shown = Record<string, unknown> & { id: string }

async function call(method: string, path: string, body?: object, headers: Record<string, string> = bff.keys.secret) {
  const answer = await bff.call(`/api/v1${path}`, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, link: answer.body['link'] as Shown }
}

const make = (terms: object = {}) => call('POST', '/links', { amount: '25.00', ...terms })
const read = async (id: string) => (await call('GET', `/links/${id}`)).link
const pay = (id: string) => call('POST', `/links/public/${id}/create`, { network: 'devnet', currency: 'USDC' }, {})

test('a link of test mode makes test payments, and says on its page that nothing real is paid', async () => {
  const { link } = await make({ isTest: true, description: 'Rehearsal' })
  expect(link['isTest']).toBe(true)
  expect((await call('GET', `/links/public/${link.id}`)).link['isTest']).toBe(true)
  const { payment } = (await pay(link.id)).body
  expect(payment).toMatchObject({ isTest: true, amount: '25.00' })
  const text = await (await bff.fetch(`/pay/${link.id}`)).text()
  expect(text).toContain('<title>TEST · Pay 25.00 USDC to Corner Coffee</title>')
  expect(text).toContain('Test payment. Don’t send money')
  const simulate = { action: 'complete' }
  await call('POST', `/sandbox/payments/${payment['id']}/simulate`, simulate)
  expect(await read(link.id)).toMatchObject({ isTest: true, state: 'paid', paid: 1 })
  const live = (await make()).link
  expect(live['isTest']).toBe(false)
  expect((await pay(live.id)).body.payment).toMatchObject({ isTest: false })
  expect(await (await bff.fetch(`/pay/${live.id}`)).text()).not.toMatch(/TEST|Test payment/)
})

test('a link of test mode is in no list of live ones, and a live one in none of test mode', async () => {
  const [test, live] = [(await make({ isTest: true })).link.id, (await make()).link.id]
  const idsOf = async (query: string) => {
    const { body } = await call('GET', `/links?limit=100${query}`)
    return (body['links'] as Shown[]).map(({ id }) => id)
  }
  expect(await idsOf('&isTest=true')).toContain(test)
  expect(await idsOf('&isTest=true')).not.toContain(live)
  for (const query of ['', '&isTest=false']) {
    expect(await idsOf(query)).toContain(live)
    expect(await idsOf(query)).not.toContain(test)
  }
  expect((await call('GET', '/links?isTest=yes')).status).toBe(400)
})

test('a link of test mode is made and listed by a person whose dashboard shows test payments, who sees no live one there', async () => {
  const page = await signedIn(bff, 'staff')
  const inTestMode = { 'X-Mode': 'test' }
  const made = (await page.ask('POST', '/links', { amount: '3.00' }, inTestMode)).body['link'] as Shown
  expect(made['isTest']).toBe(true)
  const live = (await page.ask('POST', '/links', { amount: '3.00' })).body['link'] as Shown
  expect(live['isTest']).toBe(false)
  const idsOf = async (headers: Record<string, string>) =>
    ((await page.ask('GET', '/links', undefined, headers)).body['links'] as Shown[]).map(({ id }) => id)
  const [testIds, liveIds] = [await idsOf(inTestMode), await idsOf({})]
  expect([testIds.includes(made.id), testIds.includes(live.id)]).toEqual([true, false])
  expect([liveIds.includes(made.id), liveIds.includes(live.id)]).toEqual([false, true])
  const status = async (id: string) => (await page.ask('GET', `/links/${id}`, undefined, inTestMode)).status
  expect([await status(made.id), await status(live.id)]).toEqual([200, 404])
})

test('a link of test mode shares no Idempotency-Key with live ones', async () => {
  const headers = { ...bff.keys.secret, 'Idempotency-Key': crypto.randomUUID() }
  const ids = []
  for (const isTest of [true, false, true]) {
    ids.push((await call('POST', '/links', { amount: '1', isTest }, headers)).link.id)
  }
  expect([ids[0] === ids[2], ids[0] === ids[1]]).toEqual([true, false])
})

test('a link of test mode is made by no test key, which anybody may read from a page: it would put a stranger’s text on the shop’s address', async () => {
  expect((await call('POST', '/links', { amount: '25.00' }, bff.keys.test)).status).toBe(403)
})
