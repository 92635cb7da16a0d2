import { formatEther } from 'viem'
import { costMax } from './evm-transaction.ts'
import type { SweepContext } from './payout-context.ts'

/** Pause after finding the tank empty, so that waiting for a refill costs few calls. */
const lookAgainMs = 15_000

/** The first warning is what a person acts on; the rest only say that it is still so. */
const warnEveryMs = 60_000

/** Between two looks while nothing is sent: a person should get to know before a deposit has to wait. */
const lookEveryMs = 5 * 60 * 1000

/** A transaction with one deposit, and more than most tokens take. */
const oneSweepGas = 300_000n

/** Reads the tank now and then, so that it is known to be low before it is needed. */
export async function lookAtTank(context: SweepContext): Promise<void> {
  const { sender, runtime, memory, account } = context
  const nowMs = runtime.nowMs()
  if (nowMs - memory.tankReadAtMs < lookEveryMs && nowMs >= memory.tankReadAtMs) return
  memory.tankReadAtMs = nowMs
  const fees = await sender.fees(await sender.head())
  noteTank(context, { neededWei: costMax({ gas: oneSweepGas, ...fees }), balanceWei: await sender.balance(account) })
}

/** For whoever shows it. */
export function noteTank(
  { network, signer, runtime, memory, tanks }: SweepContext,
  { neededWei, balanceWei }: { neededWei: bigint; balanceWei: bigint },
): void {
  const readAtMs = runtime.nowMs()
  memory.tankReadAtMs = readAtMs
  tanks?.note(network.shortName, { address: signer.address, balanceWei, neededWei, readAtMs })
}

/** Says who needs how much. Nothing is lost: what is queued or stored goes on after a refill. */
export function warnEmpty(context: SweepContext, amounts: { neededWei: bigint; balanceWei?: bigint }): void {
  const { network, signer, runtime, log, memory } = context
  const nowMs = runtime.nowMs()
  // Where a node only said that it is too little, the tank is read at once.
  if (amounts.balanceWei === undefined) memory.tankReadAtMs = Number.NEGATIVE_INFINITY
  else noteTank(context, { neededWei: amounts.neededWei, balanceWei: amounts.balanceWei })
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
