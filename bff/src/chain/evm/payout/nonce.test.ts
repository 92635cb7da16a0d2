import { untilMined } from '@stablecoin-checkout/rig/anvil-client'
import { confirmations, openStage, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { attemptsMax } from '../../../payout/payout-retry.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import { giveUpAfterMs } from './monitor.ts'

const never = new AbortController().signal
let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const died = () => Promise.reject(new Error('killed'))

/** An operator who sends manually from the same account. */
async function sendByHand(nonce: number, gwei = 10n): Promise<Hex> {
  const { raw } = await stage.signer.signTransaction({
    ...{ chainId: stage.network.chainId, nonce, to: stage.customer.address, data: '0x', gas: 21_000n },
    ...{ maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
  })
  const hash = await stage.chain.sendRawTransaction({ serializedTransaction: raw })
  await untilMined(stage.chain)
  return hash
}

test('a transaction dropped by the pool is broadcast again, byte for byte', async () => {
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const [sent] = await stage.outgoing()
  if (!sent) throw new Error('nothing was sent')
  await stage.chain.dropTransaction({ hash: sent.tx_id })
  await stage.chain.mine({ blocks: 2 })
  expect(await stage.settlements(id)).toBe(0)

  stage.clock.nowMs += 15_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.load(id)).toMatchObject({ sweepTxId: sent.tx_id })
  expect(await stage.outgoing()).toHaveLength(1)
})

test('when the base fee outgrows a transaction it is replaced at its nonce, with the same call and higher fees', async () => {
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const { baseFeePerGas } = await stage.sender.head()
  await stage.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas * 20n })
  await stage.chain.mine({ blocks: 1 })
  expect(await stage.settlements(id)).toBe(0)

  stage.clock.nowMs += 90_000
  await stage.passUntil(sweeper, 'swept', [id])
  const attempts = await stage.outgoing()
  expect(attempts.map(({ nonce, state }) => ({ nonce, state }))).toEqual([
    { nonce: 0, state: 'failed' },
    { nonce: 0, state: 'confirmed' },
  ])
  const [old, replacement] = await rawTransactions()
  expect(replacement).toMatchObject({ data: old?.data, to: old?.to, gas: old?.gas })
  expect(replacement?.maxFeePerGas).toBeGreaterThan(((old?.maxFeePerGas ?? 0n) * 9n) / 8n)
  expect(replacement?.maxPriorityFeePerGas).toBeGreaterThan(((old?.maxPriorityFeePerGas ?? 0n) * 9n) / 8n)
  expect(await stage.settlements(id)).toBe(1)
})

async function rawTransactions() {
  const rows = await stage.db.read((tx) =>
    tx.all<{ raw: Hex }>(sql`select raw from outgoing_transactions order by nonce, created_at_ms`),
  )
  return rows.map(({ raw }) => parseRawTransaction(raw))
}

test('a replaced version that is mined after all is recognized', async () => {
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const [old] = await stage.outgoing()
  stage.clock.nowMs += 90_000
  await stage
    .sweeper({ broadcast: died })
    .pass(never)
    .catch(() => undefined)
  expect(await stage.outgoing()).toHaveLength(2)
  await stage.chain.mine({ blocks: 1 })

  await stage.passUntil(sweeper, 'swept', [id])
  expect(await stage.load(id)).toMatchObject({ sweepTxId: old?.tx_id })
  expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed', 'failed'])
})

test('replacements of one nonce are bounded', async () => {
  await stage.pay()
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  for (let pass = 0; pass < attemptsMax + 5; pass++) {
    await sweeper.pass(never)
    stage.clock.nowMs += 6_000_000
  }
  expect(await stage.outgoing()).toHaveLength(attemptsMax)
})

test('an operator who manually uses our nonce delays the sweep until that is final and no receipt was found for some minutes', async () => {
  const id = await stage.pay()
  await expect(stage.sweeper({ broadcast: died }).pass(never)).rejects.toThrow('killed')
  await sendByHand(0)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['stored'])
  await stage.chain.mine({ blocks: confirmations - 1 })
  await sweeper.pass(never)
  stage.clock.nowMs += giveUpAfterMs

  await stage.passUntil(sweeper, 'swept', [id])
  expect((await stage.outgoing()).map(({ nonce, state }) => [nonce, state])).toEqual([
    [0, 'failed'],
    [1, 'confirmed'],
  ])
  expect(await stage.load(id)).toMatchObject({ sweep: 'confirmed' })
  expect(await stage.settlements(id)).toBe(1)
})

test('a nonce used manually and then dropped by the pool is filled, so that sweeps do not wait forever', async () => {
  const id = await stage.pay()
  await stage.chain.setAutomine(false)
  const byHand = await sendByHand(0)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect((await stage.outgoing()).map(({ nonce }) => nonce)).toEqual([1])
  await stage.chain.dropTransaction({ hash: byHand })

  stage.clock.nowMs += 90_000
  await stage.passUntil(sweeper, 'swept', [id])
  expect((await stage.outgoing()).map(({ nonce, state }) => [nonce, state])).toEqual([
    [0, 'confirmed'],
    [1, 'confirmed'],
  ])
})

test('a reorg deeper than the confirmations undoes a final sweep: it is sent again before the next one can be mined', async () => {
  const first = await stage.pay()
  await stage.chain.mine({ blocks: 3 })
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', [first])
  await stage.reorg(5)
  expect(await stage.settlements(first)).toBe(0)
  const second = await stage.pay()
  await sweeper.pass(never)
  expect((await stage.outgoing()).map(({ nonce }) => nonce)).toEqual([0, 1])
  expect(await stage.operatorNonce()).toBe(0)

  stage.clock.nowMs += 90_000
  await stage.passUntil(sweeper, 'swept', [second])
  expect(await Promise.all([first, second].map((id) => stage.settlements(id)))).toEqual([1, 1])
  expect(await stage.outgoing()).toHaveLength(2)
})
