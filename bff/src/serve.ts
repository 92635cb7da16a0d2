import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { createApp } from './app.ts'
import { createHeads } from './chain/chain-adapter.ts'
import type { Chain } from './chain/family.ts'
import { loggedError } from './chain/fault-text.ts'
import { connectChains, openSigners } from './chain/index.ts'
import { createBridgeProgress } from './checkout/cross-chain/bridge-progress.ts'
import { openBridges } from './checkout/cross-chain/bridges.ts'
import { runHousekeeping } from './checkout/housekeeping.ts'
import { openElementFiles } from './checkout/pay-page/element-files.ts'
import { createPaymentViewer } from './checkout/read/payment-view.ts'
import { runTestExpiry } from './checkout/sandbox/sandbox-expiry.ts'
import type { Runtime } from './core/runtime.ts'
import { openDb } from './db/sqlite/open-database.ts'
import { listenOn } from './http/listen.ts'
import { logRequest } from './http/observe.ts'
import { createNoRateLimits, createRateLimits } from './http/rate-limit.ts'
import { openVault } from './merchant/vault.ts'
import { createNetworkHealth } from './network/network-health.ts'
import type { Config } from './ops/config/config.ts'
import { createMeter } from './ops/metrics/meter.ts'
import { openMetrics } from './ops/metrics/metrics.ts'
import { createReadiness } from './ops/metrics/readiness.ts'
import { createLedger } from './payment/ledger.ts'
import { logMove } from './payment/log-move.ts'
import { createGasBalances } from './payout/gas-balances.ts'
import { createRates } from './rates/rates.ts'
import { createDispatcher } from './webhook/outbox/dispatcher.ts'
import { runPruning } from './webhook/outbox/prune-deliveries.ts'

/** Work in progress may take this long to finish; then the process ends, and the next start continues from the database. */
const shutdownMs = 20_000

/** The first request waits for networks to be verified, and no longer than this for one that does not answer. */
const firstVerificationMs = 2_000

/** `metricsUrl` is null where the configuration has no port for them. */
export type Running = { url: string; metricsUrl: string | null; stop(): Promise<void> }

/**
 * The whole service in one process: HTTP, watchers, payouts, webhooks.
 * @param open - Tests pass a database that fails when they want it to.
 * @returns after it listens.
 */
export async function serve(config: Config, runtime: Runtime, open: typeof openDb = openDb): Promise<Running> {
  const { networks, database } = config
  const log = pino({
    level: config.logLevel,
    redact: ['*.raw', '*.secret', 'clientSecret', '*.clientSecret'],
    serializers: { err: (error: Error) => loggedError(error, pino.stdSerializers.err) },
  })
  const meter = createMeter()
  const db = open(database, meter)
  const vault = await openVault({ db, database, key: config.secretsKey, runtime })
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, config)
  const ledger = createLedger(db, viewer.merchant, (payment, event) => {
    meter.moved(payment, payment.status)
    logMove(log, payment, event)
  })
  const signers = await openSigners(config, { db, vault, runtime })
  const stopping = new AbortController()
  const { signal } = stopping
  // Every worker of every network waits on it.
  setMaxListeners(0, signal)

  const dispatcher = createDispatcher({ db, runtime, log, vault, targets: config.webhookTargets })
  const workers: Promise<void>[] = [
    dispatcher.run(signal).finally(() => dispatcher.close()),
    runHousekeeping({ db, runtime, log }, signal),
    runTestExpiry({ db, ledger, runtime, log }, signal),
  ]
  const { webhookRetentionDays: keepDays } = config
  if (keepDays !== null) workers.push(runPruning({ db, runtime, log, keepDays }, signal))
  const bridges = openBridges(config.relay, { runtime, log })
  if (bridges) workers.push(createBridgeProgress({ ...bridges, db, ledger, runtime, log }).run(signal))

  const health = createNetworkHealth(log)
  const splitters = createNetworkHealth(log, undefined, 'the splitter')
  const gasBalances = createGasBalances()
  const chains = connectChains({
    db,
    ledger,
    networks,
    heads,
    health,
    gasBalances,
    signers,
    lenientClients: config.lenientClients,
    runtime,
    log,
    observe: meter.asked,
    passed: meter.passed,
  })
  /** Nothing is read or sent before the chain is what the configuration says. @returns after the first verification. */
  async function startNetwork(chain: Chain): Promise<void> {
    const { network } = chain
    await chain.resume()
    const contractsVerified = new Promise<void>((verified) => {
      const payable = splitters.untilPayable(network, chain.verifyContracts, signal, verified)
      workers.push(payable.then(() => undefined))
    })
    await new Promise<void>((verified) => {
      const payable = health.untilPayable(network, chain.verifyNetwork, signal, verified)
      workers.push(payable.then((isPayable) => (isPayable ? chain.run(signal) : undefined)))
    })
    await contractsVerified
  }
  const started = Promise.all([...chains.values()].map(startNetwork))
  await Promise.race([started, sleep(firstVerificationMs, undefined, { ref: false })])

  const { windowSeconds, processWaitSeconds, processWaitsMax } = config.contractPayments
  const isReady = createReadiness({ networks, health, canCommit: meter.canCommit, stopping: signal })
  const elementFiles = openElementFiles(config.widgetFolder)
  const operator = signers.operator?.address ?? null
  const { solana } = signers
  const app = createApp({
    db,
    ledger,
    networks,
    health,
    gasBalances,
    heads,
    viewer,
    runtime,
    log,
    vault,
    bridges,
    isReady,
    elementFiles,
    operator,
    solanaOwner: solana && ((terms) => solana.ownerOf(terms).toBase58()),
    feeBps: config.feeBps,
    lenientClients: config.lenientClients,
    webhookTargets: config.webhookTargets,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    limits: config.rateLimits === 'on' ? createRateLimits(config) : createNoRateLimits(config.trustedProxies),
    readRates: createRates(config.rates, { runtime, log }),
    contracts: {
      splitters,
      chains: new Map([...chains].map(([name, { walletPayments }]) => [name, walletPayments])),
      windowMs: windowSeconds * 1000,
      waitMs: processWaitSeconds * 1000,
      waitsMax: processWaitsMax,
      stopping: signal,
    },
    observe(request) {
      meter.answered(request)
      logRequest(log, request)
    },
  })

  /** Ends what was started, so that the process can end. */
  const abandon = async (error: unknown): Promise<never> => {
    stopping.abort()
    await Promise.allSettled(workers)
    await db.close()
    throw error
  }
  const watched = { networks, health, gasBalances, heads, dispatcher, db, database, runtime, meter, isReady, log }
  const metrics = await openMetrics(config.metrics, watched).catch(abandon)
  const { port, close } = await listenOn(app.fetch, config).catch(async (error: unknown) => {
    await metrics?.close()
    return await abandon(error)
  })
  const url = `http://${config.host}:${port}`
  const metricsUrl = metrics?.url ?? null
  log.info({ url, metricsUrl, database, networks: [...networks.keys()], operator }, 'ready')
  if (!elementFiles.element) log.warn({ folder: config.widgetFolder }, 'the element is not built: no script, no /pay')
  if (networks.size === 0) log.warn({}, 'no network is configured: no payment can be created')

  return {
    url,
    metricsUrl,
    async stop() {
      log.info({}, 'stopping')
      stopping.abort()
      // Answers that are being made may still write.
      const finished = Promise.allSettled([...workers, close()]).then(() => db.close())
      const patience = new Promise((_, reject) => setTimeout(reject, shutdownMs, new Error('gave up waiting')).unref())
      await Promise.race([finished, patience])
      await metrics?.close()
      log.info({}, 'stopped')
    },
  }
}
