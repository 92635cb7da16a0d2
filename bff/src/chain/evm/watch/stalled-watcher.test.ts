import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, sql } from '../../../db/db.ts'
import { fenced, LeaseLostError } from '../../../db/fenced.ts'
import { takeLease } from '../../../db/lease-store.ts'
import { createHeads } from '../../../network/heads.ts'

const never = new AbortController().signal

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

/** The watcher of a replica that acquires the lease, whose process can be suspended right before a write. */
async function takeOver(holder: string) {
  const epoch = await stage.db.write((tx) => takeLease(tx, 'devnet', holder, 0))
  if (epoch === undefined) throw new Error('The lease is free.')
  const own = fenced(stage.db, { name: 'devnet', holder, epoch }, () => undefined)
  let resumed = Promise.resolve()
  let reach = () => {}
  const db: Db = {
    ...own,
    async write(unit) {
      reach()
      await resumed
      return await own.write(unit)
    },
  }
  const watcher = stage.otherWatcher({}, { db, heads: createHeads() })
  return {
    pass: () => watcher.pass(never),
    async catchUp() {
      while (await watcher.pass(never));
    },
    /** @returns a promise that resolves when the replica is suspended, and a function that resumes it. */
    stopBeforeWriting() {
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      let resume = () => {}
      resumed = new Promise((resolve) => {
        resume = resolve
      })
      return { reached, resume: () => resume() }
    },
  }
}

test('a watcher suspended before it stores a payment, which a reorg then removes, pays nothing when resumed', async () => {
  const stalled = await takeOver('stalled')
  const payment = await stage.create()
  await stalled.catchUp()
  await stage.pay(payment)
  await stage.chain.mine({ blocks: confirmations - 1 })
  const { reached, resume } = stalled.stopBeforeWriting()
  const late = stalled.pass().catch((error: unknown) => error)
  await reached

  await stage.reorg(confirmations)
  const other = await takeOver('other')
  await other.catchUp()
  expect(await stage.load(payment.id)).toMatchObject({ status: 'pending', seen: 0n })

  resume()
  expect(await late).toBeInstanceOf(LeaseLostError)
  await stage.chain.mine({ blocks: 1 })
  await other.catchUp()
  expect(await stage.load(payment.id)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
  const events = await stage.db.read((tx) =>
    tx.all<{ type: string }>(sql`select type from events where payment_id = ${payment.id} order by number`),
  )
  expect(events).toEqual([{ type: 'payment.created' }])
})
