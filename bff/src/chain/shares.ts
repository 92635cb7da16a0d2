import { type BaseUnits, zero } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'
import { settledOf } from '../payment/payment-sums.ts'
import { familyOfPayment } from './index.ts'

const wholeBps = 10_000n

/** The platform's fee in the payment's terms. */
export function feeBpsOf(payment: Payment): number {
  if (payment.mode === 'deposit' && payment.isDirect) return 0
  const family = familyOfPayment(payment)
  return payment.mode === 'contract' ? family.walletTermsOf(payment).feeBps : family.depositFeeBps(payment.depositTerms)
}

/**
 * The merchant's and the platform's shares of a paid payment, split as the contracts do: what the sweep paid or will pay. The
 * platform's share is rounded down. Both are zero until the payment is paid.
 */
export function sharesOf(payment: Payment): { merchant: BaseUnits; fee: BaseUnits } {
  const shared = settledOf(payment)
  if (shared === 0n) return { merchant: zero, fee: zero }
  const fee = (shared * BigInt(feeBpsOf(payment))) / wholeBps
  return { merchant: (shared - fee) as BaseUnits, fee: fee as BaseUnits }
}
