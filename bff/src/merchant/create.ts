import { createHash } from 'node:crypto'
import { addressFormat, parseAddress } from '../chain/address.ts'
import { findNetwork, type Networks } from '../chain/networks.ts'
import type { Db } from '../db/db.ts'
import { ValidationError } from '../errors.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { Runtime } from '../runtime.ts'
import { insertCredential, insertMerchant, saveWallet } from './merchant-store.ts'
import { defaultSettings, type MerchantSettings } from './settings.ts'
import { saveSettings } from './settings-store.ts'
import type { Vault } from './vault.ts'

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

/** 256 bits: a hash without salt is then as good as one with. */
const secretBytes = 32
/** Keys are looked up, not guessed against: 144 bits keep them short and unguessable. */
const keyBytes = 18

/** @throws {ValidationError} when the name is empty, a network is not configured, or a wallet is not an address of it. */
export async function createMerchant(
  { db, networks, runtime, vault }: { db: Db; networks: Networks; runtime: Runtime; vault: Vault },
  { name, wallets, webhookSecret, settings }: NewMerchantFields,
): Promise<NewMerchant> {
  if (name.trim() === '') throw new ValidationError('name must not be empty')
  const checked = [...wallets].map(([network, address]) => checkWallet(networks, network, address))
  const key = (prefix: string) => prefix + Buffer.from(runtime.randomBytes(keyBytes)).toString('base64url')
  const created: NewMerchant = {
    merchantId: runtime.newUuid(),
    publicKey: key('pk_live_'),
    testPublicKey: key('pk_test_'),
    apiKey: key('ak_'),
    apiSecret: `sk_${Buffer.from(runtime.randomBytes(secretBytes)).toString('base64url')}`,
    webhookSecret,
  }
  const merchantId = created.merchantId as MerchantId
  const createdAtMs = runtime.nowMs()
  const publicKey = { kind: 'public', secretSha256: null, merchantId, createdAtMs } as const
  const sealed = vault.seal(webhookSecret, merchantId)
  await db.write(async (tx) => {
    await insertMerchant(tx, { id: merchantId, name: name.trim(), webhookSecret: sealed, createdAtMs })
    if (settings) await saveSettings(tx, merchantId, { ...defaultSettings, ...settings })
    for (const { network, address } of checked) await saveWallet(tx, merchantId, network, address)
    await insertCredential(tx, { ...publicKey, id: created.publicKey, isTest: false })
    await insertCredential(tx, { ...publicKey, id: created.testPublicKey, isTest: true })
    const secretSha256 = sha256(created.apiSecret)
    await insertCredential(tx, {
      id: created.apiKey,
      kind: 'api',
      isTest: false,
      secretSha256,
      merchantId,
      createdAtMs,
    })
  })
  return created
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checkWallet(networks: Networks, shortName: string, address: string): { network: string; address: string } {
  const network = findNetwork(networks, shortName)
  if (!network) throw new ValidationError(`wallet: there is no network "${shortName}" in the configuration`)
  const parsed = parseAddress(network, address)
  if (!parsed) {
    throw new ValidationError(`wallet: "${address}" is not an address of ${network.name}: ${addressFormat(network)}`)
  }
  return { network: network.shortName, address: parsed }
}
