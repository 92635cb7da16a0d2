import type { Tx } from '../../../db/db.ts'
import { failedDeposits } from '../../../payout/payout-queue-store.ts'
import { confirmExternalSettlements, searchesMax } from './external-settlement.ts'
import type { PayoutContext } from './payout-context.ts'
import { readTerms } from './preflight.ts'

/** Deposits per pass, checked in one call. */
const batchMax = 50

/** Pause between checks of failed deposits. Networks with a shorter poll interval, such as local ones, are checked sooner. */
const pauseMaxMs = 60_000
const pollFactor = 20

type Context = Pick<PayoutContext, 'memory' | 'network' | 'runtime'>

const isDue = ({ memory, runtime }: Context): boolean => runtime.nowMs() >= memory.failedDueAtMs

/** Whether failed deposits are due for a check. */
export const hasFailedDeposits = async (context: Context, tx: Tx): Promise<boolean> =>
  isDue(context) && (await failedDeposits(tx, context.network.shortName, 0, 1)).length > 0

/**
 * Records external settlements of failed payments: no sweep is queued for them, but anyone may settle a deposit that holds the
 * amount, however late. @returns how many made progress. @throws the first fault.
 */
export async function confirmFailedDeposits(context: PayoutContext): Promise<number> {
  const { db, memory, network, runtime, sender } = context
  if (!isDue(context)) return 0
  const rows = await db.read((tx) => failedDeposits(tx, network.shortName, memory.failedAfter, batchMax))
  // Set before any chain call, so that one deposit's fault does not delay the others.
  memory.failedAfter = rows.length < batchMax ? 0 : (rows.at(-1)?.number ?? 0)
  memory.failedDueAtMs = runtime.nowMs() + Math.min(pauseMaxMs, network.pollMs * pollFactor)
  const { readable } = readTerms(rows, network.chainId)
  const settled = []
  for (const factory of new Set(readable.map(({ terms }) => terms.factory))) {
    const batch = readable.filter(({ terms }) => terms.factory === factory)
    const terms = batch.map((deposit) => deposit.terms)
    const refusals = await sender.refusals(factory, terms)
    for (const [index, deposit] of batch.entries()) {
      const refusal = refusals[index]
      if (refusal?.isSettled) settled.push({ ...deposit, ...refusal })
    }
  }
  if (settled.length === 0) return 0
  const last = settled[searchesMax - 1]
  if (last && settled.length > searchesMax) memory.failedAfter = last.number
  return await confirmExternalSettlements(context, settled, await sender.head())
}
