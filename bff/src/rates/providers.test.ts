import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, describe, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { systemRuntime } from '../core/runtime.ts'
import { fetchRates } from './fetch-rates.ts'
import { type ProviderName, providers } from './providers.ts'
import { ratesSetting, resolveRates } from './rate-settings.ts'
import { createRates } from './read-rates.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Answer = { body: unknown; headers?: Record<string, string>; status?: number }

/** What a provider answers by path, at noon, over real HTTP. `asked` are the paths with their queries. */
async function publish(answerTo: (path: string) => Answer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const listening = createServer((request, response: ServerResponse) => {
    asked.push(String(request.url))
    const { body, headers = {}, status = 200 } = answerTo(String(request.url))
    response.sendDate = false
    response.writeHead(status, { date: new Date(noon).toUTCString(), ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, asked }
}

const read = async (provider: ProviderName, answerTo: (path: string) => Answer) => {
  const { url, asked } = await publish(answerTo)
  return { rates: await fetchRates({ provider, url }), asked }
}

/** As in https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates: every currency and coin, decimal text. */
const coinbase =
  (change: Record<string, unknown> = {}) =>
  (path: string) => {
    const currency = path.split('=').at(-1)
    const rates = {
      AED: '3.6726275',
      BTC: '0.0000089721',
      EUR: '0.9213000000000001',
      JPY: '154.8',
      USD: '0.999905',
      '1INCH': '3.1',
    }
    return { body: { data: { currency, rates: { ...rates, ...change } } } }
  }

/** As in https://docs.kraken.com/api/docs/rest-api/get-ticker-information. */
const pair = (bid: string) => ({
  ...{ a: ['1.30000', '4', '4.000'], b: [bid, '27', '27.000'], c: ['1.29000', '0.10000000'], v: ['1', '2'] },
  ...{ p: ['1.1', '1.2'], t: [1, 2], l: ['0.9', '0.9'], h: ['1.3', '1.3'], o: '1.00000' },
})
const krakenResult = { USDCUSD: pair('0.99990000'), USDCEUR: pair('0.92150000'), USDTZUSD: pair('0.99949000') }

/** As in https://docs.coingecko.com/reference/simple-price. */
const coingecko = {
  'usd-coin': { usd: 0.9998, eur: 0.9213456789, ngn: 1530.2, last_updated_at: noon / 1000 - 20 },
  tether: { usd: 1.0001, eur: 0.9215, ngn: 1531, last_updated_at: noon / 1000 - 40 },
}

/** As at https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml. */
const ecb = (cubes: string, time = "time='2026-11-20'") => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube ${time}>
			${cubes}
		</Cube>
	</Cube>
</gesmes:Envelope>`

describe('rates are read from', () => {
  test('Coinbase: one question for each token, currencies and no coins, at the time of the answer', async () => {
    const { rates, asked } = await read('coinbase', coinbase())
    expect(rates.provider).toBe('coinbase')
    expect(rates.asOfMs).toBe(noon)
    const table = { AED: '3.6726275', EUR: '0.9213', JPY: '154.8', USD: '0.999905' }
    expect(rates.rates).toEqual({ USDC: table, USDT: table })
    expect(asked.sort()).toEqual(['/v2/exchange-rates?currency=USDC', '/v2/exchange-rates?currency=USDT'])
  })

  test('Coinbase, at the time of the older of its two answers', async () => {
    const older = { date: new Date(noon - 40_000).toUTCString() }
    const { rates } = await read('coinbase', (path) => ({
      ...coinbase()(path),
      ...(path.endsWith('USDC') && { headers: older }),
    }))
    expect(rates.asOfMs).toBe(noon - 40_000)
  })

  test('Kraken: one question for all pairs, the best bid of each', async () => {
    const { rates, asked } = await read('kraken', () => ({ body: { error: [], result: krakenResult } }))
    expect(rates).toEqual({
      provider: 'kraken',
      asOfMs: noon,
      rates: { USDC: { USD: '0.9999', EUR: '0.9215' }, USDT: { USD: '0.99949' } },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^\/0\/public\/Ticker\?pair=USDCUSD,USDCEUR,.*USDTZUSD/)
  })

  test('CoinGecko: one question, at the time of the older of the two tokens', async () => {
    const { rates, asked } = await read('coingecko', () => ({ body: coingecko }))
    expect(rates).toEqual({
      provider: 'coingecko',
      asOfMs: noon - 40_000,
      rates: {
        USDC: { USD: '0.9998', EUR: '0.9213456789', NGN: '1530.2' },
        USDT: { USD: '1.0001', EUR: '0.9215', NGN: '1531' },
      },
    })
    expect(asked[0]).toMatch(
      /^\/simple\/price\?ids=usd-coin,tether&vs_currencies=usd,eur,.*include_last_updated_at=true/,
    )
  })

  test('the ECB: euros by the dollar, divided exactly and rounded down, at the hour of its day', async () => {
    const cubes =
      "<Cube currency='USD' rate='1.0800'/>\n<Cube currency='JPY' rate='167.40'/><Cube currency='NOK' rate='11.0'/>"
    const { rates, asked } = await read('ecb', () => ({ body: ecb(cubes) }))
    expect(asked).toEqual(['/stats/eurofxref/eurofxref-daily.xml'])
    expect(rates.asOfMs).toBe(Date.parse('2026-11-20T13:15:00Z'))
    // 1 / 1.08 and 11 / 1.08.
    const table = { USD: '1', EUR: '0.925925925925925', JPY: '155', NOK: '10.1851851851851' }
    expect(rates.rates).toEqual({ USDC: table, USDT: table })
  })
})

test('who prices in a currency keeps it: what each provider is asked for', async () => {
  const listed = (name: ProviderName) => [...(providers[name].currencies ?? [])].sort().join(' ')
  expect(listed('kraken')).toBe('AUD CAD CHF EUR GBP USD')
  expect(listed('coingecko')).toBe(
    'AED ARS AUD BDT BHD BRL CAD CHF CLP CNY CZK DKK EUR GBP GEL HKD HUF IDR ILS INR JPY KRW KWD LKR MXN MYR NGN NOK NZD PHP PKR PLN SAR SEK SGD THB TRY TWD UAH USD VND ZAR',
  )
  expect(listed('ecb')).toBe(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR',
  )
  const kraken = await read('kraken', () => ({ body: { error: [], result: krakenResult } }))
  const pairs = (usdt: string) => ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD'].map((code) => `${usdt}${code}`)
  const asked = [...pairs('USDC'), 'USDTZUSD', ...pairs('USDT').slice(1)]
  expect(kraken.asked).toEqual([`/0/public/Ticker?pair=${asked.join(',')}`])
  server?.close()
  const coins = await read('coingecko', () => ({ body: coingecko }))
  const query = new URL(coins.asked[0] ?? '', 'http://provider.example').searchParams
  expect(Object.fromEntries(query)).toMatchObject({ ids: 'usd-coin,tether', precision: '10' })
  const named = query.get('vs_currencies')?.split(',') ?? []
  expect(named.sort().join(' ').toUpperCase()).toBe(listed('coingecko'))
})

test('the ECB’s document is read whatever its quotes and spaces, and a provider’s address with slashes at its end', async () => {
  const cubes = '<Cube   currency="USD"   rate="2"/><Cube currency=\'NOK\'\n rate=\'11\'/>'
  const { url, asked } = await publish(() => ({
    body: ecb(cubes, 'time="2026-11-20"').replace('<Cube time', '<Cube  time'),
  }))
  const { rates, asOfMs } = await fetchRates({ provider: 'ecb', url: `${url}//` })
  expect([rates['USDC'], asOfMs]).toEqual([{ USD: '1', EUR: '0.5', NOK: '5.5' }, Date.parse('2026-11-20T13:15:00Z')])
  expect(asked).toEqual(['/stats/eurofxref/eurofxref-daily.xml'])
})

test('the fault of an answer is said in its words', async () => {
  const faultOf = async (provider: ProviderName, answer: Answer) => {
    const fault = await read(provider, () => answer).then(String, ({ message }: Error) => message)
    server?.close()
    return fault
  }
  expect(await faultOf('kraken', { body: '', status: 503 })).toBe('The provider responded with status 503.')
  expect(await faultOf('kraken', { body: { error: ['EService:Busy', 'EQuery:Bad'] } })).toBe(
    'The provider responded with an error: EService:Busy, EQuery:Bad',
  )
  const long = await faultOf('kraken', { body: { error: ['E'.repeat(300)] } })
  expect(long).toBe(`The provider responded with an error: ${'E'.repeat(200)}`)
  expect(await faultOf('coinbase', { body: { data: { currency: 'BTC', rates: {} } } })).toMatch(
    /^It answered for BTC, not USD[CT]\.$/,
  )
  expect(await faultOf('coinbase', { ...coinbase()('=USDC'), headers: { date: 'never' } })).toMatch(/no time|not USD/)
  const none = 'The response has no date or no rate of the dollar.'
  expect(await faultOf('ecb', { body: ecb("<Cube currency='JPY' rate='167.40'/>") })).toBe(none)
  expect(await faultOf('ecb', { body: ecb("<Cube currency='USD' rate='1.08'/>", '') })).toBe(none)
  const zero = await faultOf('ecb', { body: ecb("<Cube currency='USD' rate='0.00'/>") })
  expect(zero).toBe('The response has a rate of zero.')
  for (const rate of ['1.08.1', '1.', '.5', '1'.repeat(13)]) {
    const fault = await faultOf('ecb', { body: ecb(`<Cube currency='USD' rate='${rate}'/>`) })
    expect(fault, rate).toBe(`"${rate}" is not a decimal number.`)
  }
})

describe('an answer is not believed', () => {
  const noUsd = { ...krakenResult, USDCUSD: { b: [] } }
  const down =
    (body: unknown, rest: Omit<Answer, 'body'> = {}) =>
    () => ({ body, ...rest })
  test.each<[string, ProviderName, (path: string) => Answer]>([
    ['without its time', 'coinbase', (path) => ({ ...coinbase()(path), headers: { date: 'yesterday' } })],
    ['whose age is no number', 'coinbase', (path) => ({ ...coinbase()(path), headers: { age: 'soon' } })],
    ['from the future by its age', 'coinbase', (path) => ({ ...coinbase()(path), headers: { age: '-600' } })],
    ['for another currency', 'coinbase', () => ({ body: { data: { currency: 'BTC', rates: { EUR: '90000' } } } })],
    ['with a rate that is no number', 'coinbase', coinbase({ EUR: 'NaN' })],
    ['with a rate of zero', 'coinbase', coinbase({ EUR: '0.000' })],
    ['with a negative rate', 'coinbase', coinbase({ EUR: '-0.92' })],
    ['with a rate in another notation', 'coinbase', coinbase({ EUR: '9.2e-1' })],
    ['with a rate beyond any currency', 'coinbase', coinbase({ EUR: '92130000000' })],
    ['with a dollar that is none', 'coinbase', coinbase({ USD: '1.3' })],
    ['with a dollar that is a thousandth', 'coinbase', coinbase({ USD: '0.001' })],
    ['with an error', 'kraken', down({ error: ['EQuery:Unknown asset pair'] })],
    ['with an error beside rates', 'kraken', down({ error: ['EService:Unavailable'], result: krakenResult })],
    ['without rates', 'kraken', down({ error: [], result: {} })],
    ['without a bid', 'kraken', down({ error: [], result: noUsd })],
    ['without one of the tokens', 'coingecko', down({ 'usd-coin': coingecko['usd-coin'] })],
    ['without the time of one', 'coingecko', down({ ...coingecko, tether: { usd: 1 } })],
    ['without a dollar', 'ecb', down(ecb("<Cube currency='JPY' rate='167.40'/>"))],
    ['with a dollar of zero', 'ecb', down(ecb("<Cube currency='USD' rate='0.00'/>"))],
    ['without a date', 'ecb', down(ecb("<Cube currency='USD' rate='1.08'/>", ''))],
    ['that is a page', 'ecb', down('<html>Come back later</html>')],
    ['that is no JSON', 'kraken', down('<html>Come back later</html>')],
    ['that says too many', 'coingecko', down({ status: { error_code: 429 } }, { status: 429 })],
    ['that has no end', 'coinbase', coinbase({ EUR: '9'.repeat(70_000) })],
  ])('%s (%s)', async (_, provider, answerTo) => {
    await expect(read(provider, answerTo)).rejects.toThrow()
  })

  test('as new that lay in a cache: its age is taken off', async () => {
    const cached = (path: string) => ({ ...coinbase()(path), headers: { age: '90' } })
    expect((await read('coinbase', cached)).rates.asOfMs).toBe(noon - 90_000)
  })
})

/** The service's own answer, where the provider is on this machine and the clock is the test's. */
async function openRated(answerTo: (path: string) => Answer, provider: ProviderName = 'coinbase') {
  const { url, asked } = await publish(answerTo)
  const clock = { nowMs: noon }
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const source = resolveRates(ratesSetting.parse({ provider, url }))
  const app = await openApp({ readRates: createRates(source, { runtime, log: silentLog }) })
  return { app, clock, asked, ask: () => app.call('/api/v1/currency/rates') }
}

describe('a service that names a provider', () => {
  test('answers its rates as numbers, and refuses them once they are older than ten minutes', async () => {
    let isDown = false
    const { app, clock, ask } = await openRated((path) => (isDown ? { body: '', status: 503 } : coinbase()(path)))
    const { status, body } = await ask()
    expect([status, body['provider'], body['timestamp']]).toEqual([200, 'coinbase', '2026-11-21T12:00:00.000Z'])
    expect(body['rates']).toMatchObject({ USDC: { EUR: 0.9213, USD: 0.999905 } })
    isDown = true
    clock.nowMs += 600_000
    expect((await ask()).status).toBe(200)
    clock.nowMs += 1_000
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'RATES_UNAVAILABLE' } })
    await app.close()
  })

  test('asks a public provider once in five minutes, and once in half a minute while it fails', async () => {
    let isDown = true
    const { app, clock, asked, ask } = await openRated(
      () => (isDown ? { body: '', status: 429 } : { body: { error: [], result: krakenResult } }),
      'kraken',
    )
    for (const passedMs of [0, 10_000, 20_000]) {
      clock.nowMs += passedMs
      const { status, headers } = await ask()
      expect([status, headers.get('Retry-After')]).toEqual([503, '30'])
    }
    expect(asked).toHaveLength(2)
    isDown = false
    clock.nowMs += 30_000
    expect((await ask()).status).toBe(200)
    clock.nowMs += 299_000
    await ask()
    expect(asked).toHaveLength(3)
    await app.close()
  })

  test('takes the rates of the ECB over a long weekend', async () => {
    const { app, clock, asked, ask } = await openRated(
      () => ({ body: ecb("<Cube currency='USD' rate='1.08'/>") }),
      'ecb',
    )
    clock.nowMs = Date.parse('2026-11-25T12:00:00Z')
    expect((await ask()).body).toMatchObject({ rates: { USDT: { EUR: 0.925925925925925 } }, provider: 'ecb' })
    await ask()
    expect(asked).toHaveLength(1)
    clock.nowMs = Date.parse('2026-11-26T13:16:00Z')
    expect((await ask()).status).toBe(503)
    await app.close()
  })
})

test('the setting names a provider, whose address may be another', () => {
  const resolve = (setting: object) => resolveRates(ratesSetting.parse(setting))
  expect(resolve({ provider: 'kraken' })).toEqual({
    ...{ kind: 'http', provider: 'kraken', url: 'https://api.kraken.com', maxAgeSeconds: 600 },
  })
  expect(resolve({ provider: 'ecb', url: 'https://cache.example', maxAgeSeconds: 60 })).toMatchObject({
    ...{ provider: 'ecb', url: 'https://cache.example', maxAgeSeconds: 60 },
  })
  expect(ratesSetting.safeParse({ provider: 'mtgox' }).error?.issues[0]?.message).toBe(
    'must be one of coinbase, kraken, coingecko, ecb',
  )
  const both = ratesSetting.safeParse({ provider: 'ecb', fixed: { asOf: '2026-11-21T11:00:00Z' } })
  expect(both.error?.issues[0]?.message).toBe('must have one of fixed, provider and url')
})
