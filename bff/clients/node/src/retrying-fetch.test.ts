import { expect, test } from 'vitest'
import { retryingFetch } from './retrying-fetch.ts'

const answer = (status: number, retryAfter?: string) =>
  new Response(null, { status, ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }) })

const lost = new TypeError('fetch failed')

/** @returns what came of the request, how often it was sent, and how long was waited between. */
async function send(answers: (Response | Error)[], isRepeatable: boolean, maxRetries = 2) {
  const waitsMs: number[] = []
  const bodies: string[] = []
  const settings = {
    maxRetries,
    maxWaitMs: 30_000,
    timeoutMs: 30_000,
    fetch: async (request: Request) => {
      bodies.push(await request.text())
      const next = answers.shift()
      if (next instanceof Response) return next
      throw next ?? new Error('The test expected no further request.')
    },
    sleep: async (ms: number) => waitsMs.push(ms),
  }
  const request = new Request('http://service.test', { method: 'POST', body: 'order' })
  const result = await retryingFetch(request, isRepeatable, settings).then(
    ({ status }) => status,
    (error: unknown) => error,
  )
  return { result, waitsMs, bodies }
}

test.each([
  [429, true],
  [429, false],
  [503, true],
])('%i, repeatable %s: sent again after the time that is named, with its body', async (status, isRepeatable) => {
  const { result, waitsMs, bodies } = await send([answer(status, '2'), answer(200)], isRepeatable)
  expect({ result, waitsMs, bodies }).toEqual({ result: 200, waitsMs: [2_000], bodies: ['order', 'order'] })
})

test('503 for what may have been done: not sent again', async () => {
  expect(await send([answer(503, '2')], false)).toMatchObject({ result: 503, waitsMs: [] })
})

test('a lost connection: sent again where a second arrival changes nothing', async () => {
  expect(await send([lost, answer(200)], true)).toMatchObject({ result: 200, waitsMs: [1_000] })
  expect(await send([lost], false)).toMatchObject({ result: lost, waitsMs: [] })
})

test('attempts are bounded', async () => {
  const answers = Array.from({ length: 9 }, () => answer(503, '1'))
  expect(await send(answers, true)).toMatchObject({ result: 503, waitsMs: [1_000, 1_000] })
  expect(await send([lost, lost, lost, lost], true)).toMatchObject({ result: lost, waitsMs: [1_000, 1_000] })
  expect(await send([answer(429, '1')], true, 0)).toMatchObject({ result: 429, waitsMs: [] })
})

test.each([
  ['no time', answer(503)],
  ['a time that is too long', answer(503, '31')],
  ['a date', answer(503, 'Wed, 21 Oct 2026 07:28:00 GMT')],
  ['another fault', answer(500, '1')],
])('%s: returned at once', async (_, response) => {
  expect(await send([response], true)).toMatchObject({ result: response.status, waitsMs: [] })
})

test('the longest time that is waited for', async () => {
  expect(await send([answer(503, '30'), answer(200)], true)).toMatchObject({ result: 200, waitsMs: [30_000] })
})
