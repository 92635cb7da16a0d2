import { failPayouts } from '../../../payout/payout-failure.ts'
import type { DuePayout } from '../../../payout/payout-queue-store.ts'
import { parseDepositTerms, type StoredTerms } from '../deposit/deposit-terms.ts'
import { depositAddress } from '../deposit/forwarder-address.ts'
import type { Refusal } from '../deposit/settle-call.ts'
import type { PayoutContext } from './payout-context.ts'

export type ReadySweep = DuePayout & { terms: StoredTerms }
export type RefusedSweep = DuePayout & Refusal

/**
 * Sorts the due sweeps so that one blocked deposit never delays the others: `ready` can be settled now (all of one factory),
 * `settled` were settled externally. The rest have failed and are retried later.
 */
export async function preflightSweeps(
  context: PayoutContext,
  due: readonly DuePayout[],
): Promise<{ failed: number; ready: ReadySweep[]; settled: RefusedSweep[] }> {
  const { network, sender } = context
  const { readable, refused } = readTerms(due, network.chainId)
  const [first] = readable
  // After a change of the configured factory, both are in use for a while; the next pass sends the other's sweeps.
  const batch = readable.filter(({ terms }) => terms.factory === first?.terms.factory)
  const ready: ReadySweep[] = []
  if (first) {
    const terms = batch.map((sweep) => sweep.terms)
    const refusals = await sender.refusals(first.terms.factory, terms)
    for (const [index, sweep] of batch.entries()) {
      const refusal = refusals[index]
      if (refusal) refused.push({ ...sweep, ...refusal })
      else ready.push(sweep)
    }
  }
  const failed = refused.filter(({ isSettled }) => !isSettled)
  await failSweeps(context, failed)
  return { failed: failed.length, ready, settled: refused.filter(({ isSettled }) => isSettled) }
}

/** Reads the terms of each deposit. `refused`: deposits whose terms cannot be read. */
export function readTerms<One extends DuePayout>(
  due: readonly One[],
  chainId: number,
): { readable: (One & { terms: StoredTerms })[]; refused: RefusedSweep[] } {
  const readable: (One & { terms: StoredTerms })[] = []
  const refused: RefusedSweep[] = []
  for (const sweep of due) {
    try {
      readable.push({ ...sweep, terms: readProvenTerms(sweep, chainId) })
    } catch (error) {
      refused.push({ ...sweep, isSettled: false, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { readable, refused }
}

/**
 * Verifies the terms against the address, so that a corrupt row never moves money elsewhere than the customer was promised.
 * @throws {Error} when the terms do not produce the address.
 */
export function readProvenTerms(
  deposit: Pick<DuePayout, 'depositAddress' | 'depositTerms'>,
  chainId: number,
): StoredTerms {
  const terms = parseDepositTerms(deposit.depositTerms)
  if (terms.chainId !== chainId) throw new Error(`The terms are of chain ${terms.chainId}, the network is ${chainId}`)
  const address = depositAddress(terms, terms.factory)
  if (address.toLowerCase() !== deposit.depositAddress.toLowerCase()) throw new Error(`The terms are of ${address}`)
  return terms
}

/** Counts a failure for each sweep and records it on the payment. */
export const failSweeps = (context: PayoutContext, failed: readonly RefusedSweep[]): Promise<void> =>
  failPayouts(
    context,
    failed.map(({ reason, isSettled: _, ...payout }) => ({ ...payout, refused: { reason } })),
  )
