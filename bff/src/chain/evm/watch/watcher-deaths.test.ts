import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { type Death, openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'

const never = new AbortController().signal
/** More commits than a payment has. */
const commitsMax = 20

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

/** The watcher of a replica, which knows only what is stored. */
async function watch(db: Db): Promise<void> {
  const watcher = stage.otherWatcher({}, { db, heads: createHeads() })
  while (await watcher.pass(never));
}

/** One payment from its block until it is final, watched by a replica that dies and by the next one. @returns whether it has died. */
async function play(death: Death): Promise<boolean> {
  await watch(stage.db)
  const payment = await stage.create()
  const { db, isDead } = openDyingDb(stage.db, death)
  const replica = async () => {
    await watch(isDead() ? stage.db : db).catch((error: unknown) => {
      if (!isDead()) throw error
    })
    if (isDead()) await watch(stage.db)
  }
  await stage.pay(payment)
  await replica()
  for (let block = 1; block < confirmations; block++) {
    await stage.chain.mine({ blocks: 1 })
    await replica()
  }
  const events = await stage.db.read((tx) =>
    tx.all<{ type: string; sequence: number }>(
      sql`select type, sequence from events where payment_id = ${payment.id} order by number`,
    ),
  )
  expect([death, events]).toEqual([
    death,
    ['payment.created', 'payment.detected', 'payment.completed'].map((type, index) => ({ type, sequence: index + 1 })),
  ])
  expect(await stage.load(payment.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  const transfers = await stage.db.read((tx) =>
    tx.all(sql`select state from transfers where payment_id = ${payment.id}`),
  )
  expect(transfers).toEqual([{ state: 'confirmed' }])
  return isDead()
}

test('replicas die one after the other at each commit that a payment’s blocks lead to: the next one reads on, and each step is one event', async () => {
  let deaths = 0
  for (let commit = 1; commit <= commitsMax; commit++) {
    const died = [await play({ commit, at: 'inside' }), await play({ commit, at: 'after' })]
    deaths += died.filter(Boolean).length
    if (!died[0]) break
  }
  // The transfer is seen, and confirmed.
  expect(deaths).toBeGreaterThanOrEqual(4)
}, 120_000)
