import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabaseFolder, writeDatabaseFile } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemRuntime as runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { openSqlite } from '../db/sqlite/open-sqlite.ts'
import { createVault, openVault, parseKey } from './vault.ts'

let folder: string
let database: string
let db: Db
beforeEach(async () => {
  folder = makeDatabaseFolder()
  database = join(folder, 'checkout.sqlite')
  await writeDatabaseFile(database)
  db = openSqlite(database)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const open = (key: Uint8Array | null = null) => openVault({ db, database, key, runtime })

describe('a vault', () => {
  const vault = createVault(runtime.randomBytes(32), runtime)

  test('gives back what it sealed, and seals the same text differently each time', () => {
    const sealed = [vault.seal('whsec_geheim ✓', 'row-1'), vault.seal('whsec_geheim ✓', 'row-1')]
    expect(sealed.map((text) => vault.open(text, 'row-1'))).toEqual(['whsec_geheim ✓', 'whsec_geheim ✓'])
    expect(sealed[0]).not.toBe(sealed[1])
    expect(sealed.join()).not.toContain('geheim')
  })

  test('opens nothing in another row, with another key, or after a change', () => {
    const sealed = vault.seal('secret', 'row-1')
    const stranger = createVault(runtime.randomBytes(32), runtime)
    expect(() => vault.open(sealed, 'row-2')).toThrow('The secret of row-2 cannot be read with this key.')
    expect(() => stranger.open(sealed, 'row-1')).toThrow('cannot be read')
    for (let at = 3; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      // The last character of base64 may hold bits that mean nothing.
      if (Buffer.from(changed.slice(3), 'base64url').equals(Buffer.from(sealed.slice(3), 'base64url'))) continue
      expect(() => vault.open(changed, 'row-1')).toThrow('cannot be read')
    }
    for (const text of ['', 'v1.', 'v1.AAAA', 'whsec_plain', sealed.slice(3)]) {
      expect(() => vault.open(text, 'row-1')).toThrow('cannot be read')
    }
  })

  test('opens nothing in a row whose id begins like the right one', () => {
    const id = runtime.newUuid()
    const sealed = vault.seal('secret', id)
    const other = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
    for (const row of [other, id.slice(0, -1), `${id}0`]) {
      expect(() => vault.open(sealed, row)).toThrow('cannot be read')
    }
  })
})

describe('the key of a database', () => {
  test('is made at the first start, for its owner only, and found again', async () => {
    const sealed = (await open()).seal('secret', 'row')
    expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600)
    expect((await open()).open(sealed, 'row')).toBe('secret')
  })

  test('is one, also when two processes start at once', async () => {
    const [one, two] = await Promise.all([open(), open()])
    expect(two.open(one.seal('secret', 'row'), 'row')).toBe('secret')
  })

  test('is one, also when two processes with different keys start at once: the second is refused', async () => {
    const started = await Promise.allSettled([open(runtime.randomBytes(32)), open(runtime.randomBytes(32))])
    expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('can come from the configuration, and then no file is made', async () => {
    const key = runtime.randomBytes(32)
    const sealed = (await open(key)).seal('secret', 'row')
    expect((await open(key)).open(sealed, 'row')).toBe('secret')
    expect(() => statSync(`${database}.key`)).toThrow('ENOENT')
  })

  test('that does not fit is refused at the start, in words that say what to do', async () => {
    await open()
    await expect(open(runtime.randomBytes(32))).rejects.toThrow(
      `The secrets in ${database} were sealed with another key than the one in SECRETS_KEY.`,
    )
    const path = `${database}.key`
    const right = readFileSync(path, 'utf8')
    writeFileSync(path, Buffer.from(runtime.randomBytes(32)).toString('base64'))
    await expect(open()).rejects.toThrow(`were sealed with another key than the one in the file ${path}`)
    writeFileSync(path, 'not a key')
    await expect(open()).rejects.toThrow(`The file ${path} must hold 32 bytes as base64.`)
    rmSync(path)
    await expect(open()).rejects.toThrow(`their key is missing. Put the file ${path} back, or set SECRETS_KEY.`)
    writeFileSync(path, right)
    await expect(open()).resolves.toBeDefined()
  })

  test.each(['', 'abc', 'ab'.repeat(31), Buffer.alloc(31).toString('base64'), `${'A'.repeat(43)}!`])(
    'is refused when it is no key: %j',
    (text) => {
      expect(parseKey(text)).toBeUndefined()
    },
  )

  test('is 32 bytes as base64 or hex', () => {
    const key = Buffer.from(runtime.randomBytes(32))
    expect(parseKey(key.toString('base64'))).toEqual(key)
    expect(parseKey(key.toString('hex'))).toEqual(key)
  })
})
