import type { Runtime } from '../../../core/runtime.ts'
import { type Db, sql } from '../../../db/db.ts'
import type { Vault } from '../../../db/vault.ts'

/** The length recommended by SLIP-0010; it allows 64. */
const seedBytes = 32

/** The row to which the sealed text is bound. */
const row = 'solana-seed'

/**
 * The seed of all Solana deposit addresses: created at the first start with a Solana network, and constant from then on. Sealed
 * with the key of the other secrets; without the database or that key, money at open addresses is lost.
 * @throws {VaultError} when the seed was sealed with another key.
 */
export async function openSolanaSeed(db: Db, vault: Vault, runtime: Runtime): Promise<Uint8Array> {
  const sealed = (await loadSealed(db)) ?? (await saveSealed(db, vault, runtime))
  return Buffer.from(vault.open(sealed, row), 'base64')
}

async function loadSealed(db: Db): Promise<string | undefined> {
  return (await db.read((tx) => tx.get<{ sealed: string }>(sql`select sealed from solana_seed where id = 1`)))?.sealed
}

/** @returns the stored value; another process may have been faster. */
async function saveSealed(db: Db, vault: Vault, runtime: Runtime): Promise<string> {
  const sealed = vault.seal(Buffer.from(runtime.randomBytes(seedBytes)).toString('base64'), row)
  await db.write((tx) =>
    tx.run(sql`insert into solana_seed (id, sealed) values (1, ${sealed}) on conflict (id) do nothing`),
  )
  return (await loadSealed(db)) ?? sealed
}
