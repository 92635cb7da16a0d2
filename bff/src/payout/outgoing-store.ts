import { sql, type Tx } from '../db/db.ts'

type Hex = `0x${string}`

/** One signed form of an outgoing transaction. All forms have one nonce, so that at most one is ever mined. */
export type Attempt = {
  txId: Hex
  raw: Hex
  createdAtMs: number
  /** When the transaction was last broadcast; null: never, as far as we know. */
  sentAtMs: number | null
}

/** A transaction that may still be mined, or is mined and not final. */
export type Outgoing = { id: string; sender: Hex; nonce: number; newest: Attempt; replaced: Attempt[] }

type OutgoingRow = {
  id: string
  sender: Hex
  nonce: number
  tx_id: Hex
  raw: Hex
  state: 'stored' | 'replaced'
  created_at_ms: number
  sent_at_ms: number | null
}

/** In nonce order, so that a transaction that blocks others comes first. At most `limit` hashes. */
export async function openTransactions(tx: Tx, network: string, limit: number): Promise<Outgoing[]> {
  const rows = await tx.all<OutgoingRow>(sql`
      select id, sender, nonce, tx_id, raw, state, created_at_ms, sent_at_ms from outgoing_transactions
       where network = ${network} and state in ('stored', 'replaced')
       order by sender, nonce, id, case state when 'stored' then 0 else 1 end, created_at_ms desc
       limit ${limit}`)
  const open: Outgoing[] = []
  for (const row of rows) {
    const attempt = { txId: row.tx_id, raw: row.raw, createdAtMs: row.created_at_ms, sentAtMs: row.sent_at_ms }
    if (row.state === 'stored') {
      open.push({ id: row.id, sender: row.sender, nonce: row.nonce, newest: attempt, replaced: [] })
    } else {
      open.findLast((outgoing) => outgoing.id === row.id)?.replaced.push(attempt)
    }
  }
  return open
}

/** The next nonce: one above the highest that this service used or an external transaction took. */
export async function nextNonce(tx: Tx, network: string, sender: string): Promise<number> {
  const row = await tx.get<{ next: number }>(sql`
      select coalesce(max(nonce) + 1, 0) as next from outgoing_transactions
       where network = ${network} and sender = ${sender} and state <> 'failed'`)
  return row?.next ?? 0
}

type NewAttempt = {
  network: string
  id: string
  sender: string
  nonce: number
  txId: Hex
  raw: Hex
  atMs: number
}

export async function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<void> {
  await tx.run(sql`
      insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
      values (${attempt.id}, ${attempt.network}, ${attempt.sender}, ${attempt.nonce}, ${attempt.txId}, ${attempt.raw},
              'stored', ${attempt.atMs})`)
}

/** False when the transaction is no longer the newest of its nonce: mined, lost, or replaced by another process. */
export async function markReplaced(tx: Tx, txId: string): Promise<boolean> {
  const changed = await tx.run(sql`
      update outgoing_transactions set state = 'replaced' where tx_id = ${txId} and state = 'stored'`)
  return changed === 1
}

export async function markSent(tx: Tx, txId: string, atMs: number): Promise<void> {
  await tx.run(sql`update outgoing_transactions set sent_at_ms = ${atMs} where tx_id = ${txId}`)
}

/**
 * Finalizes a nonce: the final hash (undefined: none of ours), and all its other forms, which can no longer
 * be mined. False when it was finalized before.
 */
export async function finalizeOutgoing(tx: Tx, id: string, finalTxId: string | undefined): Promise<boolean> {
  const changed = await tx.run(sql`
      update outgoing_transactions set state = case tx_id when ${finalTxId ?? ''} then 'confirmed' else 'failed' end
       where id = ${id} and state in ('stored', 'replaced')`)
  return changed > 0
}

/** Records that an abandoned transaction of ours is final on chain. @returns its id; undefined when it is not ours. */
export async function restoreLanded(tx: Tx, network: string, txId: string): Promise<string | undefined> {
  const row = await tx.get<{ id: string }>(sql`
      select id from outgoing_transactions where network = ${network} and tx_id = ${txId}`)
  if (row === undefined) return undefined
  await tx.run(sql`update outgoing_transactions set state = 'confirmed' where network = ${network} and tx_id = ${txId}`)
  return row.id
}

/** Transactions of an account that may still be mined, or are not final; at most `limit`. */
export async function openOf(tx: Tx, network: string, sender: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(sql`
      select id from outgoing_transactions
       where network = ${network} and sender = ${sender} and state = 'stored' limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Every signed form of a transaction. */
export async function hashesOf(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.all<{ txId: string }>(sql`
      select tx_id as "txId" from outgoing_transactions where id = ${id} limit 100`)
  return rows.map(({ txId }) => txId)
}

/** Whether a transaction of ours at this nonce may still be mined. */
export async function isNonceOpen(tx: Tx, network: string, sender: string, nonce: number): Promise<boolean> {
  const row = await tx.get(sql`
      select id from outgoing_transactions
       where network = ${network} and sender = ${sender} and nonce = ${nonce} and state in ('stored', 'replaced')
       limit 1`)
  return row !== undefined
}

/** Records the block of a final transaction, which is rechecked until no reorg can reach it. */
export async function noteFinalBlock(tx: Tx, txId: string, block: number): Promise<void> {
  await tx.run(sql`update outgoing_transactions set recheck_block = ${block} where tx_id = ${txId}`)
}

/** A final transaction that a deep reorg may still undo. */
export type Rechecked = { id: string; sender: Hex; nonce: number; txId: string; raw: string; block: number }

/** Oldest first, after the given one; at most `limit`. */
export async function transactionsToRecheck(
  tx: Tx,
  network: string,
  { after, limit }: { after?: Pick<Rechecked, 'block' | 'txId'> | undefined; limit: number },
): Promise<Rechecked[]> {
  const { block = -1, txId = '' } = after ?? {}
  return await tx.all<Rechecked>(sql`
      select id, sender, nonce, tx_id as "txId", raw, recheck_block as block from outgoing_transactions
       where network = ${network} and recheck_block is not null and state = 'confirmed'
         and (recheck_block > ${block} or recheck_block = ${block} and tx_id > ${txId})
       order by recheck_block, tx_id limit ${limit}`)
}

/** No reorg can reach the transaction any more, so it is not rechecked. */
export async function clearRecheck(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update outgoing_transactions set recheck_block = null where id = ${id}`)
}

/** Monitors the final transaction of this nonce again. False when there is none. */
export async function reopenNonce(tx: Tx, network: string, sender: string, nonce: number): Promise<boolean> {
  const changed = await tx.run(sql`
      update outgoing_transactions set state = 'stored', sent_at_ms = null, recheck_block = null
       where network = ${network} and sender = ${sender} and nonce = ${nonce} and state = 'confirmed'`)
  return changed > 0
}
