import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../db/db.ts'
import {
  clearRecheck,
  finalizeOutgoing,
  hashesOf,
  insertAttempt,
  isNonceOpen,
  markReplaced,
  markSent,
  nextNonce,
  noteFinalBlock,
  openOf,
  openTransactions,
  reopenNonce,
  restoreLanded,
  transactionsToRecheck,
} from './outgoing-store.ts'

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
  const open = () => db.read((tx) => openOf(tx, 'base', '0xa', 10))
  expect(await open()).toEqual(['one'])
  await db.write((tx) => finalizeOutgoing(tx, 'one', '0x1'))
  expect(await open()).toEqual([])
  expect((await db.read((tx) => hashesOf(tx, 'one'))).sort()).toEqual(['0x1', '0x2'])
  expect(await states()).toEqual([
    { txId: '0x1', state: 'confirmed' },
    { txId: '0x2', state: 'failed' },
  ])
  await db.write((tx) => reopenNonce(tx, 'base', '0xa', 7))
  await expect(insert('two', '0x3')).rejects.toThrow(/unique/i)
})

test('what is open is listed by nonce, each with the forms that it replaced, the newest first', async () => {
  await insert('two', '0x4', 8)
  await insert('one', '0x1')
  for (const [before, txId, atMs] of [
    ['0x1', '0x2', 2],
    ['0x2', '0x3', 3],
  ] as const) {
    expect(await db.write((tx) => markReplaced(tx, before))).toBe(true)
    await db.write((tx) => insertAttempt(tx, { ...attempt('one', txId), atMs }))
  }
  expect(await db.write((tx) => markReplaced(tx, '0x1'))).toBe(false)
  await db.write((tx) => markSent(tx, '0x3', 9))
  const open = (limit: number) => db.read((tx) => openTransactions(tx, 'base', limit))
  const form = (txId: string, createdAtMs: number, sentAtMs: number | null = null) => ({
    ...{ txId, raw: '0x00', createdAtMs, sentAtMs },
  })
  const one = { id: 'one', sender: '0xa', nonce: 7, newest: form('0x3', 3, 9) }
  expect(await open(10)).toEqual([
    { ...one, replaced: [form('0x2', 2), form('0x1', 1)] },
    { id: 'two', sender: '0xa', nonce: 8, newest: form('0x4', 1), replaced: [] },
  ])
  expect(await open(2)).toEqual([{ ...one, replaced: [form('0x2', 2)] }])
  expect(await db.read((tx) => openTransactions(tx, 'polygon', 10))).toEqual([])
})

test('the next nonce follows the highest of ours that was not given up', async () => {
  const next = (sender = '0xa') => db.read((tx) => nextNonce(tx, 'base', sender))
  expect(await next()).toBe(0)
  await insert('one', '0x1', 7)
  await insert('two', '0x2', 8)
  expect([await next(), await next('0xb')]).toEqual([9, 0])
  expect(await db.write((tx) => finalizeOutgoing(tx, 'two', undefined))).toBe(true)
  expect(await db.write((tx) => finalizeOutgoing(tx, 'two', '0x2'))).toBe(false)
  expect(await next()).toBe(8)
  const isOpen = (nonce: number) => db.read((tx) => isNonceOpen(tx, 'base', '0xa', nonce))
  expect([await isOpen(7), await isOpen(8)]).toEqual([true, false])
})

test('a transaction that was given up and has landed is final, and a stranger’s is none of ours', async () => {
  await insert('one', '0x1')
  await db.write((tx) => finalizeOutgoing(tx, 'one', undefined))
  const restore = (network: string, txId: string) => db.write((tx) => restoreLanded(tx, network, txId))
  expect([await restore('base', '0x9'), await restore('polygon', '0x1')]).toEqual([undefined, undefined])
  expect(await states()).toEqual([{ txId: '0x1', state: 'failed' }])
  expect(await restore('base', '0x1')).toBe('one')
  expect(await states()).toEqual([{ txId: '0x1', state: 'confirmed' }])
})

test('what is final is checked again, block by block, until no reorg reaches it or one has', async () => {
  for (const [place, block] of [0, 1, 1, 5].entries()) {
    await insert(`id ${place}`, `0x${place}`, place)
    await db.write((tx) => finalizeOutgoing(tx, `id ${place}`, `0x${place}`))
    await db.write((tx) => noteFinalBlock(tx, `0x${place}`, block))
  }
  type After = Parameters<typeof transactionsToRecheck>[2]['after']
  const due = async (after?: After, limit = 10) =>
    (await db.read((tx) => transactionsToRecheck(tx, 'base', { after, limit }))).map(({ txId }) => txId)
  expect([await due(), await due(undefined, 2)]).toEqual([
    ['0x0', '0x1', '0x2', '0x3'],
    ['0x0', '0x1'],
  ])
  expect(await due({ block: 1, txId: '0x1' })).toEqual(['0x2', '0x3'])
  await db.write((tx) => clearRecheck(tx, 'id 0'))
  expect(await db.write((tx) => reopenNonce(tx, 'base', '0xa', 3))).toBe(true)
  expect(await db.write((tx) => reopenNonce(tx, 'base', '0xa', 3))).toBe(false)
  expect(await due()).toEqual(['0x1', '0x2'])
})

test('a transaction that a reorg took back was neither sent nor final in the chain as it is now', async () => {
  await insert('one', '0x1')
  await db.write(async (tx) => {
    await markSent(tx, '0x1', 5)
    await finalizeOutgoing(tx, 'one', '0x1')
    await noteFinalBlock(tx, '0x1', 3)
    await reopenNonce(tx, 'base', '0xa', 7)
  })
  const [open] = await db.read((tx) => openTransactions(tx, 'base', 10))
  expect(open?.newest.sentAtMs).toBeNull()
  await db.write((tx) => finalizeOutgoing(tx, 'one', '0x1'))
  expect(await db.read((tx) => transactionsToRecheck(tx, 'base', { limit: 10 }))).toEqual([])
})

test('an account of one key has its own nonces on every network, and no network touches the transactions of another', async () => {
  await insert('one', '0x1', 7)
  await insert('two', '0x2', 8)
  await db.write((tx) => finalizeOutgoing(tx, 'two', '0x2'))
  await db.write((tx) => noteFinalBlock(tx, '0x2', 5))
  const seen = (network: string) =>
    db.read(async (tx) => ({
      next: await nextNonce(tx, network, '0xa'),
      open: (await openOf(tx, network, '0xa', 10)).length,
      isOpen: await isNonceOpen(tx, network, '0xa', 7),
      rechecked: (await transactionsToRecheck(tx, network, { limit: 10 })).map(({ txId }) => txId),
    }))
  expect(await seen('polygon')).toEqual({ next: 0, open: 0, isOpen: false, rechecked: [] })
  expect(await seen('base')).toEqual({ next: 9, open: 1, isOpen: true, rechecked: ['0x2'] })
  const reopen = (network: string, sender: string) => db.write((tx) => reopenNonce(tx, network, sender, 8))
  expect([await reopen('polygon', '0xa'), await reopen('base', '0xb')]).toEqual([false, false])
  expect(await reopen('base', '0xa')).toBe(true)
})
