import { firstBlock, gwei } from '@stablecoin-checkout/rig/model-payout-chain'
import {
  chainId,
  confirmations,
  due,
  type ModelStage,
  openModelStage,
  payer,
} from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'

const never = new AbortController().signal
const otherMerchant = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const otherFactory = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const settle = async (sweeper = stage.sweeper()) => {
  await pass(sweeper)
  await stage.chain.mine(confirmations)
  return await pass(sweeper)
}
const warnings = () =>
  stage.lines.filter(({ level }) => level === 'warn').map(({ fields, message }) => ({ ...fields, message }))

describe('due sweeps', () => {
  test('are one transaction, and each merchant is notified of its own share', async () => {
    const ids = [await stage.pay(), await stage.pay(), await stage.pay()]
    expect(await pass()).toBe(3)
    const [sent] = await stage.outgoing()
    expect(stage.lines.at(-2)).toEqual({
      ...{ level: 'info', message: 'Settling deposits' },
      fields: { network: 'devnet', txId: sent?.tx_id, nonce: 0, deposits: 3 },
    })
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.statuses(ids)).toEqual(['swept', 'swept', 'swept'])
    expect(stage.lines.at(-1)).toEqual({
      ...{ level: 'info', message: 'A deposit was settled' },
      fields: {
        ...{ network: 'devnet', txId: sent?.tx_id, paymentId: ids[2] },
        ...{ merchantAmount: '24625000', platformAmount: '375000' },
      },
    })
  })

  test('are at most fifty deposits per transaction; the rest is for the next pass', async () => {
    for (let count = 0; count < 51; count++) await stage.pay()
    stage.chain.settleGas = 30_000n
    expect(await pass()).toBe(50)
    expect(await pass()).toBe(1)
  })

  test('of one transaction have one factory: the other waits for the next pass', async () => {
    const ids = [await stage.pay(), await stage.pay({ factory: otherFactory }), await stage.pay()]
    const [first, second] = [await pass(), await pass()]
    expect([first, second].sort()).toEqual([1, 2])
    const targets = (await stage.outgoing()).map(({ raw }) => parseRawTransaction(raw).to.toLowerCase())
    expect(new Set(targets)).toEqual(new Set([stage.network.factory.toLowerCase(), otherFactory.toLowerCase()]))
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.statuses(ids)).toEqual(['swept', 'swept', 'swept'])
  })

  test('do not wait for a deposit with a blocked wallet: it has failed and is retried later', async () => {
    const blocked = await stage.pay({ merchant: otherMerchant })
    const free = await stage.pay()
    stage.chain.blocked.add(otherMerchant)
    expect(await pass()).toBe(2)
    const { nowMs } = stage.clock
    expect(await stage.sweepOf(blocked)).toMatchObject({ state: 'queued', failures: 1, due_at_ms: nowMs + 30_000 })
    expect(await stage.sweepOf(free)).toMatchObject({ state: 'sent' })
    expect(await stage.load(blocked)).toMatchObject({ status: 'sweeping', sweep: 'failing' })
    expect(warnings()).toEqual([
      {
        ...{ network: 'devnet', paymentId: blocked, failures: 1, reason: 'the wallet is blocked' },
        message: 'Settling a deposit failed; retrying',
      },
    ])
    stage.clock.nowMs += 29_999
    await pass()
    expect(await stage.sweepOf(blocked)).toMatchObject({ failures: 1 })
    stage.clock.nowMs += 1
    stage.chain.blocked.clear()
    await settle()
    expect(await stage.statuses([blocked])).toEqual(['swept'])
  })

  test('are given up after six failures, with a notification to the merchant, and are settled anyway when possible', async () => {
    const id = await stage.pay({ merchant: otherMerchant })
    stage.chain.blocked.add(otherMerchant)
    for (let failure = 1; failure <= 6; failure++) {
      expect(await stage.load(id)).toMatchObject({ status: 'sweeping' })
      expect(await pass()).toBe(1)
      stage.clock.nowMs += 3_600_000
    }
    expect(await stage.load(id)).toMatchObject({ status: 'sweep_failed', sweep: 'failed' })
    stage.chain.blocked.clear()
    await settle()
    expect(await stage.statuses([id])).toEqual(['swept'])
  })

  test('count one failure, whoever finds it first', async () => {
    const id = await stage.pay({ merchant: otherMerchant })
    stage.chain.blocked.add(otherMerchant)
    const { refusals } = stage.sender
    const slow = stage.sweeper({
      async refusals(factory, batch) {
        const found = await refusals(factory, batch)
        if ((await stage.sweepOf(id))?.failures === 0) await pass(stage.sweeper())
        return found
      },
    })
    await pass(slow)
    expect(await stage.sweepOf(id)).toMatchObject({ failures: 1 })
  })

  test('cause no chain call when nothing is due', async () => {
    let heads = 0
    const { head } = stage.sender
    const counting = stage.sweeper({
      head() {
        heads += 1
        return head()
      },
    })
    expect(await pass(counting)).toBe(0)
    const id = await stage.pay({ merchant: otherMerchant })
    stage.chain.blocked.add(otherMerchant)
    await pass(counting)
    expect(await pass(counting)).toBe(0)
    expect(heads).toBe(1)
    expect(await stage.sweepOf(id)).toMatchObject({ failures: 1 })
  })
})

describe('a row that differs from the customer’s terms', () => {
  test.each([
    ['another chain', { chainId: 1 }, 'The terms are of chain 1, the network is 31337'],
    ['another merchant', { merchant: payer }, /^The terms are of 0x[0-9a-fA-F]{40}$/],
    ['another amount', { amount: due - 1n, least: 1n }, /^The terms are of 0x/],
  ])('moves no money: the terms are of %s', async (_, stored, reason) => {
    const bad = await stage.pay({ stored })
    const good = await stage.pay()
    expect(await pass()).toBe(2)
    expect(await stage.sweepOf(bad)).toMatchObject({ state: 'queued', failures: 1 })
    expect(warnings()[0]).toMatchObject({ paymentId: bad, reason: expect.stringMatching(reason) })
    await stage.chain.mine(confirmations)
    await pass()
    expect(await stage.statuses([bad, good])).toEqual(['sweeping', 'swept'])
  })

  test('of another chain is refused even if its address is right', async () => {
    const id = await stage.pay({ chainId: 1 })
    expect(await pass()).toBe(1)
    expect(warnings()[0]).toMatchObject({
      paymentId: id,
      reason: `The terms are of chain 1, the network is ${chainId}`,
    })
  })
})

describe('an externally settled deposit', () => {
  test('is swept by that transaction, once it is final', async () => {
    const id = await stage.pay()
    const txId = stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations - 2)
    expect(await pass()).toBe(0)
    expect(await stage.sweepOf(id)).toMatchObject({ failures: 0, due_at_ms: stage.clock.nowMs + 1_000 })
    await stage.chain.mine()
    stage.clock.nowMs += 1_000
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
    expect(await stage.sweepOf(id)).toBeUndefined()
    expect(await stage.outgoing()).toEqual([])
    expect(stage.lines).toEqual([
      {
        ...{ level: 'info', message: 'A deposit was settled externally' },
        fields: { network: 'devnet', paymentId: id, txId },
      },
    ])
  })

  test('of high value is swept by it once two nodes have the receipt that shows it', async () => {
    const id = await stage.pay()
    await stage.db.write((tx) => tx.run(sql`update payments set confirmations = 6 where id = ${id}`))
    const txId = stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations)
    const { receipt, findSettlement } = stage.sender
    const lies: Parameters<ModelStage['sweeper']>[0][] = [
      { isAttested: async () => false },
      { receipt: async () => undefined },
      {
        async receipt(...asked) {
          const found = await receipt(...asked)
          return found && { ...found, settled: new Map() }
        },
      },
      {
        async findSettlement(...asked) {
          const { found, next } = await findSettlement(...asked)
          return found ? { found: { ...found, amount: found.amount + 1n }, next } : { next }
        },
      },
      // The platform's share, and the block that is checked again later.
      {
        async findSettlement(...asked) {
          const { found, next } = await findSettlement(...asked)
          return found ? { found: { ...found, parked: 1n }, next } : { next }
        },
      },
      {
        isCanonical: async () => true,
        async findSettlement(...asked) {
          const { found, next } = await findSettlement(...asked)
          return found ? { found: { ...found, blockNumber: found.blockNumber - 1 }, next } : { next }
        },
      },
    ]
    for (const lie of lies) {
      expect(await pass(stage.sweeper(lie))).toBe(0)
      expect(await stage.statuses([id])).toEqual(['sweeping'])
      stage.clock.nowMs += 1_000
    }
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  })

  test('is not swept by a transaction in a replaced block, however deep the node reports it', async () => {
    const id = await stage.pay()
    stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations)
    const { findSettlement } = stage.sender
    const old = stage.sweeper({
      async findSettlement(forwarder, range) {
        const { found, next } = await findSettlement(forwarder, range)
        return found ? { found: { ...found, blockHash: `0x${'dd'.repeat(32)}` }, next } : { next }
      },
    })
    expect(await pass(old)).toBe(0)
    expect(await stage.statuses([id])).toEqual(['sweeping'])
  })

  test('is searched for from its first transfer on, and from where the last search stopped', async () => {
    const id = await stage.pay()
    stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(10)
    const ranges: { from: number; to: number }[] = []
    const { findSettlement } = stage.sender
    const slow = stage.sweeper({
      async findSettlement(forwarder, range) {
        ranges.push(range)
        return ranges.length < 3 ? { next: range.from + 2 } : await findSettlement(forwarder, { ...range, from: 0 })
      },
    })
    expect([await pass(slow), await pass(slow), await pass(slow)]).toEqual([1, 1, 1])
    const to = stage.chain.head().number
    expect(ranges).toEqual([
      { from: firstBlock, to },
      { from: firstBlock + 2, to },
      { from: firstBlock + 4, to },
    ])
    expect(await stage.statuses([id])).toEqual(['swept'])
  })

  test('without a settlement in any node’s logs counts as a failure, so that a person is notified', async () => {
    const id = await stage.pay()
    stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations)
    const blind = stage.sweeper({ findSettlement: async (_, { to }) => ({ next: to + 1 }) })
    expect(await pass(blind)).toBe(1)
    expect(await stage.sweepOf(id)).toMatchObject({ state: 'queued', failures: 1 })
    expect(warnings()[0]).toMatchObject({ paymentId: id, reason: 'it is settled, but the node has no log of it' })
    // And is searched for again, from the beginning.
    stage.clock.nowMs += 30_000
    expect(await pass()).toBe(1)
    expect(await stage.statuses([id])).toEqual(['swept'])
  })

  test('is also searched for in the newest block', async () => {
    const id = await stage.pay()
    stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations)
    const stops = stage.sweeper({ findSettlement: async (_, { to }) => ({ next: to }) })
    expect(await pass(stops)).toBe(1)
    expect(await stage.sweepOf(id)).toMatchObject({ failures: 0 })
  })

  test('is one of five per pass, and one that cannot be searched does not block the others', async () => {
    const ids: PaymentId[] = []
    for (let count = 0; count < 7; count++) ids.push(await stage.pay())
    for (const id of ids) stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await stage.chain.mine(confirmations)
    let searches = 0
    const { findSettlement } = stage.sender
    const faulty = stage.sweeper({
      findSettlement(forwarder, range) {
        searches += 1
        if (searches <= 2) return Promise.reject(new Error(`fault ${searches}`))
        return findSettlement(forwarder, range)
      },
    })
    await expect(pass(faulty)).rejects.toThrow('fault 1')
    expect(searches).toBe(5)
    expect((await stage.statuses(ids)).filter((status) => status === 'swept')).toHaveLength(3)
    // The two that failed wait for half a minute, and the two without a turn do not.
    expect(await pass()).toBe(2)
    expect(await pass()).toBe(0)
    stage.clock.nowMs += 30_000
    expect(await pass()).toBe(2)
    expect(new Set(await stage.statuses(ids))).toEqual(new Set(['swept']))
  })
})

describe('gas that would exceed the payment’s share', () => {
  const hourMs = 3_600_000
  /**
   * With a coin at 2,000: one deposit of 25 allows 0.25, which is 125,000 gwei. Its own gas is 75,000, the batch's
   * 60,000.
   */
  const affordable = (gas: bigint) => 125_000_000_000_000n / gas
  const setPrice = (weiPerGas: bigint) => {
    stage.chain.baseFeePerGas = weiPerGas - gwei / 1_000n
  }
  const open = () => {
    stage.network.sweepGas = { maxBps: 100, coinPrice: '2000', maxWaitHours: 24 }
    stage.chain.balanceWei = 10n ** 24n
    return stage.sweeper({
      fees: async ({ baseFeePerGas }) => ({
        maxPriorityFeePerGas: gwei / 1_000n,
        maxFeePerGas: 2n * baseFeePerGas + gwei,
      }),
    })
  }

  test('defers a deposit, exact to the wei, and logs it; it is planned again a minute later', async () => {
    const sweeper = open()
    setPrice(affordable(135_000n) + 1n)
    const id = await stage.pay()
    expect(await pass(sweeper)).toBe(0)
    const { nowMs } = stage.clock
    expect(await stage.load(id)).toMatchObject({ status: 'sweeping', sweepWaits: true })
    expect(await stage.sweepOf(id)).toMatchObject({ waiting_since_ms: nowMs, due_at_ms: nowMs + 60_000, failures: 0 })
    expect(stage.lines).toEqual([
      {
        ...{ level: 'debug', message: 'Sweeps deferred: the deposits are not yet worth their gas' },
        fields: { network: 'devnet', deposits: 1 },
      },
    ])
    setPrice(affordable(135_000n))
    stage.clock.nowMs += 59_999
    expect(await pass(sweeper)).toBe(0)
    stage.clock.nowMs += 1
    expect(await pass(sweeper)).toBe(1)
    expect(await stage.load(id)).toMatchObject({ sweepWaits: false })
  })

  test.each([
    [24 * hourMs - 1, 0],
    [24 * hourMs, 1],
  ])(
    'defers a deposit for at most the configured hours, whatever it costs: after %d ms %d are sent',
    async (waitMs, goes) => {
      const sweeper = open()
      setPrice(1_000n * gwei)
      await stage.pay()
      await pass(sweeper)
      stage.clock.nowMs += waitMs
      expect(await pass(sweeper)).toBe(goes)
    },
  )

  test('does not defer a valuable deposit beside a small one, and uses its token’s decimals', async () => {
    const sweeper = open()
    setPrice(affordable(135_000n) * 100n)
    const small = await stage.pay({ decimals: 8 })
    const large = await stage.pay({ amount: due * 100n, least: due, paid: due * 100n })
    expect(await pass(sweeper)).toBe(1)
    expect(await stage.load(small)).toMatchObject({ sweepWaits: true })
    expect(await stage.load(large)).toMatchObject({ sweepWaits: false })
    expect(await stage.sweepOf(large)).toMatchObject({ state: 'sent' })
  })

  test('is shared: deferred deposits are sent with the one that makes them worth it', async () => {
    const sweeper = open()
    // Two share the batch's 60,000: 105,000 each.
    setPrice(affordable(105_000n))
    const ids = [await stage.pay()]
    expect(await pass(sweeper)).toBe(0)
    ids.push(await stage.pay())
    expect(await pass(sweeper)).toBe(2)
    expect((await Promise.all(ids.map(stage.load))).map(({ sweepWaits }) => sweepWaits)).toEqual([false, false])
  })

  test('measured below a transaction’s base gas is counted as measured', async () => {
    const sweeper = open()
    stage.chain.settleGas = 21_000n
    setPrice(affordable(81_000n))
    await stage.pay()
    expect(await pass(sweeper)).toBe(1)
    stage.chain.settleGas = 21_000n
    setPrice(affordable(81_000n) + 1n)
    await stage.pay()
    expect(await pass(sweeper)).toBe(0)
  })

  test('defers nothing if the network sets no share', async () => {
    setPrice(1_000n * gwei)
    stage.chain.balanceWei = 10n ** 24n
    const id = await stage.pay()
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ sweepWaits: false })
  })

  test('emits the deferral to the payment once', async () => {
    const sweeper = open()
    setPrice(1_000n * gwei)
    const id = await stage.pay()
    await pass(sweeper)
    const { version } = await stage.load(id)
    const since = await stage.sweepOf(id)
    stage.clock.nowMs += 60_000
    await pass(sweeper)
    expect(await stage.load(id)).toMatchObject({ version })
    expect(await stage.sweepOf(id)).toMatchObject({ waiting_since_ms: since?.waiting_since_ms })
  })
})
