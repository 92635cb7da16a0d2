import { familyOfPayment } from '../../chain/index.ts'
import { add, type BaseUnits, excess, formatAmount, zero } from '../../core/money.ts'
import { outcomeOf, owedOf, type Payment, paymentStateOf } from '../../payment/payment.ts'

const wholeBps = 10_000n

/** The head of the file, in its order. Money is in whole tokens of `currency`, exactly; times are ISO 8601 in UTC. */
export const paymentColumns = [
  'id',
  'createdAt',
  'merchantId',
  'merchantName',
  'orderId',
  'mode',
  'network',
  'currency',
  'status',
  'outcome',
  'paymentState',
  'amount',
  'received',
  'receivedLate',
  'merchantAmount',
  'platformFee',
  'platformFeeBps',
  'refunded',
  'owedToPayer',
  'paymentTransaction',
  'payoutTransaction',
  'refundTransaction',
  'expiresAt',
  'detectedAt',
  'confirmedAt',
  'paidOutAt',
  'tokenAddress',
  'depositAddress',
  'isTest',
] as const

type PaymentRow = Record<(typeof paymentColumns)[number], string>

/** What a bookkeeper asks of a payment. Nothing that only the customer is concerned with: no e-mail, no metadata. */
export function paymentRow(payment: Payment): PaymentRow {
  const money = (amount: BaseUnits) => formatAmount(amount, payment.tokenDecimals)
  const deposit = payment.mode === 'deposit' ? payment : null
  const feeBps = feeBpsOf(payment)
  const { merchant, fee } = sharesOf(payment, feeBps)
  return {
    id: payment.id,
    createdAt: iso(payment.createdAtMs),
    merchantId: payment.merchantId,
    merchantName: payment.merchantName,
    orderId: payment.orderId ?? '',
    mode: payment.mode,
    network: payment.network,
    currency: payment.currency,
    status: payment.status,
    outcome: outcomeOf(payment),
    paymentState: paymentStateOf(payment),
    amount: money(payment.due),
    received: money(payment.received),
    receivedLate: money(payment.late),
    merchantAmount: money(merchant),
    platformFee: money(fee),
    platformFeeBps: String(feeBps),
    refunded: money(deposit?.refunded ?? zero),
    owedToPayer: money(owedOf(payment)),
    paymentTransaction: payment.lastTxId ?? '',
    payoutTransaction: (deposit ? deposit.sweepTxId : payment.lastTxId) ?? '',
    refundTransaction: deposit?.refundTxId ?? '',
    expiresAt: iso(payment.expiresAtMs),
    detectedAt: iso(payment.detectedAtMs),
    confirmedAt: iso(payment.confirmedAtMs),
    paidOutAt: iso(deposit ? deposit.sweptAtMs : payment.confirmedAtMs),
    tokenAddress: payment.tokenAddress,
    depositAddress: deposit?.depositAddress ?? '',
    isTest: String(payment.isTest),
  }
}

function feeBpsOf(payment: Payment): number {
  const family = familyOfPayment(payment)
  return payment.mode === 'contract' ? family.walletTermsOf(payment).feeBps : family.depositFeeBps(payment.depositTerms)
}

/**
 * What a paid payment brings to merchant and platform, as the contracts share it: of what came, at most the amount due, the
 * platform's part rounded down. Nothing, while it is not paid.
 */
function sharesOf(payment: Payment, feeBps: number): { merchant: BaseUnits; fee: BaseUnits } {
  if (outcomeOf(payment) !== 'paid') return { merchant: zero, fee: zero }
  const came = add(payment.received, payment.late)
  const shared = excess(came, excess(came, payment.due))
  const fee = (shared * BigInt(feeBps)) / wholeBps
  return { merchant: (shared - fee) as BaseUnits, fee: fee as BaseUnits }
}

const iso = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString())
