import { formatEther } from 'viem'
import type { SweepContext } from './context.ts'

/** Pause after finding the tank empty, so that waiting for a refill costs few calls. */
const lookAgainMs = 15_000

/** The first warning is what a person acts on; the rest only say that it is still so. */
const warnEveryMs = 60_000

/** Says who needs how much. Nothing is lost: what is queued or stored goes on after a refill. */
export function warnEmpty(
  { network, signer, runtime, log, memory }: SweepContext,
  amounts: { neededWei: bigint; balanceWei?: bigint },
): void {
  const nowMs = runtime.nowMs()
  memory.emptyUntilMs = nowMs + lookAgainMs
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
    'Deposits wait: the operator account has too little of the coin that pays gas. Send some to its address.',
  )
}
