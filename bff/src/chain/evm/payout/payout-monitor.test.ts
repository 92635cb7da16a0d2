import { gwei } from '@stablecoin-checkout/rig/model-payout-chain'
import { confirmations, type ModelStage, openModelStage } from '@stablecoin-checkout/rig/model-payouts'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import { attemptsMax } from '../../../payout/payout-retry.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'

const never = new AbortController().signal
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const statusOf = async (id: PaymentId) => (await stage.load(id)).status
const states = async () => (await stage.outgoing()).map(({ nonce, state }) => [nonce, state])

/** A sweep transaction that a node has and no block contains. */
async function send() {
  const id = await stage.pay()
  await pass()
  const [sent] = await stage.outgoing()
  if (!sent) throw new Error('nothing was sent')
  return { id, sent }
}

describe('a mined payout', () => {
  test('is final with the network’s confirmations, and not one earlier', async () => {
    const { id, sent } = await send()
    await stage.chain.mine(confirmations - 1)
    expect(await pass()).toBe(0)
    expect(await statusOf(id)).toBe('sweeping')
    await stage.chain.mine()
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: sent.tx_id })
    expect(await states()).toEqual([[0, 'confirmed']])
  })

  test('replaced on chain is not trusted, however deep the node reports it', async () => {
    const { id } = await send()
    await stage.chain.mine(confirmations)
    const [block] = stage.chain.blocks.slice(-confirmations)
    const { receipt } = stage.sender
    const old = async (txId: Hex, to: Hex) => {
      const found = await receipt(txId, to)
      return found && { ...found, blockHash: `0x${'dd'.repeat(32)}` as Hex }
    }
    expect(block?.transactions).toHaveLength(1)
    expect(await pass(stage.sweeper({ receipt: old }))).toBe(0)
    expect(await statusOf(id)).toBe('sweeping')
    expect(await states()).toEqual([[0, 'stored']])
    expect(await pass()).toBe(1)
    expect(await statusOf(id)).toBe('swept')
  })

  test('removed by a reorg is broadcast again, byte for byte', async () => {
    const { id, sent } = await send()
    await stage.chain.mine(1)
    stage.chain.reorg(1)
    stage.clock.nowMs += 15_000
    expect(await pass()).toBe(1)
    expect(stage.chain.broadcasts).toEqual([sent.raw, sent.raw])
    await stage.chain.mine(confirmations)
    await pass()
    expect(await statusOf(id)).toBe('swept')
  })

  test('may be an older version of a replaced one', async () => {
    const { id, sent } = await send()
    stage.clock.nowMs += 90_000
    stage.chain.refusal = { answer: 'refused', reason: 'busy' }
    await pass()
    expect(await states()).toEqual([
      [0, 'replaced'],
      [0, 'stored'],
    ])
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: sent.tx_id })
    expect(await states()).toEqual([
      [0, 'confirmed'],
      [0, 'failed'],
    ])
  })
})

describe('a payout that is not mined', () => {
  test('is broadcast again after a quarter of a minute, and not before', async () => {
    const { sent } = await send()
    stage.chain.pool.clear()
    stage.clock.nowMs += 14_999
    expect(await pass()).toBe(0)
    expect(stage.chain.broadcasts).toHaveLength(1)
    stage.clock.nowMs += 1
    expect(await pass()).toBe(1)
    expect(stage.chain.broadcasts).toEqual([sent.raw, sent.raw])
    expect(stage.chain.pool.has(sent.tx_id)).toBe(true)
    // The quarter of a minute starts again.
    stage.clock.nowMs += 14_999
    expect(await pass()).toBe(0)
  })

  test('is replaced at its nonce after a minute and a half, and not before, with an eighth higher fees for the same call', async () => {
    const { sent } = await send()
    stage.clock.nowMs += 89_999
    expect(await pass()).toBe(1)
    expect(await stage.outgoing()).toHaveLength(1)
    stage.clock.nowMs += 1
    expect(await pass()).toBe(1)
    expect(await states()).toEqual([
      [0, 'replaced'],
      [0, 'stored'],
    ])
    const [old, replacement] = (await stage.outgoing()).map(({ raw }) => parseRawTransaction(raw))
    const fees = { maxFeePerGas: (3n * gwei * 9n) / 8n + 1n, maxPriorityFeePerGas: (gwei * 9n) / 8n + 1n }
    expect(replacement).toEqual({ ...old, ...fees })
    expect(stage.chain.broadcasts.at(-1)).not.toBe(sent.raw)
    expect(stage.lines).toContainEqual({
      ...{ level: 'info', message: 'A stuck transaction was replaced' },
      fields: { network: 'devnet', nonce: 0, txId: (await stage.outgoing())[1]?.tx_id, replaces: sent.tx_id },
    })
  })

  test('waits twice as long before the next replacement', async () => {
    await send()
    stage.clock.nowMs += 90_000
    await pass()
    stage.clock.nowMs += 179_999
    await pass()
    expect(await stage.outgoing()).toHaveLength(2)
    stage.clock.nowMs += 1
    await pass()
    expect(await stage.outgoing()).toHaveLength(3)
  })

  test('is replaced a bounded number of times, and broadcast without a bound', async () => {
    await send()
    for (let turn = 0; turn < attemptsMax + 2; turn++) {
      stage.clock.nowMs += 6_000_000
      expect(await pass()).toBe(1)
    }
    expect(await stage.outgoing()).toHaveLength(attemptsMax)
    expect(stage.chain.broadcasts.slice(-2)).toEqual([
      (await stage.outgoing()).at(-1)?.raw,
      (await stage.outgoing()).at(-1)?.raw,
    ])
  })

  test('that no node ever received is not stuck: it is sent unchanged', async () => {
    await stage.pay()
    const died = () => Promise.reject(new Error('killed'))
    await expect(pass(stage.sweeper({ broadcast: died }))).rejects.toThrow('killed')
    stage.clock.nowMs += 90_000
    expect(await pass()).toBe(1)
    expect(await stage.outgoing()).toHaveLength(1)
    expect(stage.chain.broadcasts).toHaveLength(1)
  })

  test('waits for the previous one: only the next nonce is replaced', async () => {
    await send()
    await stage.pay()
    await pass()
    expect(await states()).toEqual([
      [0, 'stored'],
      [1, 'stored'],
    ])
    stage.clock.nowMs += 90_000
    expect(await pass()).toBe(2)
    expect(await states()).toEqual([
      [0, 'replaced'],
      [0, 'stored'],
      [1, 'stored'],
    ])
    expect(stage.said('warn')).toEqual([])
  })

  test('is not replaced while the account cannot pay more: it is sent unchanged, and the missing amount is logged', async () => {
    const { sent } = await send()
    const { gas } = parseRawTransaction(sent.raw)
    const needed = gas * ((3n * gwei * 9n) / 8n + 1n)
    stage.chain.balanceWei = needed - 1n
    stage.clock.nowMs += 90_000
    expect(await pass()).toBe(1)
    expect(await stage.outgoing()).toHaveLength(1)
    expect(stage.chain.broadcasts).toEqual([sent.raw, sent.raw])
    expect(stage.said('warn')).toEqual([
      'Deposits wait: the operator’s gas balance is too low. Send coins to its address.',
    ])
    stage.chain.balanceWei = needed
    await pass()
    expect(await stage.outgoing()).toHaveLength(2)
  })

  test('replaced meanwhile by another sweeper is not replaced twice', async () => {
    const { sent } = await send()
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
    await pass(slow)
    expect(await states()).toEqual([
      [0, 'replaced'],
      [0, 'stored'],
    ])
    const [, replacement] = await stage.outgoing()
    expect(stage.chain.broadcasts).toEqual([sent.raw, replacement?.raw, sent.raw])
  })

  test('of a former operator is broadcast again and finalized, and never replaced with the new operator’s key', async () => {
    const id = await stage.pay()
    await pass(stage.sweeper({}, stage.former))
    stage.clock.nowMs += 90_000
    expect(await pass()).toBe(1)
    expect(await stage.outgoing()).toHaveLength(1)
    expect(stage.chain.broadcasts).toHaveLength(2)
    await stage.chain.mine(confirmations)
    expect(await pass()).toBe(1)
    expect(await statusOf(id)).toBe('swept')
  })
})

describe('a node’s response to a broadcast', () => {
  test.each([
    ['nonce-used', 'info', 'The nonce is already used; the next pass finds the transaction that used it'],
    ['refused', 'warn', 'No RPC node accepted the transaction; retrying'],
    ['no-gas', 'warn', 'Deposits wait: the operator’s gas balance is too low. Send coins to its address.'],
  ] as const)('is not trusted: after "%s" it is broadcast again', async (answer, level, message) => {
    await stage.pay()
    stage.chain.refusal = { answer, reason: 'because' }
    await pass()
    expect(stage.said(level)).toContain(message)
    stage.clock.nowMs += 15_000
    await pass()
    expect(stage.chain.broadcasts).toHaveLength(2)
    expect(await states()).toEqual([[0, 'stored']])
  })

  test('is logged with the reason, the transaction and its cost', async () => {
    await stage.pay()
    stage.chain.refusal = { answer: 'refused', reason: 'because' }
    await pass()
    const [sent] = await stage.outgoing()
    expect(stage.lines.at(-1)?.fields).toEqual({ network: 'devnet', txId: sent?.tx_id, reason: 'because' })
    stage.chain.refusal = { answer: 'no-gas', reason: 'poor' }
    stage.clock.nowMs += 15_000
    await pass()
    expect(stage.lines.at(-1)?.fields).toMatchObject({
      network: 'devnet',
      needed: expect.stringMatching(/^0\.000\d+$/),
    })
    stage.chain.refusal = undefined
    stage.clock.nowMs += 15_000
    await pass()
    expect(stage.lines.at(-1)).toEqual({
      ...{ level: 'debug', message: 'A transaction was broadcast' },
      fields: { network: 'devnet', txId: sent?.tx_id },
    })
  })
})

describe('a pass', () => {
  test('reads an account’s nonce once, for any number of pending transactions', async () => {
    for (let count = 0; count < 3; count++) {
      await stage.pay()
      await pass()
    }
    const asked: unknown[] = []
    const { nonce } = stage.sender
    await pass(
      stage.sweeper({
        nonce(address, at) {
          asked.push(at)
          return nonce(address, at)
        },
      }),
    )
    expect(asked).toEqual(['latest'])
  })

  test('continues with the next transaction after a fault, and then reports it', async () => {
    const ids = [await stage.pay()]
    await pass()
    ids.push(await stage.pay())
    await pass()
    await stage.chain.mine(confirmations)
    const [first] = await stage.outgoing()
    const { receipt } = stage.sender
    const faulty = stage.sweeper({
      receipt: (txId, to) => (txId === first?.tx_id ? Promise.reject(new Error('a node is down')) : receipt(txId, to)),
    })
    await expect(pass(faulty)).rejects.toThrow('a node is down')
    expect(await stage.statuses(ids)).toEqual(['sweeping', 'swept'])
    expect(stage.lines).toContainEqual({
      ...{ level: 'warn', message: 'Monitoring a transaction failed; retrying' },
      fields: { network: 'devnet', transactionId: first?.id, fault: expect.stringContaining('a node is down') },
    })
  })

  test('throws the first fault of several', async () => {
    await stage.pay()
    await pass()
    await stage.pay()
    await pass()
    await stage.chain.mine(confirmations)
    let faults = 0
    const faulty = stage.sweeper({ receipt: () => Promise.reject(new Error(`fault ${++faults}`)) })
    await expect(pass(faulty)).rejects.toThrow('fault 1')
    expect(faults).toBe(2)
  })

  test('stops ending transactions after the signal', async () => {
    await stage.pay()
    await pass()
    await stage.pay()
    await pass()
    await stage.chain.mine(confirmations)
    const stopping = new AbortController()
    const { receipt } = stage.sender
    const sweeper = stage.sweeper({
      receipt(txId, to) {
        stopping.abort()
        return receipt(txId, to)
      },
    })
    expect(await sweeper.pass(stopping.signal)).toBe(1)
    expect(await states()).toEqual([
      [0, 'confirmed'],
      [1, 'stored'],
    ])
  })

  test('sends nothing new while sixteen are pending', async () => {
    for (let count = 0; count < 17; count++) {
      await stage.pay()
      await pass()
    }
    expect(await stage.outgoing()).toHaveLength(16)
    await stage.chain.mine(confirmations)
    await pass()
    await pass()
    expect(await stage.outgoing()).toHaveLength(17)
  })
})
