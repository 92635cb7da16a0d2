import { PaymentError } from '../../core/errors.ts'

/** x402's reasons for our error codes. */
const reasons: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  REQUIREMENTS_MISMATCH: 'invalid_payment_requirements',
  INVALID_PAYMENT_SIGNATURE: 'invalid_payload',
  DUPLICATE_SETTLEMENT: 'duplicate_settlement',
  AGENT_CONSTRAINT_VIOLATED: 'agent_policy_violated',
}

export const settlementPending = 'settlement_pending'

/** The reason that a facilitator gives for a refusal. @param ofScheme - The reasons of the network's family. */
export const reasonOf = ({ code }: PaymentError, ofScheme: Readonly<Record<string, string>> = {}): string =>
  reasons[code] ?? ofScheme[code] ?? 'unexpected_settle_error'

/** The hash of the transaction that was sent without paying; empty if there is none. */
export function transactionOf({ fields }: PaymentError): string {
  const { transactionHash } = fields
  return typeof transactionHash === 'string' ? transactionHash : ''
}

export const notOffered = (why: string) =>
  new PaymentError('X402_NOT_OFFERED', `This payment cannot be paid by x402: ${why}.`)

/** The merchant does not accept payments by signature: no proof is requested. */
export const noSignatures = () => notOffered('the shop takes no payments by signature')

const notOpenDetails = { status: 409, error: 'Payment not open' } as const

export const notOpen = (outcome: string) =>
  new PaymentError('PAYMENT_NOT_OPEN', `Nothing more is to be paid to this payment: it is ${outcome}.`, notOpenDetails)

/** The proof was sent, and its transfer came after the payment had ended: a repeat cannot succeed. */
export const tooLate = (transactionHash: string | null) =>
  new PaymentError(
    'PAYMENT_NOT_OPEN',
    'The money came after the payment had ended: the merchant takes it or returns it.',
    { ...notOpenDetails, fields: { transactionHash } },
  )

export const requirementsMismatch = () =>
  new PaymentError(
    'REQUIREMENTS_MISMATCH',
    'The accepted requirements are not those of this payment: pay what the new answer asks.',
  )

export const duplicateSettlement = () =>
  new PaymentError('DUPLICATE_SETTLEMENT', 'The payment has paid for something before: ask for a new one.')
