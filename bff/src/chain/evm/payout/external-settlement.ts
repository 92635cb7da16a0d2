import type { Hex } from 'viem'
import { baseUnits } from '../../../core/money.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { saveExternalSettlement } from '../../../payout/external-settlement-store.ts'
import { forEachPayout } from '../../../payout/payout-failure.ts'
import { deletePayout, firstTransferBlock, postponePayout } from '../../../payout/payout-queue-store.ts'
import type { Head, SettleReceipt } from '../send/evm-sender.ts'
import { parkShare } from './parked-shares.ts'
import { isReorgPossible, type PayoutContext } from './payout-context.ts'
import { failSweeps, type RefusedSweep, readProvenTerms } from './preflight.ts'

/** Searches per pass: each takes several node calls. */
export const searchesMax = 5

/**
 * Counts final external settlements as sweeps: anyone may settle a deposit, and the merchant then has the money.
 * @returns how many made progress.
 * @throws the first fault, after all were attempted.
 */
export async function confirmExternalSettlements(
  context: PayoutContext,
  settled: readonly RefusedSweep[],
  head: Head,
): Promise<number> {
  return await forEachPayout(context, settled.slice(0, searchesMax), (sweep) => search(context, sweep, head))
}

type Claimed = { txId: Hex; factory: Hex; isShown: (receipt: SettleReceipt) => boolean }

/**
 * Whether an external transaction is proven to have made a payout. One node's word is enough, except for high-value payments:
 * nodes of two hosts (if configured) must have a receipt that shows the payout.
 */
export async function isBelieved(
  { db, sender, network, log }: PayoutContext,
  id: PaymentId,
  { txId, factory, isShown }: Claimed,
): Promise<boolean> {
  if ((await db.read((tx) => loadPayment(tx, id)))?.confirmations == null) return true
  const receipt = await sender.receipt(txId, factory)
  const isProven = receipt && isShown(receipt) && (await sender.isAttested(receipt, factory, network.confirmations))
  if (!isProven)
    log.warn({ network: network.shortName, paymentId: id, txId }, 'Too few RPC nodes confirm the transaction; waiting')
  return isProven === true
}

async function search(context: PayoutContext, sweep: RefusedSweep, head: Head): Promise<number> {
  const { db, ledger, network, sender, runtime, log, memory } = context
  const { paymentId } = sweep
  const from = memory.settlementsSearchedTo.get(paymentId) ?? (await db.read((tx) => firstTransferBlock(tx, paymentId)))
  const { found, next } = await sender.findSettlement(sweep.depositAddress as Hex, { from, to: head.number })
  if (found === undefined && next <= head.number) {
    memory.settlementsSearchedTo.set(paymentId, next)
    return 1
  }
  if (found === undefined) {
    memory.settlementsSearchedTo.delete(paymentId)
    // The node lacks logs of that time, or contradicts itself. Counts as a failure, so that a person is notified.
    await failSweeps(context, [{ ...sweep, reason: 'it is settled, but the node has no log of it' }])
    return 1
  }
  const isFinal = head.number - found.blockNumber + 1 >= network.confirmations
  if (!isFinal || !(await sender.isCanonical(found))) {
    await db.write((tx) => postponePayout(tx, sweep, runtime.nowMs() + network.pollMs))
    return 0
  }
  const isShown = (receipt: SettleReceipt) => {
    const settled = receipt.settled.get(sweep.depositAddress.toLowerCase())
    if (settled === undefined || receipt.blockNumber !== found.blockNumber) return false
    const { merchantAmount, platformAmount, isPlatformParked } = settled
    return merchantAmount + platformAmount === found.amount && (isPlatformParked ? platformAmount : 0n) === found.parked
  }
  const { factory } = readProvenTerms(sweep, network.chainId)
  if (!(await isBelieved(context, paymentId, { txId: found.txId, factory, isShown }))) {
    await db.write((tx) => postponePayout(tx, sweep, runtime.nowMs() + network.pollMs))
    return 0
  }
  memory.settlementsSearchedTo.delete(paymentId)
  await db.write(async (tx) => {
    const { txId } = found
    const amount = baseUnits(String(found.amount))
    await ledger.applyIn(tx, paymentId, { type: 'sweep.confirmed', txId, amount, atMs: runtime.nowMs() })
    await deletePayout(tx, sweep)
    const { blockNumber: block } = found
    if (isReorgPossible(context)) await saveExternalSettlement(tx, network.shortName, { paymentId, txId, block })
    if (found.parked > 0n) await parkShare(context, tx, paymentId, found.parked)
  })
  log.info({ network: network.shortName, paymentId, txId: found.txId }, 'A deposit was settled externally')
  return 1
}
