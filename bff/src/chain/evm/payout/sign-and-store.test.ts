import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog as log } from '../../../core/log.ts'
import { type Db, sql } from '../../../db/db.ts'
import { insertAttempt } from '../../../payout/outgoing-store.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import type { PayoutContext } from './payout-context.ts'
import { signAndStore } from './sign-and-store.ts'

const account = `0x${'aa'.repeat(20)}` as Hex
const call = { to: account, data: '0x', gas: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } as const

let database: TestDatabase
let db: Db
/** The account's next nonce: of what is mined, and with what the node's pool has. */
let nonces: { latest: number; pending: number }
/** Happens while the transaction is signed. */
let meanwhile: () => Promise<unknown>
let paid: string[]
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  nonces = { latest: 0, pending: 0 }
  meanwhile = async () => undefined
  paid = []
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

let ids = 0
const store = (nonce: number) => {
  const txId = `0x${String(++ids)}` as Hex
  const attempt = { network: 'devnet', id: `other ${ids}`, sender: account, nonce, txId, raw: txId, atMs: 0 }
  return db.write((tx) => insertAttempt(tx, attempt))
}
const storedNonces = async () => {
  const rows = await db.read((tx) =>
    tx.all<{ nonce: number }>(sql`select nonce from outgoing_transactions order by nonce, id`),
  )
  return rows.map(({ nonce }) => nonce)
}

const send = (storePayouts?: () => Promise<void>) =>
  signAndStore(
    {
      ...{ db, log, account, network: { shortName: 'devnet', chainId: 1 } },
      runtime: { nowMs: () => 5, newUuid: () => 'own' },
      sender: { nonce: async (_: Hex, at: 'latest' | 'pending') => nonces[at] },
      signer: {
        async signTransaction({ nonce }: { nonce: number }) {
          await meanwhile()
          return { raw: `0x${nonce}`, txId: `0xown${nonce}` }
        },
      },
    } as unknown as PayoutContext,
    call,
    storePayouts ?? (async (_, id) => void paid.push(id)),
  )

test('a call has the nonce after those that are stored and those that the node’s pool has', async () => {
  nonces = { latest: 2, pending: 4 }
  expect(await send()).toEqual({ raw: '0x4', txId: '0xown4', nonce: 4 })
  expect([await storedNonces(), paid]).toEqual([[4], ['own']])
})

test('a node that has lost its pool gets no nonce twice', async () => {
  await store(7)
  nonces = { latest: 2, pending: 2 }
  expect(await send()).toMatchObject({ nonce: 8 })
  expect(await storedNonces()).toEqual([7, 8])
})

test('of two processes that sign for one nonce the slower stores neither its transaction nor its payouts', async () => {
  meanwhile = () => store(0)
  expect(await send()).toBeUndefined()
  expect([await storedNonces(), paid]).toEqual([[0], []])
})

test('a payout that has changed leaves nothing stored, and any other error is thrown', async () => {
  expect(await send(() => Promise.reject(new ConflictError()))).toBeUndefined()
  await expect(send(() => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  expect(await storedNonces()).toEqual([])
})
