import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { VaultError } from '../../merchant/vault.ts'
import { keyOfEnvironment, readSecrets } from '../secrets/secrets-file.ts'
import { type ConfigFile, NotJsonError, parseConfigFile } from './file.ts'

/** Lists every fault at once; never contains a secret's value. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n- ${faults.join('\n- ')}`,
    )
    this.name = 'ConfigError'
  }
}

/** Where neither the file nor the environment says it: beside whoever starts the service. */
const databaseDefault = 'data/checkout.sqlite'

export type Env = Readonly<Record<string, string | undefined>>

type Paths = { database: string; secretsFile: string | null }

/** What the file names lies beside the file; what the environment names, beside whoever starts the service. */
export function pathsOf(value: unknown, configPath: string | undefined, env: Env): Paths {
  const given = z.object({ database: z.string().optional(), secretsFile: z.string().optional() }).safeParse(value).data
  const beside = (name: string | undefined) =>
    name === undefined ? undefined : resolve(configPath === undefined ? '.' : dirname(configPath), name)
  return {
    database: env['DATABASE_PATH'] ?? beside(given?.database) ?? databaseDefault,
    secretsFile: beside(given?.secretsFile) ?? null,
  }
}

export function openSecrets({ database, secretsFile }: Paths, env: Env) {
  try {
    const key = keyOfEnvironment(env)
    return { key, secrets: secretsFile === null ? {} : readSecrets(secretsFile, key, database), faults: [] }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return { key: null, secrets: {}, faults: [error.message] }
  }
}

/** Where secrets lie and what seals them, also while a secret is missing. @throws {ConfigError} */
export function secretsPlace(env: Env): Paths & { key: Uint8Array | null } {
  const path = env['BFF_CONFIG']
  const paths = pathsOf(readSource(path).value, path, env)
  const { key, faults } = openSecrets({ ...paths, secretsFile: null }, env)
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...paths, key }
}

/** All defaults where no file is named. @throws {ConfigError} */
export function readSource(path: string | undefined): ConfigFile {
  if (path === undefined) return parseConfigFile('{}')
  if (!existsSync(path)) throw new ConfigError([`BFF_CONFIG: there is no file ${path}`])
  try {
    return parseConfigFile(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof NotJsonError) throw new ConfigError([`${path}:${error.at}: ${error.message}`])
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}
