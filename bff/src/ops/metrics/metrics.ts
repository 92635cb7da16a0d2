import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import { cannotListen } from '../../access/http/listen.ts'
import type { Log } from '../../core/log.ts'
import type { Config } from '../config/config.ts'
import { createGauges } from './gauges.ts'

type Deps = Parameters<typeof createGauges>[0] & { log: Log }

type MetricsServer = { url: string; close(): Promise<void> }

/**
 * Opens the operator's port, if configured. It is separate from the public port, because the metrics reveal the shop's
 * turnover.
 * @throws {Error} when listening fails.
 */
export async function openMetrics(settings: Config['metrics'], deps: Deps): Promise<MetricsServer | undefined> {
  if (settings === null) return undefined
  const { log, isReady } = deps
  const { registry } = deps.meter
  // Memory, CPU, open files and event loop lag of the process.
  collectDefaultMetrics({ register: registry })
  const readGauges = createGauges(deps)
  /** The current scrape; concurrent requests share its result. */
  let scrape: Promise<string> | undefined

  async function respond(path: string): Promise<{ status: number; type: string; text: string }> {
    if (path === '/metrics') {
      scrape ??= readGauges()
        .then(() => registry.metrics())
        .finally(() => {
          scrape = undefined
        })
      return { status: 200, type: registry.contentType, text: await scrape }
    }
    if (path === '/ready') {
      const { isReady: ready, reasons } = isReady()
      return { status: ready ? 200 : 503, type: 'text/plain', text: reasons.join('\n') || 'ready' }
    }
    return { status: 404, type: 'text/plain', text: 'There are /metrics and /ready.' }
  }

  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    respond(path).then(
      ({ status, type, text }) => response.writeHead(status, { 'Content-Type': type }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'Reading the metrics failed')
        response.writeHead(500).end()
      },
    )
  })
  await listen(server, settings)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${settings.host}:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, { host, port }: NonNullable<Config['metrics']>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen(port, host, resolve)
  })
}
