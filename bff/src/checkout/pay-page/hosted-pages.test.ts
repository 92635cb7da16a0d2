import { pngOf } from '@stablecoin-checkout/rig/pictures'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveName } from '../../merchant/account-store.ts'
import { noBranding } from '../../merchant/branding.ts'
import { saveBranding } from '../../merchant/branding-store.ts'
import { readLogo } from '../../merchant/logo-picture.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import { formatPrice, formatTokens, pageTexts, plain, titleName } from './page-language.ts'

const file = { name: 'stablecoin-checkout-element-x.js', hashedName: 'stablecoin-checkout-element-x.js' }
const element = { ...file, integrity: 'sha384-x', body: async () => Buffer.from('') }
const elementFiles = { element, files: [element], find: () => undefined }

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp({ elementFiles, publicUrl: 'https://pay.example' })
})
afterEach(() => bff.close())

const merchantId = () => bff.merchant.merchantId as MerchantId

async function create(fields: object = {}): Promise<string> {
  const { body } = await bff.create({ ...order, ...fields })
  return String(body.payment['id'])
}

async function createLink(body: object): Promise<string> {
  const headers = { ...bff.keys.secret, 'Content-Type': 'application/json' }
  const answer = await bff.call('/api/v1/links', { method: 'POST', headers, body: JSON.stringify(body) })
  return String((answer.body['link'] as { id: string }).id)
}

async function page(path: string, language = '') {
  const answer = await bff.fetch(path, { headers: { 'Accept-Language': language } })
  return { answer, text: await answer.text() }
}

const titleOf = (text: string) => /<title>(.*?)<\/title>/.exec(text)?.[1]
const previewOf = (text: string) =>
  [...text.matchAll(/property="og:(title|description|image)" content="([^"]*)"/g)].map(([, , value]) => value)

describe('the language of a hosted page', () => {
  test.each([
    ['en', 'ltr', 'Pay 1,250.00 USDC to Corner Coffee'],
    ['de', 'ltr', '1.250,00 USDC an Corner Coffee bezahlen'],
    ['fr', 'ltr', 'Payer 1\u202f250,00 USDC à Corner Coffee'],
    ['ar', 'rtl', 'ادفع 1,250.00 USDC إلى \u2068Corner Coffee\u2069'],
  ])('is the browser’s or the one chosen in the URL: %s', async (code, direction, title) => {
    const id = await create({ amount: '1250.00' })
    for (const { answer, text } of [await page(`/pay/${id}`, code), await page(`/pay/${id}?lang=${code}`, 'sw')]) {
      expect(text).toContain(`<html lang="${code}" dir="${direction}">`)
      expect(titleOf(text)).toBe(title)
      expect(text).toContain(`<noscript><p>${pageTexts[code as 'en'].noScript}`)
      expect(answer.headers.get('Vary')).toBe('Accept, Accept-Language, Accept-Encoding')
    }
  })

  test('can be changed on every page, without a script, to each of twelve', async () => {
    const paths = [`/pay/${await create()}`, `/pay/${await createLink({ amount: '5' })}`, '/pay/seven']
    for (const path of paths) {
      const { text } = await page(path)
      const links = [...text.matchAll(/<a href="\?lang=(\w\w)" hreflang="\1" lang="\1"/g)].map(([, code]) => code)
      expect(links, path).toEqual(Object.keys(pageTexts))
    }
  })

  test('keeps what the page was asked for: to lead back by itself', async () => {
    const { text } = await page(`/pay/${await createLink({ amount: '5' })}?return=auto`)
    expect(text).toContain('<a href="?lang=de&amp;return=auto" hreflang="de"')
  })

  test.each(['', 'xx', '__proto__', 'constructor', '"><script>', 'de-AT'])(
    'is not chosen by another word: %s',
    async (word) => {
      const { text } = await page(`/pay/${await create()}?lang=${encodeURIComponent(word)}`, 'de')
      expect(text).toContain('<html lang="de" dir="ltr">')
    },
  )

  test('is that of the page for unknown payments, which says what to do', async () => {
    const { answer, text } = await page('/pay/seven', 'es')
    expect(answer.status).toBe(404)
    expect(text).toContain('<h1>Este pago no existe</h1><p>Puede que el enlace esté incompleto.')
    expect(text).not.toMatch(/null|undefined|\[object/)
  })

  test('leaves no sentence out, and none in English but what is a name', () => {
    const { en, ...others } = pageTexts
    // Test is a word of German, French and Turkish too.
    const same = { de: ['testTitle'], fr: ['testTitle'], tr: ['testTitle'] } as Record<string, string[]>
    for (const [code, texts] of Object.entries(others)) {
      const unchanged = Object.entries(texts).filter(([key, text]) => text === en[key as keyof typeof en])
      expect(
        unchanged.map(([key]) => key),
        code,
      ).toEqual(same[code] ?? [])
      for (const [key, text] of Object.entries(texts)) {
        const places = (sentence: string) => [...sentence.matchAll(/\{\d}/g)].map(String).toSorted()
        expect(places(text), `${code} ${key}`).toEqual(places(en[key as keyof typeof en]))
      }
    }
  })
})

describe('amounts', () => {
  test('are exact in every language, whatever their length', () => {
    expect(formatTokens('9007199254740993.000000000000000001', 'en')).toBe('9,007,199,254,740,993.000000000000000001')
    expect(formatTokens('25', 'de')).toBe('25')
    expect(formatTokens('1250.5', 'hi')).toBe('1,250.5')
    expect(formatPrice('9007199254740993.05', 'USD', 'en')).toBe('$9,007,199,254,740,993.05')
    expect(formatPrice('5', 'JPY', 'zh')).toBe('JP¥5')
  })
})

describe('the merchant’s own page', () => {
  const links = { termsUrl: 'https://shop.example/terms', supportUrl: 'https://shop.example/help?a=1&b=<i>' }

  test('has its logo, colour and links, and allows no more than before', async () => {
    const id = await create()
    const plainPolicy = (await page(`/pay/${id}`)).answer.headers.get('Content-Security-Policy') ?? ''
    const logo = readLogo(pngOf(64, 64))
    const branding = { ...noBranding, color: '#ffd400', logo: logo.name, ...links }
    await bff.deps.db.write((tx) => saveBranding(tx, merchantId(), branding, logo))
    for (const path of [`/pay/${id}`, `/pay/${await createLink({ amount: '5' })}`]) {
      const { answer, text } = await page(path, 'de')
      expect(text).toContain(`<img src="/logos/merchants/${logo.name}" alt="" width="48" height="48">`)
      expect(text).toContain('--sc-accent:light-dark(#836d00,#ffd400);--sc-on-accent:light-dark(#ffffff,#0c1226)')
      expect(text).toContain('<a href="https://shop.example/terms" rel="noopener noreferrer" target="_blank">AGB</a>')
      expect(text).toContain('href="https://shop.example/help?a=1&amp;b=&lt;i&gt;"')
      expect(text).not.toContain('>Datenschutz<')
      expect(text).toContain(`<link rel="icon" href="/logos/merchants/${logo.name}">`)
      const policy = answer.headers.get('Content-Security-Policy') ?? ''
      const withoutHashes = (one: string) => one.replaceAll(/ 'sha256-[^']+'/g, '')
      expect(withoutHashes(policy)).toBe(withoutHashes(plainPolicy))
      expect(policy.match(/style-src( 'sha256-[^']+'){3};/)).not.toBe(null)
    }
    expect((await page('/pay/seven')).text).not.toContain(logo.name)
  })

  test('leads back to the shop once the payment has ended', async () => {
    const id = await create({ returnUrl: 'https://shop.example/thanks' })
    const { text } = await page(`/pay/${id}`)
    expect(text).toContain(`<a class="back" href="https://shop.example/thanks?paymentId=${id}"`)
    expect(text).not.toMatch(/<main[^>]* data-stage=/)
    await bff.post('/api/v1/payments/fail', { paymentId: id }, bff.keys.secret)
    const ended = (await page(`/pay/${id}`)).text
    expect(ended).toMatch(/<main[^>]* data-stage="closed">/)
    expect(titleOf(ended)).toBe('Payment cancelled · Corner Coffee')
  })

  test('names no sum and nothing of the order in the preview of a payment, and both in that of a link', async () => {
    const id = await create({ returnUrl: 'https://shop.example/thanks', orderId: 'o-7' })
    const { text } = await page(`/pay/${id}`)
    expect(previewOf(text)).toEqual([
      'Payment to Corner Coffee',
      'Pay with USDC.',
      'https://pay.example/logos/merchants/none.png',
    ])
    expect(text).toContain('<meta name="robots" content="noindex">')
    const link = await createLink({ price: '25.50', priceCurrency: 'USD', description: 'Table 7' })
    expect(previewOf((await page(`/pay/${link}`)).text).slice(0, 2)).toEqual(['Pay $25.50 to Corner Coffee', 'Table 7'])
    const icon = await bff.fetch('/logos/merchants/none.png')
    expect(readLogo(Buffer.from(await icon.arrayBuffer())).name).toMatch(/\.png$/)
    expect(icon.headers.get('Content-Type')).toBe('image/png')
  })
})

describe('a name that attacks', () => {
  const hostile = '\u202eevil\u202c </title><script>alert(1)</script>\n\u2066x'

  test('is neither markup nor turns the sentence around it, in no place of the page', async () => {
    await bff.deps.db.write((tx) => saveName(tx, merchantId(), hostile))
    const id = await create()
    const link = await createLink({ amount: '5', description: hostile })
    for (const path of [`/pay/${id}`, `/pay/${link}`]) {
      const { text } = await page(path)
      const shown = text.replace(/<script type="application\/json">[^<]*<\/script>/, '')
      expect(shown).not.toContain('<script>alert')
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2067]/)
      expect(shown).toContain('evil &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; x')
    }
  })

  test('is cut in titles by letters, not by halves of them, and kept apart from letters of the other direction', () => {
    expect(titleName('🛍️'.repeat(60), 'en')).toMatch(/^(🛍️){29}🛍…$/u)
    expect(titleName('متجر', 'en')).toBe('\u2068متجر\u2069')
    expect(plain('  a\u0000\u2028b\u200f  ')).toBe('a b')
  })
})

describe('the page of a link', () => {
  test('says what is asked before anything is chosen: the tokens, or the price', async () => {
    const devnet = bff.deps.networks.get('devnet')
    const [usdc] = devnet?.tokens ?? []
    if (!devnet || !usdc) throw new Error('There is no devnet.')
    const usdt = { ...usdc, symbol: 'USDT' as const, name: 'Tether USD', address: `0x${'7'.repeat(40)}` }
    bff.deps.networks.set('devnet', { ...devnet, tokens: [usdc, usdt] } as typeof devnet)
    const sums = async (body: object, language: string) =>
      /<p class="sum"><bdi>(.*?)<\/bdi>/.exec((await page(`/pay/${await createLink(body)}`, language)).text)?.[1]
    expect(await sums({ amount: '12.50' }, 'en')).toBe('12.50 USDC or USDT')
    expect(await sums({ amount: '12.50' }, 'de')).toBe('12,50 USDC oder USDT')
    expect(await sums({ amount: '1200', currency: 'USDT' }, 'es')).toBe('1200 USDT')
    expect(await sums({ price: '9.99', priceCurrency: 'USD' }, 'en')).toBe('$9.99')
  })

  test('says why it takes no payment, each in its own words, and shows the element only to who has paid by it', async () => {
    const soon = new Date(bff.nowMs() + 3_600_000).toISOString()
    const [open, expires, ends] = [
      await createLink({ amount: '5' }),
      await createLink({ amount: '5', expiresAt: soon, returnUrl: 'https://shop.example/cart' }),
      await createLink({ amount: '5' }),
    ]
    expect((await page(`/pay/${open}`)).text).not.toMatch(/class="card"|hidden>/)
    await bff.call(`/api/v1/links/${ends}/end`, { method: 'POST', headers: bff.keys.secret })
    bff.advance(3_600_001)
    const expired = (await page(`/pay/${expires}`)).text
    expect(expired).toContain('<h2>This link has expired</h2><p>It could be paid until <bdi><time datetime="')
    expect(expired).toContain('Ask <bdi>Corner Coffee</bdi> for a new one. Nothing was charged.')
    expect(expired).toContain('<a class="back" href="https://shop.example/cart"')
    expect(expired).toMatch(/<stablecoin-checkout public-key="[\w-]+" amount="5" hidden>/)
    const ended = (await page(`/pay/${ends}`, 'de')).text
    expect(ended).toContain('<h2>Dieser Link ist geschlossen</h2><p><bdi>Corner Coffee</bdi> hat ihn geschlossen.')
  })

  test('used by a stranger: while the first payment is confirmed it is busy, then paid', async () => {
    const link = await createLink({ amount: '25.00' })
    const choice = { network: 'devnet', currency: 'USDC' }
    const { body } = await bff.post(`/api/v1/links/public/${link}/create`, choice)
    const id = String(body.payment['id']) as PaymentId
    const transfer = transferTo(id, 25_000_000n)
    await bff.deps.ledger.apply(id, { type: 'transfer.seen', transfer, atMs: bff.nowMs() })
    expect((await page(`/pay/${link}`)).text).toContain('<h2>Someone is paying with this link</h2>')
    await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
    const { text } = await page(`/pay/${link}`)
    expect(text).toContain('<h2>This was already paid</h2><p>This link can’t be paid again.')
    expect(text).toContain(' hidden>')
    expect(titleOf((await page(`/pay/${id}`)).text)).toBe('Paid · Corner Coffee')
  })
})
