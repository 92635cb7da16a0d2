/** How often and how long paying by wallet waits. In one place, so that tests can shorten it. */
export const timing = {
  /** Between two polls of the chain. */
  pollMs: 1500,
  /** For wallets that have not announced themselves yet. */
  findMs: 400,
  /** For a wallet to carry out a switch that it has already confirmed. */
  switchMs: 3000,
  /** After which a prompt without an answer is said to be waiting somewhere. */
  slowMs: 15_000,
  /** For which a transaction may be unknown to the wallet's node before it counts as gone. */
  goneMs: 45_000,
  /** Between two attempts to reach the service. */
  retryMs: 2000,
  /** After which a transaction on Solana that was not seen is none any more: 150 blocks, and twice as long to be sure. */
  landsMs: 180_000,
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
