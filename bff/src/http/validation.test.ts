import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AppFixture, openApp, order } from '../../test/test-app.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

test.each([
  ['orderId', { orderId: 'a\u0000b' }, 'orderId: must not contain the character U+0000'],
  ['agentId', { agentId: '\u0000' }, 'agentId'],
  ['metadata', { metadata: { note: 'a\u0000' } }, 'metadata.note: must not contain the character U+0000'],
  ['a name in metadata', { metadata: { 'a\u0000': 1 } }, 'metadata: no name may contain the character U+0000'],
])('U+0000 in %s is refused, and the field is named', async (_, fields, message) => {
  const { status, body } = await bff.create({ ...order, ...fields })
  expect([status, body['error']]).toEqual([400, 'Validation failed'])
  expect(body['message']).toContain(message)
})

test('U+0000 in a query or a path is refused or finds nothing', async () => {
  const list = await bff.read('/api/v1/payments/merchant/list?search=a%00b', bff.keys.secret)
  expect([list.status, list.body['message']]).toEqual([400, 'search: must not contain the character U+0000'])
  expect((await bff.read('/api/v1/payments/public/%00')).status).toBeLessThan(500)
})
