import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Runtime, systemRuntime } from '../../core/runtime.ts'
import { createVault, keyOfFile, parseKey, VaultError } from '../../db/vault.ts'

/** Sealed secrets by the name of the corresponding environment variable. */
const fileSchema = z.strictObject({
  version: z.literal(1),
  sealed: z.record(z.string(), z.string()),
})

type Sealed = Readonly<Record<string, string>>

/** The key, or its file. With neither, the key file beside the database is used. */
export type KeySource = { SECRETS_KEY?: string | undefined; SECRETS_KEY_FILE?: string | undefined }

/**
 * The key that seals secrets: 32 bytes, or null when neither variable is set.
 * @throws {VaultError} when the file is missing or contains no key.
 */
export function keyOfEnvironment({ SECRETS_KEY: text, SECRETS_KEY_FILE: path }: KeySource): Uint8Array | null {
  if (text !== undefined) return parseKey(text) ?? null
  return path === undefined ? null : keyOfFile(path)
}

/**
 * Opens all secrets of a file, so that a wrong key is refused at startup.
 * @param database - Its key file is used when `key` is null.
 * @throws {VaultError} with the fix, without a secret.
 */
export function readSecrets(path: string, key: Uint8Array | null, database: string): Record<string, string> {
  const sealed = load(path)
  const vault = createVault(key ?? keyBeside(database, path), systemRuntime)
  const open = ([name, text]: [string, string]) => {
    try {
      return [name, vault.open(text, rowOf(name))]
    } catch {
      throw new VaultError(`${path}: ${name} was sealed with another key, or under another name.`)
    }
  }
  return Object.fromEntries(Object.entries(sealed).map(open))
}

/** Creates a file without secrets, so that a configuration can name it before there is one. */
export const createSecrets = (path: string, runtime: Runtime): void => save(path, {}, runtime)

/** Seals a secret into the file, which is created if missing, readable by its owner only. */
export function writeSecret(
  path: string,
  { key, database, runtime }: { key: Uint8Array | null; database: string; runtime: Runtime },
  name: string,
  text: string,
): void {
  const vault = createVault(key ?? keyBeside(database, path), runtime)
  save(path, { ...(existsSync(path) ? load(path) : {}), [name]: vault.seal(text, rowOf(name)) }, runtime)
}

/** @returns false when the file does not contain the secret. */
export function removeSecret(path: string, name: string, runtime: Runtime): boolean {
  const { [name]: removed, ...rest } = existsSync(path) ? load(path) : {}
  if (removed === undefined) return false
  save(path, rest, runtime)
  return true
}

export const secretNames = (path: string): string[] => (existsSync(path) ? Object.keys(load(path)).sort() : [])

/** A secret is sealed for its name, so that it cannot be opened under another one. */
const rowOf = (name: string): string => `secret ${name}`

function keyBeside(database: string, path: string): Uint8Array {
  if (existsSync(`${database}.key`)) return keyOfFile(`${database}.key`)
  throw new VaultError(
    `The secrets in ${path} are sealed and their key is missing. Restore the file ${database}.key, or set SECRETS_KEY or SECRETS_KEY_FILE.`,
  )
}

function load(path: string): Sealed {
  if (!existsSync(path)) throw new VaultError(`The file ${path}, named by secretsFile, does not exist.`)
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).sealed
  } catch {
    throw new VaultError(`${path} is not a file of sealed secrets: create it with "secrets set".`)
  }
}

/** Writes a temporary file and renames it, so that the file is never half written. */
function save(path: string, sealed: Sealed, runtime: Runtime): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${runtime.newUuid()}`
  writeFileSync(draft, `${JSON.stringify({ version: 1, sealed }, null, 2)}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  renameSync(draft, path)
}
