import { baseUnits } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { StoredTransfer, Transfer, TransferState } from '../event.ts'
import type { PaymentId } from '../payment.ts'

export type TransferRow = {
  network: string
  tx_id: string
  log_index: number
  payment_id: string
  payer: string
  amount: string
  block_number: number
  block_hash: string
  block_time_ms: number
  state: TransferState
  is_late: number
}

export function fromTransferRow(row: TransferRow): StoredTransfer & { paymentId: PaymentId } {
  return {
    paymentId: row.payment_id as PaymentId,
    network: row.network,
    txId: row.tx_id,
    logIndex: row.log_index,
    payer: row.payer,
    amount: baseUnits(row.amount),
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    blockTimeMs: row.block_time_ms,
    state: row.state,
    isLate: row.is_late === 1,
  }
}

/**
 * The transfer as stored for the payment. Log indexes are per block, so a replacing block may give a
 * transaction's log the index that another of its logs had; the row then moves to this payment.
 * @throws {Error} while the transfer counts for another payment: one transfer never pays twice.
 */
export async function loadTransfer(tx: Tx, id: PaymentId, key: Transfer): Promise<StoredTransfer | undefined> {
  const row = await tx.get<TransferRow>(sql`
      select * from transfers
       where network = ${key.network} and tx_id = ${key.txId} and log_index = ${key.logIndex}`)
  if (row === undefined || row.payment_id === id) return row && fromTransferRow(row)
  if (row.state === 'reverted') return undefined
  throw new Error(`Transfer ${key.txId}:${key.logIndex} belongs to ${row.payment_id}.`)
}

/** Canonical transfers to the payment in the same transaction under another log index, in another block than this one. */
export async function transfersElsewhere(tx: Tx, id: PaymentId, key: Transfer): Promise<StoredTransfer[]> {
  const rows = await tx.all<TransferRow>(sql`
      select * from transfers
       where network = ${key.network} and tx_id = ${key.txId} and payment_id = ${id} and state <> 'reverted'
         and block_hash <> ${key.blockHash} and log_index <> ${key.logIndex}`)
  return rows.map(fromTransferRow)
}

/** Canonical transfers to any payment in one transaction. */
export async function transfersIn(tx: Tx, network: string, txId: string) {
  const rows = await tx.all<TransferRow>(sql`
      select * from transfers
       where network = ${network} and tx_id = ${txId} and state <> 'reverted'
       order by log_index limit 100`)
  return rows.map(fromTransferRow)
}

/**
 * Whether the transaction has paid another wallet payment, or another payment by the same transfer; even if a
 * fork has dropped it since, because it may land again. Deposits are exempt: each has its own account.
 * @param logIndex - Of the transfer that would pay.
 */
export async function paidBefore(
  tx: Tx,
  { network, txId, logIndex }: { network: string; txId: string; logIndex: number },
  id: PaymentId,
): Promise<boolean> {
  const row = await tx.get(sql`
      select t.payment_id from transfers t join payments p on p.id = t.payment_id
       where t.network = ${network} and t.tx_id = ${txId} and t.payment_id <> ${id}
         and (p.mode = 'contract' or t.log_index = ${logIndex}) limit 1`)
  return row !== undefined
}

/** The newest canonical transfer to the payment that is not this one. */
export async function loadNewestOther(tx: Tx, id: PaymentId, key: Transfer): Promise<StoredTransfer | undefined> {
  const row = await tx.get<TransferRow>(sql`
      select * from transfers
       where payment_id = ${id} and state <> 'reverted' and not (tx_id = ${key.txId} and log_index = ${key.logIndex})
       order by block_number desc, log_index desc limit 1`)
  return row && fromTransferRow(row)
}

export async function saveTransfer(tx: Tx, id: PaymentId, transfer: StoredTransfer): Promise<void> {
  const isLate = transfer.isLate ? 1 : 0
  tx.write(sql`
      insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash,
                             block_time_ms, state, is_late)
      values (${transfer.network}, ${transfer.txId}, ${transfer.logIndex}, ${id}, ${transfer.payer},
              ${String(transfer.amount)}, ${transfer.blockNumber}, ${transfer.blockHash}, ${transfer.blockTimeMs},
              ${transfer.state}, ${isLate})
      on conflict (network, tx_id, log_index) do update
         set payment_id = excluded.payment_id, payer = excluded.payer, amount = excluded.amount, block_number = excluded.block_number, block_hash = excluded.block_hash,
             block_time_ms = excluded.block_time_ms, state = excluded.state, is_late = excluded.is_late`)
}

/** The payment's canonical transfers in blocks of that number, at most 1,000. */
export async function transfersInBlock(tx: Tx, id: PaymentId, blockNumber: number): Promise<StoredTransfer[]> {
  const rows = await tx.all<TransferRow>(sql`
      select * from transfers
       where payment_id = ${id} and block_number = ${blockNumber} and state <> 'reverted'
       order by log_index limit 1000`)
  return rows.map(fromTransferRow)
}

/** Canonical transfers above `blockNumber`, newest first, at most `limit`: what a reorg down to that block takes back. */
export async function transfersAbove(tx: Tx, network: string, blockNumber: number, limit: number) {
  const rows = await tx.all<TransferRow>(sql`
      select * from transfers
       where network = ${network} and block_number > ${blockNumber} and state <> 'reverted'
       order by block_number desc, log_index desc limit ${limit}`)
  return rows.map(fromTransferRow)
}
