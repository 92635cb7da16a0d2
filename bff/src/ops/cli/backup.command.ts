import { Command } from '@commander-js/extra-typings'
import { OperatorError } from '../../core/errors.ts'
import { type BackupFacts, backUp } from '../../db/backup.ts'
import { isPostgres } from '../../db/location.ts'
import { restore } from '../../db/restore.ts'
import { openVault } from '../../db/vault.ts'
import { saveBackup } from '../../system/backup-store.ts'
import { type Cli, jsonOption } from './cli.ts'
import { progressOf } from './progress.ts'
import { table } from './text.ts'
import { withDb } from './with-db.ts'

const factLines = ({ bytes, payments, cursors }: BackupFacts): string => {
  const rows = cursors.map(({ network, block, time }) => [network, String(block), time])
  return `${payments} payments, ${bytes} bytes\n${table(['network', 'block', 'time'], rows, 'No chain was read yet.')}`
}

/** A dump is the state at one moment; the archived write-ahead log allows PostgreSQL to be restored to any moment. */
function refusePostgres(database: string, instead: string): void {
  if (!isPostgres(database)) return
  throw new OperatorError(
    `This command is for SQLite, and the database is PostgreSQL. Use PostgreSQL's own tools: ${instead}, or continuous archiving (https://www.postgresql.org/docs/current/backup.html). Keep SECRETS_KEY as well, in another place.`,
  )
}

export function backupCommand(cli: Cli) {
  return new Command('backup')
    .description('copy the database into a new file and verify the copy, while the service runs')
    .argument('<file>', 'a new file, readable by its owner only')
    .option(...jsonOption)
    .action((file, options) =>
      cli.answer(options, async () => {
        const { database } = cli.config('none')
        refusePostgres(database, 'pg_dump --format=custom --file=checkout.dump "$DATABASE_URL"')
        const progress = progressOf(cli)
        const facts = await backUp(database, file, progress.show).finally(progress.end)
        const made = { madeAtMs: cli.runtime.nowMs(), bytes: facts.bytes }
        await withDb({ database }, (db) => db.write((tx) => saveBackup(tx, made)))
        const { SECRETS_KEY: keyText, SECRETS_KEY_FILE: keyFile } = cli.env()
        const key = keyText !== undefined ? 'SECRETS_KEY' : `the file ${keyFile ?? `${database}.key`}`
        const text = `${file}: ${factLines(facts)}\nThe secrets in it are sealed. Keep ${key} as well, in another place.`
        return { json: { file, ...facts }, text }
      }),
    )
}

export function restoreCommand(cli: Cli) {
  return new Command('restore')
    .description('replace the database by a backup, and keep the old one; stop the service first')
    .argument('<backup>')
    .option(...jsonOption)
    .action((file, options) =>
      cli.answer(options, async () => {
        const { database, secretsKey } = cli.config('key')
        refusePostgres(
          database,
          'pg_restore --clean --if-exists --exit-on-error --dbname="$DATABASE_URL" checkout.dump',
        )
        const { runtime } = cli
        const restored = await restore({ database, backup: file, nowMs: runtime.nowMs() }, async (db) => {
          await openVault({ db, database, key: secretsKey, runtime })
        })
        const { putAside } = restored
        const before = putAside === null ? 'There was no database before.' : `The old database was kept as ${putAside}.`
        const text = `${database}: ${factLines(restored)}\n${before}\nAfter its next start the service reads the chains from these blocks on.`
        return { json: { database, ...restored }, text }
      }),
    )
}
