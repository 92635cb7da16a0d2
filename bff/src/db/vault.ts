import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import { type Db, sql } from '../db/db.ts'
import { isPostgres, shownDatabase } from '../db/location.ts'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
/**
 * Nonce length of AES-GCM. With random nonces, one key must not seal more than 2³² texts, which is far above the number of
 * secrets.
 */
const nonceBytes = 12
const tagBytes = 16

/** The version of the sealed format. */
const version = 'v1.'

/** A known text, sealed once so that a wrong key is detected later. */
const check = { row: 'vault', text: 'This key fits.' }

/** The key is missing or wrong. The message is for the operator. */
export class VaultError extends OperatorError {}

/** Seals secrets that must be readable again. A stolen database file or backup is useless without the key. */
export type Vault = {
  /** @param row - The id of the row that stores the text: sealed for one row, it cannot be opened in another. */
  seal(text: string, row: string): string
  /** @throws {VaultError} when the text was sealed with another key or for another row, or was changed. */
  open(sealed: string, row: string): string
  /** 32 bytes derived from the key and the purpose. They reveal nothing about the key or other purposes. */
  derive(purpose: string): Uint8Array
}

/** @param key - 32 bytes. */
export function createVault(key: Uint8Array, runtime: Runtime): Vault {
  return {
    seal(text, row) {
      const nonce = runtime.randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(row))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return version + Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    open(sealed, row) {
      const bytes = Buffer.from(sealed.startsWith(version) ? sealed.slice(version.length) : '', 'base64url')
      const nonce = bytes.subarray(0, nonceBytes)
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
      try {
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
        decipher.setAAD(Buffer.from(row)).setAuthTag(tag)
        const text = decipher.update(bytes.subarray(nonceBytes + tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        throw new VaultError(`The secret of ${row} cannot be read with this key.`)
      }
    },
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', key, '', purpose, keyBytes)),
  }
}

type Source = { db: Db; database: string; key: Uint8Array | null; runtime: Runtime }

/**
 * Opens a database's vault with the configured key, or with the key file beside the database, which the
 * first start creates.
 * @throws {VaultError} when the key does not fit, before anything is read or written with it.
 */
export async function openVault({ db, database, key, runtime }: Source): Promise<Vault> {
  if (key === null && isPostgres(database)) throw new VaultError('SECRETS_KEY is needed with PostgreSQL.')
  const path = `${database}.key`
  const stored = await loadCheck(db)
  if (key === null && stored !== undefined && !existsSync(path)) {
    throw new VaultError(
      `The secrets in ${shownDatabase(database)} are sealed and their key is missing. Put the file ${path} back, or set SECRETS_KEY.`,
    )
  }
  const source = key === null ? `the file ${path}` : 'SECRETS_KEY'
  const vault = createVault(key ?? keyFile(path, runtime), runtime)
  const sealed = stored ?? (await saveCheck(db, vault.seal(check.text, check.row)))
  try {
    vault.open(sealed, check.row)
  } catch {
    throw new VaultError(
      `The secrets in ${shownDatabase(database)} were sealed with another key than the one in ${source}.`,
    )
  }
  return vault
}

/** Reads the key file, or creates it, readable by its owner only. @throws {VaultError} when it contains something else. */
function keyFile(path: string, runtime: Runtime): Uint8Array {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    const draft = `${path}.${runtime.newUuid()}`
    writeFileSync(draft, `${Buffer.from(runtime.randomBytes(keyBytes)).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    })
    try {
      // Atomic, and never overwrites a file that another process has just created.
      linkSync(draft, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    } finally {
      rmSync(draft)
    }
  }
  return keyOfFile(path)
}

/** @throws {VaultError} when the file cannot be read, or contains something else. */
export function keyOfFile(path: string): Uint8Array {
  if (!existsSync(path)) throw new VaultError(`There is no key file ${path}.`)
  const key = parseKey(readFileSync(path, 'utf8').trim())
  if (!key) throw new VaultError(`The file ${path} must hold ${keyBytes} bytes as base64.`)
  return key
}

/** 32 bytes as base64 or hex; undefined when the text is something else. */
export function parseKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  const key = Buffer.from(text, 'base64')
  return key.length === keyBytes && key.toString('base64') === text ? key : undefined
}

async function loadCheck(db: Db): Promise<string | undefined> {
  return (await db.read((tx) => tx.get<{ sealed: string }>(sql`select sealed from vault where id = 1`)))?.sealed
}

/** @returns the stored check, which may be another process's. */
async function saveCheck(db: Db, sealed: string): Promise<string> {
  await db.write((tx) => tx.run(sql`insert into vault (id, sealed) values (1, ${sealed}) on conflict (id) do nothing`))
  return (await loadCheck(db)) ?? sealed
}
