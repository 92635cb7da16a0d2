/** For the rig, benchmarks and the demo. Reconciliation and metrics. */
export { createMeter } from '../ops/metrics/meter.ts'
export type { Difference } from '../ops/reconcile/difference.ts'
export { reconcileNetwork } from '../ops/reconcile/reconcile.ts'
