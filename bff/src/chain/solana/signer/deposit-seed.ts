import type { Runtime } from '../../../core/runtime.ts'
import { type Db, sql } from '../../../db/db.ts'
import type { Vault } from '../../../merchant/vault.ts'

/** What SLIP-0010 advises, and half of what it takes at most. */
const seedBytes = 32

/** The row that the sealed text is bound to. */
const row = 'solana-seed'

/**
 * The seed of all deposit addresses on Solana: made at the first start with such a network, and from then on the same. It is
 * sealed with the key of the other secrets; whoever loses the database or that key loses the money at open addresses.
 * @throws {VaultError} when the key does not fit.
 */
export async function openSolanaSeed(db: Db, vault: Vault, runtime: Runtime): Promise<Uint8Array> {
  const sealed = (await loadSealed(db)) ?? (await saveSealed(db, vault, runtime))
  return Buffer.from(vault.open(sealed, row), 'base64')
}

async function loadSealed(db: Db): Promise<string | undefined> {
  return (await db.read((tx) => tx.get<{ sealed: string }>(sql`select sealed from solana_seed where id = 1`)))?.sealed
}

/** @returns what is stored: another process may have been first. */
async function saveSealed(db: Db, vault: Vault, runtime: Runtime): Promise<string> {
  const sealed = vault.seal(Buffer.from(runtime.randomBytes(seedBytes)).toString('base64'), row)
  await db.write((tx) =>
    tx.run(sql`insert into solana_seed (id, sealed) values (1, ${sealed}) on conflict (id) do nothing`),
  )
  return (await loadSealed(db)) ?? sealed
}
