import { connect, createServer, type Socket } from 'node:net'

type Session = { upstream: Socket; client: Client | undefined }
type Client = { socket: Socket; session: Session | undefined }

/**
 * A pooler like PgBouncer with `pool_mode = transaction`, between its clients and a server: a client has a session of the server from its first
 * message until the server says that no transaction is open, and the session that was used last is the next to be used. Each client is
 * given the id of a process that is none of the server's.
 */
export async function openTransactionPooler(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  const idle: Session[] = []
  const sockets = new Set<Socket>()

  const server = createServer((socket) => {
    const client: Client = { socket, session: undefined }
    const upstream = connect(Number(port), hostname)
    // Until it is logged in, a client has a session of its own, which is everybody's afterwards.
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
        // BackendKeyData: the number of the process.
        if (type === 'K') message.writeInt32BE(message.readInt32BE(5) + 1_000_000, 5)
        const { client: receiver } = session
        receiver?.socket.write(message)
        // ReadyForQuery outside of a transaction.
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

/** Where the first message ends: one byte of type, and four of length, which counts itself. */
function endOf(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const end = 1 + bytes.readInt32BE(1)
  return bytes.length < end ? undefined : end
}
