import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { openDb } from '../../db/sqlite/open-database.ts'
import { openVault, type Vault } from '../../merchant/vault.ts'
import type { Config } from '../config/config.ts'

/** Opens the database for one command, beside a service that may be running, and closes it whatever happens. */
export async function withDb<T>({ database }: Pick<Config, 'database'>, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(database)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** The same, with the secrets in it. */
export async function withVault<T>(
  config: Pick<Config, 'database' | 'secretsKey'>,
  runtime: Runtime,
  work: (open: { db: Db; vault: Vault }) => Promise<T>,
): Promise<T> {
  return await withDb(config, async (db) => {
    const vault = await openVault({ db, database: config.database, key: config.secretsKey, runtime })
    return await work({ db, vault })
  })
}
