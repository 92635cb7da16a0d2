import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { createApp } from './app.ts'
import { createHeads } from './chain/chain-adapter.ts'
import { createEvmSender } from './chain/evm/payout/evm-sender.ts'
import { createSweeper } from './chain/evm/payout/sweeper.ts'
import { createEvmAdapter, type EvmAdapter } from './chain/evm/rpc/evm-adapter.ts'
import { verifyNetwork } from './chain/evm/rpc/verify-network.ts'
import { operatorSigner } from './chain/evm/signer/operator.ts'
import { verifySplitter } from './chain/evm/split/verify-splitter.ts'
import { createStrayList } from './chain/evm/watch/unmatched-addresses.ts'
import { createStrayWatcher } from './chain/evm/watch/unmatched-watcher.ts'
import { createWatcher } from './chain/evm/watch/watcher.ts'
import { loggedError } from './chain/fault-text.ts'
import { createSolanaSender } from './chain/solana/payout/solana-sender.ts'
import { createSolanaSweeper } from './chain/solana/payout/solana-sweeper.ts'
import { createSolanaAdapter, type SolanaAdapter } from './chain/solana/rpc/solana-adapter.ts'
import { createSolanaRpc } from './chain/solana/rpc/solana-rpc.ts'
import { verifySolanaNetwork } from './chain/solana/rpc/verify-cluster.ts'
import { openSolanaSeed } from './chain/solana/signer/deposit-seed.ts'
import { createSolanaSigner } from './chain/solana/signer/solana-signer.ts'
import { startSolanaPayments } from './chain/solana/split/start-solana-payments.ts'
import { createDepositWatcher } from './chain/solana/watch/deposit-watcher.ts'
import { createBridgeProgress } from './checkout/cross-chain/bridge-progress.ts'
import { openBridges } from './checkout/cross-chain/bridges.ts'
import { runHousekeeping } from './checkout/housekeeping.ts'
import { openElementFiles } from './checkout/pay-page/element-files.ts'
import { createPaymentViewer } from './checkout/read/payment-view.ts'
import { runTestExpiry } from './checkout/sandbox/sandbox-expiry.ts'
import type { EvmNetwork, Network, SolanaNetwork } from './core/families.ts'
import type { Runtime } from './core/runtime.ts'
import { openDb } from './db/sqlite/open-database.ts'
import { listenOn } from './http/listen.ts'
import { logRequest } from './http/observe.ts'
import { createNoRateLimits, createRateLimits } from './http/rate-limit.ts'
import { openVault } from './merchant/vault.ts'
import { createNetworkHealth, type Fault } from './network/network-health.ts'
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

/** What is in hand gets this long to finish; then the process ends, and the next start goes on from the database. */
const shutdownMs = 20_000

/** A chain that answers is looked at before the first request can come; one that does not holds nobody up longer. */
const firstLooksMs = 2_000

/** `metricsUrl` is null where the configuration has no port for them. */
export type Running = { url: string; metricsUrl: string | null; stop(): Promise<void> }

/**
 * The whole service in one process: HTTP, watchers, sweepers, dispatcher.
 * @param open - A test puts its hand between the service and its database.
 * @returns after it listens.
 */
export async function serve(config: Config, runtime: Runtime, open: typeof openDb = openDb): Promise<Running> {
  const serializers = { err: (error: Error) => loggedError(error, pino.stdSerializers.err) }
  const log = pino({
    level: config.logLevel,
    redact: ['*.raw', '*.secret', 'clientSecret', '*.clientSecret'],
    serializers,
  })
  const meter = createMeter()
  const db = open(config.database, meter)
  const vault = await openVault({ db, database: config.database, key: config.secretsKey, runtime })
  const { networks } = config
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, config)
  const ledger = createLedger(db, viewer.merchant, (payment, event) => {
    meter.moved(payment, payment.status)
    logMove(log, payment, event)
  })
  const signer = config.operator === null ? null : operatorSigner(config.operator)
  const { solanaFeePayerKey } = config
  const solanaSigner =
    solanaFeePayerKey && createSolanaSigner(solanaFeePayerKey, await openSolanaSeed(db, vault, runtime))
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
  const verify = (network: Network, until: AbortSignal) =>
    network.family === 'solana' ? verifySolanaNetwork(network, until) : verifyNetwork(network, until)
  const health = createNetworkHealth(verify, log)
  const splitters = createNetworkHealth(verifySplitter, log, undefined, 'the splitter')
  const chains = new Map<string, EvmAdapter>()
  const list = createStrayList(db)
  const gasBalances = createGasBalances()
  /** Nothing of a network is believed before its chain is what the configuration says. @returns after the first look. */
  const startEvm = async (network: EvmNetwork) => {
    const adapter = createEvmAdapter(network, { nowMs: runtime.nowMs, log, observe: meter.asked })
    chains.set(network.shortName, adapter)
    const report = (fault: Fault | undefined) => health.report(network, fault)
    const watcher = createWatcher({ db, ledger, adapter, network, heads, runtime, log, report, passed: meter.passed })
    await watcher.resume()
    const work = async () => {
      const sender = createEvmSender(network)
      const sweeper = signer && createSweeper({ db, ledger, network, sender, signer, runtime, log, gasBalances })
      const strays = createStrayWatcher({ db, ledger, adapter, network, networks, list, runtime, log })
      await Promise.all([watcher.run(signal), strays.run(signal), sweeper?.run(signal)])
    }
    const contractsLooked = new Promise<void>((looked) => {
      workers.push(splitters.untilPayable(network, signal, looked).then(() => undefined))
    })
    await new Promise<void>((looked) => {
      workers.push(health.untilPayable(network, signal, looked).then((isPayable) => (isPayable ? work() : undefined)))
    })
    await contractsLooked
  }
  const shared = { db, ledger, runtime, log }
  const solanaChains = new Map<string, SolanaAdapter>()
  const startSolana = async (network: SolanaNetwork) => {
    const rpc = createSolanaRpc(network, { nowMs: runtime.nowMs, log, observe: meter.asked })
    const adapter = createSolanaAdapter(network, rpc, log)
    solanaChains.set(network.shortName, adapter)
    const report = (fault: Fault | undefined) => health.report(network, fault)
    const watcher = createDepositWatcher({ ...shared, adapter, network, heads, report, passed: meter.passed })
    const work = async () => {
      const sender = createSolanaSender(adapter, rpc)
      const sweeper = solanaSigner && createSolanaSweeper({ ...shared, network, sender, signer: solanaSigner })
      await Promise.all([watcher.run(signal), sweeper?.run(signal)])
    }
    await new Promise<void>((looked) => {
      workers.push(health.untilPayable(network, signal, looked).then((isPayable) => (isPayable ? work() : undefined)))
    })
  }
  const start = (network: Network) => (network.family === 'solana' ? startSolana(network) : startEvm(network))
  const looks = Promise.all([...networks.values()].map(start))
  const solana = startSolanaPayments({
    ...{ ...shared, networks, health, chains: solanaChains, lenientClients: config.lenientClients },
    feePayer: solanaSigner?.feePayer.toBase58() ?? null,
  })
  workers.push(...solana.run(signal))
  await Promise.race([looks, sleep(firstLooksMs, undefined, { ref: false })])

  const operator = signer?.address ?? null
  const limits = config.rateLimits === 'on' ? createRateLimits(config) : createNoRateLimits(config.trustedProxies)
  const readRates = createRates(config.rates, { runtime, log })
  const { windowSeconds, processWaitSeconds, processWaitsMax: waitsMax } = config.contractPayments
  const windows = { windowMs: windowSeconds * 1000, waitMs: processWaitSeconds * 1000, waitsMax }
  const bridges = openBridges(config.relay, { runtime, log })
  if (bridges) workers.push(createBridgeProgress({ ...bridges, db, ledger, runtime, log }).run(signal))
  const { publicUrl } = config
  const contracts = { ...windows, ...solana.contracts, splitters, chains, stopping: signal }
  const isReady = createReadiness({ networks, health, canCommit: meter.canCommit, stopping: signal })
  const elementFiles = openElementFiles(config.widgetFolder)
  const app = createApp({
    elementFiles,
    limits,
    readRates,
    contracts,
    bridges,
    db,
    ledger,
    networks,
    health,
    gasBalances,
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
    publicUrl,
    trustedProxies: config.trustedProxies,
    isReady,
    observe(request) {
      meter.answered(request)
      logRequest(log, request)
    },
  })
  const watched = { networks, health, gasBalances, heads, dispatcher }
  const shown = { ...watched, db, database: config.database, runtime, meter, isReady, log }
  /** What was begun ends, so that the process can. */
  const abandon = async (error: unknown): Promise<never> => {
    stopping.abort()
    await Promise.allSettled(workers)
    await db.close()
    throw error
  }
  const metrics = await openMetrics(config.metrics, shown).catch(abandon)
  const { port, close } = await listenOn(app.fetch, config).catch(async (error: unknown) => {
    await metrics?.close()
    return await abandon(error)
  })
  const url = `http://${config.host}:${port}`
  const metricsUrl = metrics?.url ?? null
  log.info({ url, metricsUrl, database: config.database, networks: [...networks.keys()], operator }, 'ready')
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
