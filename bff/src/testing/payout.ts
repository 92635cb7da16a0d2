/** For the rig, benchmarks and the demo. The queue of payouts and its worker. */
export { insertAttempt } from '../payout/outgoing-store.ts'
export { countParkedShares } from '../payout/parked-share-store.ts'
export type { Preflight, StorePayouts } from '../payout/payout-chain.ts'
export { finalizePayouts, type PayoutResult } from '../payout/payout-finalize.ts'
export type { DuePayout } from '../payout/payout-queue-store.ts'
export { createPayoutWorker, type PayoutWorker } from '../payout/payout-worker.ts'
