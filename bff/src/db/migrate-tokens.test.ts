import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordedTokens } from '../payment/store/token-store.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { connect } from './sqlite/sqlite-connection.ts'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

test('the tokens of unmatched money in an older database are watched for, once each, and the coin is no token', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkout-migrate-'))
  const path = join(home, 'old.sqlite')
  const names = readdirSync(folder).sort()
  const older = names.slice(
    0,
    names.findIndex((name) => name.endsWith('_tokens_of_unmatched.sql')),
  )
  const old = connect(path)
  for (const name of older) old.exec(readFileSync(join(folder, name), 'utf8'))
  old.pragma(`user_version = ${older.length}`)
  old.exec(`
      insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Corner Coffee', 'x', 0);
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                            status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
      values ('p', 'm', 'deposit', 0, 'devnet', 'USDC', '0xC1', 6, '1', '1', 'pending', 0, 0, 0, '0x', '{}');
      insert into payment_tokens values ('devnet', '0xC1', 'USDC', 6);
      insert into strays (payment_id, network, token, currency, decimals, held, refunded, block, told, refund)
      values ('p', 'devnet', '0xd2', 'USDT', 6, '7', '0', 1, 1, 'none'), ('p', 'other', '0xc1', 'USDC', 6, '7', '0', 1, 1, 'none'),
             ('p', 'devnet', '0x0000000000000000000000000000000000000000', 'ETH', 18, '7', '0', 1, 1, 'none');`)
  old.close()

  const db = openSqlite(path)
  const found = await db.read(async (tx) => [await recordedTokens(tx, 'devnet'), await recordedTokens(tx, 'other')])
  await db.close()
  rmSync(home, { recursive: true })
  const usdc = { address: '0xc1', symbol: 'USDC', decimals: 6 }
  expect(found).toEqual([[usdc, { address: '0xd2', symbol: 'USDT', decimals: 6 }], [usdc]])
})
