import type { Db } from '../db/db.ts'
import { loadAccounts } from './account-store.ts'
import type { MerchantSettings } from './merchant-settings.ts'

export type MerchantLine = {
  merchantId: string
  name: string
  /** ISO 8601. */
  createdAt: string
  /** The networks it has a wallet on. */
  wallets: string[]
  settings: MerchantSettings
}

/** More than anyone reads on a terminal. */
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
