import { expect, test } from 'vitest'
import { formatSum } from '../ui/format.ts'
import { noAmount, textOf } from './keyed-amount.ts'
import { sumClass } from './till-format.ts'

test('a sum that is too long for the large figures is drawn smaller', () => {
  const most = textOf({ ...noAmount('USD'), digits: '999999999' })
  expect([formatSum('999.99', 'USD'), formatSum(most, 'USD')]).toEqual(['$999.99', '$9,999,999.99'])
  expect([sumClass(formatSum('999.99', 'USD')), sumClass(formatSum(most, 'USD'))]).toEqual(['amount', 'amount long'])
})
