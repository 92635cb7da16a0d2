import { Keypair } from '@solana/web3.js'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import type { BaseUnits } from '../../../core/money.ts'
import { systemRuntime as runtime } from '../../../core/runtime.ts'
import { type Db, sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { creditOf, readTransaction, type SolanaTransaction } from '../rpc/solana-transaction.ts'
import { createDepositWatcher } from './deposit-watcher.ts'
import { insertAccount } from './token-account-store.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const { signal } = new AbortController()
const mint = Keypair.generate().publicKey.toBase58()
const owner = Keypair.generate().publicKey.toBase58()
const nowMs = runtime.nowMs()
const network = { ...{ shortName: 'solana', name: 'Solana', pollMs: 20 }, family: 'solana' } as SolanaNetwork

type Landed = { signature: string; amount: bigint; timeMs: number; isFailed?: boolean; isUnknown?: boolean }

const account = tokenAccountOf(mint, owner)
const unasked = () => Promise.reject(new Error('A watcher of deposits does not ask this'))

/** A minimal chain: one account, and its incoming transactions. */
let landed: Landed[]
let slot: number
/** Times of the newest slot and the newest final one, relative to the payment's creation. */
let times = { headMs: 0, finalMs: 0 }
let asked: { credits: number; accounts: number }
/** The node has the account's balance, but lists none of its transactions yet. */
let isUnlisted: boolean
/** Each transaction as it is final; `absent` while the node does not return it. Undefined: nothing is final. */
let final: 'absent' | { slot: number; isSuccess: boolean } | undefined
/** The part of the balance without transactions. */
let missing: bigint
/** The account's owner on the chain; undefined: it was closed. */
let accountOwner: string | undefined
/** Other accounts with a balance, as owner by address: none of their transactions is listed. */
const unexplained = new Map<string, string>()
/** The node returns null for transactions that another one had; `for good`: although it has finalized a later slot. */
let hasForgotten: false | 'for now' | 'for good'

const adapter: SolanaAdapter = {
  network: 'solana',
  head: async () => ({ slot, timeMs: nowMs + times.headMs }),
  finalHead: async () => ({ slot: slot - 32, timeMs: nowMs + times.finalMs }),
  async tokenAccounts(accounts) {
    asked.accounts += 1
    const amount = landed.reduce((sum, one) => sum + (one.isFailed ? 0n : one.amount), missing)
    const state =
      landed.length === 0 || accountOwner === undefined
        ? undefined
        : { mint, owner: accountOwner, amount, isFrozen: false }
    const holds = (other: string | undefined) =>
      other ? { mint, owner: other, amount: 7n, isFrozen: false } : undefined
    return accounts.map((address) => (address === account ? state : holds(unexplained.get(address))))
  },
  async signatures(address, after) {
    if (isUnlisted || address !== account) return []
    const from = landed.findIndex(({ signature }) => signature === after) + 1
    return landed
      .slice(from)
      .map(({ signature, timeMs, isFailed = false }) => ({ signature, slot: 10, timeMs, isFailed, isFinal: false }))
  },
  async transaction(signature, commitment): Promise<SolanaTransaction | undefined> {
    asked.credits += 1
    const found = landed.find((one) => one.signature === signature)
    if (!found || found.isUnknown || hasForgotten) return undefined
    const at = commitment === 'finalized' ? final : { slot: 10, isSuccess: true }
    if (typeof at !== 'object') return undefined
    const change = { account, mint, index: 2, ownerBefore: owner, ownerAfter: owner, before: 0n, after: found.amount }
    return {
      ...{ signature, ...at, timeMs: found.timeMs, keys: ['somebody', 'theirs', account] },
      ...{ signers: ['somebody'], changes: at.isSuccess ? [change] : [] },
    }
  },
  isAttested: async () => true,
  newestSlot: async () => slot,
  recentBlockhash: unasked,
  accounts: unasked,
  isGone: async () => hasForgotten === 'for good',
  statuses: async (txIds) =>
    txIds.map(() => (hasForgotten ? undefined : { slot: 10, isFailed: false, isFinal: final !== undefined })),
}

/** How far the host's clock is ahead. */
let aheadMs: number
let database: TestDatabase
let db: Db
let id: PaymentId
let pass: () => Promise<boolean>
/** Like a restart: nothing remains in memory. */
let restart: () => void

beforeEach(async () => {
  landed = []
  slot = 100
  missing = 0n
  accountOwner = owner
  final = undefined
  isUnlisted = false
  hasForgotten = false
  unexplained.clear()
  asked = { credits: 0, accounts: 0 }
  times = { headMs: 0, finalMs: 0 }
  database = await createTestDatabase()
  db = await database.open()
  const payment = newPayment({
    ...{
      id: runtime.newUuid() as PaymentId,
      network: 'solana',
      depositAddress: owner,
      tokenAddress: mint,
      sequence: 0,
    },
    ...{ createdAtMs: nowMs, windowEndsAtMs: nowMs + 900_000 },
  })
  id = payment.id
  const ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms)
        values (${payment.merchantId}, ${payment.merchantName}, 's', 0)`)
    await ledger.createIn(tx, payment)
  })
  aheadMs = 0
  const clock = { ...runtime, nowMs: () => runtime.nowMs() + aheadMs }
  restart = () => {
    const watcher = createDepositWatcher({ db, ledger, adapter, network, heads: createHeads(), runtime: clock, log })
    pass = () => watcher.pass(signal)
  }
  restart()
})

afterEach(async () => {
  await db.close()
  await database.drop()
})

const seen = async () => (await db.read((tx) => loadPayment(tx, id)))?.seen

test('a transfer older than the payment does not count; one at the same time does', async () => {
  landed = [
    { signature: 'old', amount: 5n, timeMs: nowMs - 3_600_000 },
    { signature: 'own', amount: 7n, timeMs: nowMs + 1_000 },
  ]
  await pass()
  expect(await seen()).toBe(7n)
})

test('a signature listed again is not counted again, and nothing is read while nothing changes', async () => {
  landed = [{ signature: 'one', amount: 5n, timeMs: nowMs }]
  await pass()
  await pass()
  expect(await seen()).toBe(5n)
  expect(asked.credits).toBe(1)
  await db.write((tx) => tx.run(sql`update solana_accounts set read_amount = null, read_to = null`))
  await pass()
  expect(asked.credits).toBe(2)
  expect(await seen()).toBe(5n)
})

test('a transaction that the node lists but does not return yet is awaited', async () => {
  landed = [{ signature: 'one', amount: 5n, timeMs: nowMs, isUnknown: true }]
  times = { headMs: 1_000_000, finalMs: 950_000 }
  await pass()
  // Its window is over, and stays open until the account is read.
  expect(await db.read((tx) => loadPayment(tx, id))).toMatchObject({ status: 'pending', seen: 0n })
  landed = [{ signature: 'one', amount: 5n, timeMs: nowMs }]
  await pass()
  expect(await seen()).toBe(5n)
})

test('dust of hundreds of transactions is read in bounded steps, to the end', async () => {
  landed = Array.from({ length: 250 }, (_, index) => ({ signature: `dust ${index}`, amount: 1n, timeMs: nowMs }))
  landed.push({ signature: 'failed', amount: 1_000n, timeMs: nowMs, isFailed: true })
  expect(await pass()).toBe(true)
  expect(await seen()).toBe(100n)
  expect(await pass()).toBe(true)
  expect(await pass()).toBe(false)
  expect(await seen()).toBe(250n)
  expect(asked.credits).toBe(250)
})

test('a window ends by the time of the newest final slot, not of the newest one', async () => {
  const status = async () => (await db.read((tx) => loadPayment(tx, id)))?.status
  times = { headMs: 910_000, finalMs: 899_000 }
  await pass()
  expect(await status()).toBe('pending')
  times = { headMs: 910_000, finalMs: 901_000 }
  await pass()
  expect(await status()).toBe('expired')
})

test('a node with a time far in the future ends no window', async () => {
  const hourMs = 3_600_000
  await db.write((tx) => tx.run(sql`update payments set window_ends_at_ms = ${nowMs + hourMs} where id = ${id}`))
  times = { headMs: 1_000 * hourMs, finalMs: 1_000 * hourMs }
  await pass()
  expect((await db.read((tx) => loadPayment(tx, id)))?.status).toBe('pending')
})

test('a node with a time far in the future hides no deposit', async () => {
  times = { headMs: 3_600_000_000, finalMs: 3_600_000_000 }
  landed = [{ signature: 'one', amount: 7n, timeMs: nowMs }]
  await pass()
  expect(await seen()).toBe(7n)
})

test('a node behind an earlier read is not trusted', async () => {
  await pass()
  slot = 50
  await expect(pass()).rejects.toThrow('solana: the node is behind the slot read before')
})

const balance = (accountIndex: number, amount: string, more: { mint?: string; owner?: string } = {}) => ({
  ...{ accountIndex, mint, owner, uiTokenAmount: { amount } },
  ...more,
})
const answer = (pre: object[], post: object[], meta: object = {}, accountKeys = ['payer', 'from', 'account']) => ({
  ...{ slot: 7, blockTime: 1 },
  transaction: { signatures: ['tx'], message: { accountKeys, header: { numRequiredSignatures: 1 } } },
  meta: { err: null, preTokenBalances: pre as never, postTokenBalances: post as never, ...meta },
})
const target = { account: 'account', owner, mint }

test('a transaction counts by the gain of this account, of this mint, with this owner', () => {
  const credit = (...said: Parameters<typeof answer>) => creditOf(readTransaction('tx', answer(...said)), target)
  const from = (amount: string) => balance(1, amount, { owner: 'customer' })
  expect(credit([from('9'), balance(2, '3')], [from('4'), balance(2, '8')])).toEqual({
    ...{ txId: 'tx', logIndex: 2, amount: 5n, payer: 'customer', blockNumber: 7, blockHash: '7' },
  })
  // The first money of a new account.
  expect(credit([], [balance(2, '8')])).toMatchObject({ amount: 8n, payer: 'payer' })
  expect(credit([], [balance(2, '8')], { err: { InstructionError: [0, 'Custom'] } })).toBeUndefined()
  expect(credit([], [balance(2, '8', { mint: 'another' })])).toBeUndefined()
  expect(credit([balance(2, '3', { mint: 'another' })], [balance(2, '8')])).toBeUndefined()
  expect(credit([], [balance(2, '8', { owner: 'thief' })])).toBeUndefined()
  expect(credit([balance(2, '3', { owner: 'thief' })], [balance(2, '8')])).toBeUndefined()
  expect(credit([], [balance(1, '8')])).toBeUndefined()
  expect(credit([balance(2, '8')], [balance(2, '8')])).toBeUndefined()
  expect(credit([balance(2, '8')], [balance(2, '1')])).toBeUndefined()
  const resolved = { loadedAddresses: { writable: ['y'], readonly: ['z', 'account'] } }
  expect(credit([], [balance(4, '6')], resolved, ['payer', 'x'])).toMatchObject({ amount: 6n, logIndex: 4 })
})

test('a node that omits a transaction’s effects, or returns another one, is not trusted', () => {
  expect(() => readTransaction('tx', { ...answer([], []), meta: null })).toThrow('returned no result')
  expect(() => readTransaction('tx', answer([], [], { postTokenBalances: null }))).toThrow('returned no result')
  expect(() => readTransaction('tx', answer([], [balance(3, '8')]))).toThrow('without its account 3')
  expect(() => readTransaction('other', answer([], []))).toThrow('another transaction for other')
})

test('a node that forgets a payment made in time for one pass does not end its window', async () => {
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 800_000 }]
  await pass()
  expect(await seen()).toBe(25_000_000n)
  times = { headMs: 1_000_000, finalMs: 950_000 }
  hasForgotten = 'for good'
  await pass()
  expect((await db.read((tx) => loadPayment(tx, id)))?.status).toBe('pending')
  hasForgotten = false
  await pass()
  expect(await db.read((tx) => loadPayment(tx, id))).toMatchObject({ status: 'pending', seen: 25_000_000n })
})

test.each([
  ['', () => undefined],
  [', also after a restart', () => restart()],
])(
  'a transaction listed later than the balance is read then%s, and its window stays open until then',
  async (_, meanwhile) => {
    const status = async () => (await db.read((tx) => loadPayment(tx, id)))?.status
    await pass()
    landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 800_000 }]
    isUnlisted = true
    times = { headMs: 1_000_000, finalMs: 950_000 }
    await pass()
    expect([await seen(), await status()]).toEqual([0n, 'pending'])
    meanwhile()
    isUnlisted = false
    await pass()
    expect([await seen(), await status()]).toEqual([25_000_000n, 'pending'])
  },
)

test('a balance that no listed transaction explains keeps its window open for a day', async () => {
  const status = async () => (await db.read((tx) => loadPayment(tx, id)))?.status
  const faults = () => db.read((tx) => tx.all(sql`select part, place from watch_faults`))
  await pass()
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 800_000 }]
  isUnlisted = true
  times = { headMs: 1_000_000, finalMs: 950_000 }
  // The first time is not a fault.
  await pass()
  expect(await faults()).toEqual([])
  await pass()
  expect([await faults(), await status()]).toEqual([[{ part: 'account', place: 'balance' }], 'pending'])
  aheadMs = 24 * 60 * 60 * 1000 - 60_000
  await pass()
  expect(await status()).toBe('pending')
  aheadMs += 120_000
  await pass()
  expect([await faults(), await status()]).toEqual([[], 'expired'])
})

test('money in an account that has another owner does not belong to the deposit: nothing is read, and no window waits for it', async () => {
  accountOwner = Keypair.generate().publicKey.toBase58()
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 1_000 }]
  times = { headMs: 1_000_000, finalMs: 950_000 }
  await pass()
  const found = await db.read((tx) => loadPayment(tx, id))
  expect([asked.credits, found?.seen, found?.status]).toEqual([0, 0n, 'expired'])
})

test('an account in the books but not on the chain is read: a restored database may have lost transfers in and out', async () => {
  await db.write((tx) => insertAccount(tx, { id, network: 'solana', address: account, dueAtMs: nowMs }))
  accountOwner = undefined
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 1_000 }]
  await pass()
  expect(await seen()).toBe(25_000_000n)
})

test('an account with many transactions that is never explained keeps no other window open', async () => {
  const other = newPayment({
    ...{ id: runtime.newUuid() as PaymentId, network: 'solana', depositAddress: mint, tokenAddress: mint, sequence: 0 },
    ...{ createdAtMs: nowMs, windowEndsAtMs: nowMs + 800_000 },
  })
  await db.write((tx) => createLedger(db, () => ({})).createIn(tx, other))
  for (let count = 0; count < 150; count++) landed.push({ signature: `${count}`, amount: 1n, timeMs: nowMs })
  missing = 25_000_000n
  times = { headMs: 1_000_000, finalMs: 950_000 }
  for (let count = 0; count < 6; count++) await pass()
  const statusOf = async (one: PaymentId) => (await db.read((tx) => loadPayment(tx, one)))?.status
  expect([await statusOf(id), await statusOf(other.id)]).toEqual(['pending', 'expired'])
})

test('an account that is never explained is read at increasing intervals, and immediately when its balance changes', async () => {
  landed = [1, 2, 3].map((part) => ({ signature: `${part}`, amount: 1n, timeMs: nowMs }))
  missing = 5n
  // Four minutes.
  for (let count = 0; count < 120; count++) {
    await pass()
    aheadMs += 2_000
  }
  expect(asked.credits).toBeLessThanOrEqual(8 * landed.length)
  landed.push({ signature: '4', amount: 25_000_000n, timeMs: nowMs })
  await pass()
  expect(await seen()).toBe(25_000_003n)
  const before = asked.credits
  // Minutes and hours later: it is read again, at least every five minutes.
  for (let count = 0; count < 36; count++) {
    aheadMs += 5 * 60 * 1000
    await pass()
  }
  expect(asked.credits - before).toBe(36 * landed.length)
})

test('rarely read accounts do not delay other failed ones', async () => {
  await db.write(async (tx) => {
    for (let count = 0; count < 8; count++) {
      const depositAddress = Keypair.generate().publicKey.toBase58()
      unexplained.set(tokenAccountOf(mint, depositAddress), depositAddress)
      const other = { id: runtime.newUuid() as PaymentId, network: 'solana', depositAddress, tokenAddress: mint }
      const times = { createdAtMs: nowMs, windowEndsAtMs: nowMs + 900_000 }
      await createLedger(db, () => ({})).createIn(tx, newPayment({ ...other, ...times, sequence: 0 }))
    }
  })
  landed = [{ signature: 'one', amount: 1n, timeMs: nowMs }]
  missing = 5n
  for (let count = 0; count < 40; count++) {
    await pass()
    aheadMs += 2_000
  }
  // Nine are not due for minutes; money for the last in turn is detected immediately.
  await db.write((tx) =>
    tx.run(sql`update watch_faults set tried_at_ms = tried_at_ms + 1000000 where payment_id = ${id}`),
  )
  landed.push({ signature: 'two', amount: 2n, timeMs: nowMs })
  await pass()
  expect(await seen()).toBe(3n)
})

test('a transfer counts as it is on the final fork, once the node returns it from there', async () => {
  const received = async () => (await db.read((tx) => loadPayment(tx, id)))?.received
  const slots = () => db.read((tx) => tx.all(sql`select block_number as slot, state from transfers`))
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 1_000 }]
  await pass()
  final = 'absent'
  await pass()
  expect([await received(), await slots()]).toEqual([0n, [{ slot: 10, state: 'seen' }]])
  final = { slot: 12, isSuccess: true }
  await pass()
  expect(await received()).toBe(25_000_000n)
  expect(await slots()).toContainEqual({ slot: 12, state: 'confirmed' })
})

test('a transaction that failed on the final fork is undone, and found again before its window ends if one node was wrong', async () => {
  const events = () => db.read((tx) => tx.all<{ type: string }>(sql`select type from events order by sequence`))
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 800_000 }]
  await pass()
  times = { headMs: 1_000_000, finalMs: 950_000 }
  final = { slot: 12, isSuccess: false }
  await pass()
  expect(await db.read((tx) => loadPayment(tx, id))).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
  final = { slot: 12, isSuccess: true }
  await pass()
  await pass()
  expect(await db.read((tx) => loadPayment(tx, id))).toMatchObject({ received: 25_000_000n })
  expect((await events()).map(({ type }) => type)).toEqual([
    ...['payment.created', 'payment.detected', 'payment.reorged', 'payment.detected', 'payment.completed'],
  ])
})

test('a lagging node undoes no transfer', async () => {
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 800_000 }]
  await pass()
  hasForgotten = 'for now'
  await pass()
  expect(await seen()).toBe(25_000_000n)
  hasForgotten = 'for good'
  await pass()
  expect(await seen()).toBe(0n)
})

test('money received after the payout is not explained by what was paid out', async () => {
  const ledger = createLedger(db, () => ({}))
  landed = [{ signature: 'one', amount: 25_000_000n, timeMs: nowMs + 1_000 }]
  await pass()
  const at = { network: 'solana', txId: 'one', logIndex: 2, payer: 'somebody', blockNumber: 10, blockHash: '10' }
  const transfer = { ...at, amount: 25_000_000n as BaseUnits, blockTimeMs: nowMs + 1_000 }
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: nowMs })
  await ledger.apply(id, { type: 'sweep.confirmed', txId: 'sweep', amount: transfer.amount, atMs: nowMs })
  missing = -25_000_000n
  await pass()
  landed.push({ signature: 'two', amount: 25_000_000n, timeMs: nowMs + 2_000 })
  isUnlisted = true
  await pass()
  isUnlisted = false
  await pass()
  expect(await seen()).toBe(50_000_000n)
})
