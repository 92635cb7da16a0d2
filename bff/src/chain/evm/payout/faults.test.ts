import { due, openStage, platformShare, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import type { EvmSender } from '../send/evm-sender.ts'

const never = new AbortController().signal
let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const died = () => Promise.reject(new Error('killed'))

test.each([
  ['already known', { answer: 'known' }],
  ['nonce too low', { answer: 'nonce-used', reason: 'nonce too low' }],
  ['transaction underpriced', { answer: 'refused', reason: 'transaction underpriced' }],
  ['insufficient funds', { answer: 'no-gas', reason: 'insufficient funds' }],
] as const)(
  'with a node that says "%s" and keeps nothing, nothing is lost: the same bytes are broadcast until they are mined',
  async (_, answer) => {
    const id = await stage.pay()
    await stage.sweeper({ broadcast: async () => answer }).pass(never)
    const [stored] = await stage.outgoing()
    expect(stored).toMatchObject({ nonce: 0, state: 'stored' })
    expect(await stage.operatorNonce()).toBe(0)

    stage.clock.nowMs += 15_000
    await stage.passUntil(stage.sweeper(), 'swept', [id])
    expect(await stage.load(id)).toMatchObject({ sweepTxId: stored?.tx_id })
    expect(await stage.outgoing()).toHaveLength(1)
    expect(await stage.settlements(id)).toBe(1)
  },
)

test("a gas balance too low for a replacement's fees is reported, keeps the old transaction, and continues after a refill", async () => {
  const { address } = stage.signer
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const { baseFeePerGas } = await stage.sender.head()
  await stage.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas * 20n })
  await stage.chain.mine({ blocks: 1 })
  await stage.chain.setBalance({ address, value: 1n })
  stage.clock.nowMs += 90_000
  await sweeper.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  expect(stage.warnings).toContainEqual({
    message: expect.stringContaining('gas'),
    fields: expect.objectContaining({ address, needed: expect.any(String), balance: '0.000000000000000001' }),
  })

  await stage.chain.setBalance({ address, value: 10n ** 18n })
  stage.clock.nowMs += 15_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.settlements(id)).toBe(1)
  expect(await stage.operatorNonce()).toBe(1)
})

/** More than a hundred times the chain's initial fee. */
const spikeWei = 200n * 10n ** 9n

/** Disturbances between a paid deposit and its settlement. */
const troubles = [
  'pay',
  'pass',
  'pass',
  'killed before the broadcast',
  'killed after the broadcast',
  'the node lies',
  'the node is down',
  'a block',
  'a block',
  'the pool is emptied',
  'a reorg',
  'the base fee spikes',
  'the gas balance is emptied',
  'the gas balance is filled',
  'the operator sends by hand',
  'a stranger settles',
  'time passes',
] as const

async function meet(trouble: (typeof troubles)[number], ids: PaymentId[]): Promise<void> {
  const { chain, sender, signer, clock } = stage
  const pass = async (changes: Partial<EvmSender> = {}) =>
    void (await stage
      .sweeper(changes)
      .pass(never)
      .catch(() => undefined))
  switch (trouble) {
    case 'pay':
      ids.push(await paid())
      return
    case 'pass':
      return await pass()
    case 'killed before the broadcast':
      return await pass({ broadcast: died })
    case 'killed after the broadcast':
      return await pass({ broadcast: async (raw) => sender.broadcast(raw).then(died) })
    case 'the node lies':
      return await pass({ broadcast: async () => ({ answer: 'nonce-used', reason: 'nonce too low' }) })
    case 'the node is down':
      return await pass({ head: died })
    case 'a block':
      return await chain.mine({ blocks: 1 })
    case 'the pool is emptied':
      return void (await chain.request({ method: 'anvil_dropAllTransactions', params: [] } as never))
    case 'a reorg':
      // No deeper than the empty blocks on top of the payments: their own reorgs are the watcher's.
      return await reorgEmpty()
    case 'the base fee spikes':
      await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: spikeWei })
      return await chain.mine({ blocks: 1 })
    case 'the gas balance is emptied':
      return await chain.setBalance({ address: signer.address, value: 1n })
    case 'the gas balance is filled':
      return await chain.setBalance({ address: signer.address, value: 10n ** 20n })
    case 'the operator sends by hand':
      return void (await sendByHand().catch(() => undefined))
    case 'a stranger settles':
      return await settleOne(ids)
    case 'time passes':
      clock.nowMs += 100_000
      return
    default:
      return trouble satisfies never
  }
}

let lastPaidBlock = 0n

async function paid(): Promise<PaymentId> {
  await stage.chain.setAutomine(true)
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  lastPaidBlock = await stage.chain.getBlockNumber({ cacheTime: 0 })
  return id
}

async function reorgEmpty(): Promise<void> {
  const depth = Number((await stage.chain.getBlockNumber({ cacheTime: 0 })) - lastPaidBlock)
  if (depth > 0) await stage.reorg(Math.min(depth, 2))
}

async function sendByHand(): Promise<void> {
  const nonce = await stage.sender.nonce(stage.signer.address, 'pending')
  const { raw } = await stage.signer.signTransaction({
    ...{ chainId: stage.network.chainId, nonce, to: stage.customer.address, data: '0x' as Hex, gas: 21_000n },
    ...(await stage.sender.fees(await stage.sender.head())),
  })
  await stage.sender.broadcast(raw)
}

async function settleOne(ids: readonly PaymentId[]): Promise<void> {
  const [id] = ids
  if (!id || (await stage.settlements(id)) > 0) return
  await stage.chain.setAutomine(true)
  await stage.settleAsStranger(id).catch(() => undefined)
  await stage.chain.setAutomine(false)
}

test('whatever happens, in any order, every paid deposit is settled once and exactly', async () => {
  const life = fc.array(fc.constantFrom(...troubles), { minLength: 30, maxLength: 40, size: 'max' })
  const lives = fc.sample(life, { seed: 20_261_121, numRuns: 12 })
  await stage.chain.setAutomine(false)
  for (const troublesMet of lives) {
    const before = await tills()
    const ids = [await paid()]
    for (const trouble of troublesMet) await meet(trouble, ids)
    await stage.chain.setBalance({ address: stage.signer.address, value: 10n ** 20n })
    await endWell(ids)

    expect(await Promise.all(ids.map(stage.settlements))).toEqual(ids.map(() => 1))
    const count = BigInt(ids.length)
    const after = await tills()
    expect(after.merchant - before.merchant, String(troublesMet)).toBe(count * (due - platformShare))
    expect(after.platform - before.platform, String(troublesMet)).toBe(count * platformShare)
  }
})

const tills = async () => ({
  merchant: await stage.balanceOf(stage.merchant),
  platform: await stage.balanceOf(stage.platform),
})

/** Mines and waits until everything is settled and final. */
async function endWell(ids: readonly PaymentId[]): Promise<void> {
  const sweeper = stage.sweeper()
  for (let passes = 0; passes < 80; passes += 1) {
    const payments = await Promise.all(ids.map(stage.load))
    if (payments.every(({ status }) => status === 'swept')) return
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
    stage.clock.nowMs += 30_000
  }
  throw new Error(`not settled in the end: ${JSON.stringify(stage.warnings.slice(-5))}`)
}
