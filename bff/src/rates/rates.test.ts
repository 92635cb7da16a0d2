import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, describe, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { systemRuntime } from '../core/runtime.ts'
import { fetchRates } from './fetch-rates.ts'
import type { ProviderName } from './providers.ts'
import type { Rates } from './rate.ts'
import { ratesSetting, resolveRates } from './rate-settings.ts'
import { createRates } from './read-rates.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')
/** As configured or answered, and as it is held: exact decimal text. */
const numbers = { USDC: { USD: 1, NGN: 1530.2 } }
const table = { USDC: { USD: '1', NGN: '1530.2' } }

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})
async function provider(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/rates`
}
const json = (body: unknown): RequestListener => {
  return (_, response) => response.end(JSON.stringify(body))
}

/** Rates of a provider with these answers, and a clock that the test moves. */
function ratesOf(
  maxAgeSeconds: number,
  answers: (Partial<Rates> | Error | Promise<never>)[],
  provider: ProviderName | null = null,
) {
  const story = { nowMs: noon, asked: 0 }
  const runtime = { ...systemRuntime, nowMs: () => story.nowMs }
  const fetch = async (): Promise<Rates> => {
    const next = answers[Math.min(story.asked, answers.length - 1)]
    story.asked += 1
    const answer = await next
    if (answer instanceof Error) throw answer
    return { rates: table, asOfMs: noon, provider: 'example', ...answer }
  }
  const read = createRates(
    { kind: 'http', provider, url: 'http://rates.example', maxAgeSeconds },
    { runtime, log: silentLog, fetch },
  )
  return { story, read }
}
const unavailable = { code: 'RATES_UNAVAILABLE', status: 503, retryAfterSeconds: 5 }

describe('GET /currency/rates', () => {
  test('needs no key; without a setting a stablecoin is a dollar and nothing else is known', async () => {
    const fixture = await openApp()
    const { status, body } = await fixture.call('/api/v1/currency/rates')
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        rates: { USDC: { USD: 1 }, USDT: { USD: 1 } },
        timestamp: '2026-11-21T12:00:00.000Z',
        provider: 'parity',
      },
    ])
    await fixture.close()
  })

  test('has the time of a table that the operator wrote, and refuses one that is too old', async () => {
    const setting = ratesSetting.parse({ fixed: { asOf: '2026-11-21T11:00:00Z', ...numbers }, maxAgeSeconds: 3_601 })
    const runtime = { ...systemRuntime, nowMs: () => now }
    let now = noon
    const fixture = await openApp({ readRates: createRates(resolveRates(setting), { runtime, log: silentLog }) })
    const { body } = await fixture.call('/api/currency/rates')
    expect(body).toMatchObject({ rates: numbers, timestamp: '2026-11-21T11:00:00.000Z', provider: 'fixed' })
    now += 2_000
    const old = await fixture.call('/api/currency/rates')
    expect([old.status, old.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(old.body).toMatchObject({
      success: false,
      code: 'RATES_UNAVAILABLE',
      message: expect.stringMatching(/11:00/),
    })
    await fixture.close()
  })
})

describe('rates of a provider', () => {
  test('are asked for once by all who ask at once, and kept until they are half as old as they may be', async () => {
    const { story, read } = ratesOf(60, [{}, { asOfMs: noon + 30_000 }])
    await Promise.all([read(), read(), read()])
    story.nowMs += 29_000
    expect((await read()).asOfMs).toBe(noon)
    expect(story.asked).toBe(1)
    story.nowMs += 1_000
    await Promise.all([read(), read()])
    await expect.poll(async () => (await read()).asOfMs).toBe(noon + 30_000)
    expect(story.asked).toBe(2)
  })

  test('are answered at once while a slow provider is asked for newer ones', async () => {
    const { story, read } = ratesOf(60, [{}, new Promise<never>(() => {})])
    await read()
    story.nowMs += 30_000
    expect((await read()).asOfMs).toBe(noon)
    expect(story.asked).toBe(2)
  })

  test('are waited for while a provider is asked and those that are known are too old', async () => {
    const { story, read } = ratesOf(60, [{}, { asOfMs: noon + 61_000 }])
    await read()
    story.nowMs += 61_000
    expect((await read()).asOfMs).toBe(noon + 61_000)
  })

  test.each([
    ['each hour of a bank whose rates are good for days', 'ecb', 6 * 24 * 60 * 60, 3_600],
    ['when they are half as old as they may be, where that is earlier', 'coinbase', 120, 60],
  ] as const)('are asked for %s', async (_, provider, maxAgeSeconds, pauseSeconds) => {
    const { story, read } = ratesOf(maxAgeSeconds, [{}], provider)
    await read()
    story.nowMs += pauseSeconds * 1000 - 1
    await read()
    expect(story.asked).toBe(1)
    story.nowMs += 1
    await read()
    expect(story.asked).toBe(2)
  })

  test.each([
    ['after five seconds where they come more than half as old as they may be', null, 60, 31, 5],
    ['after half of their age where they come exactly half as old', null, 60, 30, 30],
    ['of a public provider no earlier, however old they come', 'coinbase', 120, 61, 60],
    ['of a public provider every half minute at most, however young they must be', 'coinbase', 20, 0, 30],
  ] as const)('are asked for again %s', async (_, provider, maxAgeSeconds, ageSeconds, pauseSeconds) => {
    const { story, read } = ratesOf(maxAgeSeconds, [{ asOfMs: noon - ageSeconds * 1000 }], provider)
    await read()
    story.nowMs += pauseSeconds * 1000 - 1
    await read().catch(() => undefined)
    expect(story.asked).toBe(1)
    story.nowMs += 1
    await read().catch(() => undefined)
    expect(story.asked).toBe(2)
  })

  test('are answered while the provider is down, until they are stale, and never after', async () => {
    const { story, read } = ratesOf(60, [{}, new Error('down')])
    await read()
    story.nowMs += 60_000
    expect((await read()).asOfMs).toBe(noon)
    story.nowMs += 1
    await expect(read()).rejects.toMatchObject(unavailable)
  })

  test('that come stale, or from the future, are refused', async () => {
    await expect(ratesOf(60, [{ asOfMs: noon - 61_000 }]).read()).rejects.toMatchObject(unavailable)
    await expect(ratesOf(60, [{ asOfMs: noon + 61_000 }]).read()).rejects.toMatchObject(unavailable)
  })

  test('are not asked for more than every five seconds while the provider is down', async () => {
    const { story, read } = ratesOf(60, [new Error('down'), {}])
    for (let call = 0; call < 10; call++) await expect(read()).rejects.toMatchObject(unavailable)
    expect(story.asked).toBe(1)
    story.nowMs += 5_000
    expect((await read()).rates).toEqual(table)
  })

  test('never go back in time', async () => {
    const { story, read } = ratesOf(60, [{}, { asOfMs: noon - 10_000 }])
    await read()
    story.nowMs += 30_000
    await read()
    await expect.poll(() => story.asked).toBe(2)
    expect((await read()).asOfMs).toBe(noon)
  })
})

describe('a provider', () => {
  test('answers our own shape, with the time as text or as unix seconds', async () => {
    const url = await provider(json({ rates: numbers, timestamp: noon / 1000, more: 1 }))
    expect(await fetchRates({ provider: null, url })).toEqual({
      rates: table,
      asOfMs: noon,
      provider: new URL(url).host,
    })
  })

  test.each([
    ['no time', { rates: numbers }],
    ['no rates', { rates: {}, timestamp: noon / 1000 }],
    ['a stablecoin that is worth nothing', { rates: { USDC: { USD: 0.01 } }, timestamp: noon / 1000 }],
    ['a rate that is none', { rates: { USDC: { NGN: 0 } }, timestamp: noon / 1000 }],
    ['a rate as text', { rates: { USDC: { NGN: '1530' } }, timestamp: noon / 1000 }],
    ['a currency that is none', { rates: { USDC: { naira: 1530 } }, timestamp: noon / 1000 }],
  ])('that sends %s is not believed', async (_, body) => {
    await expect(fetchRates({ provider: null, url: await provider(json(body)) })).rejects.toThrow()
  })

  test('that sends elsewhere is not followed, even to rates', async () => {
    const url = await provider((request, response) => {
      if (request.url === '/rates') response.writeHead(302, { location: '/elsewhere' }).end()
      else response.end(JSON.stringify({ rates: numbers, timestamp: noon / 1000 }))
    })
    await expect(fetchRates({ provider: null, url })).rejects.toThrow()
  })

  test('that fails, sends elsewhere, sends no end or sends nothing is not waited for', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      (_, response) => response.end(`{"rates":"${'x'.repeat(70_000)}"}`),
      () => {},
    ]
    for (const answer of answers) {
      await expect(fetchRates({ provider: null, url: await provider(answer) }, 200)).rejects.toThrow()
      server?.closeAllConnections()
      server?.close()
    }
  })
})

test('the setting is a table or a provider, and says so', () => {
  expect(ratesSetting.safeParse({}).error?.issues[0]?.message).toBe('must have one of fixed, provider and url')
  expect(resolveRates(ratesSetting.parse({ url: 'https://rates.example/v1' }))).toEqual({
    kind: 'http',
    provider: null,
    url: 'https://rates.example/v1',
    maxAgeSeconds: 600,
  })
  const fixed = { asOf: '2026-11-21T12:00:00Z', USDC: { EUR: 0.8 } }
  const table = { kind: 'fixed', rates: { USDC: { EUR: '0.8' } }, asOfMs: Date.parse(fixed.asOf) }
  expect(resolveRates(ratesSetting.parse({ fixed, maxAgeSeconds: 60 }))).toEqual({ ...table, maxAgeSeconds: 60 })
  expect(resolveRates(ratesSetting.parse({ fixed }))).toEqual({ ...table, maxAgeSeconds: null })
  expect(resolveRates(undefined)).toEqual({ kind: 'parity' })
})

test.each([
  ['http://rates.example/v1', false],
  ['http://127.0.0.1.rates.example', false],
  ['http://127.0.0.1:9000/rates', true],
  ['https://rates.example/v1', true],
])('rates are asked over https, except on this machine: %s', (url, isTaken) => {
  expect([{ url }, { url, provider: 'kraken' }].map((one) => ratesSetting.safeParse(one).success)).toEqual([
    isTaken,
    isTaken,
  ])
})
