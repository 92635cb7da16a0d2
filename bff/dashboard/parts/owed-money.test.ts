import { expect, test } from 'vitest'
import { owedOf } from './owed-money.ts'

type Payment = Parameters<typeof owedOf>[0]
type Transfer = NonNullable<Payment['unmatched']>[number]

const customer = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

const transfer = (amount: string, network: string, address: string | null = null): Transfer => ({
  network,
  networkName: network === 'base' ? 'Base' : 'Polygon',
  currency: 'USDT',
  tokenAddress: null,
  amount,
  amountRefunded: '0.00',
  transactionHash: '0x1',
  refund: { state: 'address_needed', message: '', address, txHash: null },
})

const payment = (over: Partial<Payment>): Payment => ({
  refund: { state: 'address_needed', message: '', address: null, amount: '5.00', amountRefunded: '0.00', txHash: null },
  excessOwed: '5.00',
  currency: 'USDC',
  network: 'base',
  Network: { name: 'Base' },
  unmatched: [],
  ...over,
})

/** Amounts have a space that does not break. */
const sums = (one: Payment) => owedOf(one).map(({ amount }) => amount.replaceAll('\u00a0', ' '))

test('what one press returns is one sum: the service sends all on a network to the address that is named', () => {
  const both = payment({ unmatched: [transfer('3.00', 'base'), transfer('7.00', 'polygon'), transfer('1.50', 'base')] })
  expect(sums(both)).toEqual(['5.00 USDC + 3.00 USDT + 1.50 USDT', '7.00 USDT'])
  expect(owedOf(both).map(({ network, networkName }) => [network, networkName])).toEqual([
    [null, 'Base'],
    ['polygon', 'Polygon'],
  ])
})

test('what has gone back is owed no more', () => {
  const refund = { ...payment({}).refund, state: 'refunded' } as Payment['refund']
  expect(sums(payment({ refund, unmatched: [transfer('0.000000', 'base'), transfer('3.00', 'base')] }))).toEqual([
    '3.00 USDT',
  ])
  expect(sums(payment({ excessOwed: '0.00' }))).toEqual([])
  expect(sums(payment({ refund: null, excessOwed: null }))).toEqual([])
})

test('an address is shown where all of a network’s money has it', () => {
  const addressOf = (address: string | null) =>
    owedOf(
      payment({ refund: null, unmatched: [transfer('3.00', 'base', customer), transfer('1.00', 'base', address)] }),
    )[0]?.address
  expect([addressOf(customer), addressOf(null)]).toEqual([customer, null])
})
