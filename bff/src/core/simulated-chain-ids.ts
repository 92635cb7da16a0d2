/**
 * The chain that sandbox payments live on: a chain id that no chain has. It is the largest that fits our terms, and above
 * 4503599627370476, the largest that MetaMask connects to. The address of a sandbox deposit is made of it, so on every real
 * chain it is an address of another chain: money sent there by mistake can never be settled, and all of it can be returned.
 */
export const simulatedChainId = Number.MAX_SAFE_INTEGER

/** The same for Solana: the name of no real cluster, so that the terms of a sandbox deposit are valid on none. */
export const simulatedCluster = 'simulated'

/**
 * Splitter and token of sandbox contract payments: nobody's account, with no code on any chain, so that a wallet that is
 * on a real chain and sends the call all the same moves no token.
 */
export const simulatedContract = '0x000000000000000000000000000000000000dEaD'

/** The mint of sandbox wallet payments on Solana: the system program, of which no wallet holds tokens. */
export const simulatedMint = '11111111111111111111111111111111'

/**
 * Every sandbox payment has a simulated chain to itself, under a name that no network can have: short names hold no colon.
 * So no watcher of a real chain reads its transfers, and no other payment shares them.
 */
export const simulatedChain = (paymentId: string): string => `sandbox:${paymentId}`
