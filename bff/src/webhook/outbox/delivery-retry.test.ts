import { expect, test } from 'vitest'
import { attemptsMax, endpointFault, planAfter, planOf } from './delivery-retry.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const evenChance = 0.5
const answered = (code: number, retryAfter: string | null = null) => ({ code, retryAfter, text: '' })
const delays = (chance: number) =>
  Array.from({ length: attemptsMax - 1 }, (_, index) => planAfter(answered(500), index + 1, nowMs, chance))

test('ten tries are spread over 75 hours, and then it is given up', () => {
  const plans = delays(evenChance)
  const hours = plans.map((plan) => (plan.state === 'due' ? plan.delayMs / 3_600_000 : Number.NaN))
  expect(hours).toEqual([5 / 3_600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24])
  expect(hours.reduce((sum, hour) => sum + hour)).toBeCloseTo(75.6, 1)
  expect(planAfter(answered(500), attemptsMax, nowMs, evenChance)).toEqual({ state: 'failed' })
})

test('chance moves each delay by a fifth at the most', () => {
  expect(delays(0)[1]).toEqual({ state: 'due', delayMs: 240_000 })
  expect(delays(1 - 1e-9)[1]).toEqual({ state: 'due', delayMs: 360_000 })
})

test.each([200, 201, 202, 204, 299])('%d is delivered', (code) => {
  expect(planAfter(answered(code), 1, nowMs, evenChance)).toEqual({ state: 'delivered' })
})

test.each([199, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503])('%d is tried again', (code) => {
  expect(planAfter(answered(code), 1, nowMs, evenChance)).toMatchObject({ state: 'due' })
})

test('no answer is tried again', () => {
  expect(planAfter({ error: 'ECONNREFUSED' }, 1, nowMs, evenChance)).toEqual({ state: 'due', delayMs: 5_000 })
})

test('410 ends it at once', () => {
  expect(planAfter(answered(410), 1, nowMs, evenChance)).toEqual({ state: 'failed' })
})

test.each([
  ['120', 120_000],
  ['Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
  // Never sooner than the schedule says, and an hour at the most.
  ['0', 5_000],
  ['1', 5_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 5_000],
  ['86400', 3_600_000],
  ['9999999999', 3_600_000],
  ['Fri, 21 Nov 2036 12:00:00 GMT', 3_600_000],
  ['soon', 5_000],
  ['-5', 5_000],
  ['1e3', 5_000],
])('Retry-After "%s" after the first try means %d ms', (retryAfter, delayMs) => {
  expect(planAfter(answered(503, retryAfter), 1, nowMs, evenChance)).toEqual({ state: 'due', delayMs })
})

test('a receiver that asks for rest does not get more tries than another', () => {
  expect(planAfter(answered(503, '60'), attemptsMax, nowMs, evenChance)).toEqual({ state: 'failed' })
})

test('an endpoint is gone when it says so, and failing after five days of nothing but failures', () => {
  const fiveDaysMs = 5 * 24 * 3_600_000
  expect(endpointFault(410, nowMs, nowMs)).toBe('gone')
  expect(endpointFault(500, nowMs - fiveDaysMs + 1, nowMs)).toBeNull()
  expect(endpointFault(500, nowMs - fiveDaysMs, nowMs)).toBe('failing')
  expect(endpointFault(null, nowMs - fiveDaysMs, nowMs)).toBe('failing')
})

test('a delivery to a store’s plug-in is attempted again as BTCPay does, and not after a refusal', () => {
  const btcpay = { dialect: 'btcpay', retries: true } as const
  const plans = Array.from({ length: 9 }, (_, index) =>
    planOf({ ...btcpay, attemptsSinceQueued: index }, answered(500), nowMs, evenChance),
  )
  const due = (seconds: number) => ({ state: 'due', delayMs: seconds * 1_000 })
  expect(plans).toEqual([due(10), due(60), ...Array(6).fill(due(600)), { state: 'failed' }])
  const first = { ...btcpay, attemptsSinceQueued: 0 }
  for (const code of [408, 429, 503]) expect(planOf(first, answered(code), nowMs, evenChance)).toEqual(due(10))
  expect(planOf(first, { error: 'no answer within 15 s' }, nowMs, evenChance)).toEqual(due(10))
  for (const code of [301, 400, 404, 410])
    expect(planOf(first, answered(code), nowMs, evenChance)).toEqual({ state: 'failed' })
  expect(planOf(first, answered(204), nowMs, evenChance)).toEqual({ state: 'delivered' })
  expect(planOf({ ...first, retries: false }, answered(500), nowMs, evenChance)).toEqual({ state: 'failed' })
  const standard = { dialect: 'standard', retries: true, attemptsSinceQueued: 0 } as const
  expect(planOf(standard, answered(404), nowMs, evenChance)).toEqual(planAfter(answered(404), 1, nowMs, evenChance))
})
