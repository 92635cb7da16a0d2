import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { KeyScope } from './key-scope.ts'
import type { CredentialKind } from './merchant-store.ts'

export type KeyRow = {
  id: string
  merchantId: MerchantId
  kind: CredentialKind
  isTest: boolean
  scope: KeyScope
  /** The agent that the key is for; null: no agent's key. */
  agentId: string | null
  createdAtMs: number
  /** Refused from this time on; null: never. */
  endsAtMs: number | null
}

type Row = Omit<KeyRow, 'isTest' | 'scope'> & { isTest: number; scope: KeyScope | null }

const fromRow = (row: Row): KeyRow => ({ ...row, isTest: row.isTest === 1, scope: row.scope ?? 'merchant' })

/** Oldest first, ended ones too, at most `limit`. */
export async function listKeys(tx: Tx, merchantId: MerchantId, limit: number): Promise<KeyRow[]> {
  const rows = await tx.all<Row>(sql`
      select id, merchant_id as "merchantId", kind, is_test as "isTest", scope, agent_id as "agentId", created_at_ms as "createdAtMs",
             revoked_at_ms as "endsAtMs"
        from credentials where merchant_id = ${merchantId}
       order by created_at_ms, id limit ${limit}`)
  return rows.map(fromRow)
}

export async function loadKey(tx: Tx, id: string): Promise<KeyRow | undefined> {
  const row = await tx.get<Row>(sql`
      select id, merchant_id as "merchantId", kind, is_test as "isTest", scope, agent_id as "agentId", created_at_ms as "createdAtMs",
             revoked_at_ms as "endsAtMs"
        from credentials where id = ${id}`)
  return row && fromRow(row)
}

export async function countKeys(tx: Tx, merchantId: MerchantId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from credentials where merchant_id = ${merchantId}`)
  return Number(row?.count ?? 0)
}

export async function endKey(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(sql`update credentials set revoked_at_ms = ${atMs} where id = ${id}`)
}
