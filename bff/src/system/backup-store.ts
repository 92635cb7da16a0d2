import { sql, type Tx } from '../db/db.ts'

export type Backup = { madeAtMs: number; bytes: number }

/** Undefined when the command `backup` has never run. */
export async function loadBackup(tx: Tx): Promise<Backup | undefined> {
  return await tx.get<Backup>(sql`select made_at_ms as "madeAtMs", bytes from backups where id = 1`)
}

/** Replaces the previous record. */
export async function saveBackup(tx: Tx, { madeAtMs, bytes }: Backup): Promise<void> {
  await tx.run(sql`
      insert into backups (id, made_at_ms, bytes) values (1, ${madeAtMs}, ${bytes})
      on conflict (id) do update set made_at_ms = excluded.made_at_ms, bytes = excluded.bytes`)
}
