import { statSync } from 'node:fs'
import { Counter, Gauge } from 'prom-client'
import type { Heads } from '../../chain/chain-adapter.ts'
import { familyOf } from '../../chain/index.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { GasBalances } from '../../payout/gas-balances.ts'
import type { Dispatcher } from '../../webhook/outbox/dispatcher.ts'
import type { Meter } from './meter.ts'
import {
  deliveryQueue,
  disabledEndpoints,
  openPayments,
  outgoingOpen,
  payoutQueues,
  type Queue,
} from './queue-store.ts'
import type { ReadReadiness } from './readiness.ts'

type Deps = {
  db: Db
  /** Path of the file. */
  database: string
  networks: Networks
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
  heads: Heads
  dispatcher: Pick<Dispatcher, 'counts'>
  runtime: Runtime
  meter: Meter
  isReady: ReadReadiness
}

/** Age in seconds of a moment that may still lie ahead: then it is 0. */
const ageSeconds = (nowMs: number, thenMs: number): number => Math.max(0, nowMs - thenMs) / 1000

/** What is so when somebody asks: looked at once for each scrape. @returns the look. */
export function createGauges({
  db,
  database,
  networks,
  health,
  gasBalances,
  heads,
  dispatcher,
  runtime,
  meter,
  isReady,
}: Deps) {
  const registers = [meter.registry]
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name: `checkout_${name}`, help, labelNames, registers })

  const ready = gauge('ready', '1 when payments can be taken, as /api/ready says.')
  const files = gauge('db_file_bytes', 'Size of the database file, and of its log.', 'file')
  const payable = gauge('network_payable', '1 when the network can be paid on.', 'network')
  const head = gauge('network_head_block', 'Newest block that was fully applied.', 'network')
  const headAge = gauge('network_head_age_seconds', 'Age of that block, by our clock.', 'network')
  const passAge = gauge('watcher_pass_age_seconds', 'Since a pass of the watcher ended well.', 'network')
  const open = gauge('payments_open', 'Payments that can be paid in their window (counted to 100000).', 'network')
  const sweeps = gauge('sweeps', 'Deposits whose money is not settled yet, by state.', 'network', 'state')
  const sweepsFailing = gauge('sweeps_failing', 'Those of them that have failed before.', 'network', 'state')
  const sweepAge = gauge('sweep_oldest_age_seconds', 'Since the oldest of them was due.', 'network', 'state')
  const refunds = gauge('refunds', 'Payments with money on its way back, by state.', 'network', 'state')
  const refundsFailing = gauge('refunds_failing', 'Those of them that have failed before.', 'network', 'state')
  const refundAge = gauge('refund_oldest_age_seconds', 'Since the oldest of them was due.', 'network', 'state')
  const tank = gauge('gas_tank_coins', "The operator's coins that pay for payouts.", 'network')
  const tankNeeded = gauge('gas_tank_needed_coins', 'What the next payout needs of them at the most.', 'network')
  const outgoing = gauge('outgoing_transactions_open', 'Transactions of ours that are not final yet.', 'network')
  const due = gauge('webhooks_due', 'Webhooks to be posted now or later (counted to 100000).')
  const dueAge = gauge('webhook_oldest_due_age_seconds', 'Since the oldest of them was due; 0: all lie ahead.')
  const tries = new Counter({
    name: 'checkout_webhook_tries_total',
    help: 'Tries to post a webhook, by what came of them: delivered, retried, given_up.',
    labelNames: ['result'],
    registers,
  })
  const disabledSince = new Counter({
    name: 'checkout_webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled because they failed or were gone.',
    registers,
  })
  const disabledNow = gauge('webhook_endpoints_off', 'Endpoints that are told nothing, by the reason.', 'reason')
  const shown = [
    payable,
    head,
    headAge,
    passAge,
    open,
    sweeps,
    sweepsFailing,
    sweepAge,
    refunds,
    refundsFailing,
    refundAge,
    tank,
    tankNeeded,
  ]

  function lookAtNetworks(nowMs: number): void {
    for (const [network, configured] of networks) {
      const read = gasBalances.get(network)
      if (read) {
        // A graph needs no more digits than a number has.
        const unitsPerCoin = 10 ** familyOf(configured).coinOf(configured).decimals
        tank.set({ network }, Number(read.balanceWei) / unitsPerCoin)
        tankNeeded.set({ network }, Number(read.neededWei) / unitsPerCoin)
      }
      payable.set({ network }, health.get(network).isPayable ? 1 : 0)
      open.set({ network }, 0)
      const block = heads.get(network)
      if (block) {
        head.set({ network }, block.number)
        headAge.set({ network }, ageSeconds(nowMs, block.timeMs))
      }
      const passMs = meter.lastPassMs(network)
      if (passMs !== undefined) passAge.set({ network }, (performance.now() - passMs) / 1000)
    }
  }

  return async function look(): Promise<void> {
    const nowMs = runtime.nowMs()
    for (const one of [...shown, outgoing, disabledNow]) one.reset()
    ready.set(isReady().isReady ? 1 : 0)
    for (const [file, path] of [
      ['database', database],
      ['log', `${database}-wal`],
    ] as const) {
      files.set({ file }, statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    }
    lookAtNetworks(nowMs)
    const show = (queues: Queue[], count: typeof sweeps, failing: typeof sweeps, age: typeof sweeps) => {
      for (const { network, state, ...queue } of queues) {
        count.set({ network, state }, queue.count)
        failing.set({ network, state }, queue.failing)
        age.set({ network, state }, ageSeconds(nowMs, queue.oldestDueAtMs))
      }
    }
    await db.read(async (tx) => {
      for (const { network, count } of await openPayments(tx)) open.set({ network }, count)
      for (const { network, count } of await outgoingOpen(tx)) outgoing.set({ network }, count)
      for (const { reason, count } of await disabledEndpoints(tx)) disabledNow.set({ reason }, count)
      show(await payoutQueues(tx, 'sweep'), sweeps, sweepsFailing, sweepAge)
      show(await payoutQueues(tx, 'refund'), refunds, refundsFailing, refundAge)
      const webhooks = await deliveryQueue(tx)
      due.set(webhooks.count)
      dueAge.set(webhooks.oldestDueAtMs === null ? 0 : ageSeconds(nowMs, webhooks.oldestDueAtMs))
    })
    // The dispatcher counts by itself; these only show it.
    const { delivered, retried, givenUp, endpointsDisabled } = dispatcher.counts
    tries.reset()
    for (const [result, count] of Object.entries({ delivered, retried, given_up: givenUp }))
      tries.inc({ result }, count)
    disabledSince.reset()
    disabledSince.inc(endpointsDisabled)
  }
}
