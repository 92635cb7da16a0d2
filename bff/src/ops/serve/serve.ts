import { setMaxListeners } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pino, { type DestinationStream } from 'pino'
import manifest from '../../../package.json' with { type: 'json' }
import { createApiErrors } from '../../access/http/api-errors.ts'
import { createClientDigest } from '../../access/http/client-address.ts'
import { createIdleConnections } from '../../access/http/idle-connections.ts'
import { listenOn } from '../../access/http/listen.ts'
import { logRequest } from '../../access/http/observe.ts'
import { createNoRateLimits, createRateLimits } from '../../access/limits/rate-limit.ts'
import { createApp } from '../../app.ts'
import { connectChains, openSigners } from '../../chain/connect-networks.ts'
import { openElementFiles } from '../../checkout/pay-page/element-files.ts'
import { createPaymentViewer } from '../../checkout/read/payment-view.ts'
import { tokensOf } from '../../core/families.ts'
import { loggedError } from '../../core/fault-text.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createDatabaseClock } from '../../db/database-clock.ts'
import type { Db } from '../../db/db.ts'
import { allNetworks, createLeases, type LeaseTimes } from '../../db/leases.ts'
import { isPostgres, shownDatabase } from '../../db/location.ts'
import { openDatabase } from '../../db/open-database.ts'
import type { openHeartbeats } from '../../db/postgres/heartbeats.ts'
import { openVault, type Vault } from '../../db/vault.ts'
import { createGasBalances } from '../../network/gas-balances.ts'
import { createHeads } from '../../network/heads.ts'
import { createNetworkHealth } from '../../network/network-health.ts'
import { createSharedStates } from '../../network/shared-states.ts'
import { type LoadedParts, loadParts, partsOn } from '../../parts.ts'
import { createLedger, logTransition } from '../../payment/ledger.ts'
import { createRates } from '../../rates/read-rates.ts'
import { createContractDeployments } from '../../system/contract-deployments.ts'
import { instanceOf } from '../../system/instance.ts'
import { createReadiness } from '../../system/readiness.ts'
import { type CommandLine, createDoctor } from '../../system/run-doctor.ts'
import { newDeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import type { Config } from '../config/config.ts'
import { refuseRemovedNetworks, refuseUnsweptDeposits, warnOfRemovedShares } from '../config/removed-networks.ts'
import { createMeter } from '../metrics/meter.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { warnOfPartsOff } from './parts-off.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { runSharedWorkers, startNetwork } from './workers.ts'

/** Maximum time for work in progress to finish. Then the process ends, and the next start continues from the database. */
const shutdownMs = 20_000

/** How long the start waits for networks to be verified before the first request. */
const firstVerificationMaxMs = 2_000

/** `metricsUrl` is null without a configured port. */
export type Running = { url: string; metricsUrl: string | null; stop(): Promise<void> }

/**
 * For tests: a database and heartbeats that can fail on demand, shorter leases, and a longer wait for the first
 * verification. `env` and `commandLine`: for the commands that the service runs. `logTo`: receives each log line; default:
 * standard output.
 */
type Changes = {
  open?: typeof openDatabase
  openHeartbeats?: typeof openHeartbeats
  leaseTimes?: LeaseTimes | undefined
  firstVerificationMaxMs?: number
  env?: NodeJS.ProcessEnv
  commandLine?: CommandLine
  logTo?: DestinationStream
}

/**
 * Runs the whole service in one process: HTTP, and the watchers, payouts and webhooks whose leases no other replica on the
 * same database holds.
 * @returns once it listens.
 */
export async function serve(config: Config, systemClock: Runtime, changes: Changes = {}): Promise<Running> {
  const { networks, database } = config
  const isShared = isPostgres(database)
  const log = openLog(config, changes.logTo)
  const names = partsOn(config)
  const parts = await loadParts(names)
  const meter = createMeter()
  const db = await (changes.open ?? openDatabase)(database, meter)
  try {
    // Before the leases, so that a refused start takes nothing over from the running process.
    await refuseRemovedNetworks(db, networks)
    await refuseUnsweptDeposits(db, networks, config.operator !== null)
    await warnOfRemovedShares(db, networks, log)
    await warnOfPartsOff(db, names, log)
  } catch (error) {
    await db.close()
    throw error
  }
  const { runtime, note: noteClock } = createDatabaseClock(systemClock, log)
  const heartbeats = parts.postgres && (changes.openHeartbeats ?? parts.postgres.openHeartbeats)(database)
  const replica = { id: runtime.newUuid(), version: manifest.version, host: hostname(), url: null }
  const leases = createLeases({
    db,
    heartbeats: heartbeats ?? undefined,
    replica,
    nowMs: systemClock.nowMs,
    onClock: noteClock,
    log,
    times: changes.leaseTimes,
  })
  await leases.open()
  const vault = await openVault({ db, database, key: config.secretsKey, runtime })
  const signers = await openSigners(config, { db, vault, runtime })
  const bridges = parts.relay?.openBridges(config.relay, { runtime, log }) ?? null

  const heads = createHeads()
  const health = createNetworkHealth(log)
  const splitters = createNetworkHealth(log, undefined, 'The splitter')
  const gasBalances = createGasBalances()
  const viewer = createPaymentViewer(networks, heads, config)
  const ledgerOn = (stored: Db) =>
    createLedger(stored, viewer.merchant, (payment, event) => {
      meter.moved(payment, payment.status)
      logTransition(log, payment, event)
    })
  /** Shared by watchers, routes and metrics. */
  const core = { db, ledger: ledgerOn(db), networks, heads, health, gasBalances, runtime, log }

  const stopping = new AbortController()
  const { signal } = stopping
  // Every worker of every network listens to this signal.
  setMaxListeners(0, signal)

  const apiErrors = createApiErrors({ db, nowMs: runtime.nowMs, log })
  const deliveryCounts = newDeliveryCounts()
  const shared = { config, ledgerOn, runtime, log, vault, parts, bridges, deliveryCounts, viewer, health, gasBalances }
  const workers: Promise<void>[] = [
    leases.run(signal),
    apiErrors.run(signal),
    leases.whileHeld(allNetworks, (lease) => runSharedWorkers(shared, lease), signal),
  ]

  const { lenientClients } = config
  const chains = await connectChains({ ...core, signers, lenientClients, observe: meter.asked, passed: meter.passed })
  const states = createSharedStates({ ...core, leases })
  if (isShared) {
    await states.refresh()
    const readNodes = () => [...chains].map(([network, chain]) => ({ network, nodes: chain.nodeStates() }))
    workers.push(states.run(signal), states.publishNodes(replica.id, readNodes, signal))
  }
  const start = { leases, states, isShared, health, splitters, ledgerOn, workers, signal }
  const started = Promise.all([...chains.values()].map((chain) => startNetwork(start, chain)))
  await Promise.race([
    started,
    sleep(changes.firstVerificationMaxMs ?? firstVerificationMaxMs, undefined, { ref: false }),
  ])

  workers.push(verifyAccounts({ db, chains, log }, signal))

  const { windowSeconds, processWaitSeconds, processWaitsMax } = config.contractPayments
  const nodeStates = (network: string) => chains.get(network)?.nodeStates() ?? []
  const isReady = createReadiness({
    networks,
    health,
    canCommit: meter.canCommit,
    isReplaced: leases.isReplaced,
    stopping: signal,
  })
  const elementFiles = openElementFiles(config.widgetFolder)
  const operator = signers.operator?.address ?? null
  const { solana } = signers
  const { limits, counters } = openLimits(config, { parts, runtime, vault, replicas: leases.replicas })
  const app = createApp({
    ...config,
    ...core,
    parts,
    viewer,
    vault,
    bridges,
    isReady,
    apiErrors,
    system: {
      version: manifest.version,
      instance: instanceOf(replica.id),
      replica: isShared ? replica : null,
      nodeStates,
      worksFor: leases.isHeld,
      runDoctor: createDoctor(changes.env ?? process.env, runtime, changes.commandLine),
      deployContracts: createContractDeployments(
        async (network) => {
          const { deployByOperator } = await import('../deploy-by-operator.ts')
          return await deployByOperator({ ...config, runtime }, network)
        },
        { log },
      ),
    },
    elementFiles,
    dashboardFiles: parts.dashboard?.openDashboardFiles() ?? new Map(),
    isSignedBy: async (network, signed, ending) => (await chains.get(network)?.isSignedBy(signed, ending)) ?? false,
    readHoldings: async (network, addresses, ending) => await chains.get(network)?.readHoldings?.(addresses, ending),
    readMaster: async (network, source, ending) => await chains.get(network)?.readMaster?.(source, ending),
    operator,
    solanaOwner: solana && ((terms) => solana.ownerOf(terms).toBase58()),
    limits,
    readRates: createRates(config.rates, { runtime, log, tokens: tokensOf(config.networks.values()) }),
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

  /** Ends everything that may still write, including requests under way, then closes the database. */
  const end = async (closeServer?: () => Promise<void>) => {
    stopping.abort()
    await Promise.allSettled([...workers, closeServer?.()])
    await counters?.close()
    await heartbeats?.close()
    await db.close()
  }
  const measured = { ...core, database, leases, deliveryCounts, meter, isReady, nodeStates, partsOn: names }
  const metrics = await openMetrics(config.metrics, measured).catch(async (error: unknown) => {
    await end()
    throw error
  })
  const { port, close } = await listenOn(app.fetch, config, createIdleConnections(config.trustedProxies)).catch(
    async (error: unknown) => {
      await metrics?.close()
      await end()
      throw error
    },
  )
  const url = `http://${config.host}:${port}`
  const metricsUrl = metrics?.url ?? null
  leases.listensAt(url)
  const shown = { url, metricsUrl, database: shownDatabase(database), networks: [...networks.keys()], operator }
  log.info({ ...shown, parts: names }, 'ready')
  if (!elementFiles.element)
    log.warn({ folder: config.widgetFolder }, 'The element is not built: no script and no /pay')
  if (networks.size === 0) log.warn({}, 'No network is configured: no payment can be created')

  return {
    url,
    metricsUrl,
    async stop() {
      log.info({}, 'stopping')
      const patience = new Promise((_, reject) => setTimeout(reject, shutdownMs, new Error('timed out')).unref())
      await Promise.race([end(close), patience])
      await metrics?.close()
      log.info({}, 'stopped')
    },
  }
}

type LimitDeps = { parts: LoadedParts; runtime: Runtime; vault: Vault; replicas: () => number }

/** @returns also the rate limit counters shared by replicas, because these hold database connections. */
function openLimits(config: Config, { parts, runtime, vault, replicas }: LimitDeps) {
  if (config.rateLimits !== 'on') return { limits: createNoRateLimits(config.trustedProxies) }
  const { database } = config
  const digest = createClientDigest(vault)
  const counters = parts.postgres?.openSharedCounters(database, { nowMs: runtime.nowMs, digest })
  return { limits: createRateLimits({ ...config, ...counters, replicas }), counters }
}

function openLog({ logLevel }: Config, logTo: DestinationStream | undefined) {
  const options = {
    level: logLevel,
    redact: ['*.raw', '*.secret', 'clientSecret', '*.clientSecret'],
    serializers: { err: (error: Error) => loggedError(error, pino.stdSerializers.err) },
  }
  return logTo ? pino(options, logTo) : pino(options)
}
