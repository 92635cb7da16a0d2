import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve as listen } from '@hono/node-server'

type Fetch = Parameters<typeof listen>[0]['fetch']

/** The time that open requests get to finish when the service stops. */
const finishMs = 10_000

/** How often idle connections are closed while the last requests finish. */
const pollMs = 50

export type Listening = {
  port: number
  /** Refuses new connections, and resolves when the last response was sent, or was cut off after `finishMs`. */
  close(): Promise<void>
}

/** @throws {Error} when the address or the port cannot be used. */
export async function listenOn(fetch: Fetch, { host, port }: { host: string; port: number }): Promise<Listening> {
  const { server, boundPort } = await new Promise<{ server: Server; boundPort: number }>((resolve, reject) => {
    const started = listen({ fetch, hostname: host, port }, (address) =>
      resolve({ server: started, boundPort: address.port }),
    ) as Server
    started.once('error', (error) => reject(cannotListen(error, host, port)))
  })
  return {
    port: boundPort,
    async close() {
      let isClosed = false
      server.close(() => {
        isClosed = true
      })
      const lastMs = performance.now() + finishMs
      while (!isClosed && performance.now() < lastMs) {
        server.closeIdleConnections()
        await sleep(pollMs)
      }
      server.closeAllConnections()
    },
  }
}

/** An error that tells a person what to change. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} of ${host} is in use by another program.`)
  if (error.code === 'EADDRNOTAVAIL') return new Error(`${host} is not an address of this machine.`)
  if (error.code === 'EACCES') return new Error(`Port ${port} requires privileges that this process lacks.`)
  return error
}
