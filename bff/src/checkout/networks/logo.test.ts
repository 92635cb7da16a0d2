import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assetNames, readAsset } from '../../assets.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { chainLogo } from './logo.ts'

let fixture: AppFixture
let server: Server | undefined
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  await fixture.close()
})

type Answer = { status: number | undefined; headers: Record<string, unknown>; text: string }

/** Over a socket, because a header that is set on the raw response is seen only there. */
async function ask(path: string, headers: Record<string, string> = {}, app = fixture): Promise<Answer> {
  server ??= createServer(getRequestListener(app.app.fetch)).listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [response] = await once(request({ port, path, headers }).end(), 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

/** Of the lists and records, whatever their form. */
const logosIn = (text: string): string[] => [...text.matchAll(/"logo":"([^"]+)"/g)].map(([, uri]) => String(uri))

describe('a logo', () => {
  test('is a picture that any page may show, kept for long, and nothing in it may run', async () => {
    const { status, headers, text } = await ask('/logos/networks/base.svg')
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(text).toMatch(/^<svg /)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('max-age=2592000'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const again = await ask('/logos/networks/base.svg', { 'If-None-Match': String(headers['etag']) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each([
    '/logos/networks/mars.svg',
    '/logos/networks/..%2f..%2fassets.ts',
    '/logos/README.md',
    '/logos/other/base.svg',
  ])('is not anything else: %s', async (path) => expect((await ask(path)).status).toBe(404))

  test('is there for every known network, and for its tokens', () => {
    for (const { chainId, logo, tokens } of knownNetworks.values()) {
      expect(chainLogo('https://pay.example', chainId)).toBe(`https://pay.example/logos/networks/${logo}.svg`)
      expect(assetNames('network-logos')).toContain(`${logo}.svg`)
      for (const { symbol } of tokens) expect(assetNames('token-logos')).toContain(`${symbol.toLowerCase()}.svg`)
    }
  })

  test('holds shapes only: no script, no handler, no link, nothing that is loaded', () => {
    const shapes = ['svg', 'g', 'defs', 'path', 'clipPath', 'mask', 'linearGradient', 'stop']
    for (const kind of ['network-logos', 'token-logos'] as const) {
      for (const name of assetNames(kind)) {
        const text = readAsset(kind, name).toString('utf8')
        const elements = [...text.matchAll(/<\/?([^\s/>]+)/g)].map(([, element]) => element)
        expect(
          elements.filter((element) => !shapes.includes(String(element))),
          name,
        ).toEqual([])
        expect(text, name).not.toMatch(
          /\son\w+\s*=|href|style|data:|&|url\((?!#)|https?:(?!\/\/www\.w3\.org\/2000\/svg")/i,
        )
      }
    }
  })
})

describe('`logo` in an answer', () => {
  test('is the whole address of a picture that is there, in lists, in what create answers and in records', async () => {
    const created = await fixture.create()
    const id = String(created.body.payment['id'])
    const texts = [JSON.stringify(created.body)]
    for (const path of [
      '/networks',
      '/networks/stablecoins',
      '/networks/payable/stablecoins',
      '/networks/devnet/tokens',
    ])
      texts.push((await ask(`/api/v1${path}`, { ...fixture.keys.secret, Host: 'localhost' })).text)
    for (const path of [`/payments/${id}`, `/payments/public/${id}`])
      texts.push((await ask(`/api/v1${path}`, { ...fixture.keys.secret, Host: 'localhost' })).text)
    for (const text of texts) {
      const logos = logosIn(text)
      expect(logos.length, text).toBeGreaterThan(0)
      for (const uri of logos) {
        expect(uri).toMatch(/^http:\/\/localhost\/logos\//)
        expect((await ask(new URL(uri).pathname)).status, uri).toBe(200)
      }
    }
  })

  test('is under the public address of the configuration, whatever the request says', async () => {
    await fixture.close()
    fixture = await openApp({ publicUrl: 'https://pay.example' })
    const { body } = await fixture.create(order)
    expect(body.payment).toMatchObject({
      Token: { logo: 'https://pay.example/logos/tokens/usdc.svg', isStablecoin: true },
      Network: { logo: 'https://pay.example/logos/networks/other.svg', isTestnet: true },
    })
    const listed = await ask('/api/networks', { ...fixture.keys.public, Host: 'evil.example' })
    expect(logosIn(listed.text)[0]).toBe('https://pay.example/logos/networks/other.svg')
  })

  test('is under the address that the caller used; X-Forwarded is believed of a proxy of ours, and of nobody else', async () => {
    const key = fixture.keys.public
    const forwarded = { ...key, Host: 'inside:8787', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'pay.example' }
    const first = async (headers: Record<string, string>) => logosIn((await ask('/api/networks', headers)).text)[0]
    expect(await first({ ...key, Host: 'Shop.example:8443' })).toBe('http://shop.example:8443/logos/networks/other.svg')
    expect(await first(forwarded)).toBe('http://inside:8787/logos/networks/other.svg')
    server?.close()
    server = undefined
    await fixture.close()
    fixture = await openApp({ trustedProxies: ['127.0.0.1'] })
    const behind = { ...forwarded, ...fixture.keys.public }
    expect(await first(behind)).toBe('https://pay.example/logos/networks/other.svg')
    expect(await first({ ...behind, 'X-Forwarded-Host': 'a"onerror=x' })).toBeUndefined()
    expect((await ask('/api/networks', { ...behind, 'X-Forwarded-Host': 'a"b' })).text).toContain('"logo":null')
  })
})
