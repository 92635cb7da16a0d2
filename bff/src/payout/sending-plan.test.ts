import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { DepositPayment, UnmatchedTransfer } from '../payment/payment.ts'
import { coinAddress } from '../payment/unmatched.ts'
import {
  dollarMicros,
  dollarRateOf,
  isTooSmall,
  promptMax,
  sendableAtMs,
  sendingOf,
  togetherMs,
} from './payout-plan.ts'
import type { Payout } from './payout-queue-store.ts'

const payer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const another = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const unmatchedToken = '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707'

/** Expired with a part of the amount there. */
const short = (changes: Partial<DepositPayment> = {}): DepositPayment => ({
  ...(newPayment() as DepositPayment),
  ...{ status: 'expired', received: baseUnits('10'), refundAddress: payer },
  ...changes,
})
const payoutOf = (payment: DepositPayment, changes: Partial<Payout> = {}): Payout => ({
  ...{ kind: 'refund', paymentId: payment.id, network: payment.network, token: payment.tokenAddress },
  ...changes,
})

describe('a refund sends', () => {
  test('what the payment owes, to the address that was named', () => {
    const payment = short()
    expect(sendingOf(payment, payoutOf(payment))).toEqual({ address: payer, amount: 10n })
  })

  test.each([
    ['while nobody has said where to', { refundAddress: null }],
    ['when all of it went back', { refunded: baseUnits('10') }],
  ])('nothing %s', (_, changes) => {
    const payment = short(changes)
    expect(sendingOf(payment, payoutOf(payment))).toBeUndefined()
  })

  test('nothing of a payment that is not there', () => {
    expect(sendingOf(undefined, payoutOf(short()))).toBeUndefined()
  })
})

describe('a return sends', () => {
  const unmatched: UnmatchedTransfer = {
    ...{
      network: 'elsewhere',
      token: unmatchedToken,
      currency: 'USDT',
      decimals: 6,
      balance: baseUnits('7'),
      block: 1,
    },
    ...{
      refunded: baseUnits('0'),
      txId: null,
      notifications: 1,
      refund: 'queued',
      refundReason: null,
      refundTxId: null,
    },
    address: another,
  }
  const returnOf = (payment: DepositPayment, network = 'elsewhere', token = unmatchedToken) =>
    sendingOf(payment, payoutOf(payment, { kind: 'return', network, token }))

  test('what lies there of that token on that network, and nothing of what the payment owes', () => {
    const payment = short({ unmatched: [unmatched] })
    expect(returnOf(payment)).toEqual({ address: another, amount: 7n })
    expect(returnOf(payment, 'elsewhere', coinAddress)).toBeUndefined()
    expect(returnOf(payment, payment.network)).toBeUndefined()
  })

  test('nothing when there is nothing any more, or nobody has said where to on that network', () => {
    expect(returnOf(short({ unmatched: [{ ...unmatched, balance: baseUnits('0') }] }))).toBeUndefined()
    expect(returnOf(short({ unmatched: [{ ...unmatched, address: null }] }))).toBeUndefined()
  })
})

describe('a payout of a payment is sent', () => {
  test.each([0, 1, promptMax - 1])('at once after %i transactions', (count) => {
    expect(sendableAtMs({ count, newestAtMs: 5_000 })).toBe(0)
  })

  test.each([promptMax, promptMax + 1])('together with what comes within a day after %i transactions', (count) => {
    expect(sendableAtMs({ count, newestAtMs: 5_000 })).toBe(5_000 + togetherMs)
    expect(togetherMs).toBe(86_400_000)
  })
})

describe('a return is too small', () => {
  const ether = { nativeCurrency: { decimals: 18 }, sweepGas: null }
  const priced = { ...ether, sweepGas: { coinPrice: '2000' } }
  const oneTokenWei = 10n ** 18n / 2_000n

  test('when its fee is the whole of the coins, whatever a coin costs', () => {
    const coins = { token: coinAddress, decimals: 18, dollarRate: null }
    expect(isTooSmall(coins, { amount: 100n, feeWei: 100n }, ether)).toBe(true)
    expect(isTooSmall(coins, { amount: 100n, feeWei: 99n }, ether)).toBe(false)
  })

  test.each([6, 18, 2])('when its fee is worth the whole of a token with %i decimals', (decimals) => {
    const amount = 10n ** BigInt(decimals)
    const token = { token: unmatchedToken, decimals, dollarRate: '1' }
    expect(isTooSmall(token, { amount, feeWei: oneTokenWei }, priced)).toBe(true)
    expect(isTooSmall(token, { amount, feeWei: oneTokenWei - 1n }, priced)).toBe(false)
  })

  test('never of a token where the network names no price of its coin', () => {
    const token = { token: unmatchedToken, decimals: 6, dollarRate: '1' }
    expect(isTooSmall(token, { amount: 1n, feeWei: 10n ** 18n }, ether)).toBe(false)
  })

  test('by its worth in dollars when the token is of another currency, and never without a rate', () => {
    const isSmall = (dollarRate: string | null, feeWei: bigint) =>
      isTooSmall({ token: unmatchedToken, decimals: 6, dollarRate }, { amount: 1_000_000n, feeWei }, priced)
    expect(isSmall('1.08', oneTokenWei)).toBe(false)
    expect(isSmall('1.08', (oneTokenWei * 108n) / 100n)).toBe(true)
    expect(isSmall('0.0006', oneTokenWei / 1_000n)).toBe(true)
    expect(isSmall(null, 10n ** 18n)).toBe(false)
    expect(dollarRateOf([{ symbol: 'EURC', currency: 'EUR' }], 'EURC')).toBeNull()
    expect(dollarRateOf([], 'EURC')).toBeNull()
    expect([dollarRateOf([], 'USDT'), dollarRateOf([{ symbol: 'USDX', currency: 'USD' }], 'USDX')]).toEqual(['1', '1'])
  })
})

describe('the worth of a sweep', () => {
  test('is in dollars at the rate of the payment, rounded down, and nothing without one', () => {
    expect(dollarMicros(25_000_000n, 6, '1')).toBe(25_000_000n)
    expect(dollarMicros(25_000_000n, 6, '1.08')).toBe(27_000_000n)
    expect(dollarMicros(1n, 18, '1.08')).toBe(0n)
    expect(dollarMicros(25_000_000n, 6, null)).toBe(0n)
  })
})
