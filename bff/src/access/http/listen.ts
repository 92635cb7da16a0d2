import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve as listen } from '@hono/node-server'
import { createIdleConnections } from './idle-connections.ts'
import { tooManyUnread } from './unread-responses.ts'

type Fetch = Parameters<typeof listen>[0]['fetch']

/** How long open requests may take to finish when the service stops. */
const finishMs = 10_000

/** How often idle connections are closed while the last requests finish. */
const pollMs = 50

/**
 * A proxy in front keeps idle connections for its next requests: nginx and AWS for 60 s, Caddy for 120 s, Google's load balancer for 600 s.
 * If the service closed one first (Node's default is 5 s), a create that the proxy sends at that moment would be lost with a 502.
 */
const keepAliveMs = 620_000

/** Headers and a body of 64 kB take a phone a few seconds. After that a slow sender only occupies the connection. */
const headersMs = 30_000
const requestMs = 60_000

/** The longest response takes a phone some seconds to read. After that it only occupies memory and the connection. */
const unreadMs = 60_000

/**
 * Of all responses that are not read yet: some thousands of slow phones, and few enough for a machine with 1 GB. The number of connections
 * with a response is not bounded, and the longest responses have 3 MB.
 */
const unreadBytesMax = 256 * 1024 * 1024

const unreadPollMs = 500

/** `closeMs`: after this, the connection of a response that is not read is closed. */
type UnreadLimits = { closeMs: number; bytesMax: number }

export type Listening = {
  port: number
  /** Refuses new connections, and resolves once the last response was sent, or was cut off after `finishMs`. */
  close(): Promise<void>
}

/** @throws {Error} when the address or the port cannot be used. */
export async function listenOn(
  fetch: Fetch,
  { host, port }: { host: string; port: number },
  idle = createIdleConnections(),
  { closeMs = unreadMs, bytesMax = unreadBytesMax }: Partial<UnreadLimits> = {},
): Promise<Listening> {
  const { server, boundPort } = await new Promise<{ server: Server; boundPort: number }>((resolve, reject) => {
    const started = listen({ fetch, hostname: host, port }, (address) =>
      resolve({ server: started, boundPort: address.port }),
    ) as Server
    started.once('error', (error) => reject(cannotListen(error, host, port)))
  })
  server.keepAliveTimeout = keepAliveMs
  server.headersTimeout = headersMs
  server.requestTimeout = requestMs
  /** The responses in progress of each connection. */
  const connections = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    const responses = new Set<ServerResponse>()
    connections.set(socket, responses)
    idle.opened(socket)
    socket.once('close', () => {
      connections.delete(socket)
      // Node closes the response that has the socket. The others belong to requests that were sent before its end.
      for (const response of responses) if (!response.socket) response.destroy().emit('close')
    })
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (isClosing) response.shouldKeepAlive = false
    connections.get(socket)?.add(response)
    let isWhole = false
    const begin = () => {
      isWhole = true
      idle.began(socket)
    }
    // A connection stays idle until its request is whole: some senders never finish.
    if (hasBody(request)) request.once('end', begin)
    else begin()
    let unread: NodeJS.Timeout | undefined
    // Emitted when the last bytes were passed to the socket; `close` follows once the system has taken them.
    response.once('prefinish', () => {
      unread = setTimeout(() => socket.destroy(), closeMs)
    })
    response.once('close', () => {
      clearTimeout(unread)
      connections.get(socket)?.delete(response)
      request.off('end', begin)
      if (isWhole) idle.ended(socket)
    })
  })
  const watchingUnread = setInterval(() => {
    const unread = [...connections].map(([socket, responses]) => ({
      connection: socket,
      network: idle.networkOf(socket),
      bytes: unreadBytes(socket, responses),
    }))
    for (const socket of tooManyUnread(unread, bytesMax)) socket.destroy()
  }, unreadPollMs).unref()
  return {
    port: boundPort,
    async close() {
      clearInterval(watchingUnread)
      let isClosed = false
      isClosing = true
      // The last responses announce the end of their connection, so that a proxy sends no further request on it.
      for (const responses of connections.values()) for (const response of responses) response.shouldKeepAlive = false
      server.close(() => {
        isClosed = true
      })
      const lastMs = performance.now() + finishMs
      while (!isClosed && performance.now() < lastMs) {
        await sleep(pollMs)
        server.closeIdleConnections()
        // Node does not count a connection as idle when a browser opened it in advance and has sent nothing.
        for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
      }
      server.closeAllConnections()
    },
  }
}

/** Bytes that were not passed to the system yet: of the response that has the socket, and of those that wait for it. */
function unreadBytes(socket: Socket, responses: ReadonlySet<ServerResponse>): number {
  let bytes = socket.writableLength
  for (const response of responses) if (!response.socket) bytes += response.writableLength
  return bytes
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** An error that says what to change. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    const other = 'Stop that program, or set another port: "port" in the configuration, or BFF_PORT.'
    return new Error(`Port ${port} of ${host} is in use by another program. ${other}`)
  }
  if (error.code === 'EADDRNOTAVAIL') return new Error(`${host} is not an address of this machine.`)
  if (error.code === 'EACCES') return new Error(`Port ${port} requires privileges that this process lacks.`)
  return error
}
