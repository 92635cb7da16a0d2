import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadParts, partNames } from '../parts.ts'
import { homeTexts } from './home-page.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const read = (headers: Record<string, string> = {}) => fixture.app.request('/', { headers })
const languageOf = (text: string) => /<html lang="(\w+)" dir="(\w+)"/.exec(text)?.slice(1)

test('the bare address is a page that names the service and links to the dashboard and the API', async () => {
  const response = await read()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  const text = await response.text()
  expect(text).toContain('<h1><bdi>stablecoin-checkout</bdi></h1>')
  expect([...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path)).toEqual(['/dashboard', '/docs'])
})

test('it shows nothing of a merchant, a setting or the version, and runs no script', async () => {
  const response = await read({ host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  const text = await response.text()
  for (const secret of [fixture.other.merchantId, 'evil.example', 'devnet', '0x', 'pk_', '<script']) {
    expect(text).not.toContain(secret)
  }
  expect(text).not.toMatch(/\d+\.\d+\.\d+/)
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('it speaks the most preferred language that it has, and English otherwise', async () => {
  for (const language of Object.keys(homeTexts)) {
    const text = await (await read({ 'accept-language': `en;q=0.1, xx, ${language}-XX;q=0.9` })).text()
    expect(languageOf(text)).toEqual([language, language === 'ar' ? 'rtl' : 'ltr'])
  }
  for (const header of ['xx', '', 'de;q=0', 'constructor, __proto__', '*']) {
    expect(languageOf(await (await read({ 'accept-language': header })).text())).toEqual(['en', 'ltr'])
  }
})

test('no link to a dashboard that is switched off', async () => {
  await fixture.close()
  fixture = await openApp({ parts: await loadParts(partNames.filter((name) => name !== 'dashboard')) })
  expect(await (await read()).text()).not.toContain('/dashboard')
})
