import { existsSync, readFileSync } from 'node:fs'
import { writeWhole } from '../../processes/state.ts'
import { createRelayApi } from './api.ts'
import { openRelayChain, type RelayNetwork } from './chain.ts'
import type { Order } from './order.ts'
import { createSolver } from './solver.ts'

export type RelayEmulatorOptions = {
  networks: readonly RelayNetwork[]
  /** File that keeps orders and their address keys across restarts. Default: they are lost. */
  statePath?: string
  /** Interval between polls of the chains. */
  pauseMs?: number
  /** Called with one sentence about an error. */
  report?: (sentence: string) => void
  nowMs?: () => number
}

const pauseMsDefault = 200

/** Relay on the devnet: its API, and a solver that receives real test tokens on one chain and pays them out on another. */
export function createRelayEmulator(options: RelayEmulatorOptions) {
  const { networks, statePath, pauseMs = pauseMsDefault, report = () => {}, nowMs = Date.now } = options
  const chains = new Map(networks.map((network) => [network.chainId, openRelayChain(network)]))
  const known =
    statePath !== undefined && existsSync(statePath) ? (JSON.parse(readFileSync(statePath, 'utf8')) as Order[]) : []
  const orders = new Map<string, Order>(known.map((order) => [order.requestId, order]))
  const save = () => {
    if (statePath !== undefined) writeWhole(statePath, [...orders.values()])
  }
  const { app, switches } = createRelayApi({ chains, orders, save, nowMs })
  const solver = createSolver({ chains, orders, switches, save, report, nowMs })
  return { fetch: app.fetch, orders, run: (signal: AbortSignal) => solver.run(pauseMs, signal) }
}
