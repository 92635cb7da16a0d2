import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGasBalances } from './gas-balances.ts'

const noted = (balanceWei: bigint, neededWei: bigint) => {
  const balances = createGasBalances()
  balances.note('base', { address: '0xa', balanceWei, neededWei, readAtMs: 5 })
  return balances.get('base')
}

test('gas is empty below one transaction, low below fifty, and else enough', () => {
  expect(noted(99n, 100n)?.state).toBe('empty')
  expect(noted(100n, 100n)?.state).toBe('low')
  expect(noted(4_999n, 100n)?.state).toBe('low')
  expect(noted(5_000n, 100n)).toEqual({
    address: '0xa',
    balanceWei: 5_000n,
    neededWei: 100n,
    minimumWei: 0n,
    state: 'ok',
    readAtMs: 5,
  })
})

test('what must stay in the account is counted once, and not for each transaction', () => {
  const balances = createGasBalances()
  const stateOf = (balanceWei: bigint) => {
    balances.note('solana', { address: 'a', balanceWei, neededWei: 1_010n, minimumWei: 1_000n, readAtMs: 1 })
    return balances.get('solana')?.state
  }
  expect([stateOf(1_009n), stateOf(1_010n), stateOf(1_499n), stateOf(1_500n)]).toEqual(['empty', 'low', 'low', 'ok'])
})

test('is known of a network once it was read, by the newest reading', () => {
  const balances = createGasBalances()
  balances.note('base', { address: '0xa', balanceWei: 0n, neededWei: 1n, readAtMs: 1 })
  balances.note('base', { address: '0xa', balanceWei: 50n, neededWei: 1n, readAtMs: 2 })
  expect(balances.get('base')).toMatchObject({ state: 'ok', readAtMs: 2 })
  expect(balances.get('polygon')).toBeUndefined()
})

test('more gas is never a worse state', () => {
  const order = ['empty', 'low', 'ok']
  const wei = fc.bigInt({ min: 0n, max: 10n ** 20n })
  fc.assert(
    fc.property(wei, wei, wei, (balance, more, needed) => {
      const of = (balanceWei: bigint) => order.indexOf(noted(balanceWei, needed)?.state ?? '')
      expect(of(balance + more)).toBeGreaterThanOrEqual(of(balance))
    }),
  )
})
