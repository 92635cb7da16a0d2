import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Attention, attentionOf } from './attention.ts'
import type { DepositPayment, UnmatchedTransfer } from './payment.ts'

const some = baseUnits('10000000')
const due = baseUnits('25000000')
const address = '0x00000000000000000000000000000000000000bb'

const unmatched = (changes: Partial<UnmatchedTransfer> = {}): UnmatchedTransfer => ({
  network: 'devnet',
  token: '0x02',
  currency: 'USDT',
  decimals: 6,
  balance: some,
  block: 10,
  refunded: baseUnits('0'),
  txId: '0x57',
  notifications: 1,
  refund: 'none',
  refundReason: null,
  address: null,
  refundTxId: null,
  ...changes,
})

/** A part came in time, and the window has ended: the part is owed back. */
const short: Partial<DepositPayment> = { status: 'expired', windowEnded: true, seen: some, received: some }
const full: Partial<DepositPayment> = { ...short, late: baseUnits('15000000') }
const failing = { refundAddress: address, refund: 'failed' } as const

test.each<[Attention | null, string, Partial<DepositPayment>]>([
  [null, 'nothing has happened', {}],
  [null, 'a refund is under way', { ...short, refundAddress: address, refund: 'queued' }],
  [null, 'a refund failed once', { ...short, refundAddress: address, refund: 'failing' }],
  [null, 'unmatched money has an address', { unmatched: [unmatched({ address })] }],
  [
    null,
    'unmatched money on the own network goes to the refund address',
    { refundAddress: address, unmatched: [unmatched()] },
  ],
  [null, 'unmatched money has gone', { unmatched: [unmatched({ balance: baseUnits('0') })] }],
  [
    null,
    'a return failed whose money has gone',
    { unmatched: [unmatched({ balance: baseUnits('0'), refund: 'failed' })] },
  ],
  ['payout_failed', 'the sweep is given up', { status: 'sweep_failed', sweep: 'failed', seen: due, received: due }],
  ['refund_failed', 'the refund is given up', { ...short, ...failing }],
  ['late_held', 'all of it came late', full],
  ['refund_address', 'nobody named an address', short],
  [
    'return_failed',
    'one of two returns is given up',
    { unmatched: [unmatched({ address }), unmatched({ refund: 'failed' })] },
  ],
  [
    'unmatched',
    'one of two has no address',
    { unmatched: [unmatched({ address }), unmatched({ network: 'polygon' })] },
  ],
  [
    'refund_failed',
    'unmatched money waits as well',
    { ...short, ...failing, unmatched: [unmatched({ refund: 'failed' })] },
  ],
  ['refund_address', 'more than all of it came late', { ...full, late: due }],
  ['refund_address', 'unmatched money waits as well', { ...short, unmatched: [unmatched()] }],
])('%s: %s', (expected, _, changes) => {
  expect(attentionOf(newPayment(changes))).toBe(expected)
})

test('money of an ended wallet payment is in the merchant’s wallet, and owed to the customer', () => {
  expect(attentionOf(newContractPayment({ status: 'expired', received: some }))).toBe('excess_owed')
  expect(attentionOf(newContractPayment({ status: 'completed', received: due }))).toBeNull()
})
