import { defineOperation } from '../access/context/operation.ts'
import { errorContent, errorResponses, jsonContent } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { gasViewOf } from '../checkout/networks/gas-view.ts'
import { PaymentError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import { iso, type Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import { listLeases, listReplicas } from '../db/lease-store.ts'
import { loadAccounts } from '../merchant/account-store.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { Heads } from '../network/heads.ts'
import { type NetworkHealth, notDeployed } from '../network/network-health.ts'
import type { NodeState } from '../network/node-state.ts'
import { loadNodeStates, type ReplicaNode } from '../network/node-state-store.ts'
import { loadBackup } from './backup-store.ts'
import type { DeployContracts } from './contract-deployments.ts'
import { deliveryQueue, openPayments, outgoingOpen, payoutQueues } from './queue-store.ts'
import type { ReadReadiness } from './readiness.ts'
import type { DoctorRun } from './run-doctor.ts'
import { doctorResponse, systemResponse } from './system-schemas.ts'

/** The most processes that are shown. */
const replicasMax = 50

/** The most nodes that are shown, and the silence after which a replica's nodes are not: a working one is seen every few seconds. */
const nodesMax = 1_000
const replicaSilentMaxMs = 60_000

const systemRoute = defineOperation({
  method: 'get',
  path: '/system',
  access: 'secret',
  secretFor: 'The state of the service is',
  role: 'owner',
  operationId: 'readSystem',
  tags: ['system'],
  summary: 'State of the service: networks, nodes, queues, replicas and backup',
  description: 'For whoever hosts the service: where it has several merchants, the command line alone shows it.',
  responses: { 200: jsonContent('the state', systemResponse), ...errorResponses },
})

const doctorRoute = defineOperation({
  method: 'post',
  path: '/system/doctor',
  access: 'secret',
  secretFor: 'The state of the service is',
  role: 'owner',
  operationId: 'runDoctor',
  tags: ['system'],
  summary: 'Run `stablecoin-checkout doctor` and return its findings',
  description: 'Same as the command with `--no-webhooks`. May take a minute; a result is cached for 30 seconds.',
  responses: {
    200: jsonContent('the findings', doctorResponse),
    ...errorResponses,
    503: errorContent('The checks did not finish, or the database cannot be reached.'),
  },
})

/** State of the responding process. Everything else is the same from every replica. */
export type System = {
  version: string
  /** The responding process, as in `/api/health`. */
  instance: string
  /** Which replica this is; null with SQLite, where there is only one process. */
  replica: { id: string; host: string } | null
  nodeStates: (network: string) => NodeState[]
  worksFor: (network: string) => boolean
  runDoctor: () => Promise<DoctorRun>
  deployContracts: DeployContracts
}

type Deps = {
  db: Db
  networks: Networks
  heads: Heads
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
  isReady: ReadReadiness
  runtime: Runtime
  system: System
}

const replicaName = (id: string, host: string): string => `${host} · ${id.slice(0, 8)}`
const secondsSince = (nowMs: number, thenMs: number): number => Math.max(0, Math.round((nowMs - thenMs) / 1000))

export function systemRoutes(api: Operations, deps: Deps) {
  const { db, networks, heads, health, gasBalances, isReady, runtime, system } = deps
  const success = true as const

  /** This process's nodes as they are now, and those of other replicas as last stored. */
  function nodesOf(shortName: string, stored: readonly ReplicaNode[]) {
    const replica = system.replica && replicaName(system.replica.id, system.replica.host)
    const own = system.nodeStates(shortName).map((node) => ({ ...node, replica }))
    const others = stored
      .filter(({ network, replicaId }) => network === shortName && replicaId !== system.replica?.id)
      .map(({ replicaId, replicaHost, network: _, ...node }) => ({
        ...node,
        replica: replicaName(replicaId, replicaHost),
      }))
    return [...own, ...others].map(({ outUntilMs, ...node }) => ({
      ...node,
      until: iso(outUntilMs),
    }))
  }

  api.serve(systemRoute, async (c) => {
    await refuseTenants(db)
    const nowMs = runtime.nowMs()
    const { isReady: ready, reasons, codes } = isReady()
    const { queues, replicas, leases, backup, stored } = await db.read(async (tx) => ({
      queues: await readQueues(tx, nowMs),
      replicas: system.replica ? await listReplicas(tx, replicasMax) : [],
      leases: await listLeases(tx),
      backup: await loadBackup(tx),
      stored: system.replica ? await loadNodeStates(tx, replicaSilentMaxMs, nodesMax) : [],
    }))
    const shown = [...networks.values()].map((network) => {
      const { shortName, name, isTestnet } = network
      const { isPayable: payable, reason } = health.get(shortName)
      const head = heads.get(shortName)
      return {
        network: shortName,
        name,
        isTestnet,
        payable,
        reason,
        contractsMissing: reason?.endsWith(notDeployed) ?? false,
        block: head?.number ?? null,
        lagSeconds: head ? secondsSince(nowMs, head.timeMs) : null,
        watched: system.replica
          ? leases.some(({ name: lease, leftMs }) => lease === shortName && leftMs > 0)
          : system.worksFor(shortName),
        nodes: nodesOf(shortName, stored),
        gas: gasViewOf(network, gasBalances),
      }
    })
    return c.json(
      {
        success,
        version: system.version,
        ready,
        reasons: [...reasons],
        reasonCodes: [...codes],
        networks: shown,
        queues,
        database: system.replica ? ('postgres' as const) : ('sqlite' as const),
        replicas: replicas.map(({ id, version, host, startedAtMs, silentMs }) => ({
          id,
          version,
          host,
          startedAt: iso(startedAtMs),
          silentSeconds: Math.max(0, Math.round(silentMs / 1000)),
          leases: leases.filter(({ holder, leftMs }) => holder === id && leftMs > 0).map((lease) => lease.name),
        })),
        backup: backup
          ? { madeAt: iso(backup.madeAtMs), ageSeconds: secondsSince(nowMs, backup.madeAtMs), bytes: backup.bytes }
          : null,
      },
      200,
    )
  })

  api.serve(doctorRoute, async (c) => {
    await refuseTenants(db)
    const { atMs, findings } = await system.runDoctor()
    return c.json({ success, at: iso(atMs), findings }, 200)
  })
}

/** Refuses when there are several merchants, because the service's state belongs to none of them alone. @throws {PaymentError} */
export async function refuseTenants(db: Db): Promise<void> {
  if ((await db.read((tx) => loadAccounts(tx, 2))).length < 2) return
  const message =
    'This service has several merchants. Its operator reads the state with "stablecoin-checkout doctor" and /metrics.'
  throw new PaymentError('SEVERAL_MERCHANTS', message)
}

async function readQueues(tx: Tx, nowMs: number) {
  const payouts = async (name: 'sweeps' | 'refunds' | 'returns', kind: 'sweep' | 'refund' | 'return') =>
    (await payoutQueues(tx, kind)).map(({ network, count, failing, deferred, oldestDueAtMs }) => ({
      name,
      network,
      count,
      failing,
      deferred,
      oldestSeconds: oldestDueAtMs > nowMs ? null : secondsSince(nowMs, oldestDueAtMs),
    }))
  const webhooks = await deliveryQueue(tx)
  const { oldestDueAtMs } = webhooks
  const rest = { failing: 0, deferred: 0, oldestSeconds: null }
  return [
    ...(await openPayments(tx)).map((one) => ({ name: 'payments' as const, ...one, ...rest })),
    ...(await payouts('sweeps', 'sweep')),
    ...(await payouts('refunds', 'refund')),
    ...(await payouts('returns', 'return')),
    ...(await outgoingOpen(tx)).map((one) => ({ name: 'transactions' as const, ...one, ...rest })),
    {
      name: 'webhooks' as const,
      network: null,
      count: webhooks.count,
      failing: 0,
      deferred: 0,
      oldestSeconds: oldestDueAtMs === null || oldestDueAtMs > nowMs ? null : secondsSince(nowMs, oldestDueAtMs),
    },
  ]
}
