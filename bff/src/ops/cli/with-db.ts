import { OperatorError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { openDatabase } from '../../db/open-database.ts'
import { openVault, type Vault } from '../../db/vault.ts'
import type { Config } from '../config/config.ts'
import { setupFolder } from '../config/source.ts'
import type { Answer, AnswerOptions, Cli } from './cli.ts'

export type OpenDb = { config: Config; db: Db }

/** Runs a command on the database, which a running service may be using. */
export function answerFromDb(cli: Cli, options: AnswerOptions, work: (open: OpenDb) => Promise<Answer>): Promise<void> {
  return cli.answer(options, async () => {
    refuseWithoutService(cli)
    const config = cli.config('none')
    return await withDb(config, (db) => work({ config, db }))
  })
}

/** The same, with the vault that opens the secrets in the database. */
export function answerFromVault(
  cli: Cli,
  options: AnswerOptions,
  work: (open: OpenDb & { vault: Vault }) => Promise<Answer>,
): Promise<void> {
  return cli.answer(options, async () => {
    refuseWithoutService(cli)
    const config = cli.config('key')
    return await withVault(config, cli.runtime, (open) => work({ config, ...open }))
  })
}

/**
 * Refuses a command that was typed in the wrong folder or too early. It would create an empty database, which the next start
 * would serve instead of the set-up page.
 */
export function refuseWithoutService(cli: Cli): void {
  const folder = setupFolder(cli.env(), cli.folder)
  if (folder === null) return
  throw new OperatorError(
    `${folder} has no service. Run the command in the folder of checkout.json, name that file by --config or BFF_CONFIG, or create a service by "init".`,
  )
}

/** Opens the database for one task, and always closes it. */
export async function withDb<T>({ database }: Pick<Config, 'database'>, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase(database)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

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
