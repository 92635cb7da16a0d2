import { sql, type Tx } from '../db/db.ts'
import { type Column, flag, integer, named, orNull, table, text, type ValuesOf } from '../db/table.ts'
import type { KeyKind, MerchantId } from '../payment/payment.ts'
import type { KeyScope } from './key-scope.ts'

export type CredentialKind = 'public' | 'api'

/** Null: `merchant`. */
const scope: Column<KeyScope> = {
  type: 'text',
  isNullable: true,
  parse: (stored) => (stored as KeyScope | null) ?? 'merchant',
  format: (value) => (value === 'merchant' ? null : value),
}

export const keys = table('credentials', {
  id: text(),
  merchantId: text<MerchantId>(),
  kind: text<CredentialKind>(),
  isTest: flag(),
  scope,
  /** The agent that uses the key; null: not an agent's key. */
  agentId: orNull(text()),
  /** The name that people gave the key. */
  name: orNull(text()),
  createdAtMs: integer(),
  lastUsedAtMs: orNull(integer()),
  /** The key is refused from this time on; null: never. */
  endsAtMs: named('revoked_at_ms', orNull(integer())),
})
export type KeyRow = ValuesOf<typeof keys>

export function kindOf({ kind, isTest }: Pick<KeyRow, 'kind' | 'isTest'>): KeyKind {
  if (kind === 'api') return 'api'
  return isTest ? 'test' : 'public'
}

/** Oldest first, including ended keys, at most `limit`. */
export async function listKeys(tx: Tx, merchantId: MerchantId, limit: number): Promise<KeyRow[]> {
  const rows = await tx.all<object>(sql`
      select ${keys.names} from credentials where merchant_id = ${merchantId}
       order by created_at_ms, id limit ${limit}`)
  return rows.map(keys.parse)
}

export async function loadKey(tx: Tx, id: string): Promise<KeyRow | undefined> {
  const row = await tx.get<object>(sql`
      select ${keys.names} from credentials where id = ${id}`)
  return row && keys.parse(row)
}

export async function countKeys(tx: Tx, merchantId: MerchantId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from credentials where merchant_id = ${merchantId}`)
  return Number(row?.count ?? 0)
}

/** Whether the agent has a key of its own that is accepted at this time. */
export async function hasAgentKey(tx: Tx, merchantId: MerchantId, agentId: string, atMs: number): Promise<boolean> {
  const row = await tx.get(sql`
      select id from credentials
       where merchant_id = ${merchantId} and agent_id = ${agentId} and coalesce(revoked_at_ms, ${atMs + 1}) > ${atMs} limit 1`)
  return row !== undefined
}

export async function endKey(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(sql`update credentials set revoked_at_ms = ${atMs} where id = ${id}`)
}

/** Stores a use, at most once an hour. */
export async function saveKeyUse(tx: Tx, id: string, atMs: number, hourMs: number): Promise<void> {
  await tx.run(sql`
      update credentials set last_used_at_ms = ${atMs}
       where id = ${id} and (last_used_at_ms is null or last_used_at_ms <= ${atMs - hourMs})`)
}

export async function nameKey(tx: Tx, id: string, name: string | null): Promise<void> {
  await tx.run(sql`update credentials set name = ${name} where id = ${id}`)
}
