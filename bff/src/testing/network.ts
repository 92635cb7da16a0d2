/** For the rig, benchmarks and the demo. Heads and gas balances of networks. */
export { createGasBalances, type GasBalances } from '../network/gas-balances.ts'
export { type BlockRef, createHeads } from '../network/heads.ts'
export { knownNetworks } from '../network/known/known-networks.ts'
export type { NetworkHealth } from '../network/network-health.ts'
