import {
  createMemoryLedger,
  newContractPayment,
  newPayment,
  transferOf,
  windowEndsAtMs,
} from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { PaymentEvent } from './event.ts'

const address = '0x00000000000000000000000000000000000000bb'
const atMs = 9
const [first, second] = [baseUnits('300000'), baseUnits('200000')]

/** A swept payment of which two refunds are final. */
function refundedTwice() {
  const ledger = createMemoryLedger(newPayment())
  ledger.apply({ type: 'transfer.confirmed', transfer: transferOf('26000000'), atMs })
  ledger.apply({ type: 'sweep.confirmed', txId: '0x5e', amount: baseUnits('25000000'), atMs })
  ledger.apply({ type: 'refund.requested', address, atMs })
  ledger.apply({ type: 'refund.confirmed', amount: first, txId: '0xfirst', atMs })
  ledger.apply({ type: 'refund.confirmed', amount: second, txId: '0xsecond', atMs })
  ledger.effects.length = 0
  return ledger
}

describe('a refund that a deep reorg took back', () => {
  const undone = (amount: bigint, ...txIds: string[]): PaymentEvent => ({
    type: 'refund.undone',
    amount: baseUnits(String(amount)),
    txIds,
    atMs,
  })

  test('is owed again; the newest one is not shown any more', () => {
    const ledger = refundedTwice()
    ledger.apply(undone(second, '0xold', '0xsecond'))
    expect(ledger.payment).toMatchObject({
      refunded: first,
      refundTxId: null,
      refund: 'queued',
      refundAddress: address,
    })
  })

  test('leaves a later refund on the page', () => {
    const ledger = refundedTwice()
    ledger.apply(undone(first, '0xfirst'))
    expect(ledger.payment).toMatchObject({ refunded: second, refundTxId: '0xsecond' })
  })

  test('never makes the sum of refunds less than nothing', () => {
    const ledger = refundedTwice()
    ledger.apply(undone(first + second + 1n, '0xfirst'))
    expect(ledger.payment).toMatchObject({ refunded: 0n })
  })

  test('is none of a payment that shows none, nor of a wallet payment', () => {
    const none = createMemoryLedger(newPayment())
    none.apply(undone(first, '0xfirst'))
    expect(none.payment).toMatchObject({ refunded: 0n, refundTxId: null })
    const wallet = createMemoryLedger(newContractPayment())
    const before = wallet.payment
    wallet.apply(undone(first, '0xfirst'))
    expect(wallet.payment).toBe(before)
  })
})

describe('a refund that another form of its transaction paid', () => {
  const replaced = (txId: string, ...txIds: string[]): PaymentEvent => ({ type: 'refund.replaced', txId, txIds, atMs })

  test('shows that transaction, and the merchant is notified', () => {
    const ledger = refundedTwice()
    ledger.apply(replaced('0xagain', '0xsecond', '0xagain'))
    expect(ledger.payment).toMatchObject({ refundTxId: '0xagain', refunded: first + second })
    expect(ledger.effects).toEqual(['deposit.refunded'])
  })

  test.each([
    ['it is shown already', refundedTwice(), replaced('0xsecond', '0xsecond')],
    ['a later refund is shown', refundedTwice(), replaced('0xagain', '0xfirst', '0xagain')],
    ['none is shown', createMemoryLedger(newPayment()), replaced('0xagain', '0xfirst')],
    ['it is a wallet payment', createMemoryLedger(newContractPayment()), replaced('0xagain', '0xfirst')],
  ])('changes nothing where %s', (_, ledger, event) => {
    const { payment } = ledger
    ledger.apply(event)
    expect(ledger.payment).toBe(payment)
    expect(ledger.effects).toEqual([])
  })
})

describe('the return of an unmatched transfer', () => {
  const unmatched = { network: 'devnet', token: '0x0000000000000000000000000000000000000002' }

  /** 500,000 came in two transfers, and all of it has gone back. */
  function returned() {
    const ledger = createMemoryLedger(newPayment())
    const measured = { type: 'unmatched.measured', ...unmatched, currency: 'USDT', decimals: 6, atMs } as const
    ledger.apply({ ...measured, balance: first, block: 10, txId: '0x57' })
    ledger.apply({ type: 'refund.requested', address, atMs })
    ledger.apply({ type: 'unmatched.returned', ...unmatched, amount: first, txId: '0xfirst', block: 11, atMs })
    ledger.apply({ ...measured, balance: second, block: 12, txId: '0x58' })
    ledger.apply({ type: 'unmatched.returned', ...unmatched, amount: second, txId: '0xsecond', block: 13, atMs })
    return ledger
  }
  const only = ({ payment }: ReturnType<typeof returned>) => (payment.mode === 'deposit' ? payment.unmatched[0] : null)

  test('that a deep reorg took back is at the address again, and owed again', () => {
    const ledger = returned()
    const type = 'unmatched.return_undone'
    ledger.apply({ type, ...unmatched, amount: first, txIds: ['0xfirst'], atMs })
    expect(only(ledger)).toMatchObject({ balance: first, refunded: second, refundTxId: '0xsecond', refund: 'queued' })
    ledger.apply({ type, ...unmatched, amount: second, txIds: ['0xold', '0xsecond'], atMs })
    expect(only(ledger)).toMatchObject({ balance: first + second, refunded: 0n, refundTxId: null })
  })

  test('that another form of its transaction made shows that one, unless a later return is shown', () => {
    const ledger = returned()
    const replaced = (txId: string, ...txIds: string[]) =>
      ledger.apply({ type: 'unmatched.return_replaced', ...unmatched, txId, txIds, atMs })
    const before = ledger.payment
    replaced('0xagain', '0xfirst')
    replaced('0xsecond', '0xsecond')
    expect(ledger.payment).toBe(before)
    replaced('0xagain', '0xsecond', '0xagain')
    expect(only(ledger)).toMatchObject({ refundTxId: '0xagain', refunded: first + second, balance: 0n })
  })

  test('is nothing where no unmatched money was ever seen', () => {
    const ledger = createMemoryLedger(newPayment())
    const { payment } = ledger
    ledger.apply({ type: 'unmatched.return_undone', ...unmatched, amount: first, txIds: ['0xfirst'], atMs })
    ledger.apply({ type: 'unmatched.return_replaced', ...unmatched, txId: '0xagain', txIds: ['0xfirst'], atMs })
    expect(ledger.payment).toBe(payment)
  })

  test('that is replaced before any is known is none', () => {
    const ledger = createMemoryLedger(newPayment())
    const measured = { type: 'unmatched.measured', ...unmatched, currency: 'USDT', decimals: 6, atMs } as const
    ledger.apply({ ...measured, balance: first, block: 10, txId: '0x57' })
    const { payment } = ledger
    ledger.apply({ type: 'unmatched.return_replaced', ...unmatched, txId: '0xagain', txIds: ['0xfirst'], atMs })
    expect(ledger.payment).toBe(payment)
    ledger.apply({ type: 'unmatched.return_undone', ...unmatched, amount: first, txIds: ['0xfirst'], atMs })
    expect(only(ledger)).toMatchObject({ balance: first + first, refunded: 0n, refundTxId: null })
  })
})

test('a window ends with its last millisecond, also where refunds were undone before', () => {
  const ledger = refundedTwice()
  ledger.apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs })
  expect(ledger.payment).toMatchObject({ status: 'swept', refunded: first + second })
})
