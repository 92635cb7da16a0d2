import { sql, type Tx } from '../db/db.ts'
import { fixed, integer, json, orNull, table, text, type ValuesOf } from '../db/table.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { StorePermission } from './permissions.ts'

const storeKeys = table('store_keys', {
  id: fixed(text()),
  keySha256: fixed(text()),
  merchantId: fixed(text<MerchantId>()),
  label: fixed(text()),
  permissions: fixed(json<readonly StorePermission[]>()),
  /** The shop whose pages may frame the payment page; null: none may. */
  shopOrigin: fixed(orNull(text())),
  personId: fixed(text()),
  createdAtMs: fixed(integer()),
  revokedAtMs: orNull(integer()),
})

/** The pairing of one shop. */
export type StoreKey = ValuesOf<typeof storeKeys>

export async function insertStoreKey(tx: Tx, key: StoreKey): Promise<void> {
  await tx.run(sql`insert into store_keys (${storeKeys.names}) values (${storeKeys.values(key)})`)
}

/** Undefined when no active key has the hash. */
export async function findStoreKey(tx: Tx, keySha256: string): Promise<StoreKey | undefined> {
  const row = await tx.get<object>(sql`
      select * from store_keys where key_sha256 = ${keySha256} and revoked_at_ms is null`)
  return row && storeKeys.parse(row)
}

/** The hashes of active keys, newest first, at most `limit`. */
export async function activeKeyHashes(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>(sql`
      select key_sha256 as hash from store_keys
       where revoked_at_ms is null order by created_at_ms desc, id limit ${limit}`)
  return rows.map(({ hash }) => hash)
}

/** Undefined when the merchant has no such key. */
export async function loadStoreKey(tx: Tx, merchantId: MerchantId, id: string): Promise<StoreKey | undefined> {
  const row = await tx.get<object>(sql`select * from store_keys where id = ${id} and merchant_id = ${merchantId}`)
  return row && storeKeys.parse(row)
}

/** Newest first, at most `limit`, including revoked keys. */
export async function listStoreKeys(tx: Tx, merchantId: MerchantId, limit: number): Promise<StoreKey[]> {
  const rows = await tx.all<object>(sql`
      select * from store_keys where merchant_id = ${merchantId} order by created_at_ms desc, id limit ${limit}`)
  return rows.map(storeKeys.parse)
}

export async function countActiveKeys(tx: Tx, merchantId: MerchantId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from store_keys where merchant_id = ${merchantId} and revoked_at_ms is null`)
  return row?.count ?? 0
}

/** The shop's origin of each active key; null where it is unknown. The number of active keys is bounded. */
export async function activeShopOrigins(tx: Tx, merchantId: MerchantId): Promise<(string | null)[]> {
  const rows = await tx.all<{ origin: string | null }>(sql`
      select shop_origin as origin from store_keys where merchant_id = ${merchantId} and revoked_at_ms is null`)
  return rows.map(({ origin }) => origin)
}

/** A repeat keeps the time of the first call. */
export async function revokeStoreKey(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(sql`update store_keys set revoked_at_ms = ${atMs} where id = ${id} and revoked_at_ms is null`)
}
