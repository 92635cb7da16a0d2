import { expect, test } from 'vitest'
import type { Movement } from '../../chain/movements.ts'
import { coinAddress } from '../../payment/unmatched.ts'
import type { Holding } from './difference.ts'
import { createStatement, type Period } from './statement.ts'

const token = '0xToken'
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const place = (block: number) => ({ txId: `tx${block}`, logIndex: 0, block, timeMs: block * 1_000, token })
const movements: { movement: Movement; isMatched: boolean }[] = [
  { movement: { ...place(1), kind: 'in', amount: 100n }, isMatched: true },
  {
    movement: { ...place(2), kind: 'settled', merchantAmount: 90n, feeAmount: 3n, isFeeParked: true },
    isMatched: true,
  },
  { movement: { ...place(3), kind: 'sentBack', to: 'payer', amount: 7n }, isMatched: true },
  { movement: { ...place(4), kind: 'feePaid', amount: 3n }, isMatched: true },
  { movement: { ...place(5), kind: 'in', amount: 20n, token: '0xTOKEN' }, isMatched: false },
  { movement: { ...place(6), kind: 'sentBack', to: 'payer', amount: 15n }, isMatched: false },
  { movement: { ...place(7), kind: 'gone', amount: 1n }, isMatched: true },
]
const holdings: Holding[] = [{ token, onItsWay: 0n, unmatched: 4n, stillThere: 0n }]

function lineOf(period: Period) {
  const statement = createStatement(period, isSame)
  statement.add({ entries: movements, holdings })
  return statement.lines()
}

test('every received unit went to somebody, or is still there', () => {
  expect(lineOf({ kind: 'all' })).toEqual([
    {
      ...{ token, opening: 0n, came: 120n, merchant: 90n, fee: 3n, refunded: 7n, returned: 15n, unexplained: 1n },
      ...{ closing: 4n, holding: { onItsWay: 0n, unmatched: 4n, stillThere: 0n } },
    },
  ])
})

test('a period opens with the earlier balance, and excludes later movements', () => {
  const [line] = lineOf({ kind: 'time', fromMs: 2_000, untilMs: 4_000 })
  expect(line).toMatchObject({ opening: 100n, came: 0n, merchant: 90n, fee: 0n, refunded: 7n, closing: 3n })
  expect(line?.holding).toBeNull()
  const [next] = lineOf({ kind: 'time', fromMs: 4_000, untilMs: 7_000 })
  expect(next).toMatchObject({ opening: 3n, fee: 3n, came: 20n, returned: 15n, closing: 5n })
  expect(lineOf({ kind: 'block', block: 2 })).toMatchObject([{ opening: 0n, came: 100n, merchant: 90n, closing: 10n }])
})

test('received coins are the balance plus the returns, shown only in the complete statement', () => {
  const entries = [
    {
      movement: { ...place(3), kind: 'sentBack' as const, to: 'payer', amount: 5n, token: coinAddress },
      isMatched: false,
    },
  ]
  const coins = { entries, holdings: [{ token: coinAddress, onItsWay: 0n, unmatched: 2n, stillThere: 0n }] }
  const all = createStatement({ kind: 'all' }, isSame)
  all.add(coins)
  expect(all.lines()).toMatchObject([{ token: coinAddress, came: 7n, returned: 5n, closing: 2n }])
  const month = createStatement({ kind: 'time', fromMs: 0, untilMs: 9_000 }, isSame)
  month.add(coins)
  expect(month.lines()).toEqual([])
})

test('what is left of several payments adds up, and a coin on its way is still there', () => {
  const statement = createStatement({ kind: 'all' }, isSame)
  const left = { onItsWay: 1n, unmatched: 2n, stillThere: 4n }
  for (const one of [token, token, coinAddress]) statement.add({ entries: [], holdings: [{ token: one, ...left }] })
  expect(statement.lines()).toMatchObject([
    { token, holding: { onItsWay: 2n, unmatched: 4n, stillThere: 8n } },
    { token: coinAddress, came: 7n, closing: 7n, holding: left },
  ])
})
