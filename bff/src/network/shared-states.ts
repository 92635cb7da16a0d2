import type { Network, Networks } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import { runWorker } from '../core/worker.ts'
import type { Db } from '../db/db.ts'
import type { Lease, Leases } from '../db/leases.ts'
import type { GasBalances } from './gas-balances.ts'
import type { Heads } from './heads.ts'
import type { createNetworkHealth, Fault } from './network-health.ts'
import { loadNetworkStates, type NetworkState, saveNetworkState } from './network-state-store.ts'
import { type NetworkNodes, saveNodeStates } from './node-state-store.ts'

/** Between two writes of what changed, and two reads: what is shown elsewhere is older by twice this at the most. */
const pauseMs = 500

/** A network that no replica has worked for in so long cannot be paid on: nobody would see the money. A takeover takes 8 s. */
const unheldMaxMsDefault = 20_000

type Deps = {
  db: Db
  networks: Networks
  heads: Heads
  health: ReturnType<typeof createNetworkHealth>
  gasBalances: GasBalances
  leases: Pick<Leases, 'isHeld'>
  log: Log
  unheldMaxMs?: number
}

/**
 * The replica that works for a network knows its head, its faults and the gas balance. It writes them to the database, and the other
 * replicas take them over into what they show, as if they had found them.
 */
export function createSharedStates(deps: Deps) {
  const { db, networks, heads, health, gasBalances, leases, log, unheldMaxMs = unheldMaxMsDefault } = deps
  /** The networks whose nodes this replica has verified; any other keeps this replica's own reason. */
  const verified = new Set<string>()
  const openedAtMs = performance.now()

  function stateOf({ shortName }: Network): NetworkState {
    const head = heads.get(shortName)
    const gas = gasBalances.get(shortName)
    return {
      reason: health.get(shortName).reason,
      head: head && { number: head.number, hash: head.hash, timeMs: head.timeMs },
      gas: gas && {
        address: gas.address,
        balanceWei: gas.balanceWei,
        neededWei: gas.neededWei,
        readAtMs: gas.readAtMs,
      },
    }
  }

  /** Takes over what is known of the networks that other replicas work for. */
  async function refresh(): Promise<void> {
    for (const { network: name, unheldMs, ...state } of await db.read(loadNetworkStates)) {
      const network = networks.get(name)
      if (!network || leases.isHeld(name)) continue
      if (state.head) heads.set(name, { ...state.head, parentHash: '' })
      if (state.gas) gasBalances.note(name, state.gas)
      // A start after a long pause gives somebody the time to take the lease.
      const isUnheld = unheldMs > unheldMaxMs && performance.now() - openedAtMs > unheldMaxMs
      const reason = isUnheld ? 'No replica of the service watches the network now.' : state.reason
      if (verified.has(name)) health.report(network, faultOf(reason))
    }
  }

  return {
    refresh,
    /** From now on the network's health is what the replica that works for it says. */
    verified: ({ shortName }: Network): void => void verified.add(shortName),
    /** Writes what changes until the lease ends. Never rejects. */
    publish(network: Network, lease: Lease): Promise<void> {
      let published: string | undefined
      return runWorker(
        {
          pauseMs,
          async pass() {
            const state = stateOf(network)
            const text = JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? String(value) : value))
            if (text !== published) await lease.db.write((tx) => saveNetworkState(tx, network.shortName, state))
            published = text
            return false
          },
          onFailure: ({ error }) =>
            log.warn({ network: network.shortName, err: error }, "the network's state could not be stored"),
        },
        lease.signal,
      )
    },
    /** Writes how the replica's own nodes are, whenever that changes, until the signal. Never rejects. */
    publishNodes(replicaId: string, read: () => NetworkNodes[], signal: AbortSignal): Promise<void> {
      let published = '[]'
      return runWorker(
        {
          pauseMs,
          async pass() {
            const nodes = read()
            const text = JSON.stringify(nodes)
            if (text !== published) await db.write((tx) => saveNodeStates(tx, replicaId, nodes))
            published = text
            return false
          },
          onFailure: ({ error }) => log.warn({ err: error }, "the nodes' states could not be stored"),
        },
        signal,
      )
    },
    /** Refreshes until the signal. Never rejects. */
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs,
          async pass() {
            await refresh()
            return false
          },
          onFailure: ({ error }) => log.warn({ err: error }, "other replicas' networks could not be read"),
        },
        signal,
      ),
  }
}

const faultOf = (reason: string | null): Fault | undefined =>
  reason === null ? undefined : { kind: 'unreachable', reason }
