import { planAfterFailure } from '../../../payout/payout-retry.ts'
import { type DueSweep, dueSweeps, failQueuedSweep } from '../../../payout/sweep-queue-store.ts'
import { parseDepositTerms, type StoredTerms } from '../deposit/deposit-terms.ts'
import { depositAddress } from '../deposit/forwarder-address.ts'
import type { Refusal } from '../deposit/settle-call.ts'
import type { Head } from './evm-sender.ts'
import type { SweepContext } from './payout-context.ts'

/** Deposits of one transaction: three million gas, a tenth of Ethereum's block. */
const batchMax = 50

export type ReadySweep = DueSweep & { terms: StoredTerms }
export type RefusedSweep = DueSweep & Refusal

/**
 * Takes what is due and sorts it, so that one blocked deposit never holds up the others: what can be settled now (all of
 * one factory), and what somebody else has settled already. The rest is put off.
 */
export async function claimSweeps(
  context: SweepContext,
  head: Head,
): Promise<{ failed: number; ready: ReadySweep[]; settled: RefusedSweep[] }> {
  const { db, network, sender, runtime } = context
  const due = await db.read((tx) =>
    dueSweeps(tx, { network: network.shortName, nowMs: runtime.nowMs(), head: head.number, limit: batchMax }),
  )
  const { readable, refused } = readTerms(due, network.chainId)
  const [first] = readable
  // After a change of the configured factory there are two of them for a while; the other's turn is the next pass.
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

function readTerms(due: readonly DueSweep[], chainId: number): { readable: ReadySweep[]; refused: RefusedSweep[] } {
  const readable: ReadySweep[] = []
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
 * The address proves the terms: whatever happened to a row, money is only ever moved as its customer was promised.
 * @throws {Error} when they are not those of the address.
 */
export function readProvenTerms(
  deposit: Pick<DueSweep, 'depositAddress' | 'depositTerms'>,
  chainId: number,
): StoredTerms {
  const terms = parseDepositTerms(deposit.depositTerms)
  if (terms.chainId !== chainId) throw new Error(`The terms are of chain ${terms.chainId}, the network is ${chainId}`)
  const address = depositAddress(terms, terms.factory)
  if (address.toLowerCase() !== deposit.depositAddress.toLowerCase()) throw new Error(`The terms are of ${address}`)
  return terms
}

/** Counts a failure for each and tells the payment; what another sweeper counted already is left. */
export async function failSweeps(context: SweepContext, failed: readonly RefusedSweep[]): Promise<void> {
  if (failed.length === 0) return
  const { db, ledger, network, runtime, log } = context
  const atMs = runtime.nowMs()
  await db.write(async (tx) => {
    for (const sweep of failed) {
      const { dueAtMs, isGivenUp } = planAfterFailure(sweep.failures + 1, atMs)
      if (!(await failQueuedSweep(tx, sweep, dueAtMs))) continue
      await ledger.applyIn(tx, sweep.paymentId, { type: 'sweep.failed', isGivenUp, atMs })
    }
  })
  for (const { paymentId, failures, reason } of failed) {
    log.warn(
      { network: network.shortName, paymentId, failures: failures + 1, reason },
      'A deposit cannot be settled now',
    )
  }
}
