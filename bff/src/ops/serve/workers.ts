import type { Chain } from '../../chain/connector.ts'
import type { Bridges } from '../../checkout/cross-chain/relay.part.ts'
import { runSurplusEnding } from '../../checkout/end-surplus.ts'
import type { PaymentViewer } from '../../checkout/read/payment-view.ts'
import { runTestExpiry } from '../../checkout/sandbox/sandbox-expiry.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { pause } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import type { Lease, Leases } from '../../db/leases.ts'
import type { Vault } from '../../db/vault.ts'
import type { GasBalances } from '../../network/gas-balances.ts'
import type { createNetworkHealth, NetworkHealth } from '../../network/network-health.ts'
import type { createSharedStates } from '../../network/shared-states.ts'
import type { LoadedParts } from '../../parts.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { createDispatcher, type DeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import { runPruning } from '../../webhook/outbox/prune-deliveries.ts'
import type { Config } from '../config/config.ts'
import { type DeleteExpired, runHousekeeping } from './housekeeping.ts'

type SharedWorkerDeps = {
  config: Config
  ledgerOn: (db: Db) => Ledger
  runtime: Runtime
  log: Log
  vault: Vault
  parts: LoadedParts
  bridges: Bridges | null
  deliveryCounts: DeliveryCounts
  viewer: PaymentViewer
  health: NetworkHealth
  gasBalances: GasBalances
}

/** Runs the workers shared by all networks, until the lease ends. */
export async function runSharedWorkers(deps: SharedWorkerDeps, { db, signal, isHeld }: Lease): Promise<void> {
  const { config, runtime, log, vault, parts, bridges, deliveryCounts: counts } = deps
  const { webhookTargets: targets, webhookRetentionDays: keepDays } = config
  const { mail, publicUrl, networks } = config
  const ledger = deps.ledgerOn(db)
  const send = mail && parts.mail?.createSendMail(mail)
  const adaptCallback = parts.stablezact?.createCallbackAdapter(networks)
  const dispatcher = createDispatcher({ db, runtime, log, vault, targets, counts, isHeld, adaptCallback })
  const ofParts: DeleteExpired[] = [parts.links, parts.dashboard, parts.notices].flatMap(
    (part) => part?.deleteExpired ?? [],
  )
  await Promise.all([
    dispatcher.run(signal).finally(() => dispatcher.close()),
    runHousekeeping({ db, runtime, log, ofParts }, signal),
    runSurplusEnding({ db, ledger, runtime, log }, signal),
    runTestExpiry({ db, ledger, runtime, log }, signal),
    keepDays === null ? undefined : runPruning({ db, runtime, log, keepDays }, signal),
    parts.stores?.createInvoiceWorker({ db, runtime, log }).run(signal),
    send &&
      publicUrl !== null &&
      parts.mail?.runReceiptMails({ db, runtime, log, vault, viewer: deps.viewer, networks, publicUrl, send }, signal),
    parts.notices?.runNotices({ ...deps, db, networks, targets, publicUrl, sendMail: send ?? null }, signal),
    bridges && parts.relay?.createBridgeProgress({ ...bridges, db, ledger, runtime, log }).run(signal),
  ])
}

type NetworkDeps = {
  leases: Leases
  states: ReturnType<typeof createSharedStates>
  isShared: boolean
  health: ReturnType<typeof createNetworkHealth>
  splitters: ReturnType<typeof createNetworkHealth>
  ledgerOn: (db: Db) => Ledger
  workers: Promise<void>[]
  signal: AbortSignal
}

/**
 * Starts a network. Nothing is read or sent until the chain is verified against the configuration.
 * @returns after the first verification.
 */
export async function startNetwork(deps: NetworkDeps, chain: Chain): Promise<void> {
  const { health, splitters, workers, signal } = deps
  const { network } = chain
  workers.push(probeNodes(chain, signal))
  await chain.resume()
  const contractsVerified = new Promise<void>((verified) => {
    const payable = splitters.untilPayable(network, chain.verifyContracts, signal, verified)
    workers.push(payable.then(() => undefined))
  })
  await new Promise<void>((verified) => {
    const payable = health.untilPayable(network, chain.verifyNetwork, signal, verified)
    workers.push(payable.then((isPayable) => (isPayable ? workForNetwork(deps, chain) : undefined)))
  })
  await contractsVerified
}

/** Between two calls to nodes that may do no work: one call a minute costs no plan's quota. */
const probePauseMs = 60_000

/** Every replica has nodes of its own, so each calls them, whether or not it works for the network. */
export async function probeNodes(
  chain: Pick<Chain, 'probeNodes'>,
  signal: AbortSignal,
  pauseMs = probePauseMs,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  while (!signal.aborted) {
    await pause(pauseMs, signal)
    // A node that hangs does not delay the stop.
    if (!signal.aborted) await Promise.race([chain.probeNodes(), stopped])
  }
}

/** Watches and sends while this replica holds the network's lease. */
async function workForNetwork(deps: NetworkDeps, chain: Chain): Promise<void> {
  const { leases, states, isShared, health, ledgerOn, signal } = deps
  const { network } = chain
  states.verified(network)
  const work = async (lease: Lease): Promise<void> => {
    // Replaces what another replica reported: this replica has verified its own nodes.
    health.report(network, undefined)
    await Promise.all([
      chain.run({ db: lease.db, ledger: ledgerOn(lease.db) }, lease.signal),
      isShared ? states.publish(network, lease) : undefined,
    ])
  }
  await leases.whileHeld(network.shortName, work, signal)
}
