/** The parts of `@medusajs/framework/utils` 2.21 that the provider uses: this repository's tests run without Medusa. */
import type { BigNumberInput } from './framework-types.ts'

export class AbstractPaymentProvider<Options> {
  readonly config: Options
  constructor(_container: Record<string, unknown>, config: Options) {
    this.config = config
  }
}

export class MedusaError extends Error {
  static readonly Types = { INVALID_DATA: 'invalid_data', NOT_ALLOWED: 'not_allowed' } as const
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** Medusa's class holds a number of any length; `toFixed()` without an argument writes all digits, without an exponent. */
export class BigNumber {
  readonly bigNumber: { toFixed(): string }
  constructor(input: BigNumberInput) {
    const text = String(typeof input === 'object' ? input.value : input)
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`The stand-in takes plain numbers, not ${text}.`)
    this.bigNumber = { toFixed: () => text }
  }
}

export const PaymentActions = {
  SUCCESSFUL: 'captured',
  FAILED: 'failed',
  PENDING: 'pending',
  NOT_SUPPORTED: 'not_supported',
} as const

export const PaymentSessionStatus = { CAPTURED: 'captured', PENDING: 'pending', CANCELED: 'canceled' } as const

export const Modules = { PAYMENT: 'payment' } as const

export const ModuleProvider = (module: string, { services }: { services: unknown[] }) => ({ module, services })
