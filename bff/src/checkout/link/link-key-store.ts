import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { sql, type Tx } from '../../db/db.ts'
import { headerKeyMs, idempotencyMismatch } from '../idempotency-store.ts'
import type { MoneyFields } from '../money-fields.ts'
import type { LinkId } from './link.ts'

/** The idempotency scope and money terms of a request to create a link. */
export type RepeatableLink = MoneyFields & { scope: string; kind: IdempotencyKey['kind']; nowMs: number }

/**
 * The stored response of a repeated request; undefined for a new one. After a link has ended or expired, its order id
 * may create a new link.
 * @throws {PaymentError} IDEMPOTENCY_MISMATCH when the key was used with other money terms.
 */
export async function findLinkAnswer(
  tx: Tx,
  { scope, kind, terms, asked, nowMs }: RepeatableLink,
): Promise<string | undefined> {
  type Row = { terms: string; answer: string; ended_at_ms: number | null; expires_at_ms: number | null }
  const row = await tx.get<Row>(sql`
      select k.terms, k.answer, l.ended_at_ms, l.expires_at_ms
        from link_keys k join payment_links l on l.id = k.link_id
       where k.scope = ${scope} and (k.expires_at_ms is null or k.expires_at_ms > ${nowMs})`)
  if (!row) return undefined
  const isOver = row.ended_at_ms !== null || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs)
  if (kind === 'order' && isOver) return undefined
  if (row.terms !== terms) throw idempotencyMismatch(kind, asked, 'payment link')
  return row.answer
}

/** Runs in the transaction that inserts the link, so that both are stored or neither. */
export function saveLinkAnswer(tx: Tx, entry: RepeatableLink & { linkId: LinkId; answer: string }): void {
  const expiresAtMs = entry.kind === 'order' ? null : entry.nowMs + headerKeyMs
  tx.write(sql`
      insert into link_keys (scope, terms, link_id, answer, expires_at_ms)
      values (${entry.scope}, ${entry.terms}, ${entry.linkId}, ${entry.answer}, ${expiresAtMs})
      on conflict (scope) do update
         set terms = excluded.terms, link_id = excluded.link_id, answer = excluded.answer,
             expires_at_ms = excluded.expires_at_ms`)
}

/** Deletes at most `limit` expired keys. */
export async function deleteExpiredLinkKeys(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from link_keys where scope in (
        select scope from link_keys where expires_at_ms <= ${nowMs} order by expires_at_ms limit ${limit})`)
}
