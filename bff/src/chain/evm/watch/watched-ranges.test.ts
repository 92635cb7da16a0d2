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

test('a range that a node refuses is read in halves', async () => {
  const payment = await stage.create()
  await stage.pay(payment)
  await mine(2_000)
  const refused: number[] = []
  const isDone = new AbortController()
  const watcher = openWatcher({
    async transfers(range, signal) {
      const blocks = range.to - range.from + 1
      if (blocks > 600) {
        if (refused.push(blocks) > 2) isDone.abort()
        throw new Error('query returned more than 10000 results')
      }
      const found = await stage.evm.transfers(range, signal)
      if (found.length > 0) isDone.abort()
      return found
    },
  })
  await watcher.run(isDone.signal)
  expect(refused).toEqual([2_000, 1_000])
})

test('a node that lags undoes nothing that was read from blocks it does not have yet', async () => {
  const payment = await stage.create()
  let headOfNode: number | undefined
  const watcher = openWatcher({
    head: async (signal) => {
      const block = headOfNode === undefined ? undefined : await stage.evm.block(headOfNode, signal)
      return block ?? (await stage.evm.head(signal))
    },
    block: async (number, signal) =>
      headOfNode !== undefined && number > headOfNode ? undefined : await stage.evm.block(number, signal),
  })
  await catchUp(watcher)
  const { blockNumber } = await stage.pay(payment)
  await catchUp(watcher)
  headOfNode = Number(blockNumber) - 2
  await catchUp(watcher)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 25_000_000n })
  const reorged = sql`select 1 from events where payment_id = ${payment.id} and type = 'payment.reorged'`
  expect(await stage.db.read((tx) => tx.all(reorged))).toEqual([])
})

test('a start knows the stored head before a node answers', async () => {
  await catchUp(openWatcher({}))
  const heads = createHeads()
  await stage.otherWatcher({}, { heads }).resume()
  expect(heads.get('devnet')?.number).toBe(Number(await stage.chain.getBlockNumber()))
})

test('a transfer of a replaced block that is stored while the reorg is applied is undone too', async () => {
  const first = await stage.create()
  const second = await stage.create()
  let replacedBlock: number | undefined
  let asked = Number.NEGATIVE_INFINITY
  let store: (() => Promise<void>) | undefined
  const watcher = openWatcher({
    async transfers(range, signal) {
      const found = await stage.evm.transfers(range, signal)
      asked = 0
      return found
    },
    async block(number, signal) {
      if (number === replacedBlock) asked += 1
      // First to confirm the transfer, then to undo it.
      if (asked === 2) {
        await store?.()
        store = undefined
      }
      return await stage.evm.block(number, signal)
    },
  })
  await catchUp(watcher)
  const { blockNumber } = await stage.pay(first)
  await catchUp(watcher)
  const to = Number((await stage.pay(second)).blockNumber)
  const findWatched = async () => ({ has: () => true })
  const range = { from: to, to, findWatched, few: undefined, splitters: new Set([second.contractCall.contractAddress]) }
  const [transfer] = await stage.evm.transfers({ ...range, turn: 0 }, never)
  if (transfer === undefined) throw new Error('The payment was not found.')
  replacedBlock = Number(blockNumber)
  store = async () =>
    void (await stage.ledger.apply(second.id, { type: 'transfer.seen', transfer, atMs: systemRuntime.nowMs() }))
  asked = Number.NEGATIVE_INFINITY
  await stage.reorg(3)
  await watcher.pass(never).catch(() => undefined)
  expect(store).toBeUndefined()
  await catchUp(watcher)
  expect(await load(first)).toMatchObject({ status: 'pending', seen: 0n })
  expect(await load(second)).toMatchObject({ status: 'pending', seen: 0n })
})

test('the first search begins before the first payment was created, also if its blocks are final by then', async () => {
  const payment = await stage.create()
  await stage.pay(payment)
  await mine(stage.network.finalityBlocks + 6)
  await catchUp(openWatcher({}))
  expect(await load(payment)).toMatchObject({ status: 'completed', received: 25_000_000n })
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
