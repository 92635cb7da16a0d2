import { confirmations, openStage, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'

const never = new AbortController().signal
let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const died = () => Promise.reject(new Error('killed'))

test('killed between commit and broadcast: a restart broadcasts the stored bytes, and settles once', async () => {
  const id = await stage.pay()
  await expect(stage.sweeper({ broadcast: died }).pass(never)).rejects.toThrow('killed')
  expect(await stage.operatorNonce()).toBe(0)
  const [stored] = await stage.outgoing()

  await stage.passUntil(stage.sweeper(), 'swept', [id])
  expect(await stage.load(id)).toMatchObject({ sweepTxId: stored?.tx_id })
  expect(await stage.settlements(id)).toBe(1)
  expect(await stage.operatorNonce()).toBe(1)
})

test('killed after the broadcast, before recording it: a restart confirms it and sends nothing more', async () => {
  const id = await stage.pay()
  const broadcast = async (raw: Hex) => {
    await stage.sender.broadcast(raw)
    return died()
  }
  await expect(stage.sweeper({ broadcast }).pass(never)).rejects.toThrow('killed')
  await stage.passUntil(stage.sweeper(), 'swept', [id])

  expect(await stage.settlements(id)).toBe(1)
  expect(await stage.operatorNonce()).toBe(1)
  expect(await stage.outgoing()).toHaveLength(1)
})

test('a reorg that removes the sweep before it is final leads to one settlement', async () => {
  const id = await stage.pay()
  const sweeper = stage.sweeper()
  await stage.chain.mine({ blocks: 3 })
  await sweeper.pass(never)
  expect(await stage.settlements(id)).toBe(1)
  await stage.reorg(1)
  expect(await stage.settlements(id)).toBe(0)
  await stage.chain.mine({ blocks: confirmations - 1 })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'sweeping' })

  stage.clock.nowMs += 15_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.settlements(id)).toBe(1)
  expect(await stage.outgoing()).toHaveLength(1)
})

test('a reorg that removes the payment during its sweep does not lead to a second sweep when it is paid again', async () => {
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const transfer = await firstTransfer()
  await stage.ledger.apply(id, { type: 'transfer.reverted', transfer, atMs: stage.clock.nowMs })
  expect(await stage.load(id)).toMatchObject({ sweep: 'none' })
  const again = { ...transfer, blockHash: '0xagain' }
  await stage.ledger.apply(id, { type: 'transfer.confirmed', transfer: again, atMs: stage.clock.nowMs })

  await sweeper.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await stage.settlements(id)).toBe(1)
})

async function firstTransfer() {
  const row = await stage.db.read((tx) =>
    tx.get<{ tx_id: string; amount: string; block_number: number; block_hash: string; payer: string }>(
      sql`select * from transfers limit 1`,
    ),
  )
  if (!row) throw new Error('there is no transfer')
  return {
    ...{ network: 'devnet', txId: row.tx_id, logIndex: 0, payer: row.payer, amount: BigInt(row.amount) as never },
    ...{ blockNumber: row.block_number, blockHash: row.block_hash, blockTimeMs: stage.clock.nowMs },
  }
}

test('two concurrent sweepers on one database settle everything once, without reusing a nonce', async () => {
  const ids = [await stage.pay(), await stage.pay(), await stage.pay()]
  const [one, two] = [stage.sweeper(), stage.sweeper()]
  for (let pass = 0; pass < 8; pass++) {
    await Promise.all([one.pass(never), two.pass(never)])
    await stage.chain.mine({ blocks: 1 })
  }
  expect(await Promise.all(ids.map((id) => stage.settlements(id)))).toEqual([1, 1, 1])
  expect((await Promise.all(ids.map(stage.load))).map(({ status }) => status)).toEqual(['swept', 'swept', 'swept'])
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await stage.operatorNonce()).toBe(1)
})

test('a database restored from before the sweep finds it on chain and pays nobody twice', async () => {
  const id = await stage.pay()
  await stage.passUntil(stage.sweeper(), 'swept', [id])
  const [sent] = await stage.outgoing()
  await stage.db.write(async (tx) => {
    await tx.run(sql`delete from outgoing_payouts`)
    await tx.run(sql`delete from outgoing_transactions`)
    await tx.run(sql`update payments set sweep = 'queued', sweep_tx_id = null, status = 'sweeping', swept_at_ms = null`)
    await tx.run(sql`
        insert into payouts (payment_id, kind, network, token, state, due_at_ms)
        select id, 'sweep', network, token_address, 'queued', 0 from payments where id = ${id}`)
  })

  await stage.passUntil(stage.sweeper(), 'swept', [id])
  expect(await stage.load(id)).toMatchObject({ sweepTxId: sent?.tx_id })
  expect(await stage.outgoing()).toHaveLength(0)
  expect(await stage.settlements(id)).toBe(1)
})

test('terms that do not match the deposit address move nothing', async () => {
  const id = await stage.pay()
  const thief = privateKeyToAccount(`0x${'1'.repeat(64)}`).address
  const { depositTerms } = await stage.load(id)
  const forged = JSON.stringify({ ...JSON.parse(depositTerms), merchant: thief })
  await stage.db.write((tx) => tx.run(sql`update payments set deposit_terms = ${forged}`))
  await stage.sweeper().pass(never)

  expect(await stage.outgoing()).toHaveLength(0)
  expect(await stage.load(id)).toMatchObject({ sweep: 'failing' })
})
