import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noBranding } from '../../merchant/branding.ts'
import { type ElementFile, openElementFiles } from './element-files.ts'
import { pageTexts } from './page-language.ts'
import { renderPayPage } from './pay-page.ts'

const script = '/* imports the element */'
const element = '/* the element */'
const elementName = 'stablecoin-checkout-element-CV8b_w-x.js'
const folder = mkdtempSync(join(tmpdir(), 'checkout-widget-'))
writeFileSync(join(folder, 'stablecoin-checkout.js'), script)
writeFileSync(join(folder, elementName), element)
writeFileSync(join(folder, 'secrets.json'), '{}')

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp({ elementFiles: openElementFiles(folder) })
})
afterEach(async () => {
  await fixture.close()
})
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const sha384 = (text: string) => createHash('sha384').update(text).digest()
const hashed = `/stablecoin-checkout.${sha384(script).toString('hex').slice(0, 16)}.js`

describe('the element’s script', () => {
  test('stands at an address that stays and at one with its hash, which may be kept for ever', async () => {
    const stable = await fixture.fetch('/stablecoin-checkout.js')
    const immutable = await fixture.fetch(hashed)
    for (const answer of [stable, immutable]) {
      expect(await answer.text()).toBe(script)
      expect(answer.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    }
    expect(stable.headers.get('Cache-Control')).toBe('public, max-age=300, stale-while-revalidate=86400')
    expect(immutable.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  })

  test('is listed with its address and its integrity hash', async () => {
    const { body } = await fixture.call('/stablecoin-checkout.json')
    const integrity = `sha384-${sha384(script).toString('base64')}`
    expect(body).toMatchObject({ 'stablecoin-checkout.js': { url: hashed, integrity } })
    expect(body[elementName]).toMatchObject({ url: `/${elementName}` })
    expect(Object.keys(body)).toEqual([elementName, 'stablecoin-checkout.js'])
  })

  test('imports chunks that may be kept for ever, because their names hold their hash, from any shop’s origin', async () => {
    const answer = await fixture.fetch(`/${elementName}?attempt=1`)
    expect(await answer.text()).toBe(element)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
  })

  test('is found from the address of another build, which a shop’s page may still hold', async () => {
    const answer = await fixture.fetch('/stablecoin-checkout.0123456789abcdef.js')
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/stablecoin-checkout.js'])
    expect(answer.headers.get('Cache-Control')).toBe('no-cache')
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent as %s where the browser can read it', async (encoding, decompress) => {
    const answer = await fixture.fetch(hashed, { headers: { 'Accept-Encoding': `${encoding}, deflate` } })
    expect([answer.headers.get('Content-Encoding'), answer.headers.get('Vary')]).toEqual([encoding, 'Accept-Encoding'])
    expect(decompress(Buffer.from(await answer.arrayBuffer())).toString()).toBe(script)
    const plain = await fixture.fetch(hashed, { headers: { 'Accept-Encoding': `${encoding};q=0` } })
    expect(plain.headers.get('Content-Encoding')).toBe(null)
  })

  test('is not sent again to who has it', async () => {
    const etag = (await fixture.fetch('/stablecoin-checkout.js')).headers.get('ETag') ?? ''
    const again = await fixture.fetch('/stablecoin-checkout.js', { headers: { 'If-None-Match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.each(['/secrets.json', '/stablecoin-checkout-none.js', '/stablecoin-checkout.0123456789abcdef.mjs'])(
    'nothing else of its folder is handed out: %s',
    async (path) => expect((await fixture.fetch(path)).status).toBe(404),
  )
})

describe('the page behind a payment link', () => {
  test('is compressed for browsers, and sent as it is to who does not ask', async () => {
    const { body } = await fixture.post('/api/v1/deposits/create', order)
    const path = `/pay/${body.payment['id']}`
    const plain = await fixture.fetch(path)
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    const text = await plain.text()
    const zipped = await fixture.fetch(path, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } })
    expect(zipped.headers.get('Content-Encoding')).toBe('gzip')
    expect(zipped.headers.get('Vary')).toBe('Accept, Accept-Language, Accept-Encoding')
    expect(zipped.headers.get('Content-Security-Policy')).toBe(plain.headers.get('Content-Security-Policy'))
    const bytes = Buffer.from(await zipped.arrayBuffer())
    expect(bytes.length).toBeLessThan(text.length * 0.6)
    expect(gunzipSync(bytes).toString()).toContain(`payment-id="${body.payment['id']}"`)
  })

  const create = async (body: object = order, key = fixture.keys.public) => {
    const { payment } = (await fixture.create({ ...order, ...body }, key)).body
    return String(payment['id'])
  }

  test('holds the element with the payment’s id, and its module by its hash', async () => {
    const id = await create()
    const answer = await fixture.fetch(`/pay/${id.toUpperCase()}`)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(text).toContain(`<stablecoin-checkout payment-id="${id}">`)
    expect(text).toContain(`src="/${elementName}" integrity="sha384-${sha384(element).toString('base64')}"`)
    expect(text).toContain('<title>Pay 25.00 USDC to Corner Coffee</title>')
    expect(text).not.toMatch(/>test/i)
  })

  test('speaks the language that the browser prefers, of those that the element has, as every list of them says', async () => {
    const locales = readdirSync(new URL('../../../../widget/src/locales/', import.meta.url))
    const codes = locales.flatMap((name) => /^([a-z]{2})\.ts$/.exec(name)?.[1] ?? [])
    expect(Object.keys(pageTexts).toSorted()).toEqual(codes.toSorted())
    const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
    const [, names = ''] =
      /^export const languageNames = \{([^}]*)\}/m.exec(read('bff/dashboard/locales/locale.ts')) ?? []
    const listed = [...names.matchAll(/^ {2}([a-z]{2}): /gm)].map(([, code]) => code)
    expect(listed.toSorted(), 'bff/dashboard/locales/locale.ts').toEqual(codes.toSorted())
    const english = new Intl.DisplayNames('en', { type: 'language' })
    const inEnglish = codes.map((code) => english.of(code) ?? code).toSorted()
    expect(read('widget/README.md'), 'widget/README.md').toContain(`- **Languages:** ${inEnglish.join(', ')}, by`)
    const id = await create()
    const link = await fixture.call('/api/v1/links', {
      method: 'POST',
      headers: { ...fixture.keys.secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount: '25.00' }),
    })
    const { id: linkId } = link.body['link'] as { id: string }
    const tagOf = async (path: string, language: string) => {
      const text = await (await fixture.fetch(path, { headers: { 'Accept-Language': language } })).text()
      return / lang="(\w+)">/.exec(/<stablecoin-checkout[^>]*>/.exec(text)?.[0] ?? '')?.[1]
    }
    for (const path of [`/pay/${id}`, `/pay/${linkId}`]) {
      expect(await tagOf(path, 'ar-EG,ar;q=0.9,en;q=0.8')).toBe('ar')
      expect(await tagOf(path, 'sv,en;q=0.4,de-AT;q=0.7,*;q=0.1')).toBe('de')
      for (const english of ['en-GB,de;q=0.9', 'sv', '*', '"><script>', '']) {
        expect(await tagOf(path, english)).toBe(undefined)
      }
    }
  })

  test('hands the client secret of the fragment to the element by a script that its policy names', async () => {
    const answer = await fixture.fetch(`/pay/${await create()}`)
    const [, inline = ''] = /<\/stablecoin-checkout>\s*<script>([^<]+)<\/script>/.exec(await answer.text()) ?? []
    expect(inline).toContain("setAttribute('client-secret'")
    const hash = createHash('sha256').update(inline).digest('base64')
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`)
  })

  test('brings what the public read of the payment answers, so that the element need not wait for it', async () => {
    const id = await create()
    const [, json = ''] =
      /<script type="application\/json">([^<]+)<\/script>/.exec(await (await fixture.fetch(`/pay/${id}`)).text()) ?? []
    const { body } = await fixture.call(`/api/v1/payments/public/${id}?include=qr`)
    expect({ ...JSON.parse(json), serverTime: '' }).toEqual({ ...body, serverTime: '' })
  })

  test('holds no markup of a merchant’s name', async () => {
    const { body } = await fixture.call(`/api/v1/payments/public/${await create()}`)
    const answer = body as unknown as Parameters<typeof renderPayPage>[1]
    answer.payment.Merchant.businessName = '</script><b>Shop</b>'
    const { element } = openElementFiles(folder)
    const shop = { name: answer.payment.Merchant.businessName, branding: noBranding }
    const shown = { projectId: null, language: 'en', origin: null, shop, hasMail: false } as const
    const text = String(await renderPayPage(element as ElementFile, answer, shown))
    expect(text).not.toContain('<b>')
    expect(text.match(/<\/script>/g)).toHaveLength(3)
  })

  test('shows nothing that the public answer does not', async () => {
    const id = await create({ orderId: 'o-7', customerEmail: 'ada@example.com', metadata: { secret: 's3cret' } })
    expect(await (await fixture.fetch(`/pay/${id}`)).text()).not.toMatch(/o-7|ada@|s3cret|pk_/)
  })

  test('lets nothing run but our script, is framed by nobody, kept nowhere, and sends its address to nobody', async () => {
    const { headers } = await fixture.fetch(`/pay/${await create()}`)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*|access/)
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(rule)
    expect([headers.get('Referrer-Policy'), headers.get('Cache-Control')]).toEqual(['no-referrer', 'no-store'])
  })

  test('offers WalletConnect with the operator’s project, and only then allows what that needs', async () => {
    const without = (await fixture.fetch(`/pay/${await create()}`)).headers.get('Content-Security-Policy') ?? ''
    await fixture.close()
    const walletconnectProjectId = '0123456789abcdef0123456789abcdef'
    fixture = await openApp({ elementFiles: openElementFiles(folder), walletconnectProjectId })
    const id = await create()
    const answer = await fixture.fetch(`/pay/${id}`)
    expect(await answer.text()).toContain(`payment-id="${id}" walletconnect-project-id="${walletconnectProjectId}">`)
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    const rulesOf = (text: string) => new Map(text.split('; ').map((rule) => rule.split(/ (.*)/) as [string, string]))
    const [strict, wide] = [rulesOf(without), rulesOf(policy)]
    const changed = [...wide].filter(([name, sources]) => strict.get(name) !== sources)
    expect(Object.fromEntries(changed)).toEqual({
      'style-src': "'unsafe-inline'",
      'img-src': "'self' data: blob:",
      'font-src': 'https://fonts.reown.com',
      'frame-src': 'https://verify.walletconnect.org',
      'connect-src':
        "'self' https://api.web3modal.org https://pulse.walletconnect.org https://rpc.walletconnect.org wss://relay.walletconnect.org",
      'trusted-types': "lit-html 'allow-duplicates'",
    })
    const none = await fixture.fetch('/pay/seven')
    expect(none.headers.get('Content-Security-Policy')).toBe(without)
  })

  test('says that a test payment is one, in the title too', async () => {
    const id = await create(order, fixture.keys.test)
    const text = await (await fixture.fetch(`/pay/${id}`)).text()
    expect(text).toContain('<title>TEST · Pay 25.00 USDC to Corner Coffee</title>')
    // The element says it too: two banners would say the same, so that the page's is for browsers without scripts.
    expect(text).toContain('<noscript><p class="test" role="note">Test payment. Don’t send money')
    expect(text.match(/class="test"/g)).toHaveLength(1)
  })

  test.each(['7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', 'seven', '%3Cscript%3E'])(
    'says so when there is no such payment: %s',
    async (id) => {
      const answer = await fixture.fetch(`/pay/${id}`)
      const text = await answer.text()
      expect(answer.status).toBe(404)
      expect(text).toContain('There is no such payment')
      expect(text).not.toContain('<script')
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    },
  )

  test('names what is missing where the element is not built', async () => {
    await fixture.close()
    fixture = await openApp()
    const { status, body } = await fixture.call(`/pay/${await create()}`)
    expect([status, body['code']]).toEqual([404, 'ELEMENT_NOT_BUILT'])
  })
})
