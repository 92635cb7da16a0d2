import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sumColumns } from './token-sums.ts'

test('a token whose decimals were corrected has two rows: units of both are never one sum', () => {
  const sums = sumColumns(['payments'], ['received'])
  const row = (tokenDecimals: number, units: string) => {
    return { network: 'devnet', currency: 'USDC', tokenDecimals, payments: 1, received: baseUnits(units) }
  }
  const rows = [row(6, '25000000'), row(18, '25000000000000000000'), row(6, '1')]
  expect(sums.totals(rows).map(sums.view)).toEqual([
    { network: 'devnet', currency: 'USDC', decimals: 18, payments: 1, received: '25000000000000000000' },
    { network: 'devnet', currency: 'USDC', decimals: 6, payments: 2, received: '25000001' },
  ])
})

test('rows stand in the order of networks and tokens, whichever was paid first', () => {
  const sums = sumColumns(['payments'], [])
  const row = (network: string, currency: string) => ({ network, currency, tokenDecimals: 6, payments: 1 })
  const rows = [row('polygon', 'USDT'), row('base', 'USDC'), row('polygon', 'USDC'), row('polygon', 'USDT')]
  expect(sums.totals(rows).map(({ network, currency, payments }) => `${network} ${currency} ${payments}`)).toEqual([
    'base USDC 1',
    'polygon USDC 1',
    'polygon USDT 2',
  ])
})
