import { gwei } from '@stablecoin-checkout/rig/model-payout-chain'
import { type ModelStage, openModelStage } from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { depositAddress } from '../deposit/forwarder-address.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'

const never = new AbortController().signal
const empty = 'Deposits wait: the operator’s gas balance is too low. Send coins to its address.'
/** Per gas: twice the base fee of a gwei, and a tip of one. */
const feeMax = 3n * gwei
/** For one deposit that takes 96,000 alone: plus two new balances and a fifth. The batch's own gas is 60,000. */
const itemGas = ((96_000n + 34_200n) * 6n) / 5n
const frameGas = 60_000n

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const sent = async () => (await stage.outgoing()).map(({ raw }) => parseRawTransaction(raw))
const payTimes = async (count: number) => {
  const ids: PaymentId[] = []
  for (let paid = 0; paid < count; paid++) ids.push(await stage.pay())
  return ids
}

describe('a sweep transaction', () => {
  test('has gas for its deposits, plus possible new balances of the recipients', async () => {
    await payTimes(2)
    expect(await pass()).toBe(2)
    expect((await sent())[0]?.gas).toBe(frameGas + 2n * itemGas)
  })

  test('has plenty for a deposit that failed before, or cannot be measured, and more if that is measured', async () => {
    const [id] = await payTimes(1)
    await stage.db.write((tx) => tx.run(sql`update payouts set failures = 1 where payment_id = ${id ?? ''}`))
    await pass()
    stage.chain.settleGas = 700_000n
    const [other] = await payTimes(1)
    await stage.db.write((tx) => tx.run(sql`update payouts set failures = 1 where payment_id = ${other ?? ''}`))
    await pass()
    await payTimes(1)
    await pass(stage.sweeper({ settleGas: () => Promise.reject(new Error('cannot be measured')) }))
    expect((await sent()).map(({ gas }) => gas)).toEqual([
      ...[frameGas + 600_000n, frameGas + 700_000n, frameGas + ((600_000n + 34_200n) * 6n) / 5n],
    ])
  })

  test('measures a token once for all of its deposits', async () => {
    await payTimes(3)
    let measured = 0
    await pass(
      stage.sweeper({
        settleGas: async () => {
          measured += 1
          return 96_000n
        },
      }),
    )
    expect(measured).toBe(1)
  })

  test.each([
    ['half of a block', { gasLimit: 2n * (frameGas + 2n * itemGas) }, 96_000n, 2],
    ['less than that', { gasLimit: 2n * (frameGas + 2n * itemGas) - 2n }, 96_000n, 1],
    ['15 million of a larger block', { gasLimit: 60_000_000n }, 6_190_800n, 2],
    ['a unit less than two deposits take', { gasLimit: 60_000_000n }, 6_190_801n, 1],
  ])('is filled up to %s', async (_, limits, settleGas, count) => {
    await payTimes(3)
    Object.assign(stage.chain, limits, { settleGas })
    expect(await pass()).toBe(count)
  })

  test('includes one deposit even if it exceeds half of a block', async () => {
    await payTimes(2)
    stage.chain.gasLimit = 1_000n
    expect(await pass()).toBe(1)
  })

  test('includes as many deposits as the account can pay for, exact to the wei', async () => {
    await payTimes(3)
    stage.chain.balanceWei = (frameGas + 2n * itemGas) * feeMax
    expect(await pass()).toBe(2)
    expect((await sent())[0]?.gas).toBe(frameGas + 2n * itemGas)
    expect(stage.said('warn')).toEqual([])
  })

  test('waits while the account cannot pay for one deposit, and logs the missing amount; after a quarter of a minute it checks again', async () => {
    await payTimes(1)
    const needed = (frameGas + itemGas) * feeMax
    stage.chain.balanceWei = needed - 1n
    expect(await pass()).toBe(0)
    expect(stage.lines.at(-1)).toMatchObject({
      ...{ level: 'warn', message: empty },
      fields: { network: 'devnet', address: stage.signer.address, needed: expect.stringMatching(/^0\.0006\d+$/) },
    })
    const sweeper = stage.sweeper()
    expect(await pass(sweeper)).toBe(0)
    stage.chain.balanceWei = needed
    stage.clock.nowMs += 14_999
    expect(await pass(sweeper)).toBe(0)
    stage.clock.nowMs += 1
    expect(await pass(sweeper)).toBe(1)
  })

  test('is not stored when one of its deposits was claimed meanwhile: the other sweeper has sent it', async () => {
    await payTimes(2)
    const { signTransaction } = stage.signer
    let isFirst = true
    const slow = stage.sweeper(
      {},
      {
        ...stage.signer,
        async signTransaction(transaction) {
          if (isFirst) {
            isFirst = false
            await pass()
          }
          return await signTransaction(transaction)
        },
      },
    )
    expect(await pass(slow)).toBe(0)
    expect(await stage.outgoing()).toHaveLength(1)
    expect(stage.chain.broadcasts).toHaveLength(1)
  })
})

test('of two transactions with one nonce only the first is stored', async () => {
  const [first] = await payTimes(1)
  const { signTransaction } = stage.signer
  let isFirst = true
  const slow = stage.sweeper(
    {},
    {
      ...stage.signer,
      async signTransaction(transaction) {
        if (isFirst) {
          isFirst = false
          const address = (await stage.load(first as PaymentId)).depositAddress
          await stage.pay()
          const { refusals } = stage.sender
          const busy = { isSettled: false, reason: 'busy' }
          await pass(
            stage.sweeper({
              refusals: async (factory, batch) =>
                (await refusals(factory, batch)).map((_, index) => {
                  const terms = batch[index]
                  return terms && depositAddress(terms, factory) === address ? busy : undefined
                }),
            }),
          )
        }
        return await signTransaction(transaction)
      },
    },
  )
  expect(await pass(slow)).toBe(0)
  expect((await stage.outgoing()).map(({ nonce }) => nonce)).toEqual([0])
})

describe('the worker', () => {
  test('continues after a fault, logs it, and ends at the signal', async () => {
    const [id] = await payTimes(1)
    Object.assign(stage.network, { pollMs: 1 })
    const stopping = new AbortController()
    let heads = 0
    const { head, broadcast } = stage.sender
    const worker = stage.sweeper({
      head: () => (heads++ === 0 ? Promise.reject(new Error('down')) : head()),
      async broadcast(raw) {
        stopping.abort()
        return await broadcast(raw)
      },
    })
    await worker.run(stopping.signal)
    expect(stage.chain.broadcasts).toHaveLength(1)
    expect(id && (await stage.sweepOf(id))).toMatchObject({ state: 'sent' })
    expect(stage.lines.find(({ level }) => level === 'error')).toMatchObject({
      message: 'Payout pass failed; retrying',
      fields: { network: 'devnet', fault: expect.stringContaining('down'), faults: 1 },
    })
  })

  test('does nothing if the signal comes before its start', async () => {
    await payTimes(1)
    expect(await stage.sweeper().pass(AbortSignal.abort())).toBe(0)
    await stage.sweeper().run(AbortSignal.abort())
    expect(await stage.outgoing()).toEqual([])
  })
})
