/** Intervals and timeouts of wallet payments. In one place, so that tests can shorten them. */
export const timing = {
  /** Between two polls of the chain. */
  pollMs: 1500,
  /** Wait for wallets that have not announced themselves yet. */
  findMs: 400,
  /** Wait for a wallet to carry out a confirmed network switch. */
  switchMs: 3000,
  /** After this, the screen says that a prompt without an answer may be hidden. */
  slowMs: 15_000,
  /** How long a transaction may be unknown to the wallet's node before it counts as dropped. */
  goneMs: 45_000,
  /** Between two attempts to reach the service. */
  retryMs: 2000,
  /** After this, a Solana transaction that was not seen has expired: 150 blocks, doubled for safety. */
  landsMs: 180_000,
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
