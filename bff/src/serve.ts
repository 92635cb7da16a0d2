import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve as listen } from '@hono/node-server'
import pino from 'pino'
import { createApp } from './app.ts'
import { createHeads } from './chain/adapter.ts'
import { createEvmAdapter, type EvmAdapter } from './chain/evm-adapter.ts'
import { createEvmSender } from './chain/evm-sender.ts'
import { loggedError } from './chain/fault-text.ts'
import { createNetworkHealth, type Fault } from './chain/network-health.ts'
import type { EvmNetwork, Network, SolanaNetwork } from './chain/networks.ts'
import { createSolanaAdapter } from './chain/solana-adapter.ts'
import { createSolanaSender } from './chain/solana-sender.ts'
import { createSolanaWatcher } from './chain/solana-watcher.ts'
import { verifyNetwork } from './chain/verify-network.ts'
import { verifySolanaNetwork } from './chain/verify-solana-network.ts'
import { verifySplitter } from './chain/verify-splitter.ts'
import { createWatcher } from './chain/watcher.ts'
import { openElementFiles } from './checkout-page/element-files.ts'
import type { Config } from './config.ts'
import { openDb } from './db/open.ts'
import { runHousekeeping } from './http/housekeeping.ts'
import { createRateLimits, noRateLimits } from './http/rate-limit.ts'
import { openVault } from './merchant/vault.ts'
import { createLedger } from './payment/apply.ts'
import { createPaymentViewer } from './payment/view.ts'
import { createRates } from './rates/rates.ts'
import type { Runtime } from './runtime.ts'
import { runTestExpiry } from './sandbox/expiry.ts'
import { createSigner } from './settlement/signer.ts'
import { openSolanaSeed } from './settlement/solana-seed.ts'
import { createSolanaSigner } from './settlement/solana-signer.ts'
import { createSolanaSweeper } from './settlement/solana-sweeper.ts'
import { createSweeper } from './settlement/sweeper.ts'
import { createDispatcher } from './webhook/dispatcher.ts'

/** What is in hand gets this long to finish; then the process ends, and the next start goes on from the database. */
const shutdownMs = 20_000

/** A chain that answers is looked at before the first request can come; one that does not holds nobody up longer. */
const firstLooksMs = 2_000

export type Running = { url: string; stop(): Promise<void> }

/**
 * The whole service in one process: HTTP, watchers, sweepers, dispatcher.
 * @param open - A test puts its hand between the service and its database.
 * @returns after it listens.
 */
export async function serve(config: Config, runtime: Runtime, open: typeof openDb = openDb): Promise<Running> {
  const serializers = { err: (error: Error) => loggedError(error, pino.stdSerializers.err) }
  const log = pino({ level: config.logLevel, redact: ['*.raw', '*.secret'], serializers })
  const db = open(config.database)
  const vault = await openVault({ db, database: config.database, key: config.secretsKey, runtime })
  const { networks } = config
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, config)
  const ledger = createLedger(db, viewer.merchant)
  const signer = config.operatorKey === null ? null : createSigner(config.operatorKey)
  const { solanaFeePayerKey } = config
  const solanaSigner =
    solanaFeePayerKey && createSolanaSigner(solanaFeePayerKey, await openSolanaSeed(db, vault, runtime))
  const stopping = new AbortController()
  const { signal } = stopping

  const dispatcher = createDispatcher({ db, runtime, log, vault, targets: config.webhookTargets })
  const workers: Promise<void>[] = [
    dispatcher.run(signal).finally(() => dispatcher.close()),
    runHousekeeping({ db, runtime, log }, signal),
    runTestExpiry({ db, ledger, runtime, log }, signal),
  ]
  const verify = (network: Network, until: AbortSignal) =>
    network.family === 'solana' ? verifySolanaNetwork(network, until) : verifyNetwork(network, until)
  const health = createNetworkHealth(verify, log)
  const splitters = createNetworkHealth(verifySplitter, log, undefined, 'the splitter')
  const chains = new Map<string, EvmAdapter>()
  /** Nothing of a network is believed before its chain is what the configuration says. @returns after the first look. */
  const startEvm = async (network: EvmNetwork) => {
    const adapter = createEvmAdapter(network, { nowMs: runtime.nowMs, log })
    chains.set(network.shortName, adapter)
    const report = (fault: Fault | undefined) => health.report(network, fault)
    const watcher = createWatcher({ db, ledger, adapter, network, heads, runtime, log, report })
    await watcher.resume()
    const work = async () => {
      const sender = createEvmSender(network)
      const sweeper = signer && createSweeper({ db, ledger, network, sender, signer, runtime, log })
      await Promise.all([watcher.run(signal), sweeper?.run(signal)])
    }
    const contractsLooked = new Promise<void>((looked) => {
      workers.push(splitters.untilPayable(network, signal, looked).then(() => undefined))
    })
    await new Promise<void>((looked) => {
      workers.push(health.untilPayable(network, signal, looked).then((isPayable) => (isPayable ? work() : undefined)))
    })
    await contractsLooked
  }
  const startSolana = async (network: SolanaNetwork) => {
    const pool = { nowMs: runtime.nowMs, log }
    const adapter = createSolanaAdapter(network, pool)
    const report = (fault: Fault | undefined) => health.report(network, fault)
    const watcher = createSolanaWatcher({ db, ledger, adapter, network, heads, runtime, log, report })
    const work = async () => {
      const sender = createSolanaSender(network, pool, signal)
      const sweeper =
        solanaSigner && createSolanaSweeper({ db, ledger, network, sender, signer: solanaSigner, runtime, log })
      await Promise.all([watcher.run(signal), sweeper?.run(signal)])
    }
    await new Promise<void>((looked) => {
      workers.push(health.untilPayable(network, signal, looked).then((isPayable) => (isPayable ? work() : undefined)))
    })
  }
  const start = (network: Network) => (network.family === 'solana' ? startSolana(network) : startEvm(network))
  const looks = Promise.all([...networks.values()].map(start))
  await Promise.race([looks, sleep(firstLooksMs, undefined, { ref: false })])

  const operator = signer?.address ?? null
  const limits = config.rateLimits === 'on' ? createRateLimits(config) : noRateLimits
  const readRates = createRates(config.rates, { runtime, log })
  const { windowSeconds, processWaitSeconds, processWaitsMax: waitsMax } = config.contractPayments
  const windows = { windowMs: windowSeconds * 1000, waitMs: processWaitSeconds * 1000, waitsMax }
  const contracts = { ...windows, splitters, chains, stopping: signal }
  const elementFiles = openElementFiles(config.widgetFolder)
  const app = createApp({
    elementFiles,
    limits,
    readRates,
    contracts,
    db,
    ledger,
    networks,
    health,
    heads,
    viewer,
    runtime,
    log,
    feeBps: config.feeBps,
    operator,
    solanaOwner: solanaSigner && ((terms) => solanaSigner.ownerOf(terms).toBase58()),
    lenientClients: config.lenientClients,
    vault,
    webhookTargets: config.webhookTargets,
  })
  const { server, port } = await listenOn(app.fetch, config)
  const url = `http://${config.host}:${port}`
  log.info({ url, database: config.database, networks: [...networks.keys()], operator }, 'ready')
  if (!elementFiles.script) log.warn({ folder: config.widgetFolder }, 'the element is not built: no script, no /pay')
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
