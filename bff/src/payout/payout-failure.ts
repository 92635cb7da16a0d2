import { writeEach } from '../db/write-each.ts'
import type { PayoutDeps, Refused } from './payout-chain.ts'
import { type DuePayout, failQueuedPayout, postponePayout } from './payout-queue-store.ts'
import { planAfterFailure } from './payout-retry.ts'

/** Pause after a fault of an RPC node, so that payouts that cannot be checked do not block the others. */
const faultDelayMs = 30_000

/** Pause after a refusal: fees change within hours, and an address that rejects coins keeps rejecting them. */
const stateDelayMs = 60 * 60 * 1000

/**
 * Runs `act` for each payout: a fault postpones that payout alone.
 * @returns the sum of what `act` returned. @throws the first fault, after `act` has run for all.
 */
export async function forEachPayout<One extends DuePayout>(
  { db, runtime }: Pick<PayoutDeps, 'db' | 'runtime'>,
  payouts: readonly One[],
  act: (payout: One) => Promise<number>,
  stopUntilMs: () => number = () => 0,
): Promise<number> {
  let done = 0
  let fault: unknown
  for (const payout of payouts) {
    if (runtime.nowMs() < stopUntilMs()) break
    try {
      done += await act(payout)
    } catch (error) {
      await db.write((tx) => postponePayout(tx, payout, runtime.nowMs() + faultDelayMs))
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}

/** Postpones a payout whose payment cannot be changed, so that it delays no other one. */
export async function postponeBroken(
  { db, network, runtime, log }: Pick<PayoutDeps, 'db' | 'network' | 'runtime' | 'log'>,
  payout: DuePayout,
  error: unknown,
): Promise<void> {
  await db.write((tx) => postponePayout(tx, payout, runtime.nowMs() + faultDelayMs))
  const fields = { network: network.shortName, paymentId: payout.paymentId, kind: payout.kind, err: error }
  log.error(fields, 'Updating the payment of a payout failed; retrying')
}

/**
 * Counts a failure of each payout and hands it to the payment, in one commit. A failure that another process has counted is skipped. A payout
 * whose payment cannot be changed is postponed alone.
 */
export async function failPayouts(
  { db, ledger, network, runtime, log }: PayoutDeps,
  failed: readonly (DuePayout & { refused: Refused })[],
): Promise<void> {
  if (failed.length === 0) return
  const atMs = runtime.nowMs()
  const unchanged = await writeEach(db, failed, async (tx, { refused, ...payout }) => {
    const { kind, paymentId, token } = payout
    const { isGivenUp, ...next } = planAfterFailure(payout.failures + 1, atMs)
    const dueAtMs = refused.state === undefined ? next.dueAtMs : atMs + stateDelayMs
    if (!(await failQueuedPayout(tx, payout, dueAtMs))) return
    if (kind !== 'return') {
      const type = kind === 'sweep' ? 'sweep.failed' : 'refund.failed'
      await ledger.applyIn(tx, paymentId, { type, isGivenUp, atMs })
      return
    }
    await ledger.applyIn(tx, paymentId, {
      type: 'unmatched.return_failed',
      network: payout.network,
      token,
      as: refused.state ?? (isGivenUp ? 'failed' : 'failing'),
      atMs,
      ...(refused.shownReason && { reason: refused.shownReason }),
    })
  })
  for (const [payout, error] of unchanged) await postponeBroken({ db, network, runtime, log }, payout, error)
  for (const { kind, paymentId, token, failures, refused } of failed) {
    const fields = { network: network.shortName, paymentId, failures: failures + 1, reason: refused.reason }
    if (kind === 'sweep') log.warn(fields, 'Settling a deposit failed; retrying')
    if (kind === 'refund') log.warn(fields, 'Sending a refund failed; retrying')
    if (kind === 'return') log.warn({ ...fields, token }, 'Returning an unmatched transfer failed; retrying')
  }
}
