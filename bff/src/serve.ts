import type { Server } from 'node:http'
import { serve as listen } from '@hono/node-server'
import pino from 'pino'
import { createApp } from './app.ts'
import { createHeads } from './chain/adapter.ts'
import { createEvmAdapter } from './chain/evm-adapter.ts'
import { createEvmSender } from './chain/evm-sender.ts'
import type { Network } from './chain/networks.ts'
import { createWatcher } from './chain/watcher.ts'
import type { Config } from './config.ts'
import { openDb } from './db/open.ts'
import { runHousekeeping } from './http/housekeeping.ts'
import { createLedger } from './payment/apply.ts'
import { createPaymentViewer } from './payment/view.ts'
import type { Runtime } from './runtime.ts'
import { createSigner } from './settlement/signer.ts'
import { createSweeper } from './settlement/sweeper.ts'
import { createDispatcher } from './webhook/dispatcher.ts'

/** What is in hand gets this long to finish; then the process ends, and the next start goes on from the database. */
const shutdownMs = 20_000

export type Running = { url: string; stop(): Promise<void> }

/** The whole service in one process: HTTP, watchers, sweepers, dispatcher. @returns after it listens. */
export async function serve(config: Config, runtime: Runtime): Promise<Running> {
  const log = pino({ level: config.logLevel, redact: ['*.raw', '*.secret'] })
  const db = openDb(config.database)
  const { networks } = config
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads)
  const ledger = createLedger(db, viewer.merchant)
  const signer = config.operatorKey === null ? null : createSigner(config.operatorKey)
  const stopping = new AbortController()
  const { signal } = stopping

  const dispatcher = createDispatcher({ db, runtime, log, targets: config.webhookTargets })
  const workers: Promise<void>[] = [
    dispatcher.run(signal).finally(() => dispatcher.close()),
    runHousekeeping({ db, runtime, log }, signal),
  ]
  const startNetwork = async (network: Network) => {
    const adapter = createEvmAdapter(network)
    const watcher = createWatcher({ db, ledger, adapter, network, heads, runtime, log })
    await watcher.resume()
    workers.push(watcher.run(signal))
    if (!signer) return
    const sender = createEvmSender(network)
    workers.push(createSweeper({ db, ledger, network, sender, signer, runtime, log }).run(signal))
  }
  for (const network of networks.values()) await startNetwork(network)

  const operator = signer?.address ?? null
  const app = createApp({ db, ledger, networks, heads, viewer, runtime, log, feeBps: config.feeBps, operator })
  const { server, port } = await listenOn(app.fetch, config)
  const url = `http://${config.host}:${port}`
  log.info({ url, database: config.database, networks: [...networks.keys()], operator }, 'ready')
  if (networks.size === 0) log.warn({}, 'no network is configured: no payment can be created')

  return {
    url,
    async stop() {
      log.info({}, 'stopping')
      server.close()
      server.closeIdleConnections()
      stopping.abort()
      const finished = Promise.allSettled(workers).then(() => db.close())
      const patience = new Promise((_, reject) => setTimeout(reject, shutdownMs, new Error('gave up waiting')).unref())
      await Promise.race([finished, patience])
      server.closeAllConnections()
      log.info({}, 'stopped')
    },
  }
}

function listenOn(fetch: Parameters<typeof listen>[0]['fetch'], { host, port }: Config) {
  return new Promise<{ server: Server; port: number }>((resolve, reject) => {
    const server = listen({ fetch, hostname: host, port }, (address) =>
      resolve({ server, port: address.port }),
    ) as Server
    server.once('error', reject)
  })
}
