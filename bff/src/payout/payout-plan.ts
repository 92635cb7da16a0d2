import { limitCurrency, type Token } from '../core/families.ts'
import { knownCurrencies } from '../core/known-currencies.ts'
import { exact, parseAmount } from '../core/money.ts'
import type { Payment, UnmatchedTransfer } from '../payment/payment.ts'
import { planRefund } from '../payment/refund.ts'
import { coinAddress, isSameToken, returnAddressOf } from '../payment/unmatched.ts'
import type { Attempts, Payout, Sending } from './payout-queue-store.ts'

/**
 * Payouts of one payment that are sent without a pause. The limit keeps many tiny transfers from spending the
 * operator's gas.
 */
export const promptMax = 3

/** Pause before each further payout, which includes everything that arrived meanwhile. */
export const togetherMs = 24 * 60 * 60 * 1000

/** Prices and values are compared in millionths of a dollar. */
export const microDecimals = 6

/** The amount and address of a refund, or of the return of an unmatched transfer. Undefined: nothing to send, or no address was named. */
export function sendingOf(payment: Payment | undefined, payout: Payout): Sending | undefined {
  if (payment?.mode !== 'deposit') return undefined
  if (payout.kind === 'return') {
    const unmatched = payment.unmatched.find((one) => isSameToken(one, payout))
    const address = unmatched && returnAddressOf(payment, unmatched)
    return unmatched && address && unmatched.balance > 0n ? { address, amount: unmatched.balance } : undefined
  }
  const amount = planRefund(payment)
  return payment.refundAddress !== null && amount > 0n ? { address: payment.refundAddress, amount } : undefined
}

/** When the payout may be sent, in Unix milliseconds. */
export function sendableAtMs({ count, newestAtMs }: Attempts): number {
  return count < promptMax ? 0 : newestAtMs + togetherMs
}

type GasPrice = { sweepGas: { coinPrice: string } | null; nativeCurrency: { decimals: number } }

/**
 * The value of an amount in millionths of a dollar, rounded down. 0 without a rate, because the amount is not known to be worth its gas.
 * @param dollarRate - Dollars for one whole token.
 */
export function dollarMicros(amount: bigint, decimals: number, dollarRate: string | null): bigint {
  if (dollarRate === null) return 0n
  const rate = exact(dollarRate)
  return (amount * 10n ** BigInt(microDecimals) * rate.units) / 10n ** BigInt(decimals + rate.decimals)
}

/**
 * Dollars for one whole token other than a payment's own, whose rate the payment stores.
 * @returns null for a token of another currency, and for an unknown token.
 */
export function dollarRateOf(configured: readonly Pick<Token, 'symbol' | 'currency'>[], symbol: string): string | null {
  const currency = configured.find((token) => token.symbol === symbol)?.currency ?? knownCurrencies[symbol]
  return currency === limitCurrency ? '1' : null
}

/**
 * Whether a return's fee is at least its amount. For a token, the network's `sweepGas` must contain the coin's price, and the token must
 * have a rate; otherwise no return is too small.
 */
export function isTooSmall(
  { token, decimals, dollarRate }: Pick<UnmatchedTransfer, 'token' | 'decimals'> & { dollarRate: string | null },
  { amount, feeWei }: { amount: bigint; feeWei: bigint },
  { sweepGas, nativeCurrency }: GasPrice,
): boolean {
  if (token === coinAddress) return feeWei >= amount
  if (sweepGas === null || dollarRate === null) return false
  const coinMicros = parseAmount(sweepGas.coinPrice, microDecimals)
  const coinWei = 10n ** BigInt(nativeCurrency.decimals)
  const valueWei = dollarMicros(amount * coinWei, decimals, dollarRate) / coinMicros
  return feeWei >= valueWei
}

/** One deposit that could be swept now. `valueMicros`: its value in millionths of a dollar; `gas`: the gas that it adds to a transaction. */
export type Candidate = { valueMicros: bigint; gas: bigint; isOverdue: boolean }

export type Prices = {
  /** Gas of the transaction itself. */
  baseGas: bigint
  weiPerGas: bigint
  /** Millionths of a dollar for one coin, and wei of one coin. */
  coinMicros: bigint
  coinWei: bigint
  /** The largest share of the swept value that gas may cost. */
  maxBps: number
}

const wholeBps = 10_000n

/**
 * Selects the sweeps that are worth their gas now: as many as can share one transaction whose gas is within `maxBps` of their value.
 * Overdue sweeps are sent at any cost, together with every sweep that pays for its own gas.
 * @returns the indexes in `candidates` of the sweeps to send, ascending.
 */
export function planSweeps(candidates: readonly Candidate[], prices: Prices): number[] {
  const { baseGas, weiPerGas, coinMicros, coinWei, maxBps } = prices
  const placed = candidates.map((candidate, place) => ({ ...candidate, place }))
  const overdue = placed.filter(({ isOverdue }) => isOverdue)
  const others = placed.filter(({ isOverdue }) => !isOverdue).sort((a, b) => Number(b.valueMicros - a.valueMicros))
  let gas = overdue.length > 0 ? 0n : baseGas
  let valueMicros = 0n
  let count = 0
  for (const [index, candidate] of others.entries()) {
    gas += candidate.gas
    valueMicros += candidate.valueMicros
    const costs = gas * weiPerGas * coinMicros * wholeBps
    if (costs <= valueMicros * BigInt(maxBps) * coinWei) count = index + 1
  }
  return [...overdue, ...others.slice(0, count)].map(({ place }) => place).sort((a, b) => a - b)
}
