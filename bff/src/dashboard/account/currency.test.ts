import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PaymentError } from '../../core/errors.ts'
import type { ReadRates } from '../../rates/read-rates.ts'

type Page = Awaited<ReturnType<typeof signedIn>>
let bff: AppFixture
let readRates: ReadRates
beforeEach(async () => {
  const rates = { USDC: { USD: '1', EUR: '0.9' }, USDT: { USD: '1', CHF: '0.8' } }
  readRates = async () => ({ rates, asOfMs: 0, provider: 'fixed' })
  bff = await openApp({ readRates: () => readRates() })
})
afterEach(() => bff.close())

const change = (page: Page, body: object) => page.confirm('PATCH', '/dashboard/settings', body)
const currencyOf = async (page: Page) => {
  const { settings } = (await page.ask('GET', '/dashboard/settings')).body as { settings: { currency: string | null } }
  const { session } = (await page.ask('GET', '/dashboard/session')).body as {
    session: { merchant: { currency: string | null } }
  }
  expect(session.merchant.currency).toBe(settings.currency)
  return settings.currency
}

test('the shop’s currency must have a rate for a token, is set by an owner, and its change is in the audit log', async () => {
  const owner = await signedIn(bff)
  expect(await currencyOf(owner)).toBeNull()
  for (const currency of ['EUR', 'chf']) {
    expect((await change(owner, { currency })).body['settings']).toMatchObject({ currency: currency.toUpperCase() })
    expect(await currencyOf(owner)).toBe(currency.toUpperCase())
  }
  const { body } = await owner.ask('GET', '/dashboard/audit')
  expect(body['entries']).toMatchObject([
    { action: 'setting.changed', subject: 'currency', before: 'EUR', after: 'CHF' },
    { action: 'setting.changed', subject: 'currency', before: '', after: 'EUR' },
    {},
  ])
  expect((await change(owner, { name: 'Corner Tea' })).body['settings']).toMatchObject({ currency: 'CHF' })
  expect((await change(owner, { currency: null })).status).toBe(200)
  expect(await currencyOf(owner)).toBeNull()
  const staff = await signedIn(bff, 'staff', 'Bob')
  expect((await staff.ask('PATCH', '/dashboard/settings', { currency: 'EUR' })).status).toBe(403)
  expect(await currencyOf(owner)).toBeNull()
})

test.each([
  ['EURO', 'code of ISO 4217'],
  ['GBP', 'one that a token has an exchange rate in'],
  ['toString', 'code of ISO 4217'],
])('the shop’s currency cannot be %s', async (currency, rule) => {
  const { status, body } = await change(await signedIn(bff), { currency })
  expect([status, body['message']]).toEqual([400, expect.stringContaining(rule)])
})

test('without rates no other currency can be set, and other settings are saved with the current one', async () => {
  const owner = await signedIn(bff)
  expect((await change(owner, { currency: 'EUR' })).status).toBe(200)
  readRates = async () => {
    throw new PaymentError('RATES_UNAVAILABLE', 'The rates are too old.')
  }
  expect((await change(owner, { currency: 'CHF' })).body['code']).toBe('RATES_UNAVAILABLE')
  const kept = await change(owner, { currency: 'EUR', latePayments: 'accept' })
  expect(kept.body['settings']).toMatchObject({ currency: 'EUR', latePayments: 'accept' })
})

test('a month’s report does not depend on the shop’s currency', async () => {
  const owner = await signedIn(bff)
  const month = async () =>
    (await bff.read('/api/v1/reports/month?month=2026-11', { ...bff.keys.secret, prefer: 'wait=2' })).body
  const before = await month()
  expect(before['success']).toBe(true)
  expect((await change(owner, { currency: 'EUR' })).status).toBe(200)
  expect(await month()).toEqual(before)
})
