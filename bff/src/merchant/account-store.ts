import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { MerchantSettings } from './merchant-settings.ts'
import { parseSettings, settingsColumns } from './settings-store.ts'

export type Account = {
  id: MerchantId
  name: string
  createdAtMs: number
  /** The networks on which the merchant has a settlement wallet. */
  networks: string[]
  settings: MerchantSettings
}

type AccountRow = { id: MerchantId; name: string; created_at_ms: number }

/** Oldest first, at most `limit`. */
export async function loadAccounts(tx: Tx, limit: number): Promise<Account[]> {
  const rows = await tx.all<AccountRow>(sql`
      select id, name, created_at_ms, ${settingsColumns} from merchants
       order by created_at_ms, id limit ${limit}`)
  const wallets = await tx.all<{ merchant_id: MerchantId; network: string }>(sql`
      select merchant_id, network from settlement_wallets
       where merchant_id in (select id from merchants order by created_at_ms, id limit ${limit})
       order by network`)
  const networks = new Map<MerchantId, string[]>()
  for (const { merchant_id: id, network } of wallets) networks.set(id, [...(networks.get(id) ?? []), network])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAtMs: row.created_at_ms,
    networks: networks.get(row.id) ?? [],
    settings: parseSettings(row),
  }))
}

/** The merchant's name and settings; undefined when there is no such merchant. */
export async function loadAccount(tx: Tx, id: MerchantId): Promise<Pick<Account, 'name' | 'settings'> | undefined> {
  const row = await tx.get<{ name: string }>(sql`
      select name, ${settingsColumns} from merchants where id = ${id}`)
  return row && { name: row.name, settings: parseSettings(row) }
}

export async function saveName(tx: Tx, id: MerchantId, name: string): Promise<void> {
  await tx.run(sql`update merchants set name = ${name} where id = ${id}`)
}

export async function hasAccount(tx: Tx, id: MerchantId): Promise<boolean> {
  return (await tx.get(sql`select id from merchants where id = ${id}`)) !== undefined
}

/** `source`: what the merchant's own deposit addresses are derived from; null where the service makes the addresses. */
export type Wallet = { network: string; address: string; source: string | null }

/** A merchant's wallets, ordered by network. */
export async function loadWallets(tx: Tx, id: MerchantId): Promise<Wallet[]> {
  return await tx.all<Wallet>(sql`
      select network, address, source from settlement_wallets where merchant_id = ${id} order by network`)
}

/** The wallets' addresses and sources, each by network. */
export const walletMaps = (
  wallets: readonly Wallet[],
): { wallets: ReadonlyMap<string, string>; sources: ReadonlyMap<string, string> } => ({
  wallets: new Map(wallets.map(({ network, address }) => [network, address])),
  sources: new Map(wallets.flatMap(({ network, source }) => (source === null ? [] : [[network, source] as const]))),
})
