import { gwei } from '@stablecoin-checkout/rig/model-payout-chain'
import { confirmations, type ModelStage, openModelStage } from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import type { EvmSender } from '../send/evm-sender.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import { giveUpAfterMs } from './monitor.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const statusOf = async (id: PaymentId) => (await stage.load(id)).status
const states = async () => (await stage.outgoing()).map(({ nonce, state }) => [nonce, state])

/** Nodes have the state of 128 blocks, and a block was mined after the head was read. */
const ofRecentBlocks =
  (nonce: EvmSender['nonce']): EvmSender['nonce'] =>
  async (address, at) => {
    if (typeof at === 'number' && at < stage.chain.head().number - 126) throw new Error('missing trie node')
    return await nonce(address, at)
  }

/** A sweep transaction that a node has and no block contains. */
async function send() {
  const id = await stage.pay()
  await pass()
  const [sent] = await stage.outgoing()
  if (!sent) throw new Error('nothing was sent')
  return { id, sent }
}

describe('a payout whose nonce was used externally', () => {
  test('is lost when that is final, and not one block earlier: its deposit is queued again', async () => {
    const { id, sent } = await send()
    stage.chain.pool.clear()
    stage.chain.takeNonce(stage.signer.address)
    await stage.chain.mine(confirmations - 2)
    expect(await pass()).toBe(0)
    expect(await states()).toEqual([[0, 'stored']])
    await stage.chain.mine()
    const sweeper = stage.sweeper()
    expect(await pass(sweeper)).toBe(0)
    stage.clock.nowMs += giveUpAfterMs - 1
    expect(await pass(sweeper)).toBe(0)
    stage.clock.nowMs += 1
    expect(await pass(sweeper)).toBe(2)
    expect(await states()).toEqual([
      [0, 'failed'],
      [1, 'stored'],
    ])
    expect(stage.said('warn')).toEqual([
      'An external transaction used a nonce of the operator account; its deposits are queued again',
    ])
    expect(stage.lines.find(({ level }) => level === 'warn')?.fields).toEqual({
      ...{ network: 'devnet', sender: stage.signer.address.toLowerCase(), nonce: 0 },
    })
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept' })
    expect((await stage.load(id)).sweepTxId).not.toBe(sent.tx_id)
  })

  test('is also lost with 240 required confirmations and nodes that are not archives', async () => {
    await send()
    stage.chain.pool.clear()
    stage.chain.takeNonce(stage.signer.address)
    await stage.chain.mine(240)
    const deps = stage.deps({ nonce: ofRecentBlocks(stage.sender.nonce) })
    const sweeper = createSweeper({ ...deps, network: { ...deps.network, confirmations: 240 } })
    await pass(sweeper)
    stage.clock.nowMs += giveUpAfterMs
    await pass(sweeper)
    expect(await states()).toEqual([
      [0, 'failed'],
      [1, 'stored'],
    ])
  })

  test('has not failed: its deposit keeps its failure count and is due at once', async () => {
    const { id } = await send()
    stage.chain.takeNonce(stage.signer.address)
    await stage.chain.mine(confirmations - 1)
    const faulty = stage.sweeper({ refusals: () => Promise.reject(new Error('down')) })
    await pass(faulty)
    stage.clock.nowMs += giveUpAfterMs
    await expect(pass(faulty)).rejects.toThrow('down')
    expect(await stage.sweepOf(id)).toMatchObject({ state: 'queued', failures: 0, due_at_ms: stage.clock.nowMs })
    expect(await statusOf(id)).toBe('sweeping')
  })
})

describe('a missing nonce before our next one', () => {
  /** Sent manually and dropped by the pool: ours waits at the nonce after it. */
  async function openGap(nonce = 0) {
    const byHand = await stage.signer.signTransaction({
      ...{ chainId: stage.network.chainId, nonce, to: stage.signer.address, data: '0x', gas: 21_000n },
      ...{ maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei },
    })
    stage.chain.pool.set(byHand.txId, byHand.raw)
    const id = await stage.pay()
    await pass()
    expect((await states()).at(-1)).toEqual([nonce + 1, 'stored'])
    return { id, byHand }
  }

  test('is not assumed while a transaction waits to be final and nothing follows it', async () => {
    await send()
    await stage.chain.mine()
    stage.clock.nowMs += 90_000
    expect(await pass()).toBe(0)
    expect(await states()).toEqual([[0, 'stored']])
  })

  test('is filled even if others were used before it', async () => {
    await send()
    await stage.chain.mine(confirmations)
    await pass()
    const { byHand, id } = await openGap(1)
    stage.chain.pool.delete(byHand.txId)
    stage.clock.nowMs += 90_000
    await pass()
    expect(await states()).toEqual([
      [0, 'confirmed'],
      [1, 'stored'],
      [2, 'stored'],
    ])
    await stage.chain.mine(confirmations)
    await pass()
    expect(await statusOf(id)).toBe('swept')
  })

  test('is filled after a minute and a half by an empty transfer to ourselves, and ours is mined', async () => {
    const { id, byHand } = await openGap()
    stage.chain.pool.delete(byHand.txId)
    stage.clock.nowMs += 89_999
    await pass()
    expect(await stage.outgoing()).toHaveLength(1)
    stage.clock.nowMs += 1
    expect(await pass()).toBe(1)
    expect(await states()).toEqual([
      [0, 'stored'],
      [1, 'stored'],
    ])
    const [filler] = (await stage.outgoing()).map(({ raw }) => parseRawTransaction(raw))
    expect(filler).toEqual({
      ...{
        chainId: stage.network.chainId,
        nonce: 0,
        to: stage.signer.address.toLowerCase(),
        data: '0x',
        gas: 100_000n,
      },
      ...{ maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei },
    })
    expect(stage.lines.at(-2)).toEqual({
      level: 'warn',
      message: 'Filling a missing nonce of the operator account so that later transactions can be mined',
      fields: { network: 'devnet', address: stage.signer.address, nonce: 0 },
    })
    await stage.chain.mine(confirmations)
    expect(await pass()).toBe(2)
    expect(await statusOf(id)).toBe('swept')
  })

  test('is left to the manual transaction while a node knows it, and the wait is logged', async () => {
    await openGap()
    stage.clock.nowMs += 90_000
    await pass()
    expect(await stage.outgoing()).toHaveLength(1)
    expect(stage.lines.at(-1)).toEqual({
      ...{ level: 'warn', message: 'Deposits wait for an external transaction of the operator account' },
      fields: { network: 'devnet', address: stage.signer.address, nonce: 0 },
    })
  })

  test('is filled once, by whichever sweeper comes first', async () => {
    const { byHand } = await openGap()
    stage.chain.pool.delete(byHand.txId)
    stage.clock.nowMs += 90_000
    let isFirst = true
    const slow = stage.sweeper({
      async fees() {
        if (isFirst) {
          isFirst = false
          await pass()
        }
        return { maxPriorityFeePerGas: 5n * gwei, maxFeePerGas: 9n * gwei }
      },
    })
    const given = stage.chain.broadcasts.length
    await pass(slow)
    const [filler] = await stage.outgoing()
    expect((await stage.outgoing()).map(({ nonce }) => nonce)).toEqual([0, 1])
    expect(stage.chain.broadcasts.slice(given).filter((raw) => raw === filler?.raw)).toHaveLength(1)
    expect(stage.said('warn')).toHaveLength(1)
  })

  test('is used by the transaction that was final there before a deep reorg undid it', async () => {
    const { id, sent } = await send()
    await stage.chain.mine(confirmations)
    await pass()
    expect(await statusOf(id)).toBe('swept')
    stage.chain.reorg(confirmations)
    const second = await stage.pay()
    await pass()
    expect(await states()).toEqual([
      [0, 'confirmed'],
      [1, 'stored'],
    ])
    stage.clock.nowMs += 90_000
    const given = stage.chain.broadcasts.length
    await pass()
    expect(await states()).toEqual([
      [0, 'stored'],
      [1, 'stored'],
    ])
    expect(stage.chain.broadcasts.slice(given)).not.toContain(sent.raw)
    await pass()
    expect(stage.chain.broadcasts).toContain(sent.raw)
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.statuses([id, second])).toEqual(['swept', 'swept'])
  })

  test('of a former operator is not ours to fill', async () => {
    const id = await stage.pay()
    const died = () => Promise.reject(new Error('killed'))
    await pass(stage.sweeper({ broadcast: died, nonce: async () => 1 }, stage.former)).catch(() => undefined)
    expect(await states()).toEqual([[1, 'stored']])
    stage.clock.nowMs += 90_000
    await pass()
    expect(await states()).toEqual([[1, 'stored']])
    expect(await statusOf(id)).toBe('sweeping')
  })
})
