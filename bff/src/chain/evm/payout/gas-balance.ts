import { formatEther } from 'viem'
import { costMax } from '../send/evm-transaction.ts'
import type { PayoutContext } from './payout-context.ts'

/** Pause while the gas balance is too low, so that waiting for a refill costs few calls. */
const retryDelayMs = 15_000

/** Pause between repeated warnings. */
const warnEveryMs = 60_000

/** Interval of balance reads while nothing is sent, so that the operator is warned before a deposit must wait. */
const readEveryMs = 5 * 60 * 1000

/** Gas for a sweep of one deposit; most tokens need less. */
const oneSweepGas = 300_000n

/** Reads the gas balance every five minutes, to report a low balance before coins are needed. */
export async function readGasBalance(context: PayoutContext): Promise<void> {
  const { sender, runtime, memory, account } = context
  const nowMs = runtime.nowMs()
  if (nowMs - memory.balanceReadAtMs < readEveryMs && nowMs >= memory.balanceReadAtMs) return
  memory.balanceReadAtMs = nowMs
  const fees = await sender.fees(await sender.head())
  noteGasBalance(context, {
    neededWei: costMax({ gas: oneSweepGas, ...fees }),
    balanceWei: await sender.balance(account),
  })
}

/** Records the gas balance for health and metrics. */
export function noteGasBalance(
  { network, signer, runtime, memory, gasBalances }: PayoutContext,
  { neededWei, balanceWei }: { neededWei: bigint; balanceWei: bigint },
): void {
  const readAtMs = runtime.nowMs()
  memory.balanceReadAtMs = readAtMs
  gasBalances?.note(network.shortName, { address: signer.address, balanceWei, neededWei, readAtMs })
}

/** Logs which account needs how many coins. Queued and stored payouts continue after a refill. */
export function warnEmpty(context: PayoutContext, amounts: { neededWei: bigint; balanceWei?: bigint }): void {
  const { network, signer, runtime, log, memory } = context
  const nowMs = runtime.nowMs()
  // If a node only reported that the balance is too low, the next pass reads it.
  if (amounts.balanceWei === undefined) memory.balanceReadAtMs = Number.NEGATIVE_INFINITY
  else noteGasBalance(context, { neededWei: amounts.neededWei, balanceWei: amounts.balanceWei })
  memory.emptyUntilMs = nowMs + retryDelayMs
  if (nowMs - memory.warnedAtMs < warnEveryMs) return
  memory.warnedAtMs = nowMs
  const { neededWei, balanceWei } = amounts
  log.warn(
    {
      network: network.shortName,
      address: signer.address,
      needed: formatEther(neededWei),
      ...(balanceWei === undefined ? {} : { balance: formatEther(balanceWei) }),
    },
    'Deposits wait: the operator’s gas balance is too low. Send coins to its address.',
  )
}
