import { expect, test } from 'vitest'
import type { BaseUnits } from '../../../core/money.ts'
import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'
import type { MerchantId } from '../../../payment/payment.ts'
import type { WatchedRefund } from '../../../payment/store/merchant-refund-store.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'
import { matchRefunds } from './match-refunds.ts'

const [wallet, customer, token, splitter] = ['11', '22', '33', '44'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
]

const refundOf = (id: string, changes: Partial<WatchedRefund> = {}): WatchedRefund => ({
  id: id as MerchantRefundId,
  address: customer,
  token,
  splitter,
  termsHash: `0x${id.repeat(64)}`,
  amount: 10n,
  seen: 0n,
  afterBlock: 5,
  createdAtMs: 6_000,
  isHighValue: false,
  isCancelled: false,
  sender: wallet,
  asked: null,
  merchantId: 'm' as MerchantId,
  ...changes,
})

const plain = (changes: Partial<SeenTransfer> = {}): SeenTransfer => ({
  network: 'devnet',
  txId: '0x1',
  logIndex: 0,
  payer: wallet,
  amount: 10n as BaseUnits,
  blockNumber: 6,
  blockHash: '0xb6',
  blockTimeMs: 6_000,
  topic: addressTopic(customer),
  source: token,
  ...changes,
})

const split = (refund: WatchedRefund, changes: Partial<SeenTransfer> = {}) =>
  plain({ topic: refund.termsHash ?? '', source: splitter, payer: '0xanybody', ...changes })

/** An earlier match, in the block of `plain` unless it is named. */
const earlier = (id: string, logIndex: number, amount = 10n, blockHash = '0xb6') => ({
  ...{ txId: '0x1', logIndex, blockHash, amount, payer: wallet, isReverted: false },
  id: id as MerchantRefundId,
})

const idsOf = (transfers: SeenTransfer[], refunds: WatchedRefund[], paid: Parameters<typeof matchRefunds>[2] = []) =>
  matchRefunds(transfers, refunds, paid, new Map()).map(({ refund }) => refund.id)

test('a plain transfer counts only from the merchant’s own wallet, in the token, after the request', () => {
  const refunds = [refundOf('a')]
  expect(idsOf([plain()], refunds)).toEqual(['a'])
  expect(idsOf([plain({ payer: customer })], refunds)).toEqual([])
  expect(idsOf([plain({ source: splitter })], refunds)).toEqual([])
  expect(idsOf([plain({ topic: addressTopic(wallet) })], refunds)).toEqual([])
  expect(idsOf([plain({ blockNumber: 5 })], refunds)).toEqual([])
  expect(idsOf([plain()], [refundOf('a', { sender: null })])).toEqual([])
})

test('where no block was known at the request, the time of the transfer decides', () => {
  const minuteMs = 60_000
  const at = (minutes: number) => plain({ blockTimeMs: minutes * minuteMs })
  const refunds = [refundOf('a', { afterBlock: 0, createdAtMs: 10 * minuteMs })]
  expect(idsOf([at(7)], refunds)).toEqual([])
  // The clocks may differ by two minutes.
  expect(idsOf([at(8)], refunds)).toEqual(['a'])
  expect(idsOf([split(refunds[0] as WatchedRefund, { blockTimeMs: 0 })], refunds)).toEqual(['a'])
})

test('the splitter’s event names its refund, whoever paid; the splitter’s own transfer is the same money', () => {
  const refunds = [refundOf('a'), refundOf('b')]
  const [first, second] = refunds as [WatchedRefund, WatchedRefund]
  expect(idsOf([plain(), split(second, { logIndex: 1 })], refunds)).toEqual(['b'])
  // Two refunds in one transaction, and a plain transfer beside them.
  const batch = [plain(), split(first, { logIndex: 1 }), plain({ logIndex: 2 }), split(second, { logIndex: 3 })]
  expect(idsOf(batch, refunds)).toEqual(['a', 'b'])
  expect(idsOf([...batch, plain({ logIndex: 4, amount: 3n as BaseUnits })], refunds)).toEqual(['a', 'b', 'a'])
  expect(idsOf([split(first, { source: token })], refunds)).toEqual([])
})

test('of several refunds at one address the exact sum decides, then the order of the requests', () => {
  const refunds = [refundOf('a'), refundOf('b', { amount: 7n })]
  expect(idsOf([plain({ amount: 7n as BaseUnits }), plain({ logIndex: 1 })], refunds)).toEqual(['b', 'a'])
  expect(idsOf([plain({ amount: 4n as BaseUnits })], refunds)).toEqual(['a'])
  const twice = [plain(), plain({ txId: '0x2' })]
  expect(idsOf(twice, [refundOf('a'), refundOf('b')])).toEqual(['a', 'b'])
  expect(idsOf(twice, [refundOf('a')])).toEqual(['a', 'a'])
})

test('a cancelled refund takes no transfer that pays another refund as well', () => {
  const cancelled = refundOf('a', { isCancelled: true })
  expect(idsOf([plain()], [cancelled, refundOf('b')])).toEqual(['b'])
  expect(idsOf([plain({ amount: 4n as BaseUnits })], [cancelled, refundOf('b')])).toEqual(['b'])
  expect(idsOf([plain(), plain({ logIndex: 1 })], [cancelled, refundOf('b')])).toEqual(['b', 'a'])
  // What was sent for it before the cancel still counts.
  expect(idsOf([plain()], [cancelled, refundOf('b', { amount: 7n })])).toEqual(['a'])
  expect(idsOf([plain()], [cancelled])).toEqual(['a'])
})

test('a transfer that pays a refund keeps it, however often its block is read', () => {
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b')]
  const paid = [earlier('a', 0)]
  expect(idsOf([plain()], refunds, paid)).toEqual(['a'])
  // A replacing block gave the log another index.
  expect(idsOf([plain({ logIndex: 4, blockHash: '0xc6' })], refunds, paid)).toEqual(['a'])
})

test('of several refunds to one address that one transaction pays, each keeps its own transfer when a replacing block moves them', () => {
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b', { amount: 7n, seen: 7n })]
  const moved = (first: number, amount: bigint) => [
    plain({ logIndex: first, blockHash: '0xc6' }),
    plain({ logIndex: first + 1, blockHash: '0xc6', amount: amount as BaseUnits }),
  ]
  const paid = [earlier('a', 0), earlier('b', 1, 7n)]
  for (const first of [0, 1, 20]) expect(idsOf(moved(first, 7n), refunds, paid)).toEqual(['a', 'b'])
  const alike = [refundOf('a', { seen: 10n }), refundOf('b', { seen: 10n })]
  expect(idsOf(moved(20, 10n), alike, [earlier('a', 0), earlier('b', 1)])).toEqual(['a', 'b'])
  // The splitter's event of one of them is the same money as no transfer of the other.
  const [own, other] = moved(19, 10n) as [SeenTransfer, SeenTransfer]
  const bySplit = split(alike[0] as WatchedRefund, { logIndex: 21, blockHash: '0xc6' })
  const paidBySplit = { ...earlier('a', 0), payer: bySplit.payer }
  expect(idsOf([own, other, bySplit], alike, [paidBySplit, earlier('b', 1)])).toEqual(['a', 'b'])
})

test('a transfer that an earlier read of its block lacked pays the refund that is still open', () => {
  const both = [plain(), plain({ logIndex: 1 })]
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b')]
  expect(idsOf(both, refunds, [earlier('a', 0)])).toEqual(['a', 'b'])
  expect(idsOf(both, refunds, [earlier('a', 1)])).toEqual(['b', 'a'])
})

test('the splitter’s own transfer pays nothing where a later read lacks its event', () => {
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b')]
  const paid = [earlier('a', 1)]
  expect(idsOf([plain()], refunds, paid)).toEqual([])
  expect(idsOf([plain({ blockHash: '0xc6' })], refunds, paid), 'moved').toEqual(['a'])
  expect(idsOf([plain({ amount: 7n as BaseUnits })], refunds, paid), 'of another amount').toEqual(['b'])
  expect(idsOf([plain()], refunds, [{ ...earlier('a', 1), isReverted: true }]), 'reverted').toEqual(['b'])
})

test('the splitter’s own transfer that was taken for a plain one, because the event was missing, is named as its share', () => {
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b')]
  const shares = (ids: string[]) => {
    const paid = ids.map((id) => earlier(id, 0))
    const found = matchRefunds([plain(), split(refunds[1] as WatchedRefund, { logIndex: 1 })], refunds, paid, new Map())
    return found.map(({ refund, logIndex, isShare }) => [refund.id, logIndex, isShare])
  }
  expect(shares([])).toEqual([['b', 1, false]])
  for (const id of ['a', 'b'])
    expect(shares([id])).toEqual([
      ['b', 1, false],
      [id, 0, true],
    ])
})

test('a transfer that paid a refund pays it again in the block that a reorg moved it to, whoever sent it', () => {
  const payer = `0x${'ee'.repeat(20)}`
  const paid = [{ ...earlier('a', 0), payer }]
  const sent = plain({ payer, logIndex: 4, blockHash: '0xc6' })
  expect(idsOf([sent], [refundOf('a', { seen: 10n })], paid)).toEqual(['a'])
  expect(idsOf([{ ...sent, source: splitter }], [refundOf('a')], paid)).toEqual([])
  expect(idsOf([{ ...sent, amount: 9n as BaseUnits }], [refundOf('a')], paid)).toEqual([])
})

test('a stranger’s transfer of the same amount in the same transaction takes no refund that another paid, where a reorg moves them', () => {
  const stranger = plain({ payer: `0x${'ee'.repeat(20)}`, logIndex: 1, blockHash: '0xc6' })
  const refunds = [refundOf('a', { seen: 10n }), refundOf('b')]
  const paid = [earlier('a', 1)]
  const found = (transfers: SeenTransfer[]) =>
    matchRefunds(transfers, refunds, paid, new Map()).map(({ refund, logIndex }) => [refund.id, logIndex])
  expect(found([stranger, plain({ logIndex: 2, blockHash: '0xc6' })])).toEqual([['a', 2]])
  expect(found([stranger]), 'alone').toEqual([])
})

test('a stranger’s transfer of the same amount is not taken for the splitter’s own in the same transaction', () => {
  const stranger = plain({ payer: `0x${'ee'.repeat(20)}` })
  const refunds = [refundOf('a'), refundOf('b')]
  for (const payer of [wallet, splitter]) {
    const own = plain({ payer, logIndex: 1 })
    const event = split(refunds[1] as WatchedRefund, { payer: wallet, logIndex: 2 })
    expect(idsOf([stranger, own, event], refunds), payer).toEqual(['b'])
    expect(idsOf([own, stranger, event], refunds), payer).toEqual(['b'])
  }
})

test('two equal refunds in one transaction are each counted once, whichever logs two earlier reads lack', () => {
  const [a, b] = [refundOf('a'), refundOf('b')]
  const logs = [
    plain({ logIndex: 0 }),
    split(a, { logIndex: 1, payer: wallet }),
    plain({ logIndex: 2 }),
    split(b, { logIndex: 3, payer: wallet }),
  ]
  const subsets = Array.from({ length: 16 }, (_, bits) => logs.filter((__, at) => bits & (1 << at)))
  for (const first of subsets) {
    for (const second of subsets) {
      const stored = new Map<number, MerchantRefundId>()
      const seenOf = ({ id }: WatchedRefund) => 10n * BigInt([...stored.values()].filter((one) => one === id).length)
      for (const read of [first, second, logs]) {
        const paid = [...stored].map(([logIndex, id]) => earlier(id, logIndex))
        const open = [a, b].map((refund) => ({ ...refund, seen: seenOf(refund) }))
        for (const { logIndex, refund, isShare } of matchRefunds(read, open, paid, new Map())) {
          if (isShare) stored.delete(logIndex)
          else stored.set(logIndex, refund.id)
        }
      }
      const indexesOf = (read: SeenTransfer[]) => read.map(({ logIndex }) => logIndex)
      expect([indexesOf(first), indexesOf(second), [...stored].sort()]).toEqual([
        indexesOf(first),
        indexesOf(second),
        [
          [1, 'a'],
          [3, 'b'],
        ],
      ])
    }
  }
})
