import { type ContractStage, confirmations, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let stage: ContractStage
let replica: Awaited<ReturnType<ContractStage['openReplica']>>
beforeEach(async () => {
  // The watcher does not see it: only client reports pay.
  stage = await openContractStage({ adapter: { transfers: async () => [] } })
  replica = await stage.openReplica()
})
afterEach(async () => {
  await replica.close()
  await stage.close()
})

test('one transaction reported at two replicas concurrently pays one payment once, and never a second payment', async () => {
  const [paid, other] = [await stage.create(), await stage.create()]
  const { transactionHash } = await stage.pay(paid)
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  const rounds = Array.from({ length: 10 }, async () => {
    const [one, two] = [stage.process(paid.id, transactionHash), replica.process(paid.id, transactionHash)]
    const [three, four] = [stage.process(other.id, transactionHash), replica.process(other.id, transactionHash)]
    return [(await one).status, (await two).status, (await three).status, (await four).status]
  })
  expect(new Set((await Promise.all(rounds)).map((statuses) => statuses.join(' ')))).toEqual(
    new Set(['200 200 400 400']),
  )
  expect(await stage.load(paid.id)).toMatchObject({ status: 'completed', received: 25_000_000n })
  expect(await stage.load(other.id)).toMatchObject({ status: 'pending', received: 0n, seen: 0n })
  const transfers = await stage.db.read((tx) => tx.all(sql`select payment_id as id, state from transfers`))
  expect(transfers).toEqual([{ id: paid.id, state: 'confirmed' }])
})
