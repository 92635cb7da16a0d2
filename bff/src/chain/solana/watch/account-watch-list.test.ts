import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../../db/db.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { createAccountWatchList } from './account-watch-list.ts'
import { insertAccount, readAgain, saveRead } from './token-account-store.ts'

const nowMs = 1_700_000_000_000
const hourMs = 3_600_000
const mint = '11111111111111111111111111111111'

let db: Db
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

const ownerOf = (id: string) => new PublicKey(createHash('sha256').update(id).digest()).toBase58()

/** Deposits with windows ending at the given time, each a millisecond after the previous. */
async function store(name: string, count: number, windowEndsAtMs: number): Promise<PaymentId[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name} ${index}` as PaymentId)
  const ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    for (const [index, id] of ids.entries()) {
      const of = { network: 'solana', tokenAddress: mint, depositAddress: ownerOf(id) }
      await ledger.createIn(tx, newPayment({ ...of, id, windowEndsAtMs: windowEndsAtMs + index, sequence: 0 }))
    }
  })
  return ids
}

const stored = async () =>
  (await db.read((tx) => tx.all<{ id: string }>(sql`select payment_id as id from solana_accounts`))).map(({ id }) => id)

async function open() {
  const list = createAccountWatchList(db, 'solana')
  await list.refresh(nowMs, nowMs)
  const due = async (atMs = nowMs) => (await list.due(atMs, nowMs)).map(({ id }) => id)
  return { list, due }
}

test('open deposits are due on each pass, and late ones in turn, each once per round', async () => {
  const late = await store('late', 250, nowMs - hourMs)
  const isOpen = await store('open', 3, nowMs + hourMs)
  const { list, due } = await open()
  expect(new Set(await stored())).toEqual(new Set(isOpen))
  const turns: PaymentId[] = []
  for (const size of [100, 100, 50]) {
    const found = await due()
    expect(found.slice(0, 3)).toEqual(isOpen)
    expect(found).toHaveLength(3 + size)
    // Until everything has been read, the same deposits stay due.
    expect(await due()).toEqual(found)
    turns.push(...found.slice(3))
    expect(list.completed()).toBe(size === 50 ? nowMs : 0)
  }
  expect(turns).toEqual(late)
  // The next round reports its own start.
  for (let pass = 0; pass < 2; pass++) {
    await due(nowMs + 1)
    expect(list.completed()).toBe(nowMs)
  }
  await due(nowMs + 2)
  expect(list.completed()).toBe(nowMs + 1)
  expect(new Set(await stored())).toEqual(new Set([...isOpen, ...late]))
})

test('a deposit stored after the start is due, even if its window is already late', async () => {
  const { list, due } = await open()
  expect(list.isEmpty()).toBe(true)
  await store('new', 1, nowMs + hourMs)
  await store('late', 1, nowMs - hourMs)
  await list.refresh(nowMs, nowMs)
  expect(list.isEmpty()).toBe(false)
  expect(await due()).toEqual(['new 0', 'late 0'])
})

test('a deposit moves from the open to the late ones, and is removed when late money is no longer watched for', async () => {
  await store('a', 1, nowMs)
  const { list, due } = await open()
  for (const [atMs, isDue] of [
    [nowMs + hourMs, true],
    [nowMs + 24 * hourMs, true],
    [nowMs + 9 * 24 * hourMs, false],
  ] as const) {
    await list.refresh(atMs, nowMs)
    expect([await due(atMs), list.isEmpty()]).toEqual([isDue ? ['a 0'] : [], !isDue])
    list.completed()
  }
})

test('a late deposit that must be read again is due immediately, and only once', async () => {
  const late = await store('late', 250, nowMs - hourMs)
  const last = late.at(-1) as PaymentId
  await db.write((tx) => insertAccount(tx, { id: last, network: 'solana', address: 'x', dueAtMs: nowMs }))
  await db.write((tx) => readAgain(tx, last))
  const { due, list } = await open()
  const found = await due()
  expect(found).toContain(last)
  expect(found).toHaveLength(101)
  list.completed()
  await due()
  list.completed()
  expect((await due()).filter((id) => id === last)).toHaveLength(1)
})

test('an account known at the start is expected to exist once', async () => {
  const [id = '' as PaymentId] = await store('late', 1, nowMs - hourMs)
  await db.write((tx) => insertAccount(tx, { id, network: 'solana', address: 'x', dueAtMs: nowMs }))
  const { list } = await open()
  const expected = async () => (await list.due(nowMs, nowMs)).map(({ isExpected }) => isExpected)
  expect(await expected()).toEqual([true])
  list.completed()
  expect(await expected()).toEqual([false])
})

test('a deposit that is created during the first read is watched', async () => {
  const made: PaymentId[] = []
  const read: Db['read'] = async (work) => {
    const found = await db.read(work)
    if (made.length < 2) made.push(...(await store(`meanwhile ${made.length}`, 1, nowMs + hourMs)))
    return found
  }
  const list = createAccountWatchList({ ...db, read }, 'solana')
  await list.refresh(nowMs, nowMs)
  const due = (await list.due(nowMs, nowMs)).map(({ id }) => id)
  expect(due).toEqual(expect.arrayContaining(made))
  expect(made).toHaveLength(2)
})

test('a deposit of the sandbox is never watched, whether it exists at the start or is created later', async () => {
  const before = await store('sandbox', 1, nowMs + hourMs)
  const markAll = () => db.write((tx) => tx.run(sql`update payments set is_test = 1`))
  await markAll()
  const { list, due } = await open()
  const after = await store('later sandbox', 1, nowMs + hourMs)
  await markAll()
  await list.refresh(nowMs, nowMs)
  expect([before.length, after.length, await due()]).toEqual([1, 1, []])
})

test('each of many late deposits whose windows ended at the same moment becomes due', async () => {
  const late: PaymentId[] = []
  for (let count = 0; count < 150; count++) late.push(...(await store(`tie ${count}`, 1, nowMs - hourMs)))
  const { list, due } = await open()
  const turns: PaymentId[] = []
  for (let turn = 0; turn < 2; turn++) {
    turns.push(...(await due()))
    list.completed()
  }
  expect(turns).toEqual(late)
})

test('an account stored by two workers keeps its read state', async () => {
  const [id = '' as PaymentId] = await store('open', 1, nowMs + hourMs)
  const account = { id, network: 'solana', address: 'x', dueAtMs: nowMs }
  await db.write((tx) => insertAccount(tx, account))
  await db.write((tx) => saveRead(tx, id, { amount: '5', to: 'newest' }))
  await db.write((tx) => insertAccount(tx, account))
  const rows = await db.read((tx) => tx.all(sql`select read_amount as amount, read_to as newest from solana_accounts`))
  expect(rows).toEqual([{ amount: '5', newest: 'newest' }])
})

test('accounts that were read in part are due until they are read, however many there are', async () => {
  const late = await store('late', 1_010, nowMs - hourMs)
  await db.write(async (tx) => {
    for (const id of late) {
      await insertAccount(tx, { id, network: 'solana', address: ownerOf(id), dueAtMs: 1 })
      await readAgain(tx, id)
    }
  })
  const { due } = await open()
  expect(new Set(await due()).size).toBe(1_010)
})
