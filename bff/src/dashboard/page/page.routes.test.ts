import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, describe, expect, test } from 'vitest'
import { dashboardFilesOf } from './page.routes.ts'

const dashboardFiles = dashboardFilesOf([
  ['index.html', Buffer.from('<!doctype html><title>Dashboard</title>')],
  ['assets/index-Ab1.js', Buffer.from('/* the page */')],
  ['assets/index-Ab1.js.map', Buffer.from('{}')],
])

let bff: AppFixture | undefined
afterEach(() => bff?.close())

describe('the dashboard’s page', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/payments/7f0f1f4e'])('is served at %s', async (path) => {
    bff = await openApp({ dashboardFiles })
    const answer = await bff.fetch(path)
    expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html><title>Dashboard</title>'])
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('no-cache')
  })

  test('cannot be framed, and runs only its own scripts', async () => {
    bff = await openApp({ dashboardFiles })
    const { headers } = await bff.fetch('/dashboard')
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  })

  test.each([
    ['http://127.0.0.1:8787', 'localhost:8787', "img-src 'self' data: http://127.0.0.1:8787;"],
    ['https://pay.shop.example', 'pay.shop.example', "img-src 'self' data:;"],
  ])('at %s loads logos only from the origin of the logo URLs in responses', async (publicUrl, host, expected) => {
    bff = await openApp({ dashboardFiles, publicUrl })
    const { headers } = await bff.fetch('/dashboard', { headers: { Host: host } })
    expect(headers.get('Content-Security-Policy')).toContain(expected)
  })

  test('has files that are cached permanently, and serves nothing else of its folder', async () => {
    bff = await openApp({ dashboardFiles })
    const script = await bff.fetch('/dashboard/assets/index-Ab1.js', { headers: { 'Accept-Encoding': 'br' } })
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect([script.headers.get('Content-Encoding'), script.headers.get('X-Content-Type-Options')]).toEqual([
      'br',
      'nosniff',
    ])
    const etag = script.headers.get('ETag') ?? ''
    const again = await bff.fetch('/dashboard/assets/index-Ab1.js', { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    for (const path of [
      '/dashboard/assets/none.js',
      '/dashboard/assets/index-Ab1.js.map',
      '/dashboard/assets/../../x',
    ]) {
      expect((await bff.fetch(path)).status).toBe(404)
    }
  })

  test('redirects from 127.0.0.1, where browsers create no passkeys, to localhost', async () => {
    bff = await openApp({ dashboardFiles, publicUrl: 'http://127.0.0.1:8787' })
    const answer = await bff.fetch('/dashboard/links', { headers: { Host: '127.0.0.1:8787' } })
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, 'http://localhost:8787/dashboard/links'])
    const hostile = await bff.fetch('/dashboard/%0D%0ASet-Cookie:a=b', { headers: { Host: '127.0.0.1:8787' } })
    const location = 'http://localhost:8787/dashboard/%0D%0ASet-Cookie:a=b'
    expect([hostile.status, hostile.headers.get('Location')]).toEqual([302, location])
  })

  test('redirects no other address to localhost, where another service may run', async () => {
    bff = await openApp({ dashboardFiles })
    const answer = await bff.fetch('/dashboard/links', { headers: { Host: 'shop.example:8787' } })
    expect([answer.status, answer.headers.get('Location')]).toEqual([200, null])
  })

  test('returns how to build it if it is not built', async () => {
    bff = await openApp()
    const answer = await bff.fetch('/dashboard')
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'DASHBOARD_NOT_BUILT'])
  })
})

describe('sign-in', () => {
  const optionsAt = async (host: string, origin: string) => {
    const answer = await bff?.fetch('/api/v1/dashboard/sign-in/options', {
      method: 'POST',
      headers: { Host: host, Origin: origin },
    })
    const body = (await answer?.json()) as { code?: string; options?: { rpId: string } }
    return body.code ?? body.options?.rpId
  }

  test('is bound to the public address, for any Host header', async () => {
    bff = await openApp({ publicUrl: 'https://pay.example.com' })
    expect(await optionsAt('evil.example', 'https://pay.example.com')).toBe('pay.example.com')
    expect(await optionsAt('evil.example', 'https://evil.example')).toBe('CROSS_ORIGIN')
    expect(await optionsAt('localhost:8787', 'http://localhost:8787')).toBe('CROSS_ORIGIN')
  })

  test.each(['http://pay.example.com', 'https://192.0.2.1'])(
    'is not at %s, where no passkey works',
    async (publicUrl) => {
      bff = await openApp({ publicUrl })
      const { host } = new URL(publicUrl)
      expect(await optionsAt(host, publicUrl)).toBe('DASHBOARD_ADDRESS')
    },
  )

  test('works only on this machine without a public address', async () => {
    bff = await openApp()
    expect(await optionsAt('localhost:8787', 'http://localhost:8787')).toBe('localhost')
    expect(await optionsAt('evil.example', 'http://evil.example')).toBe('DASHBOARD_ADDRESS')
    expect(await optionsAt('localhost.evil.example', 'http://localhost')).toBe('DASHBOARD_ADDRESS')
    expect(await optionsAt('192.0.2.1', 'http://192.0.2.1')).toBe('DASHBOARD_ADDRESS')
  })
})
