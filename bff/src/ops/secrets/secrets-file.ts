import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Runtime, systemRuntime } from '../../core/runtime.ts'
import { createVault, keyOfFile, parseKey, VaultError } from '../../merchant/vault.ts'

/** Sealed texts by the name of the environment variable that they stand for. */
const fileSchema = z.strictObject({
  version: z.literal(1),
  sealed: z.record(z.string(), z.string()),
})

type Sealed = Readonly<Record<string, string>>

/** What names the key: a variable, a file, or nothing, and then it is the file beside the database. */
export type KeySource = { SECRETS_KEY?: string | undefined; SECRETS_KEY_FILE?: string | undefined }

/**
 * The key that seals secrets at rest, 32 bytes; null: neither variable is set.
 * @throws {VaultError} when the file that is named is not there, or holds something else.
 */
export function keyOfEnvironment({ SECRETS_KEY: text, SECRETS_KEY_FILE: path }: KeySource): Uint8Array | null {
  if (text !== undefined) return parseKey(text) ?? null
  return path === undefined ? null : keyOfFile(path)
}

/**
 * Opens every secret of a file. Nothing of it stays sealed for later: a wrong key is found out at the start.
 * @param database - Beside it is the key where no other is named.
 * @throws {VaultError} with what to do; never with a secret.
 */
export function readSecrets(path: string, key: Uint8Array | null, database: string): Record<string, string> {
  const sealed = load(path)
  const vault = createVault(key ?? keyBeside(database, path), systemRuntime)
  const open = ([name, text]: [string, string]) => {
    try {
      return [name, vault.open(text, rowOf(name))]
    } catch {
      throw new VaultError(`${path}: ${name} was sealed with another key, or for another name.`)
    }
  }
  return Object.fromEntries(Object.entries(sealed).map(open))
}

/** Seals a secret into the file, which is made where it is not there, readable by its owner only. */
export function writeSecret(
  path: string,
  { key, database, runtime }: { key: Uint8Array | null; database: string; runtime: Runtime },
  name: string,
  text: string,
): void {
  const vault = createVault(key ?? keyBeside(database, path), runtime)
  save(path, { ...(existsSync(path) ? load(path) : {}), [name]: vault.seal(text, rowOf(name)) }, runtime)
}

/** @returns false when there was none of that name. */
export function removeSecret(path: string, name: string, runtime: Runtime): boolean {
  const { [name]: removed, ...rest } = existsSync(path) ? load(path) : {}
  if (removed === undefined) return false
  save(path, rest, runtime)
  return true
}

export const secretNames = (path: string): string[] => (existsSync(path) ? Object.keys(load(path)).sort() : [])

/** Bound to its name: sealed for one, it cannot be opened as another. */
const rowOf = (name: string): string => `secret ${name}`

function keyBeside(database: string, path: string): Uint8Array {
  if (existsSync(`${database}.key`)) return keyOfFile(`${database}.key`)
  throw new VaultError(
    `The secrets in ${path} are sealed, and their key is missing: put the file ${database}.key back, or set SECRETS_KEY or SECRETS_KEY_FILE.`,
  )
}

function load(path: string): Sealed {
  if (!existsSync(path)) throw new VaultError(`There is no file ${path}, which secretsFile names.`)
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).sealed
  } catch {
    throw new VaultError(`${path} is no file of sealed secrets: make it with "secrets set".`)
  }
}

/** Whole or not at all. */
function save(path: string, sealed: Sealed, runtime: Runtime): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${runtime.newUuid()}`
  writeFileSync(draft, `${JSON.stringify({ version: 1, sealed }, null, 2)}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  renameSync(draft, path)
}
