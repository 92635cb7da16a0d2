/** For the rig. Tron: adapter, addresses, watching. */
export { addressHex, tronAddressOf } from '../chain/event-topic.ts'
export { tronAddressAt } from '../chain/tron/facts/tron-addresses.ts'
export { createTronAdapter } from '../chain/tron/rpc/tron-adapter.ts'
export { tronStoredAddress } from '../chain/tron/tron-chain.ts'
