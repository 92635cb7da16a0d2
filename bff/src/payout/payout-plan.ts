import { parseAmount } from '../core/money.ts'
import type { Payment, Stray } from '../payment/payment.ts'
import { planRefund } from '../payment/refund.ts'
import { coinAddress, isSameStray, strayAddressOf } from '../payment/unmatched.ts'
import type { Attempts, Payout, Sending } from './payout-queue-store.ts'

/** Payouts of one payment that are sent at once: whoever sends money in drops must not make us pay gas for each of them. */
export const promptMax = 3

/** What comes after those is sent together, this long after the payout before. */
export const togetherMs = 24 * 60 * 60 * 1000

/** Prices and values are compared in millionths of a token. */
export const microDecimals = 6

/** What the payment says is to go back now, of what it owes or of an unmatched transfer. Undefined: nothing, or nobody has said where to. */
export function sendingOf(payment: Payment | undefined, payout: Payout): Sending | undefined {
  if (payment?.mode !== 'deposit') return undefined
  if (payout.kind === 'return') {
    const unmatched = payment.strays.find((one) => isSameStray(one, payout))
    const address = unmatched && strayAddressOf(payment, unmatched)
    return unmatched && address && unmatched.held > 0n ? { address, amount: unmatched.held } : undefined
  }
  const amount = planRefund(payment)
  return payment.refundAddress !== null && amount > 0n ? { address: payment.refundAddress, amount } : undefined
}

/** When the payout may be sent: at once, or together with what comes until then. Unix milliseconds. */
export function sendableAtMs({ count, newestAtMs }: Attempts): number {
  return count < promptMax ? 0 : newestAtMs + togetherMs
}

type GasPrice = { sweepGas: { coinPrice: string } | null; nativeCurrency: { decimals: number } }

/**
 * Whether a return's fee is at least what it returns. Of a token the network's `sweepGas` must name the coin's price: without one no
 * return is too small.
 */
export function isTooSmall(
  { token, decimals }: Pick<Stray, 'token' | 'decimals'>,
  { amount, feeWei }: { amount: bigint; feeWei: bigint },
  { sweepGas, nativeCurrency }: GasPrice,
): boolean {
  if (token === coinAddress) return feeWei >= amount
  if (sweepGas === null) return false
  const coinMicros = parseAmount(sweepGas.coinPrice, microDecimals)
  const coinWei = 10n ** BigInt(nativeCurrency.decimals)
  const valueWei = (amount * 10n ** BigInt(microDecimals) * coinWei) / (10n ** BigInt(decimals) * coinMicros)
  return feeWei >= valueWei
}
