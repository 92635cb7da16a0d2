import { type Attempt, markSent } from '../../../payout/outgoing-store.ts'
import { costMax, parseRawTransaction } from './evm-transaction.ts'
import { warnEmpty } from './gas-balance.ts'
import type { SweepContext } from './payout-context.ts'

/**
 * Gives a stored transaction to a node. Every answer is fine, because none is believed: only a final block says what
 * became of it. @throws {Error} when no node answers; it is then given again on the next pass.
 */
export async function broadcast(context: SweepContext, attempt: Pick<Attempt, 'raw' | 'txId'>): Promise<void> {
  const { db, sender, runtime, network, log } = context
  const result = await sender.broadcast(attempt.raw)
  await db.write((tx) => markSent(tx, attempt.txId, runtime.nowMs()))
  const fields = { network: network.shortName, txId: attempt.txId }
  switch (result.answer) {
    case 'known':
      log.debug(fields, 'A transaction was given to a node')
      break
    case 'no-gas':
      warnEmpty(context, { neededWei: costMax(parseRawTransaction(attempt.raw)) })
      break
    case 'nonce-used':
      log.info(fields, 'The nonce of a transaction is used: the next pass looks by which')
      break
    case 'refused':
      log.warn({ ...fields, reason: result.reason }, 'No node took a transaction; it will be given again')
      break
    default:
      result satisfies never
  }
}
