import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import type { ListedSignature } from '../rpc/solana-adapter.ts'
import { createSplitWatcher } from './split-watcher.ts'

let stage: SolanaStage
let crowded: string
beforeEach(async () => {
  stage = await openSolanaStage()
  crowded = tokenAccountOf(
    stage.network.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '',
    stage.merchantWallet,
  )
})
afterEach(() => stage.close())

/** Two payments in time, whose money goes to two accounts of the merchant, and two that nobody pays. */
async function payBoth() {
  const [one, other, unpaid, crowdedUnpaid] = [
    await stage.create(),
    await stage.create({ currency: 'USDT' }),
    await stage.create({ currency: 'USDT' }),
    await stage.create(),
  ]
  await stage.pay(one.id)
  await stage.pay(other.id)
  await stage.solana.advance(40)
  return { one, other, unpaid, crowdedUnpaid }
}

const never = new AbortController().signal

const floodTransaction = (signature: string) =>
  ({ signature, slot: 1, timeMs: Date.now(), isSuccess: true, keys: [], signers: [], changes: [] }) as never

const statusOf = async (id: string) => (await stage.stored(id as never))?.status

test('an account whose transactions a node refuses to list delays no other, and keeps its own windows open for ten minutes at most', async () => {
  const { one, other, unpaid, crowdedUnpaid } = await payBoth()
  const { adapter } = stage
  stage.restartSplitWatcher({
    signatures: async (account, ...rest) => {
      if (account === crowded) throw new Error('the history of this account is too long')
      return await adapter.signatures(account, ...rest)
    },
  })
  await stage.find()
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'completed'])
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  await stage.find()
  expect([await statusOf(unpaid.id), await statusOf(crowdedUnpaid.id)]).toEqual(['expired', 'pending'])
  stage.later(11 * 60_000)
  await stage.find()
  expect(await statusOf(crowdedUnpaid.id)).toBe('expired')
  stage.restartSplitWatcher()
  await stage.find()
  expect(await statusOf(one.id)).toBe('completed')
})

test.each([['unpaid'], ['paid']])(
  'a payment whose stored terms cannot be read keeps its own window open and no other, also where it is %s',
  async (state) => {
    const { one, other, unpaid, crowdedUnpaid } = await payBoth()
    const broken = state === 'paid' ? other : crowdedUnpaid
    const setTerms = (terms: string) =>
      stage.db.write((tx) => tx.run(sql`update payments set split_terms = ${terms} where id = ${broken.id}`))
    const { splitTerms } = (await stage.stored(broken.id as never)) as { splitTerms: string }
    await setTerms('{')
    await stage.find()
    expect(await statusOf(one.id)).toBe('completed')
    await stage.solana.control('travel', 1_801)
    await stage.solana.advance(40)
    await stage.find()
    expect([await statusOf(unpaid.id), await statusOf(broken.id)]).toEqual(['expired', 'pending'])
    await setTerms(splitTerms)
    await stage.find()
    expect(await statusOf(broken.id)).toBe(state === 'paid' ? 'completed' : 'expired')
  },
)

test('no window ends while the nodes list the transactions of no account, for however long', async () => {
  const { adapter } = stage
  let isListed = true
  stage.restartSplitWatcher({
    signatures: async (...asked) => {
      if (isListed) return await adapter.signatures(...asked)
      throw new Error('history is not available from this node')
    },
  })
  // A transaction that the nodes return all the time.
  const before = await stage.create()
  await stage.pay(before.id)
  await stage.solana.advance(40)
  await stage.find()
  expect(await statusOf(before.id)).toBe('completed')
  isListed = false
  const { one, other } = await payBoth()
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  for (let passes = 0; passes < 3; passes++) {
    await stage.find()
    stage.later(11 * 60_000)
  }
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'pending'])
  stage.restartSplitWatcher()
  await stage.find()
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['completed', 'completed'])
})

test('a transaction that nodes return in an unreadable form keeps windows of its account open for ten minutes at most', async () => {
  const { one, other, unpaid, crowdedUnpaid } = await payBoth()
  const { adapter } = stage
  let [isReadable, refused] = [false, 0]
  const watch = () =>
    stage.restartSplitWatcher({
      transaction: async (txId, ...rest) => {
        const found = await adapter.transaction(txId, ...rest)
        if (isReadable || !found?.keys.includes(crowded)) return found
        refused += 1
        throw new Error('long-term storage is unreachable')
      },
    })
  watch()
  await stage.find()
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  await stage.find()
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'completed'])
  expect([await statusOf(unpaid.id), await statusOf(crowdedUnpaid.id)]).toEqual(['expired', 'pending'])
  stage.later(11 * 60_000)
  await stage.find()
  expect(await statusOf(crowdedUnpaid.id)).toBe('expired')
  expect(refused).toBeGreaterThan(2)
  isReadable = true
  await stage.find()
  expect(await statusOf(one.id)).toBe('completed')
})

test.each([
  ['', true],
  [', of whose token the nodes list only the last seconds,', false],
])(
  'an unreadable transaction that is the first of a new service%s keeps windows open for ten minutes at most',
  async (_, hasFinal) => {
    const { solana } = stage
    const [paid, unpaid] = [await stage.create(), await stage.create()]
    const others = { mint: stage.mint().toBase58(), to: stage.platformWallet, amount: 1n }
    await mintTestTokens(solana.connection, solana.tokenOwner, others)
    await stage.pay(paid.id)
    await stage.solana.advance(40)
    const { adapter } = stage
    stage.restartSplitWatcher({
      signatures: async (account, ...rest) => {
        const listed = await adapter.signatures(account, ...rest)
        if (account !== stage.mint().toBase58()) return listed
        return listed.map((one) => ({ ...one, isFinal: hasFinal && one.isFinal }))
      },
      transaction: async (txId, ...rest) => {
        const found = await adapter.transaction(txId, ...rest)
        if (!found?.keys.includes(crowded)) return found
        throw new Error('long-term storage is unreachable')
      },
    })
    await stage.solana.control('travel', 1_801)
    await stage.solana.advance(40)
    await stage.find()
    expect(await statusOf(unpaid.id)).toBe('pending')
    stage.later(11 * 60_000)
    await stage.find()
    expect(await statusOf(unpaid.id)).toBe('expired')
  },
)

test.each([
  ['refuse', () => Promise.reject(new Error('long-term storage is unreachable'))],
  ['do not have', () => Promise.resolve(undefined)],
])('no window ends while the nodes %s every transaction, for however long', async (_, transaction) => {
  const { one, other, unpaid } = await payBoth()
  stage.restartSplitWatcher({ transaction })
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  for (let passes = 0; passes < 3; passes++) {
    await stage.find()
    stage.later(11 * 60_000)
  }
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'pending'])
  stage.restartSplitWatcher()
  await stage.find()
  expect([await statusOf(one.id), await statusOf(other.id), await statusOf(unpaid.id)]).toEqual([
    'completed',
    'completed',
    'expired',
  ])
})

test('an account that a stranger floods with transactions delays no other by more than a part of them', async () => {
  const { one, other } = await payBoth()
  const { adapter } = stage
  const flood = Array.from({ length: 1_000 }, (_, index): ListedSignature => {
    return { signature: `flood ${index}`, slot: 1, timeMs: Date.now(), isFailed: false, isFinal: true }
  })
  let reads = 0
  stage.restartSplitWatcher({
    signatures: async (account, after, ...rest) => {
      const listed = await adapter.signatures(account, after?.startsWith('flood') ? null : after, ...rest)
      if (account !== crowded) return listed
      return [...flood.slice(flood.findIndex(({ signature }) => signature === after) + 1), ...listed]
    },
    transaction: async (txId, ...rest) => {
      if (!txId.startsWith('flood')) return await adapter.transaction(txId, ...rest)
      reads += 1
      return floodTransaction(txId)
    },
  })
  expect(await stage.find(), 'the rest follows at once').toBe(true)
  expect(reads).toBe(200)
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'completed'])
  for (let passes = 0; passes < 5; passes++) await stage.find()
  expect([reads, await statusOf(one.id)]).toEqual([1_000, 'completed'])
})

test('a payment in time is not expired, however long the transactions before it are read, and delays no other account', async () => {
  const { one, other, unpaid, crowdedUnpaid } = await payBoth()
  const { adapter } = stage
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  const paidAtMs = (await adapter.signatures(crowded, null, 0, never)).at(-1)?.timeMs ?? 0
  const ageOf = (index: number) => (1_000 - index) * 1_000
  // Listed after the payment, from when its window had ended.
  const last = { signature: 'flood last', slot: 1, timeMs: paidAtMs + 1_801_000, isFailed: false, isFinal: true }
  const flood = Array.from({ length: 1_000 }, (_, index): ListedSignature => {
    return { signature: `flood ${index}`, slot: 1, timeMs: paidAtMs - ageOf(index), isFailed: false, isFinal: true }
  })
  stage.restartSplitWatcher({
    signatures: async (account, after, ...rest) => {
      const listed = await adapter.signatures(account, after?.startsWith('flood') ? null : after, ...rest)
      if (account !== crowded) return listed
      if (after === last.signature) return []
      return [...flood.slice(flood.findIndex(({ signature }) => signature === after) + 1), ...listed, last]
    },
    transaction: async (txId, ...rest) =>
      txId.startsWith('flood') ? floodTransaction(txId) : await adapter.transaction(txId, ...rest),
  })
  for (let passes = 0; passes < 4; passes++) {
    await stage.find()
    stage.later(6 * 60_000)
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['pending', 'completed'])
    expect([await statusOf(unpaid.id), await statusOf(crowdedUnpaid.id)]).toEqual(['expired', 'pending'])
  }
  for (let passes = 0; passes < 2; passes++) await stage.find()
  expect([await statusOf(one.id), await statusOf(crowdedUnpaid.id)]).toEqual(['completed', 'expired'])
})

test('a change of any account is noticed at the next pass, not only of the first', async () => {
  const [one, other] = [await stage.create(), await stage.create({ currency: 'USDT' })]
  await stage.find()
  for (const { id } of [other, one]) {
    await stage.pay(id)
    await stage.solana.advance(40)
    await stage.find()
    expect(await statusOf(id)).toBe('completed')
  }
})

test.each([
  ['failed transactions costs no read, and delays nothing', { isFailed: true, passes: 1 }],
  ['transactions that nodes do not return in a readable form is passed by', { isFailed: false, passes: 2 }],
])('a flood of %s', async (_, { isFailed, passes }) => {
  const { one } = await payBoth()
  const { adapter } = stage
  const flood = Array.from({ length: 300 }, (_, index): ListedSignature => {
    return { signature: `flood ${index}`, slot: 1, timeMs: Date.now(), isFailed, isFinal: true }
  })
  stage.restartSplitWatcher({
    signatures: async (account, after, ...rest) => {
      const listed = await adapter.signatures(account, after?.startsWith('flood') ? null : after, ...rest)
      return account === crowded ? [...flood, ...listed] : listed
    },
    transaction: async (txId, ...rest) => {
      if (txId.startsWith('flood')) throw new Error('long-term storage is unreachable')
      return await adapter.transaction(txId, ...rest)
    },
  })
  for (let pass = 0; pass < passes; pass++) await stage.find()
  expect(await statusOf(one.id)).toBe('completed')
})

test('nothing is read while the network’s nodes do not match the configuration', async () => {
  await stage.create()
  let [isPayable, questions, heads] = [false, 0, 0]
  const { adapter, db, ledger, network } = stage
  const { run } = createSplitWatcher({
    db,
    ledger,
    network,
    isPayable() {
      questions += 1
      return isPayable
    },
    adapter: {
      ...adapter,
      async head(signal) {
        heads += 1
        return await adapter.head(signal)
      },
    },
    verifySubmission: async () => {},
    runtime: systemRuntime,
    log: silentLog,
  })
  const stopping = new AbortController()
  const running = run(stopping.signal)
  await expect.poll(() => questions, { interval: 5 }).toBeGreaterThan(2)
  expect(heads).toBe(0)
  isPayable = true
  await expect.poll(() => heads, { interval: 5 }).toBeGreaterThan(0)
  stopping.abort()
  await running
})
