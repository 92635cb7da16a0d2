import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { ratesSetting, resolveRates } from '../../rates/rate-settings.ts'
import { examineRates } from './examine-rates.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')
const runtime = { ...systemRuntime, nowMs: () => noon }

let server: Server | undefined
afterEach(() => void server?.close())

const tokens = [{ symbol: 'EURC', currency: 'EUR' }]

const examine = (setting?: object) => examineRates(resolveRates(ratesSetting.parse(setting)), tokens, runtime)

async function ticker(bid: string): Promise<string> {
  const body = { error: [], result: { USDCUSD: { b: [bid] }, USDCEUR: { b: ['0.92'] }, USDTEUR: { b: ['0.92'] } } }
  const listening = createServer((_, response) => {
    response.sendDate = false
    response.writeHead(200, { date: new Date(noon).toUTCString() }).end(JSON.stringify(body))
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

test('a provider that responds is good, with its number of currencies', async () => {
  expect(await examine({ provider: 'kraken', url: await ticker('0.9999') })).toMatchObject([
    { check: 'rates', subject: 'kraken', state: 'good', says: '2 currencies, as of 2026-11-21T12:00:00.000Z' },
  ])
})

test('a provider that is unreachable, or whose rates are absurd, is bad with the reason', async () => {
  expect(await examine({ provider: 'coinbase', url: 'http://127.0.0.1:1' })).toMatchObject([
    { state: 'bad', subject: 'coinbase', fix: expect.stringContaining('reach') },
  ])
  expect(await examine({ provider: 'kraken', url: await ticker('9.0') })).toMatchObject([
    { state: 'bad', says: expect.stringContaining('USDC at 9 USD is implausible') },
  ])
})

test('outdated rates are bad, a missing token is a warning, and no rates at all are explained', async () => {
  const fixed = { asOf: '2026-11-21T11:00:00Z', USDC: { EUR: 0.92 } }
  expect(await examine({ fixed, maxAgeSeconds: 60 })).toMatchObject([{ state: 'bad', subject: 'fixed' }])
  expect(await examine({ fixed })).toMatchObject([
    { state: 'warning', says: expect.stringContaining('but not for USDT') },
  ])
  expect(await examine()).toMatchObject([{ state: 'good', says: expect.stringContaining('rates.provider') }])
})

test('a token of another currency that has no rate is a warning that names it', async () => {
  const source = resolveRates(
    ratesSetting.parse({ fixed: { asOf: '2026-11-21T11:00:00Z', USDC: { EUR: 0.92 }, USDT: { EUR: 0.92 } } }),
  )
  expect(await examineRates(source, [...tokens, { symbol: 'IDRX', currency: 'IDR' }], runtime)).toMatchObject([
    { state: 'warning', says: expect.stringMatching(/, but not for IDRX$/) },
  ])
})
