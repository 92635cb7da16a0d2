import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '../../core/log.ts'
import { cannotListen } from '../../http/listen.ts'
import type { ReadReadiness } from './readiness.ts'

type Deps = {
  /** The metrics as Prometheus reads them. */
  read: () => Promise<string>
  contentType: string
  isReady: ReadReadiness
  log: Log
}

export type MetricsServer = { url: string; close(): Promise<void> }

/**
 * The operator's own port, apart from the one that the world reaches: numbers of a shop's trade are nobody else's business.
 * @throws {Error} when the address cannot be had.
 */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  { read, contentType, isReady, log }: Deps,
): Promise<MetricsServer> {
  /** One look at a time, however many ask: the others get its result. */
  let looking: Promise<string> | undefined

  async function answer(path: string): Promise<{ status: number; type: string; text: string }> {
    if (path === '/metrics') {
      looking ??= read().finally(() => {
        looking = undefined
      })
      return { status: 200, type: contentType, text: await looking }
    }
    if (path === '/ready') {
      const readiness = isReady()
      return {
        status: readiness.isReady ? 200 : 503,
        type: 'text/plain',
        text: readiness.reasons.join('\n') || 'ready',
      }
    }
    return { status: 404, type: 'text/plain', text: 'There are /metrics and /ready.' }
  }

  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    answer(path).then(
      ({ status, type, text }) => response.writeHead(status, { 'Content-Type': type }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  await listening(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host}:${taken}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen(port, host, resolve)
  })
}
