import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { countUnanswered, saveSecondRead, unreadRanges } from './second-read-store.ts'

const never = new AbortController().signal
const hourMs = 60 * 60 * 1000

let stage: ContractStage
let aheadMs = 0
let unansweredBlock = -1
beforeEach(async () => {
  aheadMs = 0
  unansweredBlock = -1
  stage = await openContractStage()
})
afterEach(() => stage.close())

/** A watcher whose node returns no range containing that block. */
function openWatcher() {
  const { transfers } = stage.evm
  const adapter = {
    ...stage.evm,
    async transfers(...asked: Parameters<typeof transfers>) {
      if (asked[0].from <= unansweredBlock && unansweredBlock <= asked[0].to) throw new Error('no node responds')
      return await transfers(...asked)
    },
  }
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  return stage.otherWatcher({}, { adapter, runtime })
}

const ranges = () => stage.db.read((tx) => unreadRanges(tx, 'devnet', 10))
const failing = async () => (await ranges()).filter(({ failingSinceMs }) => failingSinceMs !== null)
const statusOf = async ({ id }: Created) => (await stage.load(id)).status

/** Mines this many blocks, each with a pass of the watcher. */
async function watchBy(watcher: ReturnType<typeof openWatcher>, passes = 20): Promise<void> {
  for (let pass = 0; pass < passes; pass++) {
    await stage.chain.mine({ blocks: 1 })
    await watcher.pass(never)
  }
}

/**
 * The blocks read are to be read again, and no node returns the first of them.
 * @returns that block.
 */
async function loseBlock(): Promise<number> {
  const { number, timestamp } = await stage.chain.getBlock()
  const to = Number(number)
  await stage.db.write((tx) =>
    saveSecondRead(tx, 'transfers', 'devnet', { from: to - 1, to, toTimeMs: Number(timestamp) * 1000 }),
  )
  unansweredBlock = to - 1
  return unansweredBlock
}

test('a block that no node returns delays only the payments that it can pay, for at most a day, and is reported', async () => {
  const watcher = openWatcher()
  const before = await stage.create()
  await watchBy(watcher, 5)
  const block = await loseBlock()
  const after = await stage.create()
  const createdAtMs = systemRuntime.nowMs() + hourMs / 2
  await stage.db.write((tx) => tx.run(sql`update payments set created_at_ms = ${createdAtMs} where id = ${after.id}`))
  await stage.chain.increaseTime({ seconds: 3_600 })
  await watchBy(watcher)
  expect(await failing()).toMatchObject([{ from: block, to: block }])
  expect(await stage.db.read(countUnanswered)).toMatchObject([{ network: 'devnet', count: 1, first: block }])
  expect([await statusOf(before), await statusOf(after)]).toEqual(['pending', 'expired'])

  aheadMs = 24 * hourMs + 1
  await watchBy(watcher, confirmations)
  expect(await statusOf(before)).toBe('expired')
})

test('a range that is finally read is no longer reported, and its payments expire', async () => {
  const watcher = openWatcher()
  const before = await stage.create()
  await watchBy(watcher, 5)
  await loseBlock()
  await stage.chain.increaseTime({ seconds: 3_600 })
  await watchBy(watcher)
  expect(await statusOf(before)).toBe('pending')
  unansweredBlock = -1
  aheadMs = 30_000
  await watchBy(watcher, 5)
  expect([await failing(), await stage.db.read(countUnanswered)]).toEqual([[], []])
  expect(await statusOf(before)).toBe('expired')
})
