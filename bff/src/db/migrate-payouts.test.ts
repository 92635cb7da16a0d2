import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { duePayouts, hasPayoutWork, outgoingPayouts } from '../payout/payout-queue-store.ts'
import { sql } from './db.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { connect } from './sqlite/sqlite-connection.ts'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

/** A database of the version before, with sweeps, refunds and returns in every state that they could have. */
function openOlder(path: string) {
  const names = readdirSync(folder).sort()
  const older = names.slice(
    0,
    names.findIndex((name) => name.endsWith('_payouts.sql')),
  )
  const old = connect(path)
  for (const name of older) old.exec(readFileSync(join(folder, name), 'utf8'))
  old.pragma(`user_version = ${older.length}`)
  old.exec("insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Corner Coffee', 'x', 0)")
  const payment = old.prepare(`
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                            status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
      values (?, 'm', 'deposit', 0, 'devnet', 'USDC', '0xUsdc', 6, '1', '1', 'paid', 0, 0, 0, '0x' || ?, '{}')`)
  for (const id of ['due', 'waits', 'failing', 'under way', 'swept', 'owed', 'going back', 'gone back', 'unmatched']) {
    payment.run(id, id)
  }
  old.exec(`
      insert into sweeps (payment_id, network, state, due_at_ms, failures, transaction_id, waiting_since_ms)
      values ('due', 'devnet', 'queued', 10, 0, null, null), ('waits', 'devnet', 'queued', 9000, 0, null, 7),
             ('failing', 'devnet', 'queued', 8000, 3, null, null), ('under way', 'devnet', 'sent', 5, 2, 't1', null);
      insert into refunds (payment_id, network, state, due_at_ms, failures, transaction_id)
      values ('owed', 'devnet', 'queued', 11, 1, null), ('going back', 'devnet', 'sent', 12, 4, 't2');
      insert into stray_refunds (payment_id, network, token, state, due_at_ms, failures, transaction_id)
      values ('unmatched', 'other', '0xusdt', 'queued', 13, 0, null), ('unmatched', 'other', '0x00', 'sent', 14, 5, 't3');
      insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
      values ('t0', 'devnet', '0xop', 0, 'h0', 'r', 'confirmed', 1), ('t1', 'devnet', '0xop', 1, 'h1', 'r', 'stored', 2),
             ('t2', 'devnet', '0xop', 2, 'h2', 'r', 'replaced', 3), ('t2', 'devnet', '0xop', 2, 'h2b', 'r', 'stored', 3),
             ('t3', 'other', '0xop', 0, 'h3', 'r', 'stored', 4), ('t4', 'devnet', '0xop', 3, 'h4', 'r', 'failed', 5);
      insert into outgoing_payments (payment_id, transaction_id)
      values ('swept', 't0'), ('under way', 't1'), ('failing', 't4');
      insert into outgoing_refunds (transaction_id, payment_id, token, address, amount, state)
      values ('t2', 'going back', '0xusdc', '0xpayer', '90000000000000000001', 'sent'),
             ('t5', 'gone back', '0xusdc', '0xpayer', '7', 'confirmed');
      insert into outgoing_stray_refunds (transaction_id, payment_id, network, token, address, amount, state)
      values ('t3', 'unmatched', 'other', '0x00', '0xpayer', '8', 'sent');`)
  old.close()
}

test('sweeps, refunds and returns of an older database are all in the one queue, those under way with their transactions', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkout-payouts-'))
  const path = join(home, 'old.sqlite')
  openOlder(path)
  const db = openSqlite(path)
  const rows = await db.read((tx) =>
    tx.all<object>(sql`
        select payment_id, kind, network, token, state, due_at_ms, failures, transaction_id, waiting_since_ms
          from payouts order by due_at_ms`),
  )
  const usdc = { network: 'devnet', token: '0xUsdc' }
  const none = { transaction_id: null, waiting_since_ms: null }
  const queued = { state: 'queued', ...none }
  expect(rows).toEqual([
    {
      payment_id: 'under way',
      kind: 'sweep',
      ...usdc,
      ...none,
      state: 'sent',
      due_at_ms: 5,
      failures: 2,
      transaction_id: 't1',
    },
    { payment_id: 'due', kind: 'sweep', ...usdc, ...queued, due_at_ms: 10, failures: 0 },
    { payment_id: 'owed', kind: 'refund', ...usdc, ...queued, due_at_ms: 11, failures: 1 },
    {
      payment_id: 'going back',
      kind: 'refund',
      ...usdc,
      ...none,
      state: 'sent',
      due_at_ms: 12,
      failures: 4,
      transaction_id: 't2',
    },
    {
      payment_id: 'unmatched',
      kind: 'return',
      network: 'other',
      token: '0xusdt',
      ...queued,
      due_at_ms: 13,
      failures: 0,
    },
    {
      payment_id: 'unmatched',
      kind: 'return',
      network: 'other',
      token: '0x00',
      ...none,
      state: 'sent',
      due_at_ms: 14,
      failures: 5,
      transaction_id: 't3',
    },
    { payment_id: 'failing', kind: 'sweep', ...usdc, ...queued, due_at_ms: 8000, failures: 3 },
    { payment_id: 'waits', kind: 'sweep', ...usdc, ...queued, due_at_ms: 9000, failures: 0, waiting_since_ms: 7 },
  ])

  const scope = { network: 'devnet', nowMs: 20, head: 100, limit: 10 }
  await db.read(async (tx) => {
    expect(await hasPayoutWork(tx, 'devnet', 20)).toBe(true)
    const ids = async (kind: 'sweep' | 'refund') =>
      (await duePayouts(tx, { ...scope, kind })).map(({ paymentId }) => paymentId)
    expect(await ids('sweep')).toEqual(['due', 'waits'])
    expect(await ids('refund')).toEqual(['owed'])
    const returns = await duePayouts(tx, { ...scope, kind: 'return', network: 'other' })
    expect(returns.map(({ token }) => token)).toEqual(['0xusdt'])

    const [sweep] = await outgoingPayouts(tx, 't1')
    expect(sweep).toMatchObject({ kind: 'sweep', paymentId: 'under way', failures: 2, sending: null })
    const [refund] = await outgoingPayouts(tx, 't2')
    const sending = { address: '0xpayer', amount: 90_000_000_000_000_000_001n }
    expect(refund).toMatchObject({ kind: 'refund', paymentId: 'going back', token: '0xUsdc', failures: 4, sending })
    const [back] = await outgoingPayouts(tx, 't3')
    expect(back).toMatchObject({ kind: 'return', network: 'other', token: '0x00', failures: 5 })
    expect(await outgoingPayouts(tx, 't5')).toMatchObject([{ isCounted: true }])
    const states = await tx.all(sql`select transaction_id, state from outgoing_payouts order by transaction_id`)
    expect(states).toEqual([
      { transaction_id: 't0', state: 'confirmed' },
      { transaction_id: 't1', state: 'sent' },
      { transaction_id: 't2', state: 'sent' },
      { transaction_id: 't3', state: 'sent' },
      { transaction_id: 't4', state: 'failed' },
      { transaction_id: 't5', state: 'confirmed' },
    ])
  })
  await db.close()
  rmSync(home, { recursive: true })
})

test('a refund that is under way on Solana is counted as under way', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkout-payouts-'))
  const path = join(home, 'old.sqlite')
  const names = readdirSync(folder).sort()
  const older = names.slice(
    0,
    names.findIndex((name) => name.endsWith('_solana_refunding.sql')),
  )
  const old = connect(path)
  for (const name of older) old.exec(readFileSync(join(folder, name), 'utf8'))
  old.pragma(`user_version = ${older.length}`)
  old.exec(`
      insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Corner Coffee', 'x', 0);
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                            status, created_at_ms, expires_at_ms, window_ends_at_ms, deposit_address, deposit_terms)
      values ('under way', 'm', 'deposit', 0, 'solana', 'USDC', 'mint', 6, '1', '1', 'expired', 0, 0, 0, 'a', '{}'),
             ('expired', 'm', 'deposit', 0, 'solana', 'USDC', 'mint', 6, '1', '1', 'expired', 0, 0, 0, 'b', '{}'),
             ('on EVM', 'm', 'deposit', 0, 'devnet', 'USDC', '0x', 6, '1', '1', 'expired', 0, 0, 0, 'c', '{}');
      insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms, purpose, last_valid_height)
      values ('t1', 'solana', 'payer', 0, 'h1', 'r', 'stored', 1, 'refund', 150),
             ('t2', 'solana', 'payer', 0, 'h2', 'r', 'failed', 1, 'refund', 150),
             ('t3', 'devnet', '0xop', 0, 'h3', 'r', 'stored', 1, null, null);
      insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
      values ('t1', 'refund', 'under way', 'solana', 'mint', 'payer', '15', 'sent'),
             ('t2', 'refund', 'expired', 'solana', 'mint', 'payer', '16', 'failed'),
             ('t3', 'refund', 'on EVM', 'devnet', '0x', '0xpayer', '17', 'sent');`)
  old.close()
  const db = openSqlite(path)
  const rows = await db.read((tx) => tx.all<object>(sql`select id, refunding from payments order by id`))
  expect(rows).toEqual([
    { id: 'expired', refunding: '0' },
    { id: 'on EVM', refunding: '0' },
    { id: 'under way', refunding: '15' },
  ])
  await db.close()
  rmSync(home, { recursive: true })
})
