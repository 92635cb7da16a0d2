import { setMaxListeners } from 'node:events'
import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { type EvmNetwork, type Runtime, silentLog } from '@stablecoin-checkout/bff/testing/core'
import type { createVault, Db } from '@stablecoin-checkout/bff/testing/db'
import {
  createCallCosts,
  createEvmAdapter,
  createEvmAuthorizer,
  createEvmPool,
  createEvmSender,
  createEvmSubmissions,
  createLateScanner,
  createRefundVerification,
  createSigner,
  createSweeper,
  createUnmatchedWatcher,
  createWatcher,
} from '@stablecoin-checkout/bff/testing/evm'
import { createGasBalances, createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { createApp } from '@stablecoin-checkout/bff/testing/service'
import type { Hex } from 'viem'
import { appDefaults, everyNetworkPayable } from '../../app-defaults.ts'

type Parts = {
  /** For requests, and for the workers, whose writes may be fenced by a lease. */
  db: Db
  workersDb?: Db
  network: EvmNetwork
  runtime: Runtime
  vault: ReturnType<typeof createVault>
  operatorKey: Hex
  feeBps: number
  /** Called when the verification of a submitted transaction has ended. */
  onVerified?: () => void
}

/** Longer than any client waits: clients leave once they have the result of one verification. */
const waitMs = 600_000

export const workerNames = ['watcher', 'sweeper', 'unmatched', 'late'] as const
export type WorkerName = (typeof workerNames)[number]

export type Service = ReturnType<typeof openService>

/** One process of the service as `serve` connects it, whose workers run only on command. */
export function openService(parts: Parts) {
  const { db, workersDb = db, network, runtime, vault, operatorKey, feeBps, onVerified = () => undefined } = parts
  const networks = new Map([[network.shortName, network]])
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads)
  const ledger = createLedger(db, viewer.merchant)
  const log = silentLog
  const pool = createEvmPool(network, { nowMs: runtime.nowMs, log })
  const adapter = createEvmAdapter(network, { nowMs: runtime.nowMs, log }, pool)
  const signer = createSigner(operatorKey)
  const { signatureGas } = network
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const gasBalances = createGasBalances()
  const authorizer =
    signatureGas &&
    createEvmAuthorizer({
      network: { ...network, signatureGas },
      pool,
      operator: signer.address,
      nowMs: runtime.nowMs,
      wake: () => undefined,
    })
  const health = everyNetworkPayable
  const verifySubmission = createEvmSubmissions({ db, ledger, health, network, adapter, runtime })
  const app = createApp({
    ...appDefaults({ db, runtime }, log),
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    vault,
    feeBps,
    gasBalances,
    operator: signer.address,
    contracts: {
      splitters: everyNetworkPayable,
      chains: new Map([
        [
          network.shortName,
          {
            // The client leaves in a later turn, once the response is there or the service waits for the next verification.
            verifySubmission: (...submitted) =>
              verifySubmission(...submitted).finally(() => void setImmediate(onVerified)),
            verifyRefund: createRefundVerification({ db, ledger, health, network, adapter, runtime }),
            ...(authorizer && { authorizer }),
          },
        ],
      ]),
      windowMs: 1_800_000,
      waitMs,
      waitsMax: 10,
      stopping: stopping.signal,
    },
  })
  const ofWorkers = {
    db: workersDb,
    ledger: createLedger(workersDb, viewer.merchant),
    network,
    networks,
    adapter,
    heads,
    runtime,
    log,
    gasBalances,
  }
  const watcher = createWatcher(ofWorkers)
  const sweeper = createSweeper(
    { ...ofWorkers, sender: createEvmSender(network, pool), signer },
    signatureGas ? createCallCosts({ pool, operator: signer.address, network }) : undefined,
  )
  const unmatched = createUnmatchedWatcher(ofWorkers)
  const late = createLateScanner(ofWorkers)
  const passes: Record<WorkerName, (signal: AbortSignal) => Promise<number | boolean>> = {
    watcher: watcher.pass,
    sweeper: sweeper.pass,
    unmatched: unmatched.pass,
    late: late.pass,
  }
  /** As in `evm-chain.ts`: a virtual address holds nothing to find, sweep or return. */
  const works = (worker: WorkerName) => network.deposits !== 'virtual' || worker === 'watcher'
  return {
    app,
    ledger,
    network,
    /** Loads what the process knows before its first pass. */
    resume: () => watcher.resume(),
    /** @returns whether there may be more to do immediately. @throws what the worker's loop would report and retry. */
    pass: async (worker: WorkerName): Promise<boolean> =>
      works(worker) && Boolean(await passes[worker](stopping.signal)),
    stop: () => stopping.abort(),
  }
}
