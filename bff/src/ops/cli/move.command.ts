import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { OperatorError } from '../../core/errors.ts'
import { databaseFault, isPostgres, shownDatabase } from '../../db/location.ts'
import type { Moved } from '../../db/move/move.ts'
import { isMoved } from '../../db/move/moved.ts'
import { type Cli, jsonOption } from './cli.ts'
import { progressOf } from './progress.ts'
import { table } from './text.ts'
import { withVault } from './with-db.ts'

const description = `copy the SQLite database of a stopped service to PostgreSQL

Copies every row in one transaction, reads every row back, and compares rows, counts and sums of money. Then
marks the file, which otherwise stays unchanged: a service started on it by mistake reports where the data is. A
killed run can be repeated.

Leave the password out of the URL, and set PGPASSWORD: process lists show arguments.`

export function moveCommand(cli: Cli) {
  return new Command('move')
    .summary('copy the database from SQLite to PostgreSQL; stop the service first')
    .description(description)
    .requiredOption('--to <url>', 'an empty database, such as postgres://user@host:5432/checkout', postgresUrl)
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const config = cli.config('key')
        const { database, secretsKey } = config
        if (isPostgres(database))
          throw new OperatorError('The configuration already names PostgreSQL: name the SQLite file.')
        if (!existsSync(database)) throw new OperatorError(`No database at ${database}.`)
        // Otherwise a wrong key would be detected only when the service starts on the copy.
        if (!isMoved(database)) await withVault(config, cli.runtime, async () => undefined)
        const progress = progressOf(cli)
        const { moveDatabase } = await import('../../db/move/move.ts')
        const moved = await moveDatabase(database, options.to, cli.runtime.nowMs(), progress.show).finally(progress.end)
        const target = shownDatabase(options.to)
        const key = secretsKey === null ? ` and SECRETS_KEY_FILE=${database}.key` : ' and keep SECRETS_KEY'
        const next = `Set DATABASE_URL to ${target} with its password${key}, and start the service.`
        return {
          json: { database, target, ...moved },
          text: [...linesOf(database, target, moved), next].join('\n'),
        }
      }),
    )
}

function linesOf(database: string, target: string, { outcome, tables }: Moved) {
  if (outcome === 'was moved before') return [`${database} was already moved to ${target}.`]
  const rows = tables
    .filter((one) => one.rows > 0)
    .map((one) => {
      const sums = Object.entries(one.sums).map(([column, sum]) => `${column} ${sum}`)
      return [one.name, String(one.rows), sums.join(', ')]
    })
  const verdict =
    outcome === 'copied'
      ? `Every row of ${database} is in ${target}.`
      : `An earlier run has copied every row of ${database} to ${target}.`
  return [table(['table', 'rows', 'sums in base units'], rows, 'There are no rows.'), verdict]
}

function postgresUrl(text: string): string {
  const fault = isPostgres(text) ? databaseFault(text) : 'must be a URL such as postgres://user@host:5432/checkout'
  if (fault !== null) throw new InvalidArgumentError(`It ${fault}.`)
  return text
}
