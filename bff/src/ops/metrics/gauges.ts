import { statSync } from 'node:fs'
import { Counter, Gauge } from 'prom-client'
import { countUnanswered } from '../../chain/evm/watch/second-read-store.ts'
import { familyOf } from '../../chain/index.ts'
import { listLateScans } from '../../chain/late-scan-store.ts'
import { countFaulty } from '../../chain/watch-fault-store.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { allNetworks, type Leases } from '../../db/leases.ts'
import { isPostgres } from '../../db/location.ts'
import type { GasBalances } from '../../network/gas-balances.ts'
import type { Heads } from '../../network/heads.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { NodeState } from '../../network/node-state.ts'
import { declarationOf, type PartName } from '../../parts.ts'
import { countOpenRefunds } from '../../payment/store/open-refund-store.ts'
import { countParkedShares } from '../../payout/parked-share-store.ts'
import {
  deliveryQueue,
  disabledEndpoints,
  openPayments,
  outgoingOpen,
  payoutQueues,
  type Queue,
} from '../../system/queue-store.ts'
import type { ReadReadiness } from '../../system/readiness.ts'
import type { DeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import type { Meter } from './meter.ts'

type Deps = {
  db: Db
  /** The configured name. */
  database: string
  networks: Networks
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
  heads: Heads
  leases: Pick<Leases, 'isHeld'>
  deliveryCounts: Readonly<DeliveryCounts>
  runtime: Runtime
  meter: Meter
  isReady: ReadReadiness
  nodeStates: (network: string) => readonly NodeState[]
  partsOn: readonly PartName[]
}

/** Age in seconds; 0 for a future time. */
const ageSeconds = (nowMs: number, thenMs: number): number => Math.max(0, nowMs - thenMs) / 1000

/**
 * Gauges of the current state.
 * @returns a function that reads all of them; call it once per scrape.
 */
export function createGauges(deps: Deps): () => Promise<void> {
  const { networks, meter } = deps
  const registers = [meter.registry]
  const all: { reset(): void }[] = []
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    const created = new Gauge<Label>({ name: `checkout_${name}`, help, labelNames, registers })
    all.push(created)
    return created
  }
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    const created = new Counter<Label>({ name: `checkout_${name}`, help, labelNames, registers })
    all.push(created)
    return created
  }
  const queue = (name: string, help: string) => ({
    count: gauge(`${name}s`, `${help}, by state.`, 'network', 'state'),
    failing: gauge(`${name}s_failing`, `${help} that have failed at least once, by state.`, 'network', 'state'),
    age: gauge(
      `${name}_oldest_age_seconds`,
      `Seconds since the oldest of checkout_${name}s was due.`,
      'network',
      'state',
    ),
  })

  const ready = gauge('ready', '1 when payments can be accepted, as in /api/ready.')
  const fileBytes = gauge('db_file_bytes', 'Size in bytes of the SQLite database file and its write-ahead log.', 'file')
  const payable = gauge('network_payable', '1 when the network can be paid on.', 'network')
  const nodeUpHelp = '1 while the RPC node answers this process and is trusted; called once a minute at least.'
  const nodeUp = gauge('rpc_node_up', nodeUpHelp, 'network', 'node', 'host')
  const head = gauge('network_head_block', 'Newest fully applied block.', 'network')
  const headAge = gauge('network_head_age_seconds', 'Age of checkout_network_head_block.', 'network')
  const passAge = gauge('watcher_pass_age_seconds', "Seconds since the watcher's last successful pass.", 'network')
  const leaseHeldHelp = "1 when this process holds the network's lease; `all`: for webhooks, expiry and bridges."
  const leaseHeld = gauge('lease_held', leaseHeldHelp, 'lease')
  const open = gauge('payments_open', 'Open payments, counted up to 100000.', 'network')
  const sweeps = queue('sweep', 'Deposits that are not settled')
  const refunds = queue('refund', 'Payments with a refund that is not final')
  const merchantRefundsHelp = "Refunds of paid payments that the merchants' wallets have not paid, by state."
  const merchantRefunds = gauge('merchant_refunds', merchantRefundsHelp, 'network', 'state')
  const merchantRefundAgeHelp = 'Seconds since the oldest of checkout_merchant_refunds was requested.'
  const merchantRefundAge = gauge('merchant_refund_oldest_age_seconds', merchantRefundAgeHelp, 'network', 'state')
  const parked = gauge('parked_shares', 'Shares of the platform that could not be paid yet.', 'network')
  const parkedAgeHelp = 'Seconds since the oldest of checkout_parked_shares was found.'
  const parkedAge = gauge('parked_share_oldest_age_seconds', parkedAgeHelp, 'network')
  const gasBalance = gauge(
    'gas_balance_coins',
    "Balance of the operator's account, which pays for gas, in coins.",
    'network',
  )
  const gasNeeded = gauge('gas_needed_coins', 'Maximum cost of the next payout, in coins.', 'network')
  const scannedHelp = 'Deposit addresses scanned for late money after their watch window.'
  const scanned = counter('late_scan_addresses_total', scannedHelp, 'network')
  const scanAgeHelp = 'Seconds since the last complete round of the late scan began.'
  const scanAge = gauge('late_scan_age_seconds', scanAgeHelp, 'network')
  const faultyHelp = 'Payments with chain events that could not be applied; retried.'
  const faulty = gauge('payments_faulty', faultyHelp, 'network')
  const unansweredHelp = 'Seconds since blocks to be read again were first missing on all nodes; 0 if there are none.'
  const unanswered = gauge('unanswered_blocks_age_seconds', unansweredHelp, 'network')
  const outgoing = gauge('outgoing_transactions_open', "The operator's transactions that are not final.", 'network')
  const due = gauge('webhooks_due', 'Pending deliveries, counted up to 100000.')
  const dueAge = gauge('webhook_oldest_due_age_seconds', 'Seconds since the oldest of checkout_webhooks_due was due.')
  const attemptsHelp = 'Delivery attempts by result: delivered, retried, given_up.'
  const attempts = counter('webhook_attempts_total', attemptsHelp, 'result')
  const disabledHelp = 'Endpoints disabled because they kept failing or responded 410.'
  const disabled = counter('webhook_endpoints_disabled_total', disabledHelp)
  const disabledNow = gauge('webhook_endpoints_off', 'Disabled endpoints, by reason.', 'reason')

  const ofParts = deps.partsOn.flatMap((part) => {
    const { unfinished } = declarationOf(part)
    if (!unfinished?.metric) return []
    const { name, help } = unfinished.metric
    return { shown: gauge(name, help), count: unfinished.count }
  })

  function readNetworks(nowMs: number): void {
    for (const [network, configured] of networks) {
      const gas = deps.gasBalances.get(network)
      if (gas) {
        const unitsPerCoin = 10 ** familyOf(configured).coinOf(configured).decimals
        gasBalance.set({ network }, Number(gas.balanceWei) / unitsPerCoin)
        gasNeeded.set({ network }, Number(gas.neededWei) / unitsPerCoin)
      }
      payable.set({ network }, deps.health.get(network).isPayable ? 1 : 0)
      for (const { name: node, host, state } of deps.nodeStates(network))
        nodeUp.set({ network, node, host }, state === 'ok' ? 1 : 0)
      open.set({ network }, 0)
      faulty.set({ network }, 0)
      unanswered.set({ network }, 0)
      const block = deps.heads.get(network)
      if (block) {
        head.set({ network }, block.number)
        headAge.set({ network }, ageSeconds(nowMs, block.timeMs))
      }
      leaseHeld.set({ lease: network }, deps.leases.isHeld(network) ? 1 : 0)
      const passMs = deps.leases.isHeld(network) ? meter.lastPassMs(network) : undefined
      if (passMs !== undefined) passAge.set({ network }, (performance.now() - passMs) / 1000)
    }
  }

  function setQueues(gauges: typeof sweeps, queues: readonly Queue[], nowMs: number): void {
    for (const { network, state, count, failing, oldestDueAtMs } of queues) {
      gauges.count.set({ network, state }, count)
      gauges.failing.set({ network, state }, failing)
      gauges.age.set({ network, state }, ageSeconds(nowMs, oldestDueAtMs))
    }
  }

  const databaseFiles = isPostgres(deps.database) ? {} : { database: deps.database, log: `${deps.database}-wal` }

  return async () => {
    const nowMs = deps.runtime.nowMs()
    for (const metric of all) metric.reset()
    ready.set(deps.isReady().isReady ? 1 : 0)
    for (const [file, path] of Object.entries(databaseFiles)) {
      fileBytes.set({ file }, statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    }
    readNetworks(nowMs)
    leaseHeld.set({ lease: 'all' }, deps.leases.isHeld(allNetworks) ? 1 : 0)
    await deps.db.read(async (tx) => {
      for (const { network, count } of await openPayments(tx)) open.set({ network }, count)
      for (const { network, count } of await countFaulty(tx)) faulty.set({ network }, count)
      for (const { network, sinceMs } of await countUnanswered(tx))
        unanswered.set({ network }, ageSeconds(nowMs, sinceMs))
      for (const { network, count } of await outgoingOpen(tx)) outgoing.set({ network }, count)
      for (const { reason, count } of await disabledEndpoints(tx)) disabledNow.set({ reason }, count)
      for (const { network, scanned: count, whole, beganAtMs } of await listLateScans(tx)) {
        scanned.inc({ network }, count)
        scanAge.set({ network }, ageSeconds(nowMs, whole?.atMs ?? beganAtMs))
      }
      for (const { shown, count } of ofParts) shown.set(await count(tx))
      setQueues(sweeps, await payoutQueues(tx, 'sweep'), nowMs)
      setQueues(refunds, await payoutQueues(tx, 'refund'), nowMs)
      for (const { network, status: state, count, oldestAtMs } of await countOpenRefunds(tx)) {
        merchantRefunds.set({ network, state }, count)
        merchantRefundAge.set({ network, state }, ageSeconds(nowMs, oldestAtMs))
      }
      for (const { network, count, oldestAtMs } of await countParkedShares(tx)) {
        parked.set({ network }, count)
        parkedAge.set({ network }, ageSeconds(nowMs, oldestAtMs))
      }
      const webhooks = await deliveryQueue(tx)
      due.set(webhooks.count)
      dueAge.set(webhooks.oldestDueAtMs === null ? 0 : ageSeconds(nowMs, webhooks.oldestDueAtMs))
    })
    // The dispatcher's counts since its start.
    const { delivered, retried, givenUp, endpointsDisabled } = deps.deliveryCounts
    attempts.inc({ result: 'delivered' }, delivered)
    attempts.inc({ result: 'retried' }, retried)
    attempts.inc({ result: 'given_up' }, givenUp)
    disabled.inc(endpointsDisabled)
  }
}
