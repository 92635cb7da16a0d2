/** For the rig, benchmarks and the demo. What the chain families have in common. */
export type { ChainAdapter, SeenTransfer } from '../chain/chain-adapter.ts'
export type { WalletPayments } from '../chain/connector.ts'
export { TransactionRefused } from '../chain/refusal.ts'
export type { ObserveCall } from '../chain/rpc-pool.ts'
export { sharesOf } from '../chain/shares.ts'
export { watchAfterWindowMs } from '../chain/watch-window.ts'
