import { ValidationError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { newApiKey, newPublicKey } from './keys.ts'
import { defaultSettings, type MerchantSettings } from './merchant-settings.ts'
import { insertCredential, insertMerchant, saveWallet } from './merchant-store.ts'
import { saveSettings } from './settings-store.ts'
import type { Vault } from './vault.ts'
import { checkWallet } from './wallets.ts'

/** Shown once: only the hash of the secret is kept. */
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

/** @throws {ValidationError} when the name is empty, a network is not configured, or a wallet is not an address of it. */
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
    for (const { network, address } of checked) await saveWallet(tx, merchantId, network, address)
    for (const { credential } of [live, test, api]) await insertCredential(tx, credential)
  })
  return created
}
