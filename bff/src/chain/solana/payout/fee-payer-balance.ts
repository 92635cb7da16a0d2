import type { SolanaContext } from './solana-context.ts'

/** The fee payer's minimum balance in lamports, below which the network rejects its transactions. */
export const ownRent = 890_880n

/** Fee per signature, in lamports. */
export const signatureFee = 5_000n

/** Lamports for a payout of one deposit, signed by fee payer and deposit, that creates no account. */
const onePayout = ownRent + 2n * signatureFee

/** Interval of balance reads while nothing is sent, so that the operator is warned before a deposit must wait. */
const readEveryMs = 5 * 60 * 1000

/** Reads the fee payer's balance every five minutes, to report a low balance before lamports are needed. */
export async function readFeePayerBalance(context: SolanaContext): Promise<void> {
  const { sender, signer, runtime, memory } = context
  const nowMs = runtime.nowMs()
  if (nowMs - memory.balanceReadAtMs < readEveryMs && nowMs >= memory.balanceReadAtMs) return
  memory.balanceReadAtMs = nowMs
  noteFeePayerBalance(context, { balance: await sender.lamports(signer.feePayer.toBase58()) })
}

/** Records the fee payer's balance for health and metrics. `needed`: for the next payout, if known. In lamports. */
export function noteFeePayerBalance(
  { network, signer, runtime, memory, gasBalances }: SolanaContext,
  { balance, needed = onePayout }: { balance: bigint; needed?: bigint },
): void {
  const readAtMs = runtime.nowMs()
  memory.balanceReadAtMs = readAtMs
  const address = signer.feePayer.toBase58()
  gasBalances?.note(network.shortName, {
    address,
    balanceWei: balance,
    neededWei: needed,
    minimumWei: ownRent,
    readAtMs,
  })
}
