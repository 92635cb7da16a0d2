import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'

const never = new AbortController().signal

let stage: ContractStage
beforeEach(async () => {
  stage = await openContractStage()
})
afterEach(() => stage.close())

type Watcher = ReturnType<ContractStage['otherWatcher']>

/** A watcher whose node answers as the true one, except for what is changed. */
const openWatcher = (changed: Partial<EvmAdapter>, runtime = systemRuntime): Watcher =>
  stage.otherWatcher({}, { adapter: { ...stage.evm, ...changed }, heads: createHeads(), runtime })

async function catchUp(watcher: Watcher): Promise<void> {
  for (let passes = 0; passes < 5; passes++) await watcher.pass(never)
}

const mine = (blocks: number) => stage.chain.mine({ blocks })
const load = ({ id }: Created) => stage.load(id)

test('no window ends because of a block that was not read: a wallet payment made while nobody watched never expires', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.pay(payment)
  await stage.chain.increaseTime({ seconds: 3_600 })
  await mine(2 * confirmations)
  // Blocks that are to be read again keep windows open too.
  await stage.db.write((tx) => tx.run(sql`delete from second_reads`))
  await stage.watch()
  const query = sql`select type from events where payment_id = ${payment.id} order by number`
  const types = (await stage.db.read((tx) => tx.all<{ type: string }>(query))).map(({ type }) => type)
  expect(types).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
})

test('the blocks of one pass are read a second time by a later one, because a node that lags omits the same transfer again', async () => {
  const payment = await stage.create()
  let isLagging = false
  const watcher = openWatcher({
    async transfers(range, signal) {
      if (!isLagging) return await stage.evm.transfers(range, signal)
      await range.findWatched([])
      return []
    },
  })
  await catchUp(watcher)
  await stage.pay(payment)
  await mine(2 * confirmations)
  isLagging = true
  await watcher.pass(never)
  isLagging = false
  await mine(1)
  await watcher.pass(never)
  expect(await load(payment)).toMatchObject({ status: 'completed', received: 25_000_000n })
})

test('a transfer is not kept because a node is still on the fork that was replaced', async () => {
  const payment = await stage.create()
  let replaced: Awaited<ReturnType<EvmAdapter['block']>>
  let isBehind = false
  const watcher = openWatcher({
    async transfers(range, signal) {
      const found = await stage.evm.transfers(range, signal)
      isBehind = replaced !== undefined
      return found
    },
    block: async (number, signal) =>
      isBehind && number === replaced?.number ? replaced : await stage.evm.block(number, signal),
  })
  const { approval, contractAddress, before } = payment.contractCall
  await stage.send(approval)
  await catchUp(watcher)
  const { blockNumber } = await stage.send({ to: contractAddress, data: before.data })
  await catchUp(watcher)
  expect(await load(payment)).toMatchObject({ seen: 25_000_000n })
  replaced = await stage.evm.block(Number(blockNumber), never)
  await stage.reorg(1)
  await watcher.pass(never).catch(() => undefined)
  expect(isBehind).toBe(true)
  replaced = undefined
  isBehind = false
  await mine(1)
  await catchUp(watcher)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 0n })
})

test('a transfer that a reorg undoes is not confirmed in the same pass by a node on the other fork', async () => {
  const payment = await stage.create()
  let replaced: Awaited<ReturnType<EvmAdapter['block']>>
  let answers = 0
  const watcher = openWatcher({
    async transfers(range, signal) {
      const found = await stage.evm.transfers(range, signal)
      if (replaced) answers = 1
      return found
    },
    async block(number, signal) {
      if (number !== replaced?.number || answers === 0) return await stage.evm.block(number, signal)
      answers -= 1
      return replaced
    },
  })
  await catchUp(watcher)
  const { blockNumber } = await stage.pay(payment)
  await catchUp(watcher)
  replaced = await stage.evm.block(Number(blockNumber), never)
  await stage.reorg(1)
  await mine(confirmations)
  await watcher.pass(never)
  expect(answers).toBe(0)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
})

test('the first payment of a network is seen when it is created and paid while the head is read', async () => {
  let aheadMs = 0
  let payment: Created | undefined
  let isPaying = false
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs }
  const watcher = openWatcher(
    {
      async head(signal) {
        if (isPaying) {
          isPaying = false
          payment = await stage.create()
          await stage.pay(payment)
        }
        return await stage.evm.head(signal)
      },
    },
    runtime,
  )
  await catchUp(watcher)
  aheadMs = 60_000
  isPaying = true
  await watcher.pass(never)
  await catchUp(watcher)
  expect(payment && (await load(payment))).toMatchObject({ seen: 25_000_000n })
})
