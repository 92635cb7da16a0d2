import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, planSweeps } from './payout-plan.ts'

/** A coin at 3,000 tokens, 20 gwei: a deposit of 75,000 gas costs 4.50, the transaction 3.60 more. At most 1 %. */
const prices = {
  ...{ baseGas: 60_000n, weiPerGas: 20_000_000_000n, coinMicros: 3_000_000_000n },
  ...{ coinWei: 10n ** 18n, maxBps: 100 },
}
const of = (tokens: number, isOverdue = false): Candidate => ({
  valueMicros: BigInt(tokens) * 1_000_000n,
  gas: 75_000n,
  isOverdue,
})

describe('what is worth its gas', () => {
  test('goes alone when the fee is within the share, to the unit', () => {
    expect(planSweeps([of(810)], prices)).toEqual([0])
    expect(planSweeps([{ ...of(810), valueMicros: 809_999_999n }], prices)).toEqual([])
  })

  test('goes together as it adds up, and leaves behind what would eat the rest', () => {
    expect(planSweeps([of(700)], prices)).toEqual([])
    expect(planSweeps([of(700), of(700)], prices)).toEqual([0, 1])
    expect(planSweeps([of(5), of(2_000), of(5)], prices)).toEqual([0, 1, 2])
    expect(planSweeps([of(5), of(900), of(5)], prices)).toEqual([1])
  })

  test('goes whatever it costs when it is overdue, with those beside it that pay for themselves', () => {
    expect(planSweeps([of(1, true), of(449), of(450), of(2)], prices)).toEqual([0, 2])
    expect(planSweeps([of(1, true), of(2, true)], prices)).toEqual([0, 1])
    // What is overdue goes once, and its value pays for no other.
    expect(planSweeps([of(5_000, true), of(449), of(1)], prices)).toEqual([0])
    expect(planSweeps([], prices)).toEqual([])
  })

  test('never costs more than the share, beside what is overdue', () => {
    const candidate = fc.record({
      valueMicros: fc.bigInt(0n, 5_000_000_000n),
      gas: fc.bigInt(30_000n, 600_000n),
      isOverdue: fc.constant(false),
    })
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), (candidates) => {
        const goes = planSweeps(candidates, prices).map((place) => candidates[place] as Candidate)
        const sum = (field: 'gas' | 'valueMicros') => goes.reduce((total, one) => total + one[field], 0n)
        const costMicros = ((sum('gas') + prices.baseGas) * prices.weiPerGas * prices.coinMicros) / prices.coinWei
        if (goes.length > 0) expect(costMicros * 10_000n).toBeLessThanOrEqual(sum('valueMicros') * 100n + 10_000n)
      }),
    )
  })
})
