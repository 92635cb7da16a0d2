import { openStage, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPaymentViewer } from '../../../checkout/read/payment-view.ts'
import { sql } from '../../../db/db.ts'
import { createGasBalances } from '../../../network/gas-balances.ts'
import { createHeads } from '../../../network/heads.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { makeDueNow } from '../../../payout/due-now-store.ts'
import { parseDepositTerms } from '../deposit/deposit-terms.ts'
import { baseGas } from './send-sweeps.ts'

const never = new AbortController().signal
const hourMs = 60 * 60 * 1000
/** Wei per gas at which one deposit of 25 costs about 20 tokens' worth, with a coin at 2,000: far more than 1 %. */
const dear = 100_000_000_000n
const cheap = 1_000_000n

let stage: Stage
let basePrice = dear
beforeEach(async () => {
  stage = await openStage()
  stage.network.sweepGas = { maxBps: 100, coinPrice: '2000', maxWaitHours: 24 }
  basePrice = dear
})
afterEach(() => stage.close())

const sweeper = () => {
  const { head, fees } = stage.sender
  return stage.sweeper({
    head: async () => ({ ...(await head()), baseFeePerGas: basePrice }),
    fees: async (at) => {
      const { maxFeePerGas } = await fees(at)
      return { maxPriorityFeePerGas: 0n, maxFeePerGas: maxFeePerGas > basePrice ? maxFeePerGas : 2n * basePrice }
    },
  })
}

const viewer = createPaymentViewer(new Map(), createHeads())
const settlement = async (id: PaymentId) => viewer.status(await stage.load(id)).settlement

test('a deposit waits while gas would exceed its share, logs it, and is sent when the fee has fallen', async () => {
  const id = await stage.pay()
  const worker = sweeper()
  for (let pass = 0; pass < 5; pass++) await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  expect(await settlement(id)).toMatchObject({ state: 'delayed', message: expect.stringContaining("network's fee") })
  expect(await stage.load(id)).toMatchObject({ status: 'sweeping', sweepWaits: true })

  basePrice = cheap
  expect(await worker.pass(never)).toBe(0)
  stage.clock.nowMs += 60_000
  await worker.pass(never)
  expect(await settlement(id)).toMatchObject({ state: 'settling' })
  await stage.passUntil(worker, 'swept', [id])
  expect(await settlement(id)).toMatchObject({ state: 'settled' })
})

test('a deposit also waits while the L1 data fee would exceed its share', async () => {
  const id = await stage.pay()
  basePrice = cheap
  // A hundredth of a coin at 2,000 is 20 of 25.
  let l1FeeWei = 10n ** 16n
  const { head, fees } = stage.sender
  const worker = stage.sweeper({
    head: async () => ({ ...(await head()), baseFeePerGas: cheap }),
    fees: async (at) => ({ ...(await fees(at)), maxPriorityFeePerGas: 0n }),
    l1FeeWei: async () => l1FeeWei,
  })
  await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  expect(await settlement(id)).toMatchObject({ state: 'delayed' })

  l1FeeWei = 10n ** 13n
  stage.clock.nowMs += 60_000
  await stage.passUntil(worker, 'swept', [id])
  expect(await settlement(id)).toMatchObject({ state: 'settled' })
})

test('a deposit also waits while the priority fee would exceed its share', async () => {
  const id = await stage.pay()
  const { head } = stage.sender
  let maxPriorityFeePerGas = dear
  const worker = stage.sweeper({
    head: async () => ({ ...(await head()), baseFeePerGas: cheap }),
    fees: async () => ({ maxPriorityFeePerGas, maxFeePerGas: 2n * dear }),
  })
  await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  maxPriorityFeePerGas = cheap
  stage.clock.nowMs += 60_000
  await worker.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await settlement(id)).toMatchObject({ state: 'settling' })
})

test.each(['0.0001', null])(
  'a deposit in a token of %s dollars waits at a fee that a dollar is worth',
  async (rate) => {
    const id = await stage.pay()
    const setRate = (dollarRate: string | null) =>
      stage.db.write((tx) => tx.run(sql`update payments set dollar_rate = ${dollarRate} where id = ${id}`))
    await setRate(rate)
    // For one deposit, some cents.
    basePrice = 100_000_000n
    const worker = sweeper()
    await worker.pass(never)
    expect(await stage.outgoing()).toEqual([])
    await setRate('1')
    stage.clock.nowMs += 60_000
    await worker.pass(never)
    expect(await stage.outgoing()).toHaveLength(1)
  },
)

test('it is sent after the configured wait at the latest, whatever it costs', async () => {
  const id = await stage.pay()
  const worker = sweeper()
  await worker.pass(never)
  stage.clock.nowMs += 24 * hourMs - 1_000
  await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  stage.clock.nowMs += 60_000
  await worker.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  await stage.passUntil(worker, 'swept', [id])
})

test('it is sent immediately when an owner requests it, whatever it costs', async () => {
  const id = await stage.pay()
  const worker = sweeper()
  await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  const { shortName } = stage.network
  expect(await stage.db.write((tx) => makeDueNow(tx, shortName, 'deferred', stage.clock.nowMs))).toBe(1)
  await worker.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  await stage.passUntil(worker, 'swept', [id])
})

test('waiting deposits are sent in one transaction with the one that makes them worth it', async () => {
  const ids = [await stage.pay(), await stage.pay()]
  const [one = '' as PaymentId] = ids
  const gas = (await stage.sender.settleGas(parseDepositTerms((await stage.load(one)).depositTerms))) - 21_000n
  // 1 % of 25, with a coin at 2,000, pays for this much gas: a deposit's own and less than a third of the batch's.
  basePrice = 125_000_000_000_000n / (gas + (baseGas * 7n) / 24n)
  const worker = sweeper()
  await worker.pass(never)
  ids.push(await stage.pay())
  await worker.pass(never)
  expect(await stage.outgoing()).toEqual([])
  ids.push(await stage.pay())
  await worker.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  await stage.passUntil(worker, 'swept', ids)
  expect(await stage.outgoing()).toHaveLength(1)
})

test('without the setting nothing waits, and a deposit worth its gas is sent at once', async () => {
  stage.network.sweepGas = null
  const id = await stage.pay()
  await sweeper().pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await stage.load(id)).toMatchObject({ sweepWaits: false })
})

test('a killed service resumes waiting', async () => {
  await stage.pay()
  await sweeper().pass(never)
  stage.clock.nowMs += 24 * hourMs
  await sweeper().pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
})

test("the gas balance is known in advance: full, low and empty, with the next transaction's need", async () => {
  const gasBalances = createGasBalances()
  const read = async (balanceWei: bigint) => {
    const stopping = new AbortController()
    const worker = stage.sweeper(
      {
        balance: async () => {
          stopping.abort()
          return balanceWei
        },
      },
      gasBalances,
    )
    await worker.run(stopping.signal)
    return gasBalances.get('devnet')
  }
  const full = await read(10n ** 18n)
  expect(full).toMatchObject({ state: 'ok', address: stage.signer.address, balanceWei: 10n ** 18n })
  const { neededWei = 0n } = full ?? {}
  expect(neededWei).toBeGreaterThan(0n)
  expect(await read(neededWei * 49n)).toMatchObject({ state: 'low' })
  expect(await read(neededWei - 1n)).toMatchObject({ state: 'empty' })
})
