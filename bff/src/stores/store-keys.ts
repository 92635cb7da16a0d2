import { createHash } from 'node:crypto'
import { PaymentError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { disableEndpoint, forgetSecrets, listEndpoints } from '../webhook/endpoints/endpoint-store.ts'
import type { StorePermission } from './permissions.ts'
import {
  activeShopOrigins,
  countActiveKeys,
  insertStoreKey,
  loadStoreKey,
  revokeStoreKey,
  type StoreKey,
} from './store-key-store.ts'

/** 256 random bits: hashing the key needs no salt. */
const keyBytes = 32

/** A merchant has a few shops. The bound stops a script that pairs in a loop. */
const activeKeysMax = 100

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

type Pairing = {
  merchantId: MerchantId
  personId: string
  label: string
  permissions: readonly StorePermission[]
  shopOrigin: string | null
}

/** @returns the key, which is not stored. It has only letters, digits, `-` and `_`, because plug-ins drop other characters. */
export async function pairStore(
  tx: Tx,
  runtime: Runtime,
  pairing: Pairing,
): Promise<{ key: string; stored: StoreKey }> {
  if ((await countActiveKeys(tx, pairing.merchantId)) >= activeKeysMax) {
    throw new PaymentError('VALIDATION_FAILED', `At most ${activeKeysMax} stores can be paired: revoke one first.`)
  }
  const key = Buffer.from(runtime.randomBytes(keyBytes)).toString('base64url')
  const stored = {
    ...pairing,
    id: `st_${runtime.newUuid()}`,
    keySha256: hashOfKey(key),
    createdAtMs: runtime.nowMs(),
    revokedAtMs: null,
  }
  await insertStoreKey(tx, stored)
  return { key, stored }
}

/**
 * Revokes the key. The webhooks registered with it are deleted too, except those at a shop that another key still pairs;
 * with the merchant's last key all are deleted.
 * @throws {PaymentError} when the merchant has no such key.
 */
export async function unpairStore(tx: Tx, merchantId: MerchantId, id: string, atMs: number): Promise<StoreKey> {
  const key = await loadStoreKey(tx, merchantId, id)
  if (!key) throw new PaymentError('NOT_FOUND', `There is no paired store ${id.slice(0, 60)}.`)
  await revokeStoreKey(tx, id, atMs)
  const origins = await activeShopOrigins(tx, merchantId)
  for (const endpoint of await listEndpoints(tx, merchantId, 'btcpay')) {
    const isOfOther = endpoint.storeKeyId !== id || origins.includes(new URL(endpoint.url).origin)
    if (origins.length > 0 && isOfOther) continue
    await disableEndpoint(tx, endpoint.id, 'deleted', atMs)
    await forgetSecrets(tx, endpoint.id)
  }
  return key
}
