import { PaymentError, ValidationError } from '../core/errors.ts'

/** A field that breaks a rule: its path in the body, and what it must be. */
type FieldFault = { path: string; message: string }

/** A refusal in Greenfield's form: for 422 a list of fields, otherwise a code and a sentence. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 422
  readonly body: object

  constructor(status: Refusal['status'], body: object, message: string) {
    super(message)
    this.status = status
    this.body = body
  }
}

export const refuse = (status: Refusal['status'], code: string, message: string, fields: object = {}): Refusal =>
  new Refusal(status, { code, message, ...fields }, message)

export const refuseFields = (faults: readonly FieldFault[]): Refusal =>
  new Refusal(422, faults, faults.map(({ path, message }) => `${path}: ${message}`).join('; '))

export const refuseField = (path: string, message: string): Refusal => refuseFields([{ path, message }])

/** The Greenfield field that each error code of this service is about. */
const pathByCode: Readonly<Partial<Record<string, string>>> = {
  NO_RATE: 'currency',
  WALLET_MISSING: 'checkout.paymentMethods',
}

/**
 * Turns an error of this service's operations into the refusal that a plug-in reads.
 * @param path - The field at fault, where the error's code does not say.
 */
export function asRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof PaymentError) || error.status >= 500) return error
  const isOfField = error instanceof ValidationError || pathByCode[error.code] !== undefined
  return isOfField ? refuseField(pathByCode[error.code] ?? path, error.message) : error
}
