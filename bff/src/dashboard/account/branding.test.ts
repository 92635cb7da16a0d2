import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { pngOf } from '@stablecoin-checkout/rig/pictures'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

async function auditOf(page: Awaited<ReturnType<typeof signedIn>>) {
  const { body } = await page.ask('GET', '/dashboard/audit')
  return body['entries'] as Record<string, unknown>[]
}

describe('branding', () => {
  const links = {
    termsUrl: 'https://shop.example/terms',
    privacyUrl: 'https://shop.example/privacy',
    imprintUrl: 'https://shop.example/imprint',
    supportUrl: 'https://shop.example/help',
  }

  test('of colour, logo and links is set with an owner’s passkey, applies immediately, and each change is in the audit log', async () => {
    const owner = await signedIn(bff)
    const { body: first } = await owner.ask('GET', '/dashboard/settings')
    expect(first['settings']).toMatchObject({ color: null, logo: null, termsUrl: null, supportUrl: null })
    const picture = pngOf(64, 64)
    const asked = { color: '#2B50C8', logo: picture.toString('base64'), ...links }
    const { body } = await owner.confirm('PATCH', '/dashboard/settings', asked)
    const settings = body['settings'] as Record<string, string>
    expect(settings).toMatchObject({ color: '#2b50c8', ...links, name: 'Corner Coffee' })
    expect((await owner.ask('GET', '/dashboard/settings')).body).toEqual(body)
    const audited = (await auditOf(owner)).slice(0, 6).map(({ subject, before }) => [subject, before])
    expect(audited.toReversed()).toEqual(['color', 'logo', ...Object.keys(links)].map((subject) => [subject, '']))

    const served = await bff.fetch(settings['logo'] ?? '')
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })

    const { body: kept } = await owner.confirm('PATCH', '/dashboard/settings', { color: null, termsUrl: '' })
    expect(kept['settings']).toMatchObject({ color: null, termsUrl: null, logo: settings['logo'] })
    expect((await bff.fetch(settings['logo'] ?? '')).status).toBe(200)
    const { body: bare } = await owner.confirm('PATCH', '/dashboard/settings', { logo: null })
    expect(bare['settings']).toMatchObject({ logo: null, privacyUrl: links.privacyUrl })
    expect((await bff.fetch(settings['logo'] ?? '')).status).toBe(404)
  })

  test.each([
    [{ color: 'red' }, 'color must be #rrggbb'],
    [{ color: '#fff;background:url(//evil.example)' }, 'color must be #rrggbb'],
    [{ logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }, 'logo must be a complete PNG, JPEG or WebP'],
    [{ logo: 'https://evil.example/logo.png' }, 'logo must be base64'],
    [{ logo: pngOf(513, 9).toString('base64') }, 'logo must be at most 512 × 512 pixels'],
    [{ logo: 'AAAA'.repeat(15_000) }, 'logo must be at most 44000 bytes'],
    [{ termsUrl: 'http://shop.example/terms' }, 'termsUrl must be an https URL'],
    [{ privacyUrl: 'javascript:alert(1)' }, 'privacyUrl must be an https URL'],
    [{ imprintUrl: 'https://user:secret@shop.example/' }, 'imprintUrl must be an https URL'],
    [{ supportUrl: `https://shop.example/${'a'.repeat(300)}` }, 'supportUrl must be an https URL of at most 300'],
  ])('with an invalid value (%#) is refused, and changes nothing', async (asked, why) => {
    const owner = await signedIn(bff)
    const { body: before } = await owner.ask('GET', '/dashboard/settings')
    const refused = await owner.confirm('PATCH', '/dashboard/settings', asked)
    expect([refused.status, refused.body['code'], refused.body['message']]).toEqual([
      400,
      'VALIDATION_FAILED',
      expect.stringContaining(why),
    ])
    expect((await owner.ask('GET', '/dashboard/settings')).body).toEqual(before)
  })

  test('serves no logo under another name, and no other file', async () => {
    for (const name of [`${'0'.repeat(32)}.png`, '..%2F..%2Fapp.ts', 'x.svg', '%00.png']) {
      expect((await bff.fetch(`/logos/merchants/${name}`)).status, name).toBe(404)
    }
  })
})
