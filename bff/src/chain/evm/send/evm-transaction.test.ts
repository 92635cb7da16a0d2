import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replacementFees } from './evm-transaction.ts'

const fee = fc.bigInt({ min: 0n, max: 10n ** 15n })
const fees = fc.tuple(fee, fee).map(([base, tip]) => ({ maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip }))

test('a replacement offers at least 12.5 % more in both fields, and never less than the market', () => {
  fc.assert(
    fc.property(fees, fees, (old, market) => {
      const next = replacementFees(old, market)
      for (const field of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
        expect(next[field] * 8n).toBeGreaterThanOrEqual(old[field] * 9n)
        expect(next[field]).toBeGreaterThan(old[field])
        expect(next[field]).toBeGreaterThanOrEqual(market[field])
      }
      expect(next.maxFeePerGas).toBeGreaterThanOrEqual(next.maxPriorityFeePerGas)
    }),
  )
})
