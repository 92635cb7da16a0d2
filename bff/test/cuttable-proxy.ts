import { connect, createServer, type Socket } from 'node:net'

/** `isForGood`: rejects later connections too. */
type Cut = { text: string; at: 'before' | 'after'; isForGood?: boolean }

/** A network between client and server that a test can cut at a message. */
export async function openCuttableProxy(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isRefusing = false
  let cut: Cut | undefined
  const server = createServer((client) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isAnswerLost = false
    client.on('data', (bytes) => {
      if (!cut || !bytes.toString('latin1').includes(cut.text)) {
        upstream.write(bytes)
        return
      }
      if (cut.isForGood) isRefusing = true
      if (cut.at === 'before') client.destroy()
      else {
        isAnswerLost = true
        upstream.write(bytes)
      }
      cut = undefined
    })
    upstream.on('data', (bytes) => (isAnswerLost ? client.destroy() : client.write(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: url.href,
    /**
     * Cuts the connection once: before the message with this text reaches the server, or before its response reaches the client.
     */
    cutAt(next: Cut): void {
      cut = next
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
