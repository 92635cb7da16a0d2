import { Keypair } from '@solana/web3.js'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { RpcRequestError } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog as log } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { type Db, sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { SolanaAdapter } from '../rpc/solana-adapter.ts'
import { createDepositWatcher } from './deposit-watcher.ts'

const { signal } = new AbortController()
const newAddress = () => Keypair.generate().publicKey.toBase58()
const mint = newAddress()
const startMs = systemRuntime.nowMs()
// The configured tokens have changed: a deposit is watched in its own token.
const network = {
  ...{ shortName: 'solana', name: 'Solana', pollMs: 20, tokens: [] },
  family: 'solana',
} as never as SolanaNetwork

/** Transactions by signature; one unreadable for every version of ours throws, a missing one is listed only. */
type Landed = { owner: string; amount: bigint; isUnreadable?: boolean; isMissing?: boolean; hasNoTime?: boolean }

/** The account whose transactions the node refuses to list, and its error. */
let refused: { account: string | undefined; code: number } | undefined

/** Whether the node responds about nothing but the newest slot. */
let isDown: boolean

let landed: Map<string, Landed>
let chainMs: number
const unasked = () => Promise.reject(new Error('A watcher of deposits does not ask this'))
const heldBy = (owner: string) => [...landed.values()].filter((one) => one.owner === owner)

const adapter: SolanaAdapter = {
  network: 'solana',
  head: async () => ({ slot: 100, timeMs: chainMs }),
  finalHead: async () => ({ slot: 100, timeMs: chainMs }),
  tokenAccounts: async (accounts) => {
    if (isDown) throw new Error('no node responds')
    return accounts.map((account) => {
      const owner = deposits.find((one) => one.account === account)?.owner ?? ''
      const amount = heldBy(owner).reduce((sum, one) => sum + one.amount, 0n)
      return { mint, owner, amount, isFrozen: false }
    })
  },
  async signatures(account, after) {
    const { code } = refused ?? {}
    const error = { code: code ?? 0, message: 'refused' }
    if (account === refused?.account) throw new RpcRequestError({ body: {}, error, url: 'http://node' })
    const owner = deposits.find((one) => one.account === account)?.owner
    const all = [...landed].filter((one) => one[1].owner === owner).map(([id]) => id)
    return all
      .slice(all.indexOf(after ?? '') + 1)
      .map((signature) => ({ signature, slot: 10, timeMs: startMs, isFailed: false, isFinal: true }))
  },
  async transaction(signature) {
    const one = landed.get(signature)
    if (!one || one.isMissing) return undefined
    if (one.isUnreadable) throw new Error('Transaction version (1) is not supported by the requesting client')
    const account = deposits.find(({ owner }) => owner === one.owner)?.account ?? ''
    const owners = { ownerBefore: one.owner, ownerAfter: one.owner }
    const change = { account, mint, index: 2, ...owners, before: 0n, after: one.amount }
    const keys = ['somebody', 'theirs', account]
    const timeMs = one.hasNoTime ? null : startMs
    return { signature, slot: 10, timeMs, isSuccess: true, keys, signers: ['somebody'], changes: [change] }
  },
  statuses: async (txIds) => txIds.map(() => ({ slot: 10, isFailed: false, isFinal: true })),
  isAttested: async () => true,
  newestSlot: async () => 100,
  recentBlockhash: unasked,
  accounts: unasked,
  isGone: unasked,
}

let database: TestDatabase
let db: Db
let deposits: { id: PaymentId; owner: string; account: string }[]
let create: (count: number) => Promise<void>
let pass: () => Promise<boolean>

beforeEach(async () => {
  landed = new Map()
  refused = undefined
  isDown = false
  chainMs = startMs
  deposits = []
  database = await createTestDatabase()
  db = await database.open()
  const ledger = createLedger(db, () => ({}))
  const { merchantId } = newPayment()
  await db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`),
  )
  create = async (count) => {
    for (let made = 0; made < count; made++) {
      const id = systemRuntime.newUuid() as PaymentId
      const owner = newAddress()
      const times = { createdAtMs: startMs, windowEndsAtMs: startMs + 900_000 }
      const places = { network: 'solana', depositAddress: owner, tokenAddress: mint }
      await db.write((tx) => ledger.createIn(tx, newPayment({ id, ...places, sequence: 0, ...times })))
      deposits.push({ id, owner, account: tokenAccountOf(mint, owner) })
    }
  }
  await create(3)
  const runtime = { ...systemRuntime, nowMs: () => chainMs }
  const watcher = createDepositWatcher({ db, ledger, adapter, network, heads: createHeads(), runtime, log })
  pass = () => watcher.pass(signal)
})

afterEach(async () => {
  await db.close()
  await database.drop()
})

const statuses = async () => {
  const rows = await db.read((tx) =>
    tx.all<{ status: string; received: string }>(sql`select status, received from payments order by number`),
  )
  return rows.map(({ status, received }) => `${status} ${received}`)
}

const setMetadata = (id: PaymentId | undefined, metadata: string | null) =>
  db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${id ?? ''}`))

const faults = () => db.read((tx) => tx.all(sql`select payment_id as id, part from watch_faults`))

async function passes(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await pass()
}

test('an account whose transactions a node refuses to list blocks neither other payments nor their windows, and is read once it lists them', async () => {
  const [listed, paid] = deposits
  await pass()
  refused = { account: listed?.account, code: -32_019 }
  landed.set('a', { owner: listed?.owner ?? '', amount: 25_000_000n })
  landed.set('b', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'pending 0'])
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'expired 0'])
  refused = undefined
  await passes(2)
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'expired 0'])
  expect(await faults()).toEqual([])
})

test.each([-32_005, -32_016])(
  'a node that is unhealthy or behind, which it says by %d, is the fault of no account',
  async (code) => {
    const [listed] = deposits
    await pass()
    refused = { account: listed?.account, code }
    landed.set('a', { owner: listed?.owner ?? '', amount: 25_000_000n })
    await expect(pass()).rejects.toThrow('refused')
    expect(await faults()).toEqual([])
  },
)

test('a payment that cannot be changed blocks neither other payments nor their windows, and is credited once when it can be', async () => {
  const [broken, paid] = deposits
  await pass()
  await setMetadata(broken?.id, '{')
  landed.set('a', { owner: broken?.owner ?? '', amount: 25_000_000n })
  landed.set('b', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await passes(3)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'pending 0'])
  expect(await faults()).toEqual([{ id: broken?.id, part: 'account' }])
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'expired 0'])

  await setMetadata(broken?.id, null)
  await passes(3)
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'expired 0'])
  expect(await faults()).toEqual([])
})

test('an unreadable transaction blocks no other one, even of the same account, and counts when it can be read', async () => {
  const [first, paid] = deposits
  const owner = first?.owner ?? ''
  landed.set('new version', { owner, amount: 12_500_000n, isUnreadable: true })
  landed.set('own', { owner, amount: 12_500_000n })
  landed.set('other', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await passes(3)
  expect(await statuses()).toEqual(['pending 12500000', 'sweeping 25000000', 'pending 0'])
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['pending 12500000', 'sweeping 25000000', 'expired 0'])

  landed.set('new version', { owner, amount: 12_500_000n })
  await passes(3)
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'expired 0'])
  expect(await faults()).toEqual([])
})

test('a transaction that nodes list but never return keeps only its own window open', async () => {
  const [first, paid] = deposits
  const missing = { owner: first?.owner ?? '', amount: 25_000_000n }
  landed.set('a', { ...missing, isMissing: true })
  landed.set('b', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await passes(3)
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'expired 0'])
  landed.set('a', missing)
  await passes(2)
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'expired 0'])
})

/** So many transactions that a pass does not read them all; the first transfers one unit. */
function flood(owner: string | undefined, name: string): void {
  for (let count = 0; count < 150; count++) {
    landed.set(`${name} ${count}`, { owner: owner ?? '', amount: count === 0 ? 1n : 0n })
  }
}

test('an account that a stranger floods keeps only its own window open, and is paid by what was sent in time', async () => {
  const [flooded] = deposits
  await pass()
  chainMs = startMs + 1_000_000
  flood(flooded?.owner, 'first')
  landed.set('in time', { owner: flooded?.owner ?? '', amount: 25_000_000n })
  for (let count = 0; count < 3; count++) {
    flood(flooded?.owner, `later ${count}`)
    expect(await pass()).toBe(true)
  }
  expect(await statuses()).toEqual([expect.stringMatching('sweeping|pending'), 'expired 0', 'expired 0'])
  await passes(6)
  expect(await statuses()).toEqual([expect.stringMatching('^sweeping'), 'expired 0', 'expired 0'])
})

test('a deposit that was paid while no node answered is not expired, however many late ones are read before it', async () => {
  await create(120)
  await pass()
  landed.set('a', { owner: deposits.at(-1)?.owner ?? '', amount: 25_000_000n })
  chainMs = startMs + 900_000 + 11 * 60_000
  await pass()
  expect([(await statuses()).at(0), (await statuses()).at(-1)]).toEqual(['expired 0', 'pending 0'])
  await passes(3)
  expect([(await statuses()).at(-2), (await statuses()).at(-1)]).toEqual(['expired 0', 'sweeping 25000000'])
})

test('a deposit that was paid before a failed pass is not expired by the round of late deposits that began in it', async () => {
  await passes(2)
  landed.set('a', { owner: deposits[0]?.owner ?? '', amount: 25_000_000n })
  chainMs = startMs + 900_000 + 60_000
  isDown = true
  await expect(pass()).rejects.toThrow('no node responds')
  isDown = false
  chainMs += 11 * 60_000
  await pass()
  expect((await statuses()).at(0)).toBe('pending 0')
  await passes(3)
  expect(await statuses()).toEqual(['sweeping 25000000', 'expired 0', 'expired 0'])
})

test('as many flooded accounts as a pass reads keep no other from being read', async () => {
  await create(48)
  const paid = deposits.at(-1)
  await pass()
  for (const { owner, account } of deposits.slice(0, 50)) flood(owner, account)
  landed.set('a', { owner: paid?.owner ?? '', amount: 25_000_000n })
  for (let count = 0; count < 3; count++) {
    await pass()
    for (const { owner, account } of deposits.slice(0, 50)) flood(owner, `${account} ${count}`)
  }
  expect((await statuses()).at(-1)).toBe('sweeping 25000000')
})

test('a transaction whose block has no time yet blocks no other one, and counts when it has one', async () => {
  const [first, paid] = deposits
  const timed = { owner: first?.owner ?? '', amount: 25_000_000n }
  landed.set('a', { ...timed, hasNoTime: true })
  landed.set('b', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await passes(3)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'pending 0'])
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'expired 0'])

  landed.set('a', timed)
  await passes(3)
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'expired 0'])
  expect(await faults()).toEqual([])
})

test('a detected transfer whose end cannot be read delays the end of no other one', async () => {
  const [first, paid] = deposits
  const timed = { owner: first?.owner ?? '', amount: 25_000_000n }
  landed.set('a', timed)
  landed.set('b', { owner: paid?.owner ?? '', amount: 25_000_000n })
  await pass()
  landed.set('a', { ...timed, hasNoTime: true })
  await passes(2)
  expect(await statuses()).toEqual(['pending 0', 'sweeping 25000000', 'pending 0'])
  landed.set('a', timed)
  await pass()
  expect(await statuses()).toEqual(['sweeping 25000000', 'sweeping 25000000', 'pending 0'])
})

test('a payment whose transfer could not be confirmed has no fault once it is', async () => {
  const [broken] = deposits
  landed.set('a', { owner: broken?.owner ?? '', amount: 25_000_000n })
  await pass()
  await setMetadata(broken?.id, '{')
  await passes(2)
  expect(await faults()).toEqual([{ id: broken?.id, part: 'account' }])
  await setMetadata(broken?.id, null)
  await passes(3)
  expect(await statuses()).toEqual(['sweeping 25000000', 'pending 0', 'pending 0'])
  expect(await faults()).toEqual([])
})

test('the windows of wallet payments are left to their own watcher', async () => {
  const times = { createdAtMs: startMs, windowEndsAtMs: startMs + 900_000 }
  const id = systemRuntime.newUuid() as PaymentId
  const wallet = newContractPayment({ id, network: 'solana', tokenAddress: mint, sequence: 0, ...times })
  await db.write((tx) => createLedger(db, () => ({})).createIn(tx, wallet))
  chainMs = startMs + 1_000_000
  await passes(2)
  expect(await statuses()).toEqual(['expired 0', 'expired 0', 'expired 0', 'pending 0'])
})
