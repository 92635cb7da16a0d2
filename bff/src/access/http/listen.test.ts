import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createIdleConnections, type IdleConnections } from './idle-connections.ts'
import { type Listening, listenOn } from './listen.ts'

/** What a proxy keeps at most: Google's load balancer. */
const proxySeconds = 600

/** Less than what open requests get to finish, and far more than closing takes. */
const soonMs = 5_000
const longMs = 2 * soonMs

const sockets: Socket[] = []
let listening: Listening

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listening.close()
})

/** A connection that a proxy keeps: the text of each response, as it comes. */
function openConnection() {
  const socket = connect(listening.port, '127.0.0.1')
  sockets.push(socket)
  const opened = once(socket, 'connect')
  const ended = once(socket, 'close')
  return {
    opened,
    ended,
    socket,
    async send(path: string): Promise<string> {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: service\r\n\r\n`)
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      return chunk.toString('utf8')
    },
  }
}

test('an idle connection is kept longer than any proxy keeps it', async () => {
  listening = await listenOn(() => new Response('ok'), { host: '127.0.0.1', port: 0 })
  const proxy = openConnection()
  const response = await proxy.send('/first')
  expect(response).toContain('200 OK')
  expect(Number(/^keep-alive: timeout=(\d+)/im.exec(response)?.[1])).toBeGreaterThan(proxySeconds)
  expect(await proxy.send('/second')).toContain('200 OK')
})

test('a stop waits for the request in progress, whose response ends the connection, and for no connection without a request', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const gate = new EventEmitter()
  const started = once(gate, 'started')
  const answer = async (request: Request) => {
    if (request.url.endsWith('/stream')) return new Response(stream.readable)
    if (request.url.endsWith('/slow')) {
      const released = once(gate, 'release')
      gate.emit('started')
      await released
    }
    return new Response('ok')
  }
  listening = await listenOn(answer, { host: '127.0.0.1', port: 0 })
  const unused = openConnection()
  await unused.opened
  const streaming = openConnection()
  const begun = streaming.send('/stream')
  await writer.write(Buffer.from('first'))
  await begun
  const idle = openConnection()
  await idle.send('/first')
  const busy = openConnection()
  const slow = busy.send('/slow')
  await started
  const begunMs = performance.now()
  const closed = listening.close()
  await Promise.all([idle.ended, unused.ended])
  gate.emit('release')
  const response = await slow
  expect(response).toMatch(/^connection: close/im)
  expect(response).not.toMatch(/^keep-alive:/im)
  await writer.close()
  await closed
  await streaming.ended
  await busy.ended
  expect(performance.now() - begunMs).toBeLessThan(soonMs)
})

test('of too many idle connections the one that rests for the longest is closed, and none with a request in progress', async () => {
  const gate = new EventEmitter()
  const started = once(gate, 'started')
  const answer = async (request: Request) => {
    if (request.url.endsWith('/slow')) {
      const released = once(gate, 'release')
      gate.emit('started')
      await released
    }
    return new Response('ok')
  }
  const idleMax = 3
  listening = await listenOn(answer, { host: '127.0.0.1', port: 0 }, createIdleConnections([], idleMax))
  const busy = openConnection()
  const slow = busy.send('/slow')
  await started
  const unused = openConnection()
  await unused.opened
  const used = openConnection()
  await used.send('/first')
  const kept = [openConnection(), openConnection()]
  for (const one of kept) await one.send('/first')
  await unused.ended
  expect(await used.send('/second')).toContain('200 OK')
  gate.emit('release')
  expect(await slow).toContain('200 OK')
  await kept[0]?.ended
  for (const one of [busy, used, kept[1]]) expect(await one?.send('/again')).toContain('200 OK')
})

test(
  'a sender that does not finish its request is closed like an idle connection, and none whose request is whole',
  async () => {
    const gate = new EventEmitter()
    const answer = async (request: Request) => {
      const { pathname } = new URL(request.url)
      if (pathname !== '/first') {
        gate.emit(pathname)
        const released = once(gate, 'release')
        await request.text()
        gate.emit(`${pathname} read`)
        await released
      }
      return new Response('ok')
    }
    const idleMax = 3
    listening = await listenOn(answer, { host: '127.0.0.1', port: 0 }, createIdleConnections([], idleMax))
    const whole = openConnection()
    const wholeRead = once(gate, '/whole read')
    whole.socket.write('POST /whole HTTP/1.1\r\nHost: service\r\nContent-Length: 2\r\n\r\n{}')
    await wholeRead
    const senders = ['Content-Length: 9', 'Transfer-Encoding: chunked'].map((length) => ({
      length,
      ...openConnection(),
    }))
    for (const { length, socket } of senders) {
      const begun = once(gate, '/slow')
      socket.write(`POST /slow HTTP/1.1\r\nHost: service\r\n${length}\r\n\r\n2`)
      await begun
    }
    for (let count = 0; count < idleMax; count++) await openConnection().send('/first')
    for (const { ended } of senders) await ended
    const response = once(whole.socket, 'data')
    gate.emit('release')
    expect(String((await response)[0])).toContain('200 OK')
  },
  longMs,
)

test('a flood of connections from one address closes its own, and none of a customer who is still sending a request', async () => {
  const idleMax = 3
  const answer = async (request: Request) => new Response(await request.text())
  const addresses = ['192.0.2.1']
  const idle = createIdleConnections([], idleMax)
  const opened = (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: addresses.shift() ?? '2001:db8::1' })
    idle.opened(socket)
  }
  listening = await listenOn(answer, { host: '127.0.0.1', port: 0 }, { ...idle, opened })
  const customer = openConnection()
  await customer.opened
  customer.socket.write('POST /slow HTTP/1.1\r\nHost: service\r\nContent-Length: 4\r\n\r\nsl')
  const all = [customer]
  for (let count = 0; count < 2 * idleMax; count++) {
    const one = openConnection()
    await one.opened
    all.push(one)
  }
  await expect.poll(() => all.filter(({ socket }) => socket.closed)).toHaveLength(all.length - idleMax)
  expect(customer.socket.closed).toBe(false)
  const response = once(customer.socket, 'data')
  customer.socket.write('ow')
  expect(String((await response)[0])).toContain('200 OK')
})

/** Connections that come from these addresses, in turn. */
function comingFrom(idle: IdleConnections, addresses: string[]): IdleConnections {
  const opened = (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: addresses.shift() })
    idle.opened(socket)
  }
  return { ...idle, opened }
}

/** Opens so many connections, one after the other. */
async function openAll(count: number) {
  const all = []
  for (let opened = 0; opened < count; opened++) {
    const one = openConnection()
    await one.opened
    all.push(one)
  }
  return all
}

test('a flood from many addresses of one IPv6 network closes its own, not the two of a customer', async () => {
  const flood = Array.from({ length: 6 }, (_, nth) => `2001:db8:1:${nth}::1`)
  const idle = comingFrom(createIdleConnections([], 4), ['192.0.2.1', '192.0.2.1', ...flood])
  listening = await listenOn(() => new Response('ok'), { host: '127.0.0.1', port: 0 }, idle)
  const customer = await openAll(2)
  const strangers = await openAll(flood.length)
  await expect.poll(() => strangers.filter(({ socket }) => socket.closed)).toHaveLength(flood.length - 2)
  expect(customer.map(({ socket }) => socket.closed)).toEqual([false, false])
})

test('a flood around a trusted proxy, from whatever networks, closes none of the proxy’s connections', async () => {
  const flood = Array.from({ length: 6 }, (_, nth) => `198.51.100.${nth}`)
  const proxy = ['10.0.0.1', '::ffff:10.0.0.1']
  const idle = comingFrom(createIdleConnections(['10.0.0.0/8'], 3), [...proxy, ...flood, ...proxy])
  listening = await listenOn(() => new Response('ok'), { host: '127.0.0.1', port: 0 }, idle)
  const kept = await openAll(proxy.length)
  const strangers = await openAll(flood.length)
  await expect.poll(() => strangers.filter(({ socket }) => socket.closed)).toHaveLength(flood.length - 1)
  expect(kept.map(({ socket }) => socket.closed)).toEqual([false, false])
  // Where only proxies are left, their own number is bounded.
  await openAll(proxy.length)
  await kept[0]?.ended
  expect([...strangers, kept[1]].map((one) => one?.socket.closed)).toEqual([...flood.map(() => true), false])
})

test('strangers of as many networks as there may be connections keep no newcomer from being served', async () => {
  const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
  const idle = comingFrom(createIdleConnections([], strangers.length), [...strangers, '192.0.2.1', '192.0.2.2'])
  listening = await listenOn(() => new Response('ok'), { host: '127.0.0.1', port: 0 }, idle)
  const [first] = await openAll(strangers.length)
  for (const customer of await openAll(2)) expect(await customer.send('/first')).toContain('200 OK')
  await first?.ended
})

test(
  'a response that is not read is cut, and its connection closed',
  async () => {
    const ended: Promise<unknown>[] = []
    const idle = createIdleConnections()
    const opened = (socket: Socket) => {
      ended.push(once(socket, 'close'))
      idle.opened(socket)
    }
    // More than the buffers of a connection hold.
    const long = new Uint8Array(32 * 1024 * 1024)
    const answer = (request: Request) => new Response(request.url.endsWith('/long') ? long : 'ok')
    listening = await listenOn(answer, { host: '127.0.0.1', port: 0 }, { ...idle, opened }, { closeMs: 1 })
    const reader = openConnection()
    expect(await reader.send('/first')).toContain('200 OK')
    const stalled = openConnection()
    await stalled.opened
    stalled.socket.pause()
    stalled.socket.write('GET /long HTTP/1.1\r\nHost: service\r\n\r\n')
    await ended[1]
    expect(await reader.send('/second')).toContain('200 OK')
  },
  longMs,
)

test(
  'responses that are not read take a bounded memory in all, also those of one connection, and none is cut that is read',
  async () => {
    const addresses = ['192.0.2.1', '198.51.100.1', '198.51.100.2']
    // More than the buffers of a connection hold.
    const long = new Uint8Array(16 * 1024 * 1024)
    const answer = (request: Request) => new Response(request.url.endsWith('/long') ? long : 'ok')
    const idle = comingFrom(createIdleConnections(), addresses)
    // A client that does not read does not notice the end.
    const accepted: Socket[] = []
    const opened = (socket: Socket) => {
      accepted.push(socket)
      idle.opened(socket)
    }
    const limits = { bytesMax: 3 * long.length }
    listening = await listenOn(answer, { host: '127.0.0.1', port: 0 }, { ...idle, opened }, limits)
    const [reader, one, many] = await openAll(addresses.length)
    const ended = once(accepted[2] as Socket, 'close')
    for (const [stalled, requests] of [
      [one, 1],
      [many, 4],
    ] as const) {
      stalled?.socket.pause()
      stalled?.socket.write('GET /long HTTP/1.1\r\nHost: service\r\n\r\n'.repeat(requests))
    }
    await ended
    expect(accepted.map(({ closed }) => closed)).toEqual([false, false, true])
    expect(await reader?.send('/first')).toContain('200 OK')
  },
  longMs,
)

test('requests that were sent before the response to an earlier one end with their connection', async () => {
  const gate = new EventEmitter()
  const aborted: string[] = []
  const answer = (request: Request) => {
    const { pathname } = new URL(request.url)
    request.signal.addEventListener('abort', () => {
      aborted.push(pathname)
      gate.emit('aborted')
    })
    gate.emit(pathname)
    return new Response(new ReadableStream())
  }
  listening = await listenOn(answer, { host: '127.0.0.1', port: 0 })
  const { socket, opened } = openConnection()
  await opened
  const paths = ['/first', '/second', '/third']
  const begun = once(gate, '/third')
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: service\r\n\r\n`).join(''))
  await begun
  socket.destroy()
  await expect.poll(() => aborted.toSorted()).toEqual(paths.toSorted())
})
