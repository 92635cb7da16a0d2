import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BaseUnits, excess } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'
import { formatDepositTerms } from './evm/deposit/deposit-terms.ts'
import { formatSplitTerms } from './evm/split/split-terms.ts'
import { sharesOf } from './shares.ts'
import { formatSolanaTerms } from './solana/facts/solana-deposit-terms.ts'
import { formatSolanaSplitTerms, solanaShares } from './solana/facts/solana-split-terms.ts'

const evm = '0x00000000000000000000000000000000000000aa'
const solana = '11111111111111111111111111111111'

/** Paid by `received`, which a deposit has swept; the fee stands in the terms of its family. */
type Paid = { due: bigint; received: bigint; feeBps: number }
const sums = ({ due, received }: Paid) => {
  const units = { due: due as BaseUnits, least: due as BaseUnits }
  return { ...units, seen: received as BaseUnits, received: received as BaseUnits }
}

const payments: Record<string, (paid: Paid) => Payment> = {
  'a deposit on EVM': (paid) =>
    newPayment({
      ...sums(paid),
      status: 'sweeping',
      depositTerms: formatDepositTerms({
        ...{ chainId: 1, token: evm, amount: paid.due, least: paid.due, merchant: evm, platform: evm, operator: evm },
        ...{ feeBps: paid.feeBps, deadlineSeconds: 900, factory: evm, salt: `0x${'07'.repeat(32)}` },
      }),
    }),
  'a deposit on Solana': (paid) =>
    newPayment({
      ...sums(paid),
      status: 'sweeping',
      depositAddress: solana,
      depositTerms: formatSolanaTerms({
        ...{ genesisHash: 'cluster', mint: solana, amount: paid.due, least: paid.due, merchant: solana },
        ...{ platform: solana, feeBps: paid.feeBps, deadlineSeconds: 900, salt: '07'.repeat(32) },
      }),
    }),
  'a wallet payment on EVM': (paid) =>
    newContractPayment({
      ...sums(paid),
      status: 'completed',
      splitTerms: formatSplitTerms({
        ...{ chainId: 1, splitter: evm, token: evm, amount: paid.due, paymentId: 'one', merchant: evm },
        ...{ platform: evm, feeBps: paid.feeBps, deadlineSeconds: 900 },
      }),
    }),
  'a wallet payment on Solana': (paid) =>
    newContractPayment({
      ...sums(paid),
      status: 'completed',
      splitTerms: formatSolanaSplitTerms({
        ...{ family: 'solana', genesisHash: 'cluster', mint: solana, decimals: 6, amount: paid.due, paymentId: 'one' },
        ...{ merchant: solana, platform: solana, feeBps: paid.feeBps, deadlineSeconds: 900 },
      }),
    }),
}

const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n })
const feesBps = fc.integer({ min: 0, max: 10_000 })

test.each(Object.entries(payments))('%s is divided exactly, and the fee is rounded down', (_, paymentOf) => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 10n ** 6n }), feesBps, (due, over, feeBps) => {
      const { merchant, fee } = sharesOf(paymentOf({ due, received: due + over, feeBps }))
      expect(merchant + fee).toBe(due)
      // The fee is the exact fraction rounded down: less than one unit below it and never above it.
      const short = due * BigInt(feeBps) - fee * 10_000n
      expect(short >= 0n && short < 10_000n).toBe(true)
    }),
  )
})

test.each(Object.entries(payments))('%s has no shares while it is unpaid', (_, paymentOf) => {
  for (const status of ['pending', 'expired'] as const) {
    const open: Payment = { ...paymentOf({ due: 100n, received: 99n, feeBps: 150 }), status }
    expect(sharesOf(open)).toEqual({ merchant: 0n, fee: 0n })
  }
})

test('the transfers of a wallet payment on Solana add up to its amount, and its fee is rounded down', () => {
  fc.assert(
    fc.property(amounts, feesBps, (amount, feeBps) => {
      const { merchant, platform } = solanaShares({ amount, feeBps })
      expect(merchant + platform).toBe(amount)
      const short = amount * BigInt(feeBps) - platform * 10_000n
      expect(short >= 0n && short < 10_000n).toBe(true)
      expect(excess(merchant as BaseUnits, amount as BaseUnits)).toBe(0n)
    }),
  )
})
