import { createSocket, type Socket } from 'node:dgram'
import { afterEach, expect, test } from 'vitest'
import { resolveAddresses } from './target.ts'

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
