/** For the rig, benchmarks and the demo. Money, clock and randomness, log. */
export type { EvmNetwork, Network, SolanaNetwork, TronNetwork } from '../core/families.ts'
export { silentLog } from '../core/log.ts'
export { type BaseUnits, baseUnits, formatAmount, parseAmount, zero } from '../core/money.ts'
export { type Runtime, systemRuntime } from '../core/runtime.ts'
export { createWakeSignal, type WakeSignal } from '../core/wake-signal.ts'
export { withTimeout } from '../core/with-timeout.ts'
