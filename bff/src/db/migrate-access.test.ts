import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sql } from './db.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { connect } from './sqlite/sqlite-connection.ts'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

test('payments of an older database are taken for those of the key that made them, and of the server where nothing says so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkout-migrate-'))
  const path = join(home, 'old.sqlite')
  const names = readdirSync(folder).sort()
  const older = names.slice(
    0,
    names.findIndex((name) => name.endsWith('_access.sql')),
  )
  const old = connect(path)
  for (const name of older) old.exec(readFileSync(join(folder, name), 'utf8'))
  old.pragma(`user_version = ${older.length}`)
  old.exec("insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Corner Coffee', 'x', 0)")
  const insert = old.prepare(`
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                            status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms, public_key)
      values (?, 'm', 'deposit', ?, 'devnet', 'USDC', '0x', 6, '1', '1', 'pending', 0, 0, 0, '0x', '{}', ?)`)
  insert.run('by the page', 0, 'pk_live_a')
  insert.run('by the page, unbounded', 0, null)
  insert.run('by the server', 0, null)
  insert.run('by the test key', 1, 'pk_test_a')
  insert.run('by the page’s sandbox', 1, 'sandbox pk_live_a')
  old.exec("insert into idempotency_keys values ('s', 't', 'public', 'by the page, unbounded', '{}', null)")
  old.close()

  const db = openSqlite(path)
  const rows = await db.read((tx) => tx.all(sql`select id, made_with as "madeWith" from payments order by number`))
  await db.close()
  rmSync(home, { recursive: true })
  expect(rows).toEqual([
    { id: 'by the page', madeWith: 'public' },
    { id: 'by the page, unbounded', madeWith: 'public' },
    { id: 'by the server', madeWith: 'api' },
    { id: 'by the test key', madeWith: 'test' },
    { id: 'by the page’s sandbox', madeWith: 'public' },
  ])
})
