import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { postWebhook } from './post.ts'
import {
  createTargetAgent,
  type GuardOptions,
  resolveAddresses,
  type Targets,
  targetFault,
  verifyTarget,
  webhookPortsDefault,
} from './target.ts'

const publicTargets: Targets = { ports: webhookPortsDefault }

const typeA = 1
const typeAaaa = 28
const noSuchName = 3
let socket: Socket | undefined
afterEach(() => {
  socket?.close()
  socket = undefined
})

/** A name server that knows so much of every name; a type that is not there has no records. Null: there is no such name. */
async function openNameServer(records: { a?: string[]; aaaa?: string[] } | null): Promise<string[]> {
  const server = createSocket('udp4')
  socket = server
  server.on('message', (query, { port, address }) => {
    const nameEnd = query.indexOf(0, 12)
    const type = query.readUInt16BE(nameEnd + 1)
    const question = query.subarray(12, nameEnd + 5)
    const found = type === typeA ? (records?.a ?? []) : type === typeAaaa ? (records?.aaaa ?? []) : []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (records === null ? noSuchName : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found.length, 6)
    const answers = found.map((text) => {
      const data = type === typeA ? Buffer.from(text.split('.').map(Number)) : Buffer.from(text, 'hex')
      const answer = Buffer.alloc(12)
      // The name is that of the question.
      answer.writeUInt16BE(0xc00c, 0)
      answer.writeUInt16BE(type, 2)
      answer.writeUInt16BE(1, 4)
      answer.writeUInt32BE(60, 6)
      answer.writeUInt16BE(data.length, 10)
      return Buffer.concat([answer, data])
    })
    server.send(Buffer.concat([header, question, ...answers]), port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  return [`127.0.0.1:${server.address().port}`]
}

const aaaa = '20010db8000000000000000000000001'
const ipv6 = { address: '2001:db8::1', family: 6 }
const ipv4 = (address: string) => ({ address, family: 4 })

test('a name has all of its addresses of both families, those of IPv4 first', async () => {
  const servers = await openNameServer({ a: ['192.0.2.1', '192.0.2.2'], aaaa: [aaaa] })
  expect(await resolveAddresses('shop.example', { servers })).toEqual([ipv4('192.0.2.1'), ipv4('192.0.2.2'), ipv6])
})

test('a name may have addresses of one family only', async () => {
  const onlyIpv6 = await openNameServer({ aaaa: [aaaa] })
  expect(await resolveAddresses('shop.example', { servers: onlyIpv6 })).toEqual([ipv6])
  socket?.close()
  const onlyIpv4 = await openNameServer({ a: ['192.0.2.1'] })
  expect(await resolveAddresses('shop.example', { servers: onlyIpv4 })).toEqual([ipv4('192.0.2.1')])
})

test('a name without an address, and one that is not there, are named as such', async () => {
  const none = await openNameServer({})
  await expect(resolveAddresses('shop.example', { servers: none })).rejects.toThrow(/ENODATA shop\.example/)
  socket?.close()
  const unknown = await openNameServer(null)
  await expect(resolveAddresses('shop.example', { servers: unknown })).rejects.toThrow(/ENOTFOUND shop\.example/)
})

test('without name servers of its own the lookup asks those of the machine, and ends in time', async () => {
  const lookup = resolveAddresses('shop.invalid', { timeoutMs: 300 })
  await expect(lookup).rejects.toMatchObject({ syscall: 'queryA' })
})

test('a lookup that is done leaves no timer behind', async () => {
  const servers = await openNameServer({ a: ['192.0.2.1'] })
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  await resolveAddresses('shop.example', { servers, timeoutMs: 60_000 })
  const own = started.mock.results.filter((_, call) => started.mock.calls[call]?.[1] === 60_000)
  expect(own).toHaveLength(1)
  expect(cleared).toHaveBeenCalledWith(own[0]?.value)
  vi.restoreAllMocks()
})

describe('a connection', () => {
  async function post(port: number, guard: GuardOptions) {
    const agent = createTargetAgent(publicTargets, guard)
    const attempt = { url: `http://shop.example:${port}/`, headers: {}, body: '{}' }
    try {
      return await postWebhook(agent, attempt, 3_000, new AbortController().signal)
    } finally {
      await agent.destroy()
    }
  }

  test('is not made to a name that has no address, or that no name server knows', async () => {
    expect(await post(1, { resolve: async () => [] })).toEqual({
      error: 'shop.example is not on the public internet: no address.',
    })
    const unknown = async () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
    expect(await post(1, { resolve: unknown })).toMatchObject({ error: expect.stringContaining('ENOTFOUND') })
  })

  test('is made to the next address of a name when one does not answer', async () => {
    const server = createServer((_, response) => response.writeHead(204).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const resolve = async () => ['127.0.0.2', '127.0.0.1'].map(ipv4)
    expect(await post(port, { resolve, isAllowed: () => true })).toMatchObject({ code: 204 })
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('a URL', () => {
  const advice = '(for development, the setting webhookTargets "any" of the service allows http and private addresses)'

  test('is refused with its field, the rule, and how one develops', () => {
    const refused = (url: string) => () => verifyTarget('callbackUrl', url, publicTargets)
    expect(refused('http://shop.example/')).toThrow(`callbackUrl must begin with https:// ${advice}`)
    expect(refused('https://10.0.0.1/')).toThrow(`callbackUrl must be on the public internet ${advice}`)
    expect(refused('https://:word@shop.example/')).toThrow('callbackUrl must not contain a user name or password')
    expect(() => verifyTarget('url', 'x', publicTargets)).toThrow('url must be an absolute URL')
  })

  test('is fine when there is none, and when its host only begins like the own machine', () => {
    for (const url of [undefined, null, 'https://localhost.example/', 'https://localhosts/'])
      expect(() => verifyTarget('callbackUrl', url, publicTargets)).not.toThrow()
  })

  test('may have 2,048 characters', () => {
    const url = 'https://shop.example/'.padEnd(2_048, 'x')
    expect(targetFault(url, publicTargets)).toBeUndefined()
    expect(targetFault(`${url}x`, publicTargets)).toBe('must have at most 2048 characters')
  })

  test('is of http or https for development too', () => {
    for (const url of ['xhttp://shop.example/', 'httpx://shop.example/'])
      expect(targetFault(url, 'any')).toBe('must begin with https:// or http://')
  })
})
