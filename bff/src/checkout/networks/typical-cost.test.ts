import { expect, test } from 'vitest'
import { typicalCost } from './network-view.ts'

const evm = { family: 'evm', confirmations: 12 } as const

test('the time a payment takes is that of the confirmations the merchant asks for', () => {
  expect(typicalCost({ ...evm, chainId: 1 })).toEqual({ confirmations: 12, confirmSeconds: 144, feeLevel: 'high' })
  expect(typicalCost({ ...evm, chainId: 8_453 })).toEqual({ confirmations: 12, confirmSeconds: 24, feeLevel: 'low' })
})

test('of a chain that nothing is known of, only the confirmations are shown', () => {
  expect(typicalCost({ ...evm, chainId: 31_337 })).toEqual({ confirmations: 12, confirmSeconds: null, feeLevel: null })
})
