import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { listenOn } from './listen.ts'
import type { AnsweredRequest } from './observe.ts'

let fixture: AppFixture
const answered: AnsweredRequest[] = []
beforeEach(async () => {
  answered.length = 0
  fixture = await openApp({ observe: (request) => void answered.push(request) })
})
afterEach(() => fixture.close())

const seen = () => answered.map(({ method, route, status }) => `${method} ${route} ${status}`)

test('every request is logged by its route, never by the ids in its path, under the id that its caller was given', async () => {
  const created = await fixture.create()
  const id = String(created.body.payment['id'])
  const read = await fixture.read(`/api/payments/${id}/status`)
  await fixture.read('/api/v1/payments/health')
  await fixture.read('/api/v1/no/such/thing')
  await fixture.create({ amount: 'much' })
  await fixture.read(`/api/v1/deposits/status/${id}`, {})
  expect(seen()).toEqual([
    'POST /api/v1/deposits/create 200',
    'GET /api/payments/:paymentId/status 200',
    'GET /api/v1/payments/health 200',
    'GET /* 404',
    'POST /api/v1/deposits/create 400',
    'GET /api/v1/deposits/status/:paymentId 401',
  ])
  expect(answered.slice(0, 2).map(({ requestId }) => requestId)).toEqual([
    created.headers.get('x-request-id'),
    read.headers.get('x-request-id'),
  ])
  expect(answered.map(({ paymentId }) => paymentId)).toEqual([id, id, undefined, undefined, undefined, id])
})

test('a repeat is logged with the payment that it repeats, and a body with the payment that it names', async () => {
  const key = { 'Idempotency-Key': 'once' }
  const first = await fixture.create(undefined, key)
  const { id } = first.body.payment as { id: string }
  await fixture.create(undefined, key)
  await fixture.post('/api/v1/payments/fail', { paymentId: id })
  const sandbox = await fixture.create({ amount: '5', currency: 'USDC' }, {}, '/api/v1/sandbox/payments/create')
  expect(answered.map(({ paymentId }) => paymentId)).toEqual([id, id, id, sandbox.body.payment['id']])
})

test('the service says when it should be given no payment, and why; health stays what it was', async () => {
  expect((await fixture.read('/api/ready', {})).body).toEqual({ success: true, ready: true, reasons: [] })
  await fixture.close()
  const reasons = ['The service is stopping.']
  fixture = await openApp({ isReady: () => ({ isReady: false, reasons, codes: ['stopping'] }) })
  const answer = await fixture.read('/api/ready', {})
  expect([answer.status, answer.body]).toEqual([503, { success: false, ready: false, reasons }])
  expect((await fixture.read('/api/health', {})).body).toEqual({ success: true, status: 'ok' })
})

test('a caller who hangs up within the body is no failure of the service', async () => {
  const errors: unknown[] = []
  await fixture.close()
  const observed = new EventEmitter()
  const ended = once(observed, 'request')
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
  fixture = await openApp({ log, observe: (request) => void observed.emit('request', request) })
  const { port, close } = await listenOn(fixture.app.fetch, { host: '127.0.0.1', port: 0 })
  const socket = connect(port, '127.0.0.1')
  const head = ['POST /api/v1/payments/create HTTP/1.1', 'Host: service', 'Content-Type: application/json']
  socket.write(`${[...head, 'Content-Length: 9'].join('\r\n')}\r\n\r\n{`, () => socket.end())
  expect((await ended)[0]).toMatchObject({ status: 400 })
  expect(errors).toEqual([])
  await close()
})
