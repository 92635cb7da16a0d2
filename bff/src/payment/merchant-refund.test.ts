import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BaseUnits, baseUnits, zero } from '../core/money.ts'
import type { StoredTransfer, Transfer } from './event.ts'
import {
  describeMerchantRefund,
  initialRefund,
  isCounted,
  type MerchantRefund,
  type MerchantRefundEvent,
  type MerchantRefundId,
  moveMerchantRefund,
  remainingOf,
  reservedOf,
} from './merchant-refund.ts'
import type { MerchantId, PaymentId } from './payment.ts'

const place = { address: '0xcustomer', splitter: '0xsplitter', termsHash: '0xterms', splitTerms: '{}' }

const newRefund = (changes: Partial<MerchantRefund> = {}): MerchantRefund => ({
  id: 'r' as MerchantRefundId,
  paymentId: 'p' as PaymentId,
  merchantId: 'm' as MerchantId,
  isTest: false,
  network: 'devnet',
  currency: 'USDC',
  tokenAddress: '0xtoken',
  tokenDecimals: 6,
  amount: baseUnits('10000000'),
  price: null,
  reason: null,
  confirmations: null,
  afterBlock: 0,
  createdAtMs: 1_000,
  ...initialRefund,
  place,
  status: 'to_pay',
  ...changes,
})

const transferOf = (amount: bigint, logIndex = 0, blockHash = '0xb1'): Transfer => ({
  network: 'devnet',
  txId: `0x${logIndex}`,
  logIndex,
  payer: '0xmerchant',
  amount: amount as BaseUnits,
  blockNumber: 1,
  blockHash,
  blockTimeMs: 2_000,
})

/** Applies events as the ledger does: with each transfer as it was stored. */
function life(events: readonly MerchantRefundEvent[], start = newRefund()) {
  const stored = new Map<number, StoredTransfer>()
  const emitted: string[] = []
  let refund = start
  for (const event of events) {
    const known = 'transfer' in event ? stored.get(event.transfer.logIndex) : undefined
    const others = [...stored.values()].filter((one) => one !== known && one.state !== 'reverted')
    const newestOther = others.sort((a, b) => b.blockNumber - a.blockNumber)[0]
    const step = moveMerchantRefund(refund, event, known, newestOther)
    if (step.transfer) stored.set(step.transfer.logIndex, step.transfer)
    refund = step.refund
    emitted.push(...step.events)
  }
  return { refund, emitted, stored }
}

const seen = (transfer: Transfer) => ({ type: 'transfer.seen' as const, transfer, atMs: 3_000 })
const confirmed = (transfer: Transfer) => ({ type: 'transfer.confirmed' as const, transfer, atMs: 4_000 })
const reverted = (transfer: Transfer, arriving = 0n) => ({
  type: 'transfer.reverted' as const,
  transfer,
  arriving,
  atMs: 5_000,
})
const whole = transferOf(10_000_000n)

test('a refund waits for its address, is to be paid, confirms, and is paid; each step is emitted once', () => {
  const start = newRefund({ place: null, status: 'awaiting_address' })
  const named = { type: 'address.named' as const, place, atMs: 1_500 }
  expect(life([named], start).refund).toMatchObject({ status: 'to_pay', addressNamedAtMs: 1_500 })
  expect(life([named, seen(whole)], start).refund.status).toBe('confirming')
  const { refund, emitted } = life([named, seen(whole), confirmed(whole), confirmed(whole)], start)
  expect(refund).toMatchObject({ status: 'paid', paid: 10_000_000n, paidAtMs: 4_000, lastTxId: '0x0' })
  expect(emitted).toEqual(['refund.paid'])
})

test('an address that is named stays: money may be on its way to it', () => {
  const { refund } = life([{ type: 'address.named', place: { ...place, address: '0xother' }, atMs: 2 }])
  expect(refund).toMatchObject({ place, addressNamedAtMs: null })
})

test('a refund that was cancelled takes no address any more', () => {
  const start = newRefund({ place: null, status: 'awaiting_address' })
  const cancel = { type: 'refund.cancelled' as const, atMs: 2_500 }
  const { refund } = life([cancel, { type: 'address.named', place, atMs: 2_600 }], start)
  expect(refund).toMatchObject({ status: 'cancelled', place: null })
})

test('a refund that is paid once more keeps the time at which it was paid', () => {
  const { refund } = life([confirmed(whole), { ...confirmed(transferOf(1n, 1)), atMs: 9_000 }])
  expect(refund).toMatchObject({ paid: 10_000_001n, paidAtMs: 4_000 })
})

test('of several transfers the newest that stands is shown: no reorg leaves one that is gone, nor an older one', () => {
  const [first, second] = [transferOf(4_000_000n), { ...transferOf(6_000_000n, 1), blockNumber: 2, blockHash: '0xc2' }]
  expect(life([seen(second), seen(first)]).refund.lastTxId).toBe('0x1')
  expect(life([seen(first), seen(second), reverted(second)]).refund.lastTxId).toBe('0x0')
  expect(life([seen(first), seen(second), reverted(first)]).refund.lastTxId).toBe('0x1')
  expect(life([seen(first), reverted(first)]).refund.lastTxId).toBeNull()
})

test('a reorg takes a paid refund back, which is emitted; the same transfer in another block pays it again', () => {
  const moved = transferOf(10_000_000n, 0, '0xb2')
  const back = life([seen(whole), confirmed(whole), reverted(whole)])
  expect(back.refund).toMatchObject({ status: 'to_pay', paid: 0n, seen: 0n, lastTxId: null, paidAtMs: null })
  expect(back.emitted).toEqual(['refund.paid', 'refund.failed'])
  const again = life([seen(whole), confirmed(whole), reverted(whole), seen(moved), confirmed(moved)])
  expect(again.refund.status).toBe('paid')
  expect(again.emitted).toEqual(['refund.paid', 'refund.failed', 'refund.paid'])
})

test('a refund whose transfers a reorg moves to other blocks neither fails nor is paid anew, until one of them is gone', () => {
  const parts = [transferOf(4_000_000n), transferOf(6_000_000n, 1)]
  const moved = parts.map((part) => ({ ...part, blockHash: '0xb2' }))
  const paid = parts.map(confirmed)
  const back = [...parts.map((part) => reverted(part, 10_000_000n)), ...moved.map(seen)]
  const confirming = life([...paid, ...back])
  expect(confirming.refund).toMatchObject({ status: 'confirming', paid: 0n, paidAtMs: 4_000 })
  expect(describeMerchantRefund(confirming.refund)).toMatchObject({ status: 'confirming', paidAt: null })
  const again = life([...paid, ...back, ...moved.map((part) => ({ ...confirmed(part), atMs: 9_000 }))])
  expect(again.refund).toMatchObject({ status: 'paid', paidAtMs: 4_000 })
  expect(again.emitted).toEqual(['refund.paid'])
  const gone = life([...paid, ...back, ...moved.slice(0, 1).map((part) => reverted(part))])
  expect(gone.refund).toMatchObject({ status: 'to_pay', paidAtMs: null })
  expect(gone.emitted).toEqual(['refund.paid', 'refund.failed'])
})

test('of a refund that a reorg moves, what arrives decides whether it has failed, in whatever order its transfers are taken back', () => {
  const parts = [transferOf(4_000_000n), transferOf(6_000_000n, 1)]
  const paid = parts.map(confirmed)
  const arrives = { ...transferOf(4_000_000n), blockHash: '0xb2' }
  const short = life([...paid, ...parts.map((part) => reverted(part, 4_000_000n)), seen(arrives)])
  expect(short.refund).toMatchObject({ status: 'to_pay', seen: 4_000_000n, paidAtMs: null })
  expect(short.emitted).toEqual(['refund.paid', 'refund.failed'])
  const twice = [whole, transferOf(10_000_000n, 1)]
  for (const taken of [twice, twice.toReversed()]) {
    const back = taken.map((one) => reverted(one, 10_000_000n))
    const kept = life([...twice.map(confirmed), ...back, seen({ ...whole, blockHash: '0xb2' })])
    expect(kept.refund).toMatchObject({ status: 'confirming', paidAtMs: 4_000 })
    expect(kept.emitted).toEqual(['refund.paid', 'refund.paid'])
  }
})

test('short transfers add up to the unit; more than the amount is reported', () => {
  const short = life([confirmed(transferOf(9_999_999n))])
  expect(short.refund.status).toBe('to_pay')
  expect(remainingOf(short.refund)).toBe(1n)
  const over = life([
    confirmed(transferOf(9_999_999n)),
    confirmed(transferOf(1n, 1)),
    confirmed(transferOf(10_000_000n, 2)),
  ])
  expect(over.refund).toMatchObject({ status: 'paid', paid: 20_000_000n })
  expect(over.emitted).toEqual(['refund.paid', 'refund.paid'])
  expect(reservedOf(over.refund)).toBe(20_000_000n)
})

test('only an untouched refund is cancelled; money that arrives after all counts', () => {
  const cancel = { type: 'refund.cancelled' as const, atMs: 2_500 }
  expect(life([seen(whole), cancel]).refund).toMatchObject({ status: 'confirming', cancelledAtMs: null })
  const cancelled = life([cancel, cancel])
  expect(cancelled.refund.status).toBe('cancelled')
  expect(cancelled.emitted).toEqual(['refund.failed'])
  expect(reservedOf(cancelled.refund)).toBe(0n)
  const paidAfter = life([cancel, seen(whole), confirmed(whole)])
  expect(paidAfter.refund).toMatchObject({ status: 'paid', cancelledAtMs: 2_500 })
  expect(paidAfter.emitted).toEqual(['refund.failed', 'refund.paid'])
})

test('a part that arrives after the cancel is emitted once it is confirmed, and counts', () => {
  const cancel = { type: 'refund.cancelled' as const, atMs: 2_500 }
  const part = transferOf(4_000_000n)
  const { refund, emitted } = life([cancel, seen(part), seen(part), confirmed(part), confirmed(part)])
  expect(refund).toMatchObject({ status: 'cancelled', paid: 4_000_000n })
  expect(emitted).toEqual(['refund.failed', 'refund.failed'])
  expect(reservedOf(refund)).toBe(4_000_000n)
  expect(isCounted(refund)).toBe(true)
  expect([isCounted(life([cancel]).refund), isCounted(newRefund())]).toEqual([false, true])
})

test('in whatever order and however often events come, the sums are those of the canonical transfers', () => {
  const someEvent = fc.record({
    type: fc.constantFrom('transfer.seen' as const, 'transfer.confirmed' as const, 'transfer.reverted' as const),
    logIndex: fc.integer({ min: 0, max: 3 }),
    amount: fc.bigInt({ min: 0n, max: 15_000_000n }),
    block: fc.constantFrom('0xb1', '0xb2'),
  })
  fc.assert(
    fc.property(fc.array(someEvent, { maxLength: 30 }), (events) => {
      const steps = events.map(({ type, logIndex, amount, block }) => ({
        type,
        transfer: transferOf(amount, logIndex, block),
        atMs: 1,
      }))
      const { refund, stored, emitted } = life(steps)
      const canonical = [...stored.values()].filter(({ state }) => state !== 'reverted')
      const sum = (of: StoredTransfer[]) => of.reduce((total, { amount }) => total + amount, 0n)
      expect(refund.seen).toBe(sum(canonical))
      expect(refund.paid).toBe(sum(canonical.filter(({ state }) => state === 'confirmed')))
      expect(refund.status === 'paid').toBe(refund.paid >= refund.amount)
      expect(refund.paidAtMs !== null).toBe(emitted.at(-1) === 'refund.paid')
      expect(refund.paid >= zero && refund.seen >= refund.paid).toBe(true)
      if (refund.status === 'paid') expect(emitted.at(-1)).toBe('refund.paid')
      if (refund.status === 'to_pay') expect(emitted.at(-1)).not.toBe('refund.paid')
    }),
  )
})
