import { PaymentError } from '../../core/errors.ts'

/** x402's word for a refusal, by the code of ours. */
const reasons: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  REQUIREMENTS_MISMATCH: 'invalid_payment_requirements',
  INVALID_PAYMENT_SIGNATURE: 'invalid_payload',
  DUPLICATE_SETTLEMENT: 'duplicate_settlement',
  AGENT_CONSTRAINT_VIOLATED: 'agent_policy_violated',
}

export const settlementPending = 'settlement_pending'

/** What a facilitator says of a refusal. @param ofScheme - The words of the network's family. */
export const reasonOf = ({ code }: PaymentError, ofScheme: Readonly<Record<string, string>> = {}): string =>
  reasons[code] ?? ofScheme[code] ?? 'unexpected_settle_error'

/** The hash of a transaction that was sent in vain. */
export function transactionOf({ fields }: PaymentError): string {
  const { transactionHash } = fields
  return typeof transactionHash === 'string' ? transactionHash : ''
}

export const notOffered = (why: string) =>
  new PaymentError('X402_NOT_OFFERED', `This payment cannot be paid by x402: ${why}.`)

/** The merchant takes no payments by signature: nobody is asked for a proof. */
export const noSignatures = () => notOffered('the shop takes no payments by signature')

const notOpenDetails = { status: 409, error: 'Payment not open' } as const

export const notOpen = (outcome: string) =>
  new PaymentError('PAYMENT_NOT_OPEN', `Nothing more is to be paid to this payment: it is ${outcome}.`, notOpenDetails)

/** The proof was sent, and its transfer came after the payment had ended: asking again makes nothing of it. */
export const tooLate = (transactionHash: string | null) =>
  new PaymentError(
    'PAYMENT_NOT_OPEN',
    'The money came after the payment had ended: the merchant takes it or returns it.',
    { ...notOpenDetails, fields: { transactionHash } },
  )

/** The proof is for other terms than those that are asked now. */
export const requirementsMismatch = () =>
  new PaymentError(
    'REQUIREMENTS_MISMATCH',
    'The accepted requirements are not those of this payment: pay what the new answer asks.',
  )

/** Something was had for the payment before. */
export const duplicateSettlement = () =>
  new PaymentError('DUPLICATE_SETTLEMENT', 'The payment has paid for something before: ask for a new one.')
