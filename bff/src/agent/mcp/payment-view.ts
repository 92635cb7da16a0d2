import { z } from '@hono/zod-openapi'
import type { linkView } from '../../checkout/link/link-view.ts'
import type { PaymentViewer } from '../../checkout/read/payment-view.ts'
import { recordShape } from '../../checkout/wire/payment-schemas.ts'

/** The parts of a payment's record that an agent needs; the whole record would cost it several times the tokens. */
export const toolPayment = z.object({
  id: recordShape.id,
  outcome: recordShape.outcome,
  isFinal: recordShape.isFinal,
  paymentState: recordShape.paymentState,
  settlement: recordShape.settlement,
  amount: recordShape.amount,
  amountReceived: recordShape.amountReceived,
  amountRemaining: recordShape.amountRemaining,
  excessOwed: recordShape.excessOwed,
  currency: recordShape.currency,
  network: recordShape.network,
  price: recordShape.price,
  priceCurrency: recordShape.priceCurrency,
  rate: recordShape.rate,
  rateAt: recordShape.rateAt,
  depositAddress: recordShape.depositAddress,
  paymentUri: recordShape.paymentUri,
  transactionHash: recordShape.transactionHash,
  confirmations: recordShape.confirmations,
  requiredConfirmations: recordShape.requiredConfirmations,
  expiresAt: recordShape.expiresAt,
  refund: recordShape.refund,
  orderId: recordShape.orderId,
  agentId: recordShape.agentId,
  isTest: recordShape.isTest,
  paymentLink: z.string().nullable().describe('The page of the payment, for a person to pay it.'),
})

export type ToolPayment = z.infer<typeof toolPayment>

type MerchantView = ReturnType<PaymentViewer['merchant']>

export const viewForTool = (record: MerchantView, paymentLink: string | null): ToolPayment =>
  toolPayment.parse({ ...record, paymentLink })

/** The payment's current state as a message for a person. */
export function sentenceOf(payment: ToolPayment): string {
  const { amount, currency, network, outcome, settlement, refund, isTest } = payment
  const asked = `${amount} ${currency} on ${network}`
  const refundText = refund ? ` ${refund.message}` : ''
  const test = isTest ? 'Test payment. ' : ''
  if (outcome === 'paid') return `${test}Paid: ${asked}. ${settlement.message}${refundText}`
  if (outcome === 'failed') return `${test}Not paid: the payment of ${asked} has ended.${refundText}`
  return `${test}${progressOf(payment)}`
}

function progressOf(payment: ToolPayment): string {
  const { amount, currency, network, amountRemaining, amountReceived, depositAddress, expiresAt } = payment
  if (payment.transactionHash === null) {
    const to = depositAddress === null ? '' : ` to ${depositAddress}`
    return `Waiting for ${amount} ${currency} on ${network}${to}, until ${expiresAt}.`
  }
  if (/[1-9]/.test(amountRemaining ?? '')) {
    return `${amountReceived ?? 'A part'} of ${amount} ${currency} has arrived; ${amountRemaining} is still to be sent, until ${expiresAt}.`
  }
  return `${amount} ${currency} was seen on ${network}; it has ${payment.confirmations} of ${payment.requiredConfirmations} confirmations.`
}

const linkEnds = { paid: 'It is paid.', expired: 'It has expired.', ended: 'It was ended.' } as const

/** The payment link's current state as a message for a person. */
export function sentenceOfLink({
  isTest,
  state,
  url,
  maxPayments,
  paid,
  ...money
}: ReturnType<typeof linkView>): string {
  const { amount, currency, network, price, priceCurrency } = money
  const asked = amount === null ? `${price} ${priceCurrency}` : `${amount}${currency === null ? '' : ` ${currency}`}`
  const where = network === null ? '' : ` on ${network}`
  const end = state === 'open' ? `Open ${url ?? 'it'} to pay.` : linkEnds[state]
  return `${isTest ? 'Test link. ' : ''}Payment link over ${asked}${where}, paid ${paid} of ${maxPayments} times. ${end}`
}
