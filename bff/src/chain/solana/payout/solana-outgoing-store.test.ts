import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../../../core/money.ts'
import { type Db, sql } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { DepositPayment, PaymentId } from '../../../payment/payment.ts'
import { unreadDeposits } from '../watch/token-account-store.ts'
import {
  accountMoved,
  dueAccounts,
  insertSolanaTransaction,
  linkAccount,
  openSolanaTransactions,
  setAccount,
  unpaidAccounts,
} from './solana-outgoing-store.ts'

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
let count: number
beforeEach(async () => {
  ;({ db, ledger, remove } = await openMerchantDatabase())
  count = 0
})
afterEach(() => remove())

type Account = { state?: 'wanted' | 'open' | 'closed'; network?: string; dueAtMs?: number; client?: string }

/** A deposit of 25 with its token account. */
async function store(
  { state = 'open', network = 'solana', dueAtMs = 0, client = 'one' }: Account,
  sums: Partial<DepositPayment> = {},
) {
  count += 1
  const id = `id ${count}` as PaymentId
  const payment = newPayment({ id, network, depositAddress: id, sequence: 0, ...sums })
  await db.write(async (tx) => {
    await ledger.createIn(tx, payment)
    await tx.run(sql`
        insert into solana_accounts (payment_id, network, address, state, due_at_ms, read_amount, public_key, client)
        values (${id}, ${network}, ${id}, ${state}, ${dueAtMs}, '7', 'pk', ${client})`)
  })
  return id
}

/** A transaction of the service that creates or closes the accounts. */
async function send(ids: readonly PaymentId[], { state = 'stored', network = 'solana' } = {}): Promise<string> {
  count += 1
  const id = `transaction ${count}`
  const outgoing = {
    id,
    network,
    sender: 'x',
    txId: id,
    raw: '',
    purpose: 'open',
    lastValidHeight: 1,
    atMs: count,
  } as const
  await db.write(async (tx) => {
    await insertSolanaTransaction(tx, outgoing)
    for (const payment of ids) await linkAccount(tx, id, payment)
    await tx.run(sql`update outgoing_transactions set state = ${state} where id = ${id}`)
  })
  return id
}

const unpaid = async () => {
  const rows = await db.read((tx) => unpaidAccounts(tx, 'solana'))
  return Object.fromEntries(rows.map((row) => [row.client, row.count]))
}

const units = (amount: number) => baseUnits(String(amount))

test('an account counts as unpaid until the whole minimum has arrived, in time or late', async () => {
  await store({ client: 'nothing' })
  for (const [client, sum] of [
    ['less', 24_999_999],
    ['a digit', 3],
    ['minimum', 25_000_000],
    ['a digit more', 100_000_000],
  ] as const) {
    await store({ client: `${client} in time` }, { seen: units(sum) })
    await store({ client: `${client} late` }, { late: units(sum) })
  }
  expect(await unpaid()).toEqual({
    ...{ nothing: 1, 'less in time': 1, 'less late': 1, 'a digit in time': 1, 'a digit late': 1 },
  })
})

test('an account that is being created counts as unpaid, a wanted or closed one does not', async () => {
  const made = [await store({ state: 'wanted' }), await store({ state: 'wanted' })]
  await send(made)
  await send([await store({ state: 'wanted', client: 'failed' })], { state: 'failed' })
  await store({ state: 'wanted', client: 'wanted' })
  await store({ state: 'closed', client: 'closed' })
  await store({ network: 'other', client: 'elsewhere' })
  expect(await unpaid()).toEqual({ one: 2 })
})

test('due accounts are listed by time, without those of a pending transaction of their network', async () => {
  const [later, first] = [await store({ dueAtMs: 20 }), await store({ dueAtMs: 10 })]
  await store({ dueAtMs: 31 })
  const refunded = await store({})
  const refund = await send([])
  await db.write((tx) =>
    tx.run(sql`
        insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, state)
        values (${refund}, 'refund', ${refunded}, 'solana', '', 'sent')`),
  )
  await send([await store({})])
  const unsent = await store({ dueAtMs: 30 })
  await send([unsent], { state: 'failed' })
  await store({ state: 'wanted' })
  await store({ network: 'other' })
  const due = (limit: number) =>
    db.read((tx) => dueAccounts(tx, { network: 'solana', state: 'open', nowMs: 30, limit }))
  expect((await due(10)).map(({ id }) => id)).toEqual([first, later, unsent])
  expect((await due(1)).map(({ id }) => id)).toEqual([first])
})

test('an account from which the service withdrew is read again, although its balance may be the same', async () => {
  const [moved, other] = [await store({ state: 'closed' }), await store({})]
  await db.write((tx) => accountMoved(tx, moved, 40))
  const unread = await db.read((tx) => unreadDeposits(tx, 'solana', { after: '', limit: 10 }))
  expect(unread).toMatchObject([{ id: moved, state: 'open', readAmount: null }])
  expect(unread.map(({ id }) => id)).not.toContain(other)
})

test('who requested an account is kept only while it exists', async () => {
  const id = await store({})
  const holder = () =>
    db.read((tx) => tx.get(sql`select public_key, client from solana_accounts where payment_id = ${id}`))
  await db.write((tx) => setAccount(tx, id, { state: 'open', dueAtMs: 1 }))
  expect(await holder()).toEqual({ public_key: 'pk', client: 'one' })
  await db.write((tx) => setAccount(tx, id, { state: 'closed', dueAtMs: 1 }))
  expect(await holder()).toEqual({ public_key: null, client: null })
})

test('transactions that can still land are listed oldest first, without those of other chains', async () => {
  const [first, second] = [await send([]), await send([])]
  await send([], { state: 'failed' })
  await send([], { network: 'other' })
  await db.write((tx) =>
    tx.run(sql`
        insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
        values ('evm', 'solana', 'x', 1, 'evm', '', 'stored', 0)`),
  )
  const open = (limit: number) => db.read((tx) => openSolanaTransactions(tx, 'solana', limit))
  expect((await open(10)).map(({ id }) => id)).toEqual([first, second])
  expect((await open(1)).map(({ id }) => id)).toEqual([first])
})
