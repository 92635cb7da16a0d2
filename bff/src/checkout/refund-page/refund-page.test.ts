import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import { pageTexts } from '../pay-page/page-language.ts'
import { refundTexts } from './refund-texts.ts'

const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
let bff: AppFixture
let refundId: string
let clientSecret: string | undefined

beforeAll(async () => {
  bff = await openApp({ publicUrl: 'https://pay.example' })
  const { payment } = (await bff.create(order)).body
  const id = payment['id'] as PaymentId
  const transfer = transferTo(id, 25_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  const body = JSON.stringify({ amount: '10.00', reason: 'One cup <b>broke</b>' })
  const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
  const requested = await bff.fetch(`/api/v1/payments/${id}/refunds`, { method: 'POST', headers, body })
  const { refund } = (await requested.json()) as { refund: { id: string; pageUrl: string } }
  refundId = refund.id
  clientSecret = refund.pageUrl.split('#client_secret=')[1]
})
afterAll(() => bff.close())

const page = async (path = `/refund/${refundId}`, language = 'en') => {
  const response = await bff.fetch(path, { headers: { 'Accept-Language': language } })
  return { response, text: await response.text() }
}

test('asks the customer for an address in each language, and holds neither the secret nor markup of the merchant', async () => {
  for (const language of Object.keys(pageTexts) as (keyof typeof pageTexts)[]) {
    const { response, text } = await page(undefined, language)
    expect([language, response.status]).toEqual([language, 200])
    expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(text).toContain(refundTexts[language].ask)
    expect(text).not.toContain('cs_')
    expect(text).not.toContain('<b>')
  }
})

test('allows only its own script and styles, is framed by nobody, and passes its address to nobody', async () => {
  const { headers } = (await page()).response
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^ ]+'; style-src ('sha256-[^ ]+' ?)+; /)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
})

test('shows the address once it is named, and no form', async () => {
  const body = JSON.stringify({ address: customer, clientSecret })
  const headers = { 'Content-Type': 'application/json' }
  const named = await bff.fetch(`/api/v1/refunds/${refundId}/address`, { method: 'POST', headers, body })
  expect(named.status).toBe(200)
  const { text } = await page()
  expect(text).toContain(customer)
  expect(text).toContain(refundTexts.en.toPay)
  expect(text).not.toContain('<form>')
})

test('of no refund is a page that says so', async () => {
  for (const path of [`/refund/${crypto.randomUUID()}`, '/refund/1']) {
    const { response, text } = await page(path, 'de')
    expect(response.status).toBe(404)
    expect(text).toContain(refundTexts.de.none)
  }
})
