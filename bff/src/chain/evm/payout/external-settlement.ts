import type { Hex } from 'viem'
import { deleteSweep, postponeSweep } from '../../../payout/sweep-queue-store.ts'
import type { Head } from './evm-sender.ts'
import type { SweepContext } from './payout-context.ts'
import { failSweeps, type RefusedSweep } from './preflight.ts'

/** Searches of one pass: each takes several calls. */
const searchesMax = 5

/** After a fault of a search, so that those that cannot be searched do not stay in front of the others. */
const faultDelayMs = 30_000

/**
 * Anyone may settle a deposit. Whoever did, the merchant has the money: that transaction is the sweep, once it is final.
 * @returns how many are done or nearer to it.
 * @throws the first fault, after the others had their turn.
 */
export async function confirmForeign(
  context: SweepContext,
  settled: readonly RefusedSweep[],
  head: Head,
): Promise<number> {
  let done = 0
  let fault: unknown
  for (const sweep of settled.slice(0, searchesMax)) {
    try {
      done += await search(context, sweep, head)
    } catch (error) {
      await postpone(context, sweep, faultDelayMs)
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

async function search(context: SweepContext, sweep: RefusedSweep, head: Head): Promise<number> {
  const { db, ledger, network, sender, runtime, log, memory } = context
  const { paymentId } = sweep
  const from = memory.searchedTo.get(paymentId) ?? sweep.firstBlock
  const { found, next } = await sender.findSettlement(sweep.depositAddress as Hex, { from, to: head.number })
  if (found === undefined && next <= head.number) {
    memory.searchedTo.set(paymentId, next)
    return 1
  }
  if (found === undefined) {
    memory.searchedTo.delete(paymentId)
    // The node has no logs of that time, or contradicts itself. It counts, so that a person gets to know.
    await failSweeps(context, [{ ...sweep, reason: 'it is settled, but the node has no log of it' }])
    return 1
  }
  const isFinal = head.number - found.blockNumber + 1 >= network.confirmations
  if (!isFinal || !(await sender.isCanonical(found))) {
    await postpone(context, sweep, network.pollMs)
    return 0
  }
  memory.searchedTo.delete(paymentId)
  await db.write(async (tx) => {
    await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId: found.txId, atMs: runtime.nowMs() })
    await deleteSweep(tx, paymentId)
  })
  log.info({ network: network.shortName, paymentId, txId: found.txId }, 'A deposit was settled by somebody else')
  return 1
}

async function postpone({ db, runtime }: SweepContext, { paymentId }: RefusedSweep, delayMs: number): Promise<void> {
  await db.write((tx) => postponeSweep(tx, paymentId, runtime.nowMs() + delayMs))
}
