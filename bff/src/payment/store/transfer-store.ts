import { add, type BaseUnits, baseUnits, zero } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, table, text, units } from '../../db/table.ts'
import type { StoredTransfer, Transfer, TransferState } from '../event.ts'
import type { PaymentId } from '../payment.ts'

/** `paymentId`: the id of the payment or merchant refund that the transfer pays. */
export const transfers = table<StoredTransfer & { paymentId: PaymentId }>('transfers', {
  network: fixed(text()),
  txId: fixed(text()),
  logIndex: fixed(integer()),
  paymentId: text<PaymentId>(),
  payer: text(),
  amount: units(),
  blockNumber: integer(),
  blockHash: text(),
  blockTimeMs: integer(),
  state: text<TransferState>(),
  isLate: flag(),
})

/** The transfer as stored, for any payment or merchant refund. */
export async function findTransfer(tx: Tx, key: Transfer) {
  const row = await tx.get<object>(sql`
      select * from transfers
       where network = ${key.network} and tx_id = ${key.txId} and log_index = ${key.logIndex}`)
  return row && transfers.parse(row)
}

/**
 * The stored transfer if it is the payment's. Log indexes are per block, so a replacing block may give a transaction's log the index that
 * another of its logs had; the row then moves to this payment.
 * @throws {Error} while the transfer counts for another payment: one transfer never pays twice.
 */
export function ownTransfer(id: PaymentId, row: StoredTransfer & { paymentId: PaymentId }): StoredTransfer | undefined {
  if (row.paymentId === id) return row
  if (row.state === 'reverted') return undefined
  throw new Error(`Transfer ${row.txId}:${row.logIndex} belongs to ${row.paymentId}.`)
}

/** Canonical transfers to the payment in the same transaction under another log index, in another block than this one. */
export async function transfersElsewhere(tx: Tx, id: PaymentId, key: Transfer): Promise<StoredTransfer[]> {
  const rows = await tx.all<object>(sql`
      select * from transfers
       where network = ${key.network} and tx_id = ${key.txId} and payment_id = ${id} and state <> 'reverted'
         and block_hash <> ${key.blockHash} and log_index <> ${key.logIndex}`)
  return rows.map(transfers.parse)
}

/** Canonical transfers to any payment in one transaction. */
export async function transfersIn(tx: Tx, network: string, txId: string) {
  const rows = await tx.all<object>(sql`
      select * from transfers
       where network = ${network} and tx_id = ${txId} and state <> 'reverted'
       order by log_index limit 100`)
  return rows.map(transfers.parse)
}

/**
 * Whether the transaction has paid another wallet payment, or another payment or refund by the same transfer; even if a
 * fork has dropped it since, because it may land again. Deposits are exempt: each has its own account.
 * @param logIndex - Of the transfer that would pay.
 */
export async function paidBefore(
  tx: Tx,
  { network, txId, logIndex }: { network: string; txId: string; logIndex: number },
  id: PaymentId,
): Promise<boolean> {
  const row = await tx.get(sql`
      select t.payment_id from transfers t left join payments p on p.id = t.payment_id
       where t.network = ${network} and t.tx_id = ${txId} and t.payment_id <> ${id}
         and (p.mode = 'contract' or t.log_index = ${logIndex}) limit 1`)
  return row !== undefined
}

/** The newest canonical transfer to the payment that is not this one. */
export async function loadNewestOther(tx: Tx, id: PaymentId, key: Transfer): Promise<StoredTransfer | undefined> {
  const row = await tx.get<object>(sql`
      select * from transfers
       where payment_id = ${id} and state <> 'reverted' and not (tx_id = ${key.txId} and log_index = ${key.logIndex})
       order by block_number desc, log_index desc limit 1`)
  return row && transfers.parse(row)
}

/** Rows of {@link sumOfTransfers} in memory at once. */
const sumPageMax = 10_000

/** Sum of the payment's canonical transfers up to the block, in base units, however many there are. */
export async function sumOfTransfers(tx: Tx, id: PaymentId, toBlock: number, pageMax = sumPageMax): Promise<BaseUnits> {
  let sum = zero
  let last = { block: -1, logIndex: -1, txId: '' }
  for (;;) {
    const rows = await tx.all<typeof last & { amount: string }>(sql`
        select block_number as block, log_index as "logIndex", tx_id as "txId", amount from transfers
         where payment_id = ${id} and block_number <= ${toBlock} and state <> 'reverted'
           and (block_number, log_index, tx_id) > (${last.block}, ${last.logIndex}, ${last.txId})
         order by block_number, log_index, tx_id limit ${pageMax}`)
    for (const { amount } of rows) sum = add(sum, baseUnits(amount))
    if (rows.length < pageMax) return sum
    last = rows.at(-1) ?? last
  }
}

export async function saveTransfer(tx: Tx, id: PaymentId, transfer: StoredTransfer): Promise<void> {
  tx.write(sql`
      insert into transfers (${transfers.names}) values (${transfers.values({ ...transfer, paymentId: id })})
      on conflict (network, tx_id, log_index) do update set ${transfers.excluded}`)
}

/** The payment's canonical transfers in blocks of that number, at most 1,000. */
export async function transfersInBlock(tx: Tx, id: PaymentId, blockNumber: number): Promise<StoredTransfer[]> {
  const rows = await tx.all<object>(sql`
      select * from transfers
       where payment_id = ${id} and block_number = ${blockNumber} and state <> 'reverted'
       order by log_index limit 1000`)
  return rows.map(transfers.parse)
}

/** Canonical transfers above `blockNumber`, newest first, at most `limit`: those that a reorg down to that block reverts. */
export async function transfersAbove(tx: Tx, network: string, blockNumber: number, limit: number) {
  const rows = await tx.all<object>(sql`
      select * from transfers
       where network = ${network} and block_number > ${blockNumber} and state <> 'reverted'
       order by block_number desc, log_index desc limit ${limit}`)
  return rows.map(transfers.parse)
}
