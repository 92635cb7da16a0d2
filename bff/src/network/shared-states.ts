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

/** Interval of writes and of reads. Other replicas' states are at most twice this old. */
const pauseMs = 500

/**
 * A network without a working replica for this long cannot be paid on, because nobody would detect the money. A takeover
 * takes 8 s.
 */
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
 * Shares the states of networks between replicas. The replica that holds a network's lease knows its head, faults and gas
 * balance, and stores them; the other replicas report them as their own.
 */
export function createSharedStates(deps: Deps) {
  const { db, networks, heads, health, gasBalances, leases, log, unheldMaxMs = unheldMaxMsDefault } = deps
  /** The networks whose nodes this replica has verified. For the others it keeps its own reason. */
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
        minimumWei: gas.minimumWei,
        readAtMs: gas.readAtMs,
      },
    }
  }

  /** Reads the states of networks that other replicas work for. */
  async function refresh(): Promise<void> {
    for (const { network: name, unheldMs, ...state } of await db.read(loadNetworkStates)) {
      const network = networks.get(name)
      if (!network || leases.isHeld(name)) continue
      if (state.head) heads.set(name, { ...state.head, parentHash: '' })
      if (state.gas) gasBalances.note(name, state.gas)
      // After a long downtime, replicas first get time to take the lease.
      const isUnheld = unheldMs > unheldMaxMs && performance.now() - openedAtMs > unheldMaxMs
      const reason = isUnheld ? 'No replica of the service is watching the network.' : state.reason
      if (verified.has(name)) health.report(network, faultOf(reason))
    }
  }

  return {
    refresh,
    /** From now on the working replica determines the network's health. */
    verified: ({ shortName }: Network): void => void verified.add(shortName),
    /** Stores changes until the lease ends. Never rejects. */
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
            log.warn({ network: network.shortName, err: error }, "Storing the network's state failed; retrying"),
        },
        lease.signal,
      )
    },
    /** Stores changes in the states of this replica's nodes until the signal aborts. Never rejects. */
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
          onFailure: ({ error }) => log.warn({ err: error }, "Storing the nodes' states failed; retrying"),
        },
        signal,
      )
    },
    /** Refreshes until the signal aborts. Never rejects. */
    run: (signal: AbortSignal): Promise<void> =>
      runWorker(
        {
          pauseMs,
          async pass() {
            await refresh()
            return false
          },
          onFailure: ({ error }) => log.warn({ err: error }, "Reading other replicas' networks failed; retrying"),
        },
        signal,
      ),
  }
}

const faultOf = (reason: string | null): Fault | undefined =>
  reason === null ? undefined : { kind: 'unreachable', reason }
