import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { askRelay } from './relay-client.ts'
import { RelayDownError, RelayRefusal } from './relay-faults.ts'

type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

/** What the relay answers next; the last answer repeats. */
let answers: Answer[]
let asked: string[]
let server: Server
let baseUrl: string
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`)
    const { status, body = {}, headers = {} } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  asked = []
})

const schema = z.object({ price: z.string() })
const well: Answer = { status: 200, body: { price: '1' } }
const ask = (attempts = 3) =>
  askRelay({ baseUrl, apiKey: 'secret' }, { path: '/quote', schema, timeoutMs: 20_000, attempts })

test.each([
  ['is down', { status: 503, headers: { 'retry-after': '0' } }],
  ['is busy', { status: 429, headers: { 'retry-after': '0' } }],
  ['has no price now', { status: 400, body: { message: 'no price', errorCode: 'PRICE_FETCH_FAILED' } }],
])('a relay that %s is asked again, as often as the call may be tried', async (_, answer) => {
  answers = [answer, answer, well]
  expect(await ask()).toEqual({ price: '1' })
  expect(asked).toEqual(Array(3).fill('GET /quote secret'))
  ;[answers, asked] = [[answer], []]
  await expect(ask(2)).rejects.toThrow(RelayDownError)
  expect(asked).toHaveLength(2)
})

test.each([429, 503])('a relay that answers %i and wants a long pause is not waited for', async (status) => {
  answers = [{ status, headers: { 'retry-after': '3' } }, well]
  await expect(ask()).rejects.toMatchObject({ retryAfterMs: 3_000 })
  expect(asked).toHaveLength(1)
})

test('a busy relay that names no pause gets one of a second', async () => {
  answers = [{ status: 429 }]
  await expect(ask(1)).rejects.toMatchObject({ retryAfterMs: 1_000 })
})

test('a refusal is final', async () => {
  answers = [{ status: 400, body: { message: 'amount too low', errorCode: 'AMOUNT_TOO_LOW' } }, well]
  await expect(ask()).rejects.toThrow(RelayRefusal)
  expect(asked).toHaveLength(1)
})

test('a relay that sends elsewhere is not followed: addresses come from its own host, and its key goes nowhere else', async () => {
  answers = [{ status: 307, headers: { location: `${baseUrl}/elsewhere` } }, well]
  await expect(ask(1)).rejects.toThrow(RelayDownError)
  expect(asked).toEqual(['GET /quote secret'])
})
