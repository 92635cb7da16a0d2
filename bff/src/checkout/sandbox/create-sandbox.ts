import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { familyOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Networks } from '../../core/families.ts'
import { type BaseUnits, formatAmount, parseAmount } from '../../core/money.ts'
import type { Attachments } from '../../payment/payment.ts'
import type { CreateContractPayment } from '../contract/create-contract-payment.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { VerifyCallbackUrl } from '../payment-maker.ts'
import type { MoneyAsked } from '../price.ts'
import type { PublicView } from '../read/payment-view.ts'

const wholeBps = 10_000n

/** The modes that the sandbox simulates. */
export const sandboxModes = ['deposit', 'contract'] as const

type NewSandboxPayment = MoneyAsked & {
  /** Default: `deposit`. */
  paymentMode?: (typeof sandboxModes)[number] | undefined
  currency: string
  network?: string | undefined
  customerEmail?: string | undefined
  callbackUrl?: string | undefined
  returnUrl?: string | undefined
  orderId?: string | undefined
  metadata?: Attachments['metadata'] | undefined
}

type Deps = {
  createDeposit: ReturnType<typeof createDeposits>
  createContractPayment: CreateContractPayment
  networks: Networks
  feeBps: number
  operator: string | null
  verifyCallbackUrl: VerifyCallbackUrl
}

/** `feeAmount`: the platform fee of a live payment of this amount. */
type CreatedSandboxPayment = {
  isReplay: boolean
  payment: PublicView & { feeAmount: string; clientSecret?: string }
}

/** Creates a test payment with any key of a merchant: the same deposit or contract payment that a test key creates. */
export function createSandboxPayments(deps: Deps) {
  const { createDeposit, createContractPayment, networks, feeBps, operator, verifyCallbackUrl } = deps

  return async function createSandboxPayment(
    caller: Caller,
    request: RequestInfo,
    body: NewSandboxPayment,
    key: IdempotencyKey | undefined,
  ): Promise<CreatedSandboxPayment> {
    verifyCallbackUrl(body.callbackUrl)
    // Counted separately: test payments must not count towards a live key's limit of open payments.
    const id = caller.isTest ? caller.id : `sandbox ${caller.id}`
    const tester = { ...caller, id, isTest: true, wallets: withTestWallets(caller.wallets) }
    const asked = {
      amount: body.amount,
      price: body.price,
      priceCurrency: body.priceCurrency,
      currency: body.currency,
      network: body.network ?? defaultNetwork(caller.wallets),
      customerEmail: body.customerEmail,
      callbackUrl: body.callbackUrl,
      returnUrl: body.returnUrl,
      orderId: body.orderId,
      metadata: body.metadata,
    }
    const create = body.paymentMode === 'contract' ? createContractPayment : createDeposit
    const { response, isReplay, clientSecret } = await create(tester, request, asked, key, 'sandbox/payments/create')
    const { payment } = response
    const { decimals } = payment.Token
    const due = parseAmount(payment.amount, decimals)
    const feeAmount = formatAmount(((due * BigInt(feeBps)) / wholeBps) as BaseUnits, decimals)
    return {
      isReplay,
      payment: Object.assign(payment, { feeAmount, ...(clientSecret && { clientSecret }) }),
    }
  }

  /** A test payment settles nothing, so networks without a settlement wallet get an address that is never paid. */
  function withTestWallets(wallets: Caller['wallets']): Caller['wallets'] {
    const testWallets = [...networks.values()].map((network): [string, string] => [
      network.shortName,
      (operator !== null && familyOf(network).parseAddress(operator)) || network.platformWallet,
    ])
    return new Map([...testWallets, ...wallets])
  }

  /** The first configured network on which the merchant has a wallet, else the first network. */
  function defaultNetwork(wallets: Caller['wallets']): string {
    const names = [...networks.keys()]
    const name = names.find((candidate) => wallets.has(candidate)) ?? names[0]
    if (name !== undefined) return name
    throw new ValidationError('network: none is configured on this service', 'NETWORK_NOT_SUPPORTED')
  }
}
