import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog as log } from '../../../core/log.ts'
import type { Db } from '../../../db/db.ts'
import type { BlockRef } from '../../../network/heads.ts'
import { isGivenUp, type SecondRead, saveSecondRead, unreadRanges } from './second-read-store.ts'
import { createSecondReader } from './second-reader.ts'

const network = { shortName: 'devnet', confirmations: 3 }
const tip: BlockRef = { number: 12, hash: '0x12', parentHash: '0x11', timeMs: 0 }
const { signal } = new AbortController()

let database: TestDatabase
let db: Db
let chainTip: BlockRef | undefined
let fault: Error | undefined
let applied: SecondRead[]
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  ;[chainTip, fault, applied] = [tip, undefined, []]
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const openReader = () =>
  createSecondReader<SecondRead>({
    ...{ db, network, log, of: 'transfers', runtime: { nowMs: () => 1_000 } },
    adapter: { block: async () => chainTip },
    async read(range) {
      if (fault) throw fault
      return range
    },
    async apply(found, _, also) {
      applied.push(found)
      await db.write(also)
    },
  })

const due = (from: number, to: number) =>
  db.write((tx) => saveSecondRead(tx, 'transfers', 'devnet', { from, to, toTimeMs: 0 }))
const left = async () =>
  (await db.read((tx) => unreadRanges(tx, 'devnet', 10))).map(({ from, to, failingSinceMs }) => [
    from,
    to,
    failingSinceMs,
  ])

test('blocks are read again once they have the network’s confirmations, and not a block earlier', async () => {
  await due(5, 11)
  expect(await openReader()({ tip, until: tip.number }, signal)).toBe(true)
  expect(applied).toEqual([{ from: 5, to: 10 }])
  expect(await left()).toEqual([[11, 11, null]])
  expect(await openReader()({ tip, until: tip.number }, signal)).toBe(false)
})

test.each([
  ['replaced', { ...tip, hash: '0x99' }],
  ['gone', undefined],
])('what was read while the newest block was %s counts for nothing, and is read again', async (_, now) => {
  await due(5, 8)
  chainTip = now
  const readAgain = openReader()
  expect(await readAgain({ tip, until: tip.number }, signal)).toBe(false)
  expect([applied, await left()]).toEqual([[], [[5, 8, null]]])
  chainTip = tip
  expect(await readAgain({ tip, until: tip.number }, signal)).toBe(true)
  expect([applied, await left()]).toEqual([[{ from: 5, to: 8 }], []])
})

test('a read that the end of the service cuts off is no failure of a block', async () => {
  await due(5, 5)
  fault = new Error('aborted')
  const stopped = AbortSignal.abort()
  await expect(openReader()({ tip, until: tip.number }, stopped)).rejects.toThrow('aborted')
  expect(await left()).toEqual([[5, 5, null]])
  expect(await openReader()({ tip, until: tip.number }, signal)).toBe(false)
  expect(await left()).toEqual([[5, 5, 1_000]])
})

test('blocks that no node returns are waited for a day, to the millisecond', () => {
  const failing = { from: 5, to: 5, toTimeMs: null, failingSinceMs: 1_000 }
  const dayMs = 24 * 60 * 60 * 1000
  expect(isGivenUp(failing, 999 + dayMs)).toBe(false)
  expect(isGivenUp(failing, 1_000 + dayMs)).toBe(true)
  expect(isGivenUp({ ...failing, failingSinceMs: null }, 1_000 + dayMs)).toBe(false)
})
