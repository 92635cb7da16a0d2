import { honest } from '@stablecoin-checkout/rig/devnet/tron/tron-view'
import { openTronStage, type TronStage, tronConfirmations } from '@stablecoin-checkout/rig/tron-stage'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { reconcileNetwork } from '../../ops/reconcile/reconcile.ts'
import { outcomeOf } from '../../payment/payment.ts'
import { addressTopic } from '../event-topic.ts'

let stage: TronStage

beforeAll(async () => {
  stage = await openTronStage()
})
beforeEach(() => {
  for (const { switches } of stage.nodes) Object.assign(switches, honest())
})
afterAll(() => stage.close())

async function finalize(): Promise<void> {
  await stage.mine(tronConfirmations)
  await stage.watch()
  await stage.mine(1)
  await stage.watch()
}

const switchesOf = (place: number) => {
  const node = stage.nodes[place]
  if (node === undefined) throw new Error(`There is no node ${place}`)
  return node.switches
}

const differences = async () => {
  const { db, networks, network } = stage
  const deps = { db, networks, runtime: systemRuntime, period: { kind: 'all' }, onProgress: () => undefined } as const
  return (await reconcileNetwork(deps, network, new AbortController().signal)).differences
}

test('a transfer that a fork moves to another block counts once, in its new block', async () => {
  const { id, address } = await stage.deposit()
  await stage.mine(3)
  await stage.watch()
  const { transactionHash, blockNumber } = await stage.pay(address, 25_000_000n)
  await stage.mine(1)
  await stage.watch()
  expect((await stage.load(id)).seen).toBe(25_000_000n)
  const raw = await stage.chain.request({ method: 'eth_getRawTransactionByHash', params: [transactionHash] } as never)
  // Three blocks are replaced; the transfer is in the last of them, one later than before.
  await stage.chain.request({ method: 'anvil_reorg', params: [3, [[raw, 2]]] } as never)
  const moved = await stage.chain.getTransactionReceipt({ hash: transactionHash })
  expect(moved.blockNumber).toBe(blockNumber + 1n)
  await stage.mine(1)
  await stage.watch()
  await finalize()
  expect(await stage.load(id)).toMatchObject({ seen: 25_000_000n, received: 25_000_000n, status: 'swept' })
})

test('a transfer in a block whose hash differs between the nodes does not count until they agree', async () => {
  const { id, address } = await stage.deposit()
  await stage.watch()
  const { blockNumber } = await stage.pay(address, 25_000_000n)
  switchesOf(1).forkedFrom = Number(blockNumber)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ received: 0n, status: 'pending' })
  switchesOf(1).forkedFrom = null
  await stage.mine(1)
  await stage.watch()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test('a first node that is behind delays nothing: the second is read', async () => {
  const { id, address } = await stage.deposit()
  await stage.watch()
  switchesOf(0).lagBlocks = 40
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test('while both nodes are down nothing is skipped: the transfer is found when one is back', async () => {
  const { id, address } = await stage.deposit()
  await stage.watch()
  for (const { switches } of stage.nodes) switches.isDown = true
  await stage.pay(address, 25_000_000n)
  await stage.mine(tronConfirmations)
  await expect(stage.pass()).rejects.toThrow('HTTP request failed')
  expect((await stage.load(id)).seen).toBe(0n)
  switchesOf(1).isDown = false
  stage.restart()
  await finalize()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test.each([
  ['the other node is down', { isDown: true }],
  ['the other node has less', { omits: () => true }],
])('blocks returned by only one node are read again if %s', async (_, change) => {
  stage.restart()
  const [shown, hidden] = [await stage.deposit(), await stage.deposit()]
  await stage.watch()
  switchesOf(0).omits = ({ topics }) => topics[2] === addressTopic(hidden.address)
  Object.assign(switchesOf(1), change)
  for (const { address } of [shown, hidden]) await stage.pay(address, 25_000_000n)
  await stage.mine(1)
  await stage.watch()
  expect([(await stage.load(shown.id)).seen, (await stage.load(hidden.id)).seen]).toEqual([25_000_000n, 0n])
  for (const { switches } of stage.nodes) Object.assign(switches, honest())
  stage.restart()
  await finalize()
  expect(outcomeOf(await stage.load(hidden.id))).toBe('paid')
})

test('late money is reported and accepted by the merchant, and the books agree with the chain', async () => {
  const { id, address } = await stage.deposit()
  await stage.watch()
  await stage.ledger.apply(id, { type: 'payment.closed', as: 'expired', atMs: systemRuntime.nowMs() })
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ status: 'expired', received: 0n })
  const { apiKey, apiSecret } = stage.merchant
  const accepted = await stage.app.request(`/api/v1/payments/${id}/accept-late`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    body: '{}',
  })
  expect(accepted.status).toBe(200)
  expect(outcomeOf(await stage.load(id))).toBe('paid')
  expect(await differences()).toEqual([])
})
