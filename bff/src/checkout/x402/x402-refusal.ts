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

export class NotOfferedError extends PaymentError {
  constructor(why: string) {
    super('X402_NOT_OFFERED', `This payment cannot be paid by x402: ${why}.`, { status: 409, error: 'Not offered' })
  }
}

/** The merchant takes no payments by signature: nobody is asked for a proof. */
export class NoSignaturesError extends NotOfferedError {
  constructor() {
    super('the shop takes no payments by signature')
  }
}

export class NotOpenError extends PaymentError {
  constructor(outcome: string) {
    const message = `Nothing more is to be paid to this payment: it is ${outcome}.`
    super('PAYMENT_NOT_OPEN', message, { status: 409, error: 'Payment not open' })
  }
}

/** The proof was sent, and its transfer came after the payment had ended: asking again makes nothing of it. */
export class TooLateError extends PaymentError {
  constructor(transactionHash: string | null) {
    const message = 'The money came after the payment had ended: the merchant takes it or returns it.'
    super('PAYMENT_NOT_OPEN', message, { status: 409, error: 'Payment not open', fields: { transactionHash } })
  }
}

/** The proof is for other terms than those that are asked now. */
export class RequirementsMismatchError extends PaymentError {
  constructor() {
    const message = 'The accepted requirements are not those of this payment: pay what the new answer asks.'
    super('REQUIREMENTS_MISMATCH', message, { status: 400, error: 'Requirements mismatch' })
  }
}

/** Something was had for the payment before. */
export class DuplicateSettlementError extends PaymentError {
  constructor() {
    const message = 'The payment has paid for something before: ask for a new one.'
    super('DUPLICATE_SETTLEMENT', message, { status: 409, error: 'Duplicate settlement' })
  }
}
