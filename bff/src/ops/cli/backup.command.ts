import { Command } from '@commander-js/extra-typings'
import { type BackupFacts, backUp } from '../../db/backup.ts'
import { restore } from '../../db/restore.ts'
import { openVault } from '../../merchant/vault.ts'
import { type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'

const factLines = ({ bytes, payments, cursors }: BackupFacts): string => {
  const rows = cursors.map(({ network, block, time }) => [network, String(block), time])
  return `${payments} payments, ${bytes} bytes\n${table(['network', 'block', 'time'], rows, 'No chain was read yet.')}`
}

/** Copies the database while the service runs. */
export function backupCommand(cli: Cli) {
  return new Command('backup')
    .description('copy the database into a new file, verified, while the service runs')
    .argument('<file>', 'where to; it must not be there yet, and only its owner can read it')
    .option(...jsonOption)
    .action((file, options) =>
      cli.answer(options, async () => {
        const { database, secretsKey } = cli.config()
        const facts = await backUp(database, file)
        const key = secretsKey === null ? `the file ${database}.key` : 'SECRETS_KEY'
        const text = `${file}: ${factLines(facts)}\nThe secrets in it are sealed. Keep ${key} too, and in another place.`
        return { json: { file, ...facts }, text }
      }),
    )
}

/** Puts a backup in the place of the database; the service is stopped meanwhile. */
export function restoreCommand(cli: Cli) {
  return new Command('restore')
    .description('put a backup in the place of the database, which is kept; stop the service first')
    .argument('<file>', 'a backup')
    .option(...jsonOption)
    .action((file, options) =>
      cli.answer(options, async () => {
        const { database, secretsKey } = cli.config()
        const { runtime } = cli
        const restored = await restore({ database, backup: file, nowMs: runtime.nowMs() }, async (db) => {
          await openVault({ db, database, key: secretsKey, runtime })
        })
        const { putAside } = restored
        const before = putAside === null ? 'There was no database before.' : `What was there before is now ${putAside}.`
        const text = `${database}: ${factLines(restored)}\n${before}\nAt the next start the chains are read from these blocks on.`
        return { json: { database, ...restored }, text }
      }),
    )
}
