import { PaymentError } from '../../../core/errors.ts'
import type { EvmNetwork } from '../../../core/families.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { type MerchantRefund, type MerchantRefundId, remainingOf } from '../../../payment/merchant-refund.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadMerchantRefund, refundsPaidIn } from '../../../payment/store/merchant-refund-store.ts'
import { isSweptAddress, loadPayment } from '../../../payment/store/payment-store.ts'
import { transfersIn } from '../../../payment/store/transfer-store.ts'
import { hasHeader, loadHeaders } from '../../cursor-store.ts'
import { addressTopic } from '../../event-topic.ts'
import { notCanonical, stillUnconfirmed, TransactionRefused, unknownTransaction } from '../../refusal.ts'
import { type EvmAdapter, movement, tokenTransfer } from '../rpc/evm-adapter.ts'
import { isSplitLog, readSplitLog } from '../split/split-log.ts'

/** Maximum difference between this host's clock and the chain's. */
const clockSkewMs = 15 * 60 * 1000

type Deps = {
  db: Db
  ledger: Ledger
  health: NetworkHealth
  network: EvmNetwork
  adapter: Pick<EvmAdapter, 'network' | 'receipt' | 'block'>
  runtime: Runtime
}

type Receipt = NonNullable<Awaited<ReturnType<EvmAdapter['receipt']>>>

/**
 * Verifies a transaction that a merchant names for a merchant refund. Unlike the watcher, it accepts any sender, such as an
 * exchange. The ledger gets the watcher's events, and only for blocks that the watcher has applied.
 */
export function createRefundVerification({ db, ledger, health, network, adapter, runtime }: Deps) {
  const name = network.shortName

  return async function verifyRefund(
    { id, txId }: { id: MerchantRefundId; txId: string },
    signal: AbortSignal,
  ): Promise<MerchantRefund> {
    const { refund, payment, tip, known, ofRefunds } = await db.read(async (tx) => {
      const found = await loadMerchantRefund(tx, id)
      return {
        refund: found,
        payment: found && (await loadPayment(tx, found.paymentId)),
        tip: (await loadHeaders(tx, name, 1)).at(-1),
        known: await transfersIn(tx, name, txId),
        // A reorg may have given the place of a reverted transfer to another one.
        ofRefunds: (await refundsPaidIn(tx, name, [txId])).filter(({ isReverted }) => !isReverted),
      }
    })
    if (!refund || !payment) throw new Error(`There is no refund ${id}.`)
    if (known.some(({ paymentId }) => (paymentId as string) === id)) return refund
    if (!health.get(name).isPayable || !tip) throw stillUnconfirmed(`no node of ${network.name} responds; try again`)
    // A customer's payment is not a refund, whoever received it.
    const isPayment = known.some(({ logIndex }) => !ofRefunds.some((one) => one.logIndex === logIndex))
    if (isPayment) throw new TransactionRefused('ALREADY_USED', 'the transaction pays a payment')
    const receipt = await adapter.receipt(txId, signal)
    if (!receipt) throw unknownTransaction(`no block of ${network.name} holds ${txId} yet`)
    if (!receipt.isSuccess)
      throw new TransactionRefused('TRANSACTION_REVERTED', `the transaction ${txId} was reverted: it moved nothing`)
    const block = await adapter.block(receipt.blockNumber, signal)
    if (block?.hash !== receipt.blockHash) throw notCanonical('the block of the transaction was replaced')
    if (block.timeMs < payment.createdAtMs - clockSkewMs)
      throw new TransactionRefused('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
    const isTaken = ({ logIndex }: Transfer) => ofRefunds.some((one) => one.logIndex === logIndex)
    const transfers = refundTransfers(network, refund, receipt, block.timeMs).filter((one) => !isTaken(one))
    if (transfers.length === 0)
      throw new TransactionRefused('ALREADY_USED', 'every transfer of the transaction pays another refund')
    // Money that the service returned from a deposit address is already counted as returned.
    const isReturned = await db.read(async (tx) => {
      for (const { payer } of transfers) if (await isSweptAddress(tx, payer)) return true
      return false
    })
    if (isReturned)
      throw new TransactionRefused('ALREADY_USED', 'the service returned this money from a deposit address')
    const exact = transfers.find(({ amount }) => amount === remainingOf(refund))
    const isDeep = tip.number - receipt.blockNumber + 1 >= network.confirmations && refund.confirmations === null
    const type = isDeep ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // As for payments: while the tip is unchanged, the watcher has not yet passed a reorg of the block.
      if (receipt.blockNumber > tip.number || !(await hasHeader(tx, name, tip))) return undefined
      for (const transfer of exact ? [exact] : transfers)
        await ledger.applyIn(tx, id as string as PaymentId, { type, transfer, atMs: runtime.nowMs() })
      return await loadMerchantRefund(tx, id)
    })
    if (!after) throw stillUnconfirmed('the block is being read')
    return after
  }
}

/**
 * The transaction's transfers that pay the refund: the splitter's event, or transfers of the token to the refund's address.
 * @throws {TransactionRefused} with the reason, if there is none.
 */
function refundTransfers(network: EvmNetwork, refund: MerchantRefund, { logs }: Receipt, timeMs: number): Transfer[] {
  const { place, tokenAddress } = refund
  if (!place) throw new PaymentError('REFUND_NEEDS_ADDRESS', 'Nobody has named the address of this refund.')
  const splits = logs.filter((log) => isSplitLog(log.topics))
  for (const log of splits) {
    const split = log.address.toLowerCase() === place.splitter ? readSplitLog(network.chainId, log) : undefined
    if (split?.termsHash === place.termsHash) return [movement(network, log, timeMs, split.payer, split.received)]
  }
  // The splitter's own transfers belong to the payment in its event.
  if (splits.length > 0)
    throw new TransactionRefused('OTHER_TERMS', 'the transaction pays through the splitter, under other terms')
  const received = logs
    .map((log) => tokenTransfer(network, log, timeMs))
    .filter((transfer) => transfer?.topic === addressTopic(place.address))
    .filter((transfer) => transfer !== undefined)
    // A transfer to the sender itself pays nothing.
    .filter(({ payer }) => payer !== place.address.toLowerCase())
  const own = received.filter(({ source, amount }) => source === tokenAddress.toLowerCase() && amount > 0n)
  if (own.length > 0) return own
  if (received.length > 0)
    throw new TransactionRefused('OTHER_TOKEN', `the transaction pays in another token than ${tokenAddress}`)
  throw new TransactionRefused('OTHER_TERMS', `the transaction pays nothing to ${place.address}`)
}
