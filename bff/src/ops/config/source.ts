import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../core/errors.ts'
import { isPostgres } from '../../db/location.ts'
import { VaultError } from '../../db/vault.ts'
import { keyOfEnvironment, readSecrets } from '../secrets/secrets-file.ts'
import { type ConfigFile, NotJsonError, parseConfigFile } from './file.ts'

/** Contains all faults, never a secret's value. */
export class ConfigError extends OperatorError {
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n- ${faults.join('\n- ')}`,
    )
    this.name = 'ConfigError'
  }
}

/** Relative to the working directory. */
const databaseDefault = 'data/checkout.sqlite'

export type Env = Readonly<Record<string, string | undefined>>

/** The file that `init` and the set-up page write into a folder. */
export const configurationName = 'checkout.json'

/**
 * The configuration file of a command line: the named one, else `BFF_CONFIG`, else `checkout.json` in the working
 * directory. Undefined when there is none.
 */
export function configurationPath(
  named: string | undefined,
  { env, folder }: { env: () => Env; folder: string },
): string | undefined {
  const given = named ?? (env()['BFF_CONFIG'] || undefined)
  if (given !== undefined) return given
  const own = join(folder, configurationName)
  return existsSync(own) ? own : undefined
}

/**
 * Where a service can be set up: the folder of a `checkout.json` that does not exist. Null when there is a configuration, or when the
 * environment names a database. A missing file with another name is a mistake, which the configuration reports.
 */
export function setupFolder(env: Env, folder: string): string | null {
  if (env['DATABASE_URL'] || env['DATABASE_PATH']) return null
  const named = env['BFF_CONFIG']
  if (!named) return existsSync(join(folder, databaseDefault)) ? null : folder
  return existsSync(named) || basename(named) !== configurationName ? null : dirname(named)
}

type Paths = { database: string; secretsFile: string | null }

/** Paths in the file are relative to the file; paths in the environment, to the working directory. */
export function pathsOf(value: unknown, configPath: string | undefined, env: Env): Paths {
  const given = z.object({ database: z.string().optional(), secretsFile: z.string().optional() }).safeParse(value).data
  const beside = (name: string | undefined) =>
    name === undefined ? undefined : resolve(configPath === undefined ? '.' : dirname(configPath), name)
  const databaseOf = (name: string | undefined) => (name !== undefined && isPostgres(name) ? name : beside(name))
  return {
    database: env['DATABASE_URL'] || env['DATABASE_PATH'] || databaseOf(given?.database) || databaseDefault,
    secretsFile: beside(given?.secretsFile) ?? null,
  }
}

export function openSecrets({ database, secretsFile }: Paths, env: Env) {
  try {
    const key = keyOfEnvironment(env)
    if (key === null && isPostgres(database)) {
      const fault =
        'SECRETS_KEY or SECRETS_KEY_FILE is required with PostgreSQL: the key file exists only beside a SQLite file'
      return { key: null, secrets: {}, faults: [fault] }
    }
    return { key, secrets: secretsFile === null ? {} : readSecrets(secretsFile, key, database), faults: [] }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return { key: null, secrets: {}, faults: [error.message] }
  }
}

/** The paths of the secrets, even when the rest of the configuration is invalid. @throws {ConfigError} */
export function secretsPaths(env: Env): Paths {
  const path = env['BFF_CONFIG']
  return pathsOf(readSource(path).value, path, env)
}

/** The paths of the secrets, with the key that opens them. @throws {ConfigError} */
export function secretsPlace(env: Env): Paths & { key: Uint8Array | null } {
  const paths = secretsPaths(env)
  const { key, faults } = openSecrets({ ...paths, secretsFile: null }, env)
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...paths, key }
}

/** Reads the file; an empty configuration when `path` is undefined. @throws {ConfigError} */
export function readSource(path: string | undefined): ConfigFile {
  if (path === undefined) return parseConfigFile('{}')
  if (!existsSync(path)) throw new ConfigError([`BFF_CONFIG: no such file: ${path}`])
  try {
    return parseConfigFile(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof NotJsonError) throw new ConfigError([`${path}:${error.at}: ${error.message}`])
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}
