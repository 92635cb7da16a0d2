import { connect, createServer, type Socket } from 'node:net'

type Session = { upstream: Socket; client: Client | undefined }
type Client = { socket: Socket; session: Session | undefined }

/**
 * A pooler like PgBouncer with `pool_mode = transaction`, between clients and a server. A client holds a server session from its
 * first message until the server reports that no transaction is open; the most recently used session is used next. Clients get
 * process ids that are not the server's.
 */
export async function openTransactionPooler(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  const idle: Session[] = []
  const sockets = new Set<Socket>()

  const server = createServer((socket) => {
    const client: Client = { socket, session: undefined }
    const upstream = connect(Number(port), hostname)
    // Until it is logged in, a client has its own session, which is shared afterwards.
    const session: Session = { upstream, client }
    client.session = session
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('error', () => undefined)
    }
    socket.on('data', (bytes) => {
      client.session ??= take(client)
      client.session?.upstream.write(bytes)
    })
    let rest = Buffer.alloc(0)
    upstream.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (let end = endOf(rest); end !== undefined; end = endOf(rest)) {
        const message = Buffer.from(rest.subarray(0, end))
        rest = rest.subarray(end)
        const type = String.fromCharCode(message[0] ?? 0)
        // BackendKeyData: the process id.
        if (type === 'K') message.writeInt32BE(message.readInt32BE(5) + 1_000_000, 5)
        const { client: receiver } = session
        receiver?.socket.write(message)
        // ReadyForQuery outside a transaction.
        if (type === 'Z' && String.fromCharCode(message[5] ?? 0) === 'I' && receiver) {
          receiver.session = undefined
          session.client = undefined
          idle.push(session)
        }
      }
    })
  })

  function take(client: Client): Session | undefined {
    const session = idle.pop()
    if (session) session.client = client
    return session
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: url.href,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Where the first message ends: one byte of type, and four of length, which includes itself. */
function endOf(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const end = 1 + bytes.readInt32BE(1)
  return bytes.length < end ? undefined : end
}
