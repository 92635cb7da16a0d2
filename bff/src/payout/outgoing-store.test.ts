import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { type Db, sql } from '../db/db.ts'
import { countOpen, finalizeOutgoing, hashesOf, insertAttempt, markReplaced, reopenNonce } from './outgoing-store.ts'

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const attempt = (id: string, txId: `0x${string}`, nonce = 7) =>
  ({ network: 'base', id, sender: '0xa', nonce, txId, raw: '0x00', atMs: 1 }) as const
const insert = (id: string, txId: `0x${string}`, nonce?: number) =>
  db.write((tx) => insertAttempt(tx, attempt(id, txId, nonce)))
const states = () =>
  db.read((tx) => tx.all(sql`select tx_id as "txId", state from outgoing_transactions order by tx_id`))

test('whatever a process believes, two transactions of an account are never stored at one nonce', async () => {
  await insert('one', '0x1')
  await expect(insert('two', '0x2')).rejects.toThrow(/unique/i)
  await insert('two', '0x2', 8)
  expect(await states()).toEqual([
    { txId: '0x1', state: 'stored' },
    { txId: '0x2', state: 'stored' },
  ])
})

test('a transaction is replaced at its nonce, final by either form, and opened again after a reorg', async () => {
  await insert('one', '0x1')
  await db.write(async (tx) => {
    await markReplaced(tx, '0x1')
    await insertAttempt(tx, attempt('one', '0x2'))
  })
  const open = () => db.read((tx) => countOpen(tx, 'base', '0xa'))
  expect(await open()).toBe(1)
  await db.write((tx) => finalizeOutgoing(tx, 'one', '0x1'))
  expect(await open()).toBe(0)
  expect((await db.read((tx) => hashesOf(tx, 'one'))).sort()).toEqual(['0x1', '0x2'])
  expect(await states()).toEqual([
    { txId: '0x1', state: 'confirmed' },
    { txId: '0x2', state: 'failed' },
  ])
  await db.write((tx) => reopenNonce(tx, 'base', '0xa', 7))
  await expect(insert('two', '0x3')).rejects.toThrow(/unique/i)
})
