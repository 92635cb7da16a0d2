import type { Hex } from 'viem'
import { countExternalRefund } from '../../../payout/payout-finalize.ts'
import { type DuePayout, firstTransferBlock, payoutTransactions } from '../../../payout/payout-queue-store.ts'
import { parseDepositTerms } from '../deposit/deposit-terms.ts'
import type { Head, SettleReceipt } from '../send/evm-sender.ts'
import { isBelieved } from './external-settlement.ts'
import type { PayoutContext } from './payout-context.ts'

/**
 * Finds a refund that is on chain but not in the database, and counts it once no reorg can reach it, because only the service's own
 * transactions are rechecked. Called when the chain has nothing left to refund.
 * @returns `waiting` while the search continues or the refund is not final; `none` if there is no such refund.
 */
export async function findExternalRefund(
  context: PayoutContext,
  payout: DuePayout,
  token: Hex,
  head: Head,
): Promise<'counted' | 'waiting' | 'none'> {
  const { db, network, sender, memory } = context
  const { paymentId } = payout
  const { first, known } = await db.read(async (tx) => ({
    first: await firstTransferBlock(tx, paymentId),
    known: await payoutTransactions(tx, paymentId),
  }))
  const range = { from: memory.refundsSearchedTo.get(paymentId) ?? first, to: head.number }
  const { found, next } = await sender.findRefund(payout.depositAddress as Hex, token, known, range)
  if (found === undefined && next <= head.number) {
    memory.refundsSearchedTo.set(paymentId, next)
    return 'waiting'
  }
  memory.refundsSearchedTo.delete(paymentId)
  if (found === undefined) return 'none'
  const isFinal = head.number - found.blockNumber >= (network.finalityBlocks ?? network.confirmations - 1)
  if (!isFinal || !(await sender.isCanonical(found))) return 'waiting'
  const isShown = ({ refunds }: SettleReceipt) =>
    refunds.some(
      (one) =>
        isSame(one.forwarder, payout.depositAddress) &&
        isSame(one.token, token) &&
        isSame(one.to, found.to) &&
        one.amount === found.amount,
    )
  const { factory } = parseDepositTerms(payout.depositTerms)
  if (!(await isBelieved(context, paymentId, { txId: found.txId, factory, isShown }))) return 'waiting'
  await countExternalRefund(context, payout, found)
  return 'counted'
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
