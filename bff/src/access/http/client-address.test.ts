import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { Env } from '../context/env.ts'
import { createClientAddress, isAddressOrNetwork, publicOrigin } from './client-address.ts'

const proxies = ['10.0.0.0/8', '2001:db8:ffff::/48', '203.0.113.9']

async function addressOf(socket: string | undefined, forwarded?: string, trusted: string[] = proxies): Promise<string> {
  const find = createClientAddress(trusted)
  const app = new Hono<Env>().get('/', (c) => c.text(find(c)))
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const env = socket === undefined ? {} : { incoming: { socket: { remoteAddress: socket } } }
  return await (await app.request('/', { headers }, env)).text()
}

describe('the address of a caller', () => {
  test("is the socket's, whatever the caller writes into X-Forwarded-For", async () => {
    expect(await addressOf('192.0.2.1')).toBe('192.0.2.1')
    expect(await addressOf('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1')
    expect(await addressOf('10.0.0.1', '198.51.100.7', [])).toBe('10.0.0.1')
    expect(await addressOf(undefined, '198.51.100.7')).toBe('none')
  })

  test('behind proxies of ours is the nearest that is none of them', async () => {
    expect(await addressOf('10.0.0.1', '198.51.100.7')).toBe('198.51.100.7')
    expect(await addressOf('10.0.0.1', '1.1.1.1, 198.51.100.7, 203.0.113.9, 10.9.9.9')).toBe('198.51.100.7')
    expect(await addressOf('2001:db8:ffff::1', '198.51.100.7')).toBe('198.51.100.7')
    expect(await addressOf('::ffff:10.0.0.1', '::ffff:198.51.100.7')).toBe('198.51.100.7')
    expect(await addressOf('::FFFF:10.0.0.1', '::FFFF:198.51.100.7')).toBe('198.51.100.7')
  })

  test('is read without the port that some proxies add to it', async () => {
    expect(await addressOf('10.0.0.1', '198.51.100.7:4711')).toBe('198.51.100.7')
    expect(await addressOf('10.0.0.1', '1.1.1.1:80, 198.51.100.7:4711, 10.9.9.9:443')).toBe('198.51.100.7')
    expect(await addressOf('10.0.0.1', '[2001:db8:1:2::9]:4711')).toBe('2001:db8:1:2::/64')
    expect(await addressOf('10.0.0.1', '[2001:db8:1:2::9]')).toBe('2001:db8:1:2::/64')
    expect(await addressOf('10.0.0.1', '198.51.100.7, [unknown]:80')).toBe('10.0.0.1')
  })

  test('is that of the last proxy that can be trusted, where the header is missing or no address', async () => {
    expect(await addressOf('10.0.0.1')).toBe('10.0.0.1')
    expect(await addressOf('10.0.0.1', '198.51.100.7, unknown')).toBe('10.0.0.1')
    expect(await addressOf('10.0.0.1', `198.51.100.7${', 10.0.0.2'.repeat(50)}`)).toBe('10.0.0.2')
  })

  test('is the whole /64 of IPv6, however it is written', async () => {
    const written = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff::9', '2001:db8:1:2:3:4:5:6']
    for (const text of written) expect(await addressOf(text)).toBe('2001:db8:1:2::/64')
    expect(await addressOf('::1')).toBe('0:0:0:0::/64')
    expect(await addressOf('2001::2:3:4:5:6')).toBe('2001:0:0:2::/64')
    expect(await addressOf('2001:db8:1:2::')).toBe('2001:db8:1:2::/64')
    expect(await addressOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  })
})

test('a proxy is an address or a network', () => {
  expect([...proxies, '::1', '::/0'].every(isAddressOrNetwork)).toBe(true)
  expect(['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '', '::1/129'].some(isAddressOrNetwork)).toBe(
    false,
  )
})

describe('where the service is reached', () => {
  async function originFor(headers: Record<string, string>, socket = '192.0.2.1', publicUrl: string | null = null) {
    const app = new Hono<Env>().use(publicOrigin(publicUrl, proxies)).get('/', (c) => c.json(c.get('origin')))
    const env = { incoming: { socket: { remoteAddress: socket } } }
    return (await (await app.request('/', { headers }, env)).json()) as string | null
  }
  const forwarded = { host: 'inner:8080', 'x-forwarded-host': 'Pay.Example', 'x-forwarded-proto': 'https' }

  test('is what the request names, and behind a proxy of ours what the proxy names', async () => {
    expect(await originFor({ host: 'Shop.Example:8080' })).toBe('http://shop.example:8080')
    expect(await originFor(forwarded)).toBe('http://inner:8080')
    expect(await originFor(forwarded, '10.0.0.1')).toBe('https://pay.example')
    const chain = { ...forwarded, 'x-forwarded-host': 'evil.example, pay.example', 'x-forwarded-proto': 'http, https' }
    expect(await originFor(chain, '10.0.0.1'), 'the part that our proxy has added').toBe('https://pay.example')
  })

  test('is the configured address, whatever the request names', async () => {
    expect(await originFor({ host: 'evil.example' }, '10.0.0.1', 'https://pay.example')).toBe('https://pay.example')
  })

  test('is unknown where the request names something else than a host', async () => {
    for (const host of ['evil.example/path', 'a b', '"><script>', `${'a'.repeat(254)}.example`])
      expect([host, await originFor({ ...forwarded, 'x-forwarded-host': host }, '10.0.0.1')]).toEqual([host, null])
  })
})
