import type { Server } from 'node:http'

/**
 * Listens on a port chosen by the operating system, and closes no idle connection: a busy client could be sending its next
 * request on it. `close` ends every connection.
 */
export async function listen(server: Server): Promise<{ origin: string; close(): Promise<void> }> {
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
