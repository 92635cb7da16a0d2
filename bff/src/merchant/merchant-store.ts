import { sql, type Tx } from '../db/db.ts'
import type { KeyKind, MerchantId } from '../payment/payment.ts'
import type { KeyScope } from './key-scope.ts'
import type { MerchantSettings } from './merchant-settings.ts'
import { fromSettingsRow, type SettingsRow } from './settings-store.ts'

export type CredentialKind = 'public' | 'api'

/** The account behind a key, with the merchant data that creates need. */
export type Credential = {
  id: string
  kind: CredentialKind
  isTest: boolean
  /** Of an API key; `merchant` for any other. */
  scope: KeyScope
  /** The agent that a key with the scope `agent` is for; null: any other key. */
  agentId: string | null
  /** Stored with payments made with this key. */
  keyKind: KeyKind
  /** Hex SHA-256 of the secret; null for a public key. */
  secretSha256: string | null
  merchantId: MerchantId
  merchantName: string
  /** Settlement wallets by network. */
  wallets: ReadonlyMap<string, string>
  settings: MerchantSettings
}

type CredentialRow = SettingsRow & {
  id: string
  kind: CredentialKind
  is_test: number
  scope: KeyScope | null
  agent_id: string | null
  secret_sha256: string | null
  merchant_id: MerchantId
  merchant_name: string
}

/** Undefined when the key is unknown, or ended before `nowMs`. */
export async function loadCredential(tx: Tx, id: string, nowMs: number): Promise<Credential | undefined> {
  const row = await tx.get<CredentialRow>(sql`
      select c.id, c.kind, c.is_test, c.scope, c.agent_id, c.secret_sha256, c.merchant_id, m.name as merchant_name,
             m.tolerance_bps, m.tolerance_max_micros, m.late_payments, m.public_reports,
             m.signature_gas_bps, m.signature_gas_min_micros, m.signature_gas_max_micros, m.key_origins
        from credentials c join merchants m on m.id = c.merchant_id
       where c.id = ${id} and (c.revoked_at_ms is null or c.revoked_at_ms > ${nowMs})`)
  if (!row) return undefined
  const wallets = await tx.all<{ network: string; address: string }>(sql`
      select network, address from settlement_wallets where merchant_id = ${row.merchant_id}`)
  return {
    id: row.id,
    kind: row.kind,
    isTest: row.is_test === 1,
    scope: row.scope ?? 'merchant',
    agentId: row.agent_id,
    keyKind: row.kind === 'api' ? 'api' : row.is_test === 1 ? 'test' : 'public',
    secretSha256: row.secret_sha256,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    wallets: new Map(wallets.map(({ network, address }) => [network, address])),
    settings: fromSettingsRow(row),
  }
}

/** @param merchant - `webhookSecret` is sealed for the merchant's id. */
export async function insertMerchant(
  tx: Tx,
  merchant: { id: MerchantId; name: string; webhookSecret: string; createdAtMs: number },
): Promise<void> {
  await tx.run(sql`
      insert into merchants (id, name, webhook_secret, created_at_ms)
      values (${merchant.id}, ${merchant.name}, ${merchant.webhookSecret}, ${merchant.createdAtMs})`)
}

export async function saveWallet(tx: Tx, merchantId: MerchantId, network: string, address: string): Promise<void> {
  await tx.run(sql`
      insert into settlement_wallets (merchant_id, network, address) values (${merchantId}, ${network}, ${address})
      on conflict (merchant_id, network) do update set address = excluded.address`)
}

export async function insertCredential(
  tx: Tx,
  credential: Pick<Credential, 'id' | 'kind' | 'isTest' | 'scope' | 'agentId' | 'secretSha256' | 'merchantId'> & {
    createdAtMs: number
  },
): Promise<void> {
  await tx.run(sql`
      insert into credentials (id, merchant_id, kind, is_test, scope, agent_id, secret_sha256, created_at_ms)
      values (${credential.id}, ${credential.merchantId}, ${credential.kind}, ${credential.isTest ? 1 : 0},
              ${credential.scope === 'merchant' ? null : credential.scope}, ${credential.agentId},
              ${credential.secretSha256}, ${credential.createdAtMs})`)
}

/** Sealed for the merchant's id. The previous one also signs until its overlap ends. */
export type MerchantSecrets = { current: string; previous: string | null; previousUntilMs: number | null }

export async function loadMerchantSecrets(tx: Tx, id: MerchantId): Promise<MerchantSecrets | undefined> {
  return await tx.get<MerchantSecrets>(sql`
      select webhook_secret as "current", previous_webhook_secret as "previous",
             previous_webhook_secret_until_ms as "previousUntilMs"
        from merchants where id = ${id}`)
}

export async function saveMerchantSecrets(tx: Tx, id: MerchantId, secrets: MerchantSecrets): Promise<void> {
  await tx.run(sql`
      update merchants
         set webhook_secret = ${secrets.current}, previous_webhook_secret = ${secrets.previous},
             previous_webhook_secret_until_ms = ${secrets.previousUntilMs}
       where id = ${id}`)
}
