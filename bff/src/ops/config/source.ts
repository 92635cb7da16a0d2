import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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
export const databaseDefault = 'data/checkout.sqlite'

export type Env = Readonly<Record<string, string | undefined>>

/** The file that `init` and the set-up page write into a folder. */
export const configurationName = 'checkout.json'

/**
 * The configuration file of a command line: the named one, else that of `BFF_CONFIG`, else `checkout.json` of the working
 * directory. Undefined: there is none.
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

/** The same, with the key. @throws {ConfigError} */
export function secretsPlace(env: Env): Paths & { key: Uint8Array | null } {
  const paths = secretsPaths(env)
  const { key, faults } = openSecrets({ ...paths, secretsFile: null }, env)
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...paths, key }
}

/** Reads the file; an empty one when `path` is undefined. @throws {ConfigError} */
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
