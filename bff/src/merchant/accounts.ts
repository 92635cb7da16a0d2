import { ValidationError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { MerchantId } from '../payment/payment.ts'
import { loadAccounts } from './account-store.ts'
import { newApiKey, newPublicKey } from './keys.ts'
import { defaultSettings, type MerchantSettings } from './merchant-settings.ts'
import { insertCredential, insertMerchant, saveWallet } from './merchant-store.ts'
import { loadSettings, saveSettings } from './settings-store.ts'
import { checkWallet } from './wallets.ts'

/** Shown once, because only the hash of the secret is stored. */
export type NewMerchant = {
  merchantId: string
  publicKey: string
  testPublicKey: string
  apiKey: string
  apiSecret: string
  webhookSecret: string
}

type NewMerchantFields = {
  name: string
  wallets: ReadonlyMap<string, string>
  webhookSecret: string
  settings?: Partial<MerchantSettings>
}

/** @throws {ValidationError} when the name is empty, a network is not configured, or a wallet is not an address on its network. */
export async function createMerchant(
  { db, networks, runtime, vault }: { db: Db; networks: Networks; runtime: Runtime; vault: Vault },
  { name, wallets, webhookSecret, settings }: NewMerchantFields,
): Promise<NewMerchant> {
  if (name.trim() === '') throw new ValidationError('name must not be empty')
  const checked = [...wallets].map(([network, address]) => checkWallet(networks, network, address))
  const merchantId = runtime.newUuid() as MerchantId
  const live = newPublicKey(runtime, merchantId, 'public')
  const test = newPublicKey(runtime, merchantId, 'test')
  const api = newApiKey(runtime, merchantId)
  const created: NewMerchant = {
    merchantId,
    publicKey: live.credential.id,
    testPublicKey: test.credential.id,
    apiKey: api.credential.id,
    apiSecret: api.secret,
    webhookSecret,
  }
  const createdAtMs = runtime.nowMs()
  const sealed = vault.seal(webhookSecret, merchantId)
  await db.write(async (tx) => {
    await insertMerchant(tx, { id: merchantId, name: name.trim(), webhookSecret: sealed, createdAtMs })
    if (settings) await saveSettings(tx, merchantId, { ...defaultSettings, ...settings })
    for (const wallet of checked) await saveWallet(tx, merchantId, wallet)
    for (const { credential } of [live, test, api]) await insertCredential(tx, credential)
  })
  return created
}

/**
 * Changes the given settings and keeps the others. Applies to payments created from then on.
 * @returns all settings after the change.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function setMerchant(db: Db, id: string, changes: Partial<MerchantSettings>): Promise<MerchantSettings> {
  return await db.write(async (tx) => {
    const before = await loadSettings(tx, id as MerchantId)
    if (!before) throw new ValidationError(`there is no merchant "${id}"`)
    const after = { ...before, ...changes }
    await saveSettings(tx, id as MerchantId, after)
    return after
  })
}

export type MerchantLine = {
  merchantId: string
  name: string
  /** ISO 8601. */
  createdAt: string
  /** The networks on which the merchant has a wallet. */
  wallets: string[]
  settings: MerchantSettings
}

/** More lines than a terminal is useful for. */
const listMax = 1_000

/** Every merchant, oldest first; `hasMore` when there are more than a thousand. */
export async function listMerchants(db: Db): Promise<{ merchants: MerchantLine[]; hasMore: boolean }> {
  const accounts = await db.read((tx) => loadAccounts(tx, listMax + 1))
  const merchants = accounts.slice(0, listMax).map(({ id, name, createdAtMs, networks, settings }) => ({
    merchantId: id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    wallets: networks,
    settings,
  }))
  return { merchants, hasMore: accounts.length > listMax }
}
