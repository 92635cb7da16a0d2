import { feeBpsOf, sharesOf } from '../../chain/shares.ts'
import { type BaseUnits, formatAmount, zero } from '../../core/money.ts'
import { isDirect, outcomeOf, type Payment } from '../../payment/payment.ts'
import { paymentStateOf, refundableOf } from '../../payment/payment-sums.ts'
import { sweptAtMsOf } from '../../payment/sweep.ts'

/**
 * The columns of the export in order, each with its value for a payment. Money is exact, in whole tokens of `currency`;
 * times are ISO 8601 in UTC. E-mail addresses and metadata are left out: bookkeeping does not need them.
 */
const columns: Readonly<Record<string, (payment: Payment) => string>> = {
  id: (payment) => payment.id,
  createdAt: (payment) => iso(payment.createdAtMs),
  merchantId: (payment) => payment.merchantId,
  merchantName: (payment) => payment.merchantName,
  orderId: (payment) => payment.orderId ?? '',
  linkId: (payment) => payment.linkId ?? '',
  mode: (payment) => payment.mode,
  network: (payment) => payment.network,
  currency: (payment) => payment.currency,
  status: (payment) => payment.status,
  outcome: outcomeOf,
  paymentState: paymentStateOf,
  amount: (payment) => money(payment, payment.due),
  price: ({ price }) => price?.amount ?? '',
  priceCurrency: ({ price }) => price?.currency ?? '',
  rate: ({ price }) => price?.rate ?? '',
  rateAt: ({ price }) => (price ? iso(price.rateAtMs) : ''),
  received: (payment) => money(payment, payment.received),
  receivedLate: (payment) => money(payment, payment.late),
  merchantAmount: (payment) => money(payment, sharesOf(payment).merchant),
  platformFee: (payment) => money(payment, sharesOf(payment).fee),
  platformFeeBps: (payment) => String(feeBpsOf(payment)),
  refunded: (payment) => money(payment, depositOf(payment)?.refunded ?? zero),
  owedToPayer: (payment) => money(payment, refundableOf(payment)),
  refundedByMerchant: (payment) => money(payment, payment.refundedByMerchant),
  refundDueByMerchant: (payment) => money(payment, payment.refundDueByMerchant),
  paymentTransaction: (payment) => payment.lastTxId ?? '',
  payoutTransaction: (payment) => (isDirect(payment) ? payment.lastTxId : depositOf(payment)?.sweepTxId) ?? '',
  refundTransaction: (payment) => depositOf(payment)?.refundTxId ?? '',
  expiresAt: (payment) => iso(payment.expiresAtMs),
  detectedAt: (payment) => iso(payment.detectedAtMs),
  confirmedAt: (payment) => iso(payment.confirmedAtMs),
  paidOutAt: (payment) => iso(payment.mode === 'contract' ? payment.confirmedAtMs : sweptAtMsOf(payment)),
  tokenAddress: (payment) => payment.tokenAddress,
  depositAddress: (payment) => depositOf(payment)?.depositAddress ?? '',
  isTest: (payment) => String(payment.isTest),
}

export const paymentColumns: readonly string[] = Object.keys(columns)

export const paymentRow = (payment: Payment): string[] => Object.values(columns).map((cellOf) => cellOf(payment))

const depositOf = (payment: Payment) => (payment.mode === 'deposit' ? payment : null)

const money = (payment: Payment, amount: BaseUnits): string => formatAmount(amount, payment.tokenDecimals)

const iso = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString())
