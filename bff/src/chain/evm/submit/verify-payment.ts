import type { Network } from '../../../core/families.ts'
import { clockSkewMs } from '../../../network/heads.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { ContractPayment } from '../../../payment/payment.ts'
import { notCanonical, stillUnconfirmed, TransactionRefused, unknownTransaction } from '../../refusal.ts'
import { type EvmAdapter, movement } from '../rpc/evm-adapter.ts'
import { isSplitLog, readSplitLog } from '../split/split-log.ts'

export type SubmittedSplit = {
  payment: ContractPayment
  network: Network
  chain: Pick<EvmAdapter, 'network' | 'receipt' | 'block'>
  txId: string
  /** Whether the transaction is known to pay another payment. */
  isUsed: () => Promise<boolean>
}

/**
 * The transfer with which a transaction pays a payment, read from a canonical block. Sender, called contract and the client's
 * claims prove nothing and are ignored: only the splitter's own event counts.
 * @throws {TransactionRefused} with the reason.
 */
export async function verifySplit(submitted: SubmittedSplit, signal: AbortSignal): Promise<Transfer> {
  const { payment, network, chain, txId, isUsed } = submitted
  if (chain.network !== payment.network)
    throw new TransactionRefused('WRONG_NETWORK', `the payment is on ${payment.network}`)
  const receipt = await chain.receipt(txId, signal)
  if (!receipt) throw unknownTransaction(`no block of ${network.name} holds ${txId} yet`)
  if (!receipt.isSuccess)
    throw new TransactionRefused('TRANSACTION_REVERTED', `the transaction ${txId} was reverted: it moved nothing`)
  const splits = receipt.logs.filter((log) => isSplitLog(log.topics) && log.address.toLowerCase() === payment.splitter)
  if (splits.length === 0)
    throw new TransactionRefused('OTHER_CONTRACT', `the transaction pays nothing through ${payment.splitter}`)
  const read = splits.map((log) => ({ log, split: readSplitLog(network.chainId, log) }))
  const own = read.find(({ split }) => split?.termsHash === payment.termsHash)
  if (!own && (await isUsed())) throw new TransactionRefused('ALREADY_USED', 'the transaction pays another payment')
  const token = payment.tokenAddress.toLowerCase()
  const isToken = read.some(({ split }) => split?.details.token.toLowerCase() === token)
  if (!own && !isToken)
    throw new TransactionRefused('OTHER_TOKEN', `the transaction pays in another token than ${payment.tokenAddress}`)
  if (!own?.split)
    throw new TransactionRefused(
      'OTHER_TERMS',
      'the transaction pays under other terms: payment id, amount or recipients',
    )
  const block = await chain.block(receipt.blockNumber, signal)
  if (block?.hash !== receipt.blockHash) {
    throw notCanonical('the block of the transaction was replaced')
  }
  if (block.timeMs < payment.createdAtMs - clockSkewMs) {
    throw new TransactionRefused('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
  }
  return movement(network, own.log, block.timeMs, own.split.payer, own.split.received)
}

/**
 * @param head - The newest block that the service has applied. @throws {TransactionRefused} while the block is not deep enough.
 */
export function verifyConfirmations(blockNumber: number, head: number, required: number): void {
  const confirmations = Math.max(0, head - blockNumber + 1)
  if (confirmations < required) throw stillUnconfirmed(`${confirmations} of ${required} confirmations`)
}
