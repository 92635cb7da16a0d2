import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { postWebhook } from './post.ts'
import { isPublicAddress } from './public-address.ts'
import {
  createTargetAgent,
  type GuardOptions,
  resolveAddresses,
  type Targets,
  targetFault,
  webhookPortsDefault,
} from './target.ts'

const attemptTimeoutMs = 3_000

/** Stands for what must not be reached: anything on the merchant's own machine. */
let inside: { port: number; connections: number; firstBytes: string }
let servers: Server[]
const sockets = new Set<Socket>()

beforeEach(async () => {
  inside = { port: 0, connections: 0, firstBytes: '' }
  servers = [await listen('127.0.0.1', 0)]
  inside.port = portOf(servers[0])
  // Some machines have no IPv6; there the tests below still hold, of one server less.
  const ipv6 = await listen('::1', inside.port).catch(() => undefined)
  if (ipv6) servers.push(ipv6)
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
})

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer((socket) => {
    inside.connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      inside.firstBytes ||= bytes.toString('latin1')
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}

function portOf(server: Server | undefined): number {
  const address = server?.address()
  return typeof address === 'object' && address ? address.port : 0
}

const publicTargets: Targets = { ports: webhookPortsDefault }

/** Past the check of the URL, straight to the connection: what stands there must hold alone. */
async function post(url: string, guard: GuardOptions = {}, targets: Targets = publicTargets) {
  const agent = createTargetAgent(targets, guard)
  try {
    return await postWebhook(agent, { url, headers: {}, body: '{}' }, attemptTimeoutMs, new AbortController().signal)
  } finally {
    await agent.destroy()
  }
}

const notations = [
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0.0.0.0',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
]

test.each(notations)('the own machine, written as %s, is refused as a callback URL', (host) => {
  expect(targetFault(`https://${host}:${inside.port}/`, publicTargets)).toMatch(/^must be on the public internet/)
})

test.each(notations)('the own machine, written as %s, is never connected to', async (host) => {
  const found = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  for (const scheme of ['http', 'https']) {
    const result = await post(`${scheme}://${host}:${inside.port}/`, { resolve: found })
    expect(result).toMatchObject({ error: expect.stringContaining('is not on the public internet') })
  }
  expect(inside.connections).toBe(0)
})

test('without the guard the same server is reached, so the test above means something', async () => {
  const hosts = ['127.0.0.1', '2130706433', '127.1', '0', '[::ffff:127.0.0.1]', 'localhost']
  if (servers.length === 2) hosts.push('[::1]')
  for (const host of hosts) {
    expect(await post(`http://${host}:${inside.port}/`, {}, 'any')).toMatchObject({ code: 204 })
  }
  expect(inside.connections).toBe(hosts.length)
})

test('a name is refused when any one of its addresses is private', async () => {
  const resolve = () =>
    Promise.resolve([
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ])
  const result = await post(`http://shop.example:${inside.port}/`, { resolve })
  expect(result).toEqual({ error: 'shop.example is not on the public internet: 127.0.0.1.' })
  expect(inside.connections).toBe(0)
})

test('a name is looked up once a connection, so that a second answer cannot lead inside', async () => {
  let lookups = 0
  const isAllowed = (address: string) => address === '127.0.0.1'
  const resolve = () => {
    lookups += 1
    return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
  }
  expect(await post(`http://shop.example:${inside.port}/`, { resolve, isAllowed })).toMatchObject({ code: 204 })
  expect(lookups).toBe(1)
  expect(inside.firstBytes).toContain(`host: shop.example:${inside.port}`)
})

test('an address that turns out private once connected gets not one byte', async () => {
  let looks = 0
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const result = await post(`http://shop.example:${inside.port}/`, { resolve, isAllowed: () => ++looks === 1 })
  expect(result).toEqual({ error: 'shop.example is not on the public internet: 127.0.0.1.' })
  expect(inside.firstBytes).toBe('')
})

test('a public receiver gets a TLS handshake with its own name', async () => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const result = await post(`https://shop.example:${inside.port}/`, { resolve, isAllowed: () => true })
  expect(result).toHaveProperty('error')
  expect(inside.firstBytes.charCodeAt(0)).toBe(0x16)
  expect(inside.firstBytes).toContain('shop.example')
})

test('a name server that never answers costs a bounded time', async () => {
  const silent = createSocket('udp4')
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  let queries = 0
  silent.on('message', () => {
    queries += 1
  })
  const server = `127.0.0.1:${silent.address().port}`
  const resolved = resolveAddresses('shop.example', { servers: [server], timeoutMs: 300 })
  await expect(resolved).rejects.toMatchObject({ code: expect.stringMatching(/^(ETIMEOUT|ECANCELLED)$/) })
  // Each family of addresses is asked for twice: c-ares by itself asks four times, for longer each time.
  expect(queries).toBeLessThanOrEqual(4)
  silent.close()
})

test.each([
  ['http://shop.example/hooks', 'must begin with https://'],
  ['ftp://shop.example/hooks', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['https://user:word@shop.example/', 'must not contain a user name or password'],
  ['https://user@shop.example/', 'must not contain a user name or password'],
  ['/hooks', 'must be an absolute URL'],
  ['https://', 'must be an absolute URL'],
  [`https://shop.example/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'],
  ['https://10.1.2.3/', 'must be on the public internet'],
  ['https://168.63.129.16/', 'must be on the public internet'],
  ['https://[fd00::1]/', 'must be on the public internet'],
  ['https://localhost/', 'must be on the public internet'],
  ['https://shop.example:22/', 'must have one of the ports 443, 8443'],
  ['https://shop.example:80/', 'must have one of the ports 443, 8443'],
  ['https://8.8.8.8:6379/', 'must have one of the ports 443, 8443'],
])('%s is refused: it %s', (url, fault) => {
  expect(targetFault(url, publicTargets)).toMatch(fault)
})

test.each(['https://shop.example/', 'https://shop.example:443/', 'https://shop.example:8443/hooks'])(
  '%s has a port that webhooks may go to',
  (url) => {
    expect(targetFault(url, publicTargets)).toBeUndefined()
  },
)

test('other ports are those that the configuration lists, and no others beside them', () => {
  const targets = { ports: [9_443] }
  expect(targetFault('https://shop.example:9443/', targets)).toBeUndefined()
  expect(targetFault('https://shop.example/', targets)).toMatch(/^must have one of the ports 9443 /)
})

test('for development http and the own machine are allowed, and other schemes are not', () => {
  expect(targetFault('http://localhost:4000/hooks', 'any')).toBeUndefined()
  expect(targetFault('file:///etc/passwd', 'any')).toBe('must begin with https:// or http://')
  expect(targetFault('https://shop.example/hooks?order=1', publicTargets)).toBeUndefined()
  expect(targetFault('https://8.8.8.8/hooks', publicTargets)).toBeUndefined()
})

test.each([
  '0.1.2.3',
  '10.255.255.255',
  '100.64.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.175.48.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'shop.example',
  '',
])('"%s" is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2001:200::1',
  '2606:4700::1111',
  '2a00:1450:4001:80e::200e',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
