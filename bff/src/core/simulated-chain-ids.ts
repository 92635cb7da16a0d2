/**
 * The chain id of sandbox payments, which no chain uses. It is the largest id that fits the terms of payments, and above
 * 4503599627370476, the largest that MetaMask connects to. The address of a sandbox deposit derives from it,
 * so money sent to that address on a real chain can never be settled, and all of it can be returned.
 */
export const simulatedChainId = Number.MAX_SAFE_INTEGER

/** The same for Solana: no real cluster has this name, so the terms of a sandbox deposit are valid on none. */
export const simulatedCluster = 'simulated'

/**
 * Splitter and token of sandbox contract payments: an address without code on any chain. A wallet that sends
 * the call on a real chain moves no token.
 */
export const simulatedContract = '0x000000000000000000000000000000000000dEaD'

/** The mint of sandbox wallet payments on Solana: the system program, which is not a token, so no wallet holds any. */
export const simulatedMint = '11111111111111111111111111111111'

/**
 * Every sandbox payment has its own simulated chain. The name contains a colon, which no network's short
 * name does, so no watcher of a real chain reads its transfers.
 */
export const simulatedChain = (paymentId: string): string => `sandbox:${paymentId}`
