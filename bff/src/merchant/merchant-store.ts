import { sql, type Tx } from '../db/db.ts'
import { integer, named, orNull, table, text, type ValuesOf } from '../db/table.ts'
import type { KeyKind, MerchantId } from '../payment/payment.ts'
import { loadWallets, type Wallet, walletMaps } from './account-store.ts'
import { addSource } from './address-source-store.ts'
import { type KeyRow, keys, kindOf } from './key-store.ts'
import type { MerchantSettings } from './merchant-settings.ts'
import { parseSettings, settingsColumns } from './settings-store.ts'

/** A key's account, with the merchant's data that creating payments needs. */
export type Credential = Pick<KeyRow, 'id' | 'kind' | 'isTest' | 'scope' | 'agentId' | 'merchantId'> & {
  /** Stored with each payment made with this key. */
  keyKind: KeyKind
  /** Hex SHA-256 of the secret; null for a public key. */
  secretSha256: string | null
  merchantName: string
  /** Settlement wallets by network. */
  wallets: ReadonlyMap<string, string>
  /** By network: what the merchant's own deposit addresses are derived from. Only networks with a named source. */
  sources: ReadonlyMap<string, string>
  settings: MerchantSettings
}

/** Undefined when the key is unknown, or has ended by `nowMs`. */
export async function loadCredential(tx: Tx, id: string, nowMs: number): Promise<Credential | undefined> {
  const row = await tx.get<{ secret_sha256: string | null; merchant_name: string }>(sql`
      select c.*, m.name as merchant_name, ${settingsColumns}
        from credentials c join merchants m on m.id = c.merchant_id
       where c.id = ${id} and (c.revoked_at_ms is null or c.revoked_at_ms > ${nowMs})`)
  if (!row) return undefined
  const key = keys.parse(row)
  const wallets = await loadWallets(tx, key.merchantId)
  return {
    ...key,
    keyKind: kindOf(key),
    secretSha256: row.secret_sha256,
    merchantName: row.merchant_name,
    ...walletMaps(wallets),
    settings: parseSettings(row),
  }
}

/** @param merchant - `webhookSecret`: sealed for the merchant's id. */
export async function insertMerchant(
  tx: Tx,
  merchant: { id: MerchantId; name: string; webhookSecret: string; createdAtMs: number },
): Promise<void> {
  await tx.run(sql`
      insert into merchants (id, name, webhook_secret, created_at_ms)
      values (${merchant.id}, ${merchant.name}, ${merchant.webhookSecret}, ${merchant.createdAtMs})`)
}

export async function saveWallet(tx: Tx, merchantId: MerchantId, { network, address, source }: Wallet): Promise<void> {
  if (source !== null) await addSource(tx, source)
  await tx.run(sql`
      insert into settlement_wallets (merchant_id, network, address, source)
      values (${merchantId}, ${network}, ${address}, ${source})
      on conflict (merchant_id, network) do update set address = excluded.address, source = excluded.source`)
}

export async function insertCredential(
  tx: Tx,
  credential: Omit<KeyRow, 'endsAtMs' | 'name' | 'lastUsedAtMs'> & Pick<Credential, 'secretSha256'>,
): Promise<void> {
  await tx.run(sql`
      insert into credentials (${keys.names}, secret_sha256)
      values (${keys.values({ ...credential, name: null, lastUsedAtMs: null, endsAtMs: null })}, ${credential.secretSha256})`)
}

const secretsOf = table('merchants', {
  current: named('webhook_secret', text()),
  previous: named('previous_webhook_secret', orNull(text())),
  previousUntilMs: named('previous_webhook_secret_until_ms', orNull(integer())),
})

/** Sealed for the merchant's id. The previous secret also signs until its overlap ends. */
export type MerchantSecrets = ValuesOf<typeof secretsOf>

export async function loadMerchantSecrets(tx: Tx, id: MerchantId): Promise<MerchantSecrets | undefined> {
  const row = await tx.get<object>(sql`select ${secretsOf.names} from merchants where id = ${id}`)
  return row && secretsOf.parse(row)
}

export async function saveMerchantSecrets(tx: Tx, id: MerchantId, secrets: MerchantSecrets): Promise<void> {
  await tx.run(sql`update merchants set ${secretsOf.set(secrets)} where id = ${id}`)
}
