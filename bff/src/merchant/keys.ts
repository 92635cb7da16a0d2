import { createHash } from 'node:crypto'
import { ValidationError } from '../core/errors.ts'
import { iso, type Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import type { KeyKind, MerchantId } from '../payment/payment.ts'
import { hasAccount } from './account-store.ts'
import type { KeyScope } from './key-scope.ts'
import { countKeys, endKey, type KeyRow, kindOf, listKeys, loadKey, nameKey } from './key-store.ts'
import { insertCredential } from './merchant-store.ts'

/** `secret` is shown once, because only its hash is stored. */
export type NewKey = { kind: KeyKind; scope: KeyScope; agentId: string | null; key: string; secret: string | null }

/** What a server's key may do, and the agent that uses it. */
type Rights = { scope: KeyScope; agentId: string | null }

const merchantRights: Rights = { scope: 'merchant', agentId: null }

type NewKeyTerms = {
  kind: KeyKind
  scope?: KeyScope | undefined
  agentId?: string | null | undefined
  name?: string | undefined
}

/** 256 random bits: hashing the secret needs no salt. */
const secretBytes = 32
/** 144 random bits: short, and impossible to guess. */
const idBytes = 18

/** Active and revoked keys. Stops a script that creates keys in a loop. */
const keysMax = 1_000

const prefixes: Readonly<Record<KeyKind, string>> = { public: 'pk_live_', test: 'pk_test_', api: 'ak_' }

const randomText = (runtime: Runtime, bytes: number): string =>
  Buffer.from(runtime.randomBytes(bytes)).toString('base64url')

/** A key for pages. @returns the key as it is stored; `credential.id` is the key itself. */
export function newPublicKey(runtime: Runtime, merchantId: MerchantId, kind: 'public' | 'test') {
  const id = prefixes[kind] + randomText(runtime, idBytes)
  const isTest = kind === 'test'
  const kept = { kind: 'public' as const, isTest, secretSha256: null, merchantId, createdAtMs: runtime.nowMs() }
  return { credential: { id, ...kept, ...merchantRights }, secret: null }
}

/** A key for a server. @returns the key as it is stored, and its secret, which is not stored. */
export function newApiKey(runtime: Runtime, merchantId: MerchantId, rights = merchantRights) {
  const secret = `sk_${randomText(runtime, secretBytes)}`
  const secretSha256 = createHash('sha256').update(secret).digest('hex')
  const id = prefixes.api + randomText(runtime, idBytes)
  const kept = { kind: 'api' as const, isTest: false, secretSha256, merchantId, createdAtMs: runtime.nowMs() }
  return { credential: { id, ...kept, ...rights }, secret }
}

const newKey = (runtime: Runtime, merchantId: MerchantId, kind: KeyKind, rights: Rights) =>
  kind === 'api' ? newApiKey(runtime, merchantId, rights) : newPublicKey(runtime, merchantId, kind)

/**
 * @param terms - `agentId`: the agent that uses the key; required with the scope `agent`, and refused with any other.
 * @throws {ValidationError} when there is no such merchant, it has a thousand keys, or kind, scope and agent do not go together.
 */
export async function createKey(
  tx: Tx,
  runtime: Runtime,
  merchant: string,
  { kind, scope = 'merchant', agentId = null, name }: NewKeyTerms,
): Promise<NewKey> {
  if (kind !== 'api' && scope !== 'merchant') throw new ValidationError('scope is for keys of kind api')
  if (scope === 'agent' && agentId === null)
    throw new ValidationError('a key with the scope agent needs the id of its agent')
  if (scope !== 'agent' && agentId !== null) throw new ValidationError('an agent is for keys with the scope agent')
  const merchantId = merchant as MerchantId
  if (!(await hasAccount(tx, merchantId))) throw new ValidationError(`there is no merchant "${merchant}"`)
  if ((await countKeys(tx, merchantId)) >= keysMax) throw new ValidationError(`a merchant has at most ${keysMax} keys`)
  const { credential, secret } = newKey(runtime, merchantId, kind, { scope, agentId })
  await insertCredential(tx, credential)
  if (name !== undefined) await nameKey(tx, credential.id, name)
  return { kind, scope, agentId, key: credential.id, secret }
}

/** All keys of a merchant, oldest first. @throws {ValidationError} when there is no such merchant. */
export async function readKeys(db: Db, merchant: string): Promise<KeyRow[]> {
  return await db.read(async (tx) => {
    if (!(await hasAccount(tx, merchant as MerchantId))) throw new ValidationError(`there is no merchant "${merchant}"`)
    return await listKeys(tx, merchant as MerchantId, keysMax)
  })
}

/**
 * Creates a key of the same kind, scope and agent. The old key stays valid for `overlapMs`, so that it can be replaced
 * without a gap.
 * @param of - The merchant that must own the key; absent: any merchant.
 * @throws {ValidationError} when there is no such key, or its end is already set.
 */
export async function rotateKey(tx: Tx, runtime: Runtime, key: string, overlapMs: number, of?: MerchantId) {
  const nowMs = runtime.nowMs()
  const endsAtMs = nowMs + overlapMs
  const old = await knownKey(tx, key, of)
  if (old.endsAtMs !== null) {
    const verb = old.endsAtMs > nowMs ? 'ends' : 'ended'
    throw new ValidationError(`the key ${verb} ${iso(old.endsAtMs)} already: make a new one with "keys create"`)
  }
  const kind = kindOf(old)
  const { credential, secret } = newKey(runtime, old.merchantId, kind, { scope: old.scope, agentId: old.agentId })
  await insertCredential(tx, credential)
  if (old.name !== null) await nameKey(tx, credential.id, old.name)
  await endKey(tx, key, endsAtMs)
  return { kind, scope: old.scope, agentId: old.agentId, key: credential.id, secret, old: key, oldEndsAtMs: endsAtMs }
}

/**
 * Ends a key now, even if a later end was set.
 * @param of - As for `rotateKey`.
 * @throws {ValidationError} when there is no such key.
 */
export async function revokeKey(
  tx: Tx,
  runtime: Runtime,
  key: string,
  of?: MerchantId,
): Promise<{ key: string; endedAtMs: number }> {
  const nowMs = runtime.nowMs()
  const known = await knownKey(tx, key, of)
  if (known.endsAtMs !== null && known.endsAtMs <= nowMs) return { key, endedAtMs: known.endsAtMs }
  await endKey(tx, key, nowMs)
  return { key, endedAtMs: nowMs }
}

/**
 * @param name - The new name; null: none.
 * @returns the name before.
 * @throws {ValidationError} when the merchant has no such key.
 */
export async function renameKey(tx: Tx, key: string, name: string | null, of: MerchantId): Promise<string | null> {
  const { name: before } = await knownKey(tx, key, of)
  await nameKey(tx, key, name)
  return before
}

async function knownKey(tx: Tx, key: string, of: MerchantId | undefined): Promise<KeyRow> {
  const known = await loadKey(tx, key)
  if (!known || (of !== undefined && known.merchantId !== of)) {
    throw new ValidationError(`there is no key "${key.slice(0, 60)}"`)
  }
  return known
}
