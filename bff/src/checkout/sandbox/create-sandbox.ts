import { familyOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Networks } from '../../core/families.ts'
import { type BaseUnits, formatAmount, parseAmount } from '../../core/money.ts'
import type { RequestInfo } from '../../http/env.ts'
import type { Caller } from '../../merchant/caller.ts'
import type { Attachments } from '../../payment/payment.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { IdempotencyKey } from '../idempotency-store.ts'
import type { VerifyCallbackUrl } from '../payment-maker.ts'
import type { PaymentViewer } from '../read/payment-view.ts'

const wholeBps = 10_000n

type NewSandboxPayment = {
  amount: string | number
  currency: string
  network?: string | undefined
  customerEmail?: string | undefined
  callbackUrl?: string | undefined
  orderId?: string | undefined
  metadata?: Attachments['metadata'] | undefined
}

type Deps = {
  createDeposit: ReturnType<typeof createDeposits>
  networks: Networks
  feeBps: number
  operator: string | null
  verifyCallbackUrl: VerifyCallbackUrl
}

/** What a customer's page may show, and the fee that a live payment of the amount would cost. */
type CreatedSandboxPayment = {
  isReplay: boolean
  isHeard: boolean
  payment: ReturnType<PaymentViewer['public']> & { feeAmount: string; clientSecret?: string }
}

/** Creates a test payment with any key of a merchant: the deposit of a test key, by another door. */
export function createSandboxPayments({ createDeposit, networks, feeBps, operator, verifyCallbackUrl }: Deps) {
  return async function createSandboxPayment(
    caller: Caller,
    request: RequestInfo,
    body: NewSandboxPayment,
    key: IdempotencyKey | undefined,
  ): Promise<CreatedSandboxPayment> {
    verifyCallbackUrl(body.callbackUrl)
    // Counted apart: test payments must not use up what a live key may have open.
    const id = caller.isTest ? caller.id : `sandbox ${caller.id}`
    const tester = { ...caller, id, isTest: true, wallets: withStandIns(caller.wallets) }
    // Anybody can take a live public key from a shop's page, and must not have signed news of invented payments sent to
    // the shop's own receiver.
    const isHeard = caller.isTest || caller.kind === 'api'
    const { json, isReplay, clientSecret } = await createDeposit(
      tester,
      request,
      {
        amount: body.amount,
        currency: body.currency,
        network: body.network ?? defaultNetwork(caller.wallets),
        customerEmail: body.customerEmail,
        callbackUrl: isHeard ? body.callbackUrl : undefined,
        orderId: body.orderId,
        metadata: body.metadata,
      },
      key,
      'sandbox/payments/create',
    )
    const { payment } = JSON.parse(json) as { payment: ReturnType<PaymentViewer['public']> }
    const { decimals } = payment.Token
    const due = parseAmount(payment.amount, decimals)
    const feeAmount = formatAmount(((due * BigInt(feeBps)) / wholeBps) as BaseUnits, decimals)
    return { isReplay, isHeard, payment: Object.assign(payment, { feeAmount, ...(clientSecret && { clientSecret }) }) }
  }

  /** Nothing is settled, so nobody needs a wallet to try: an address of ours stands in, and is never paid. */
  function withStandIns(wallets: Caller['wallets']): Caller['wallets'] {
    const standIns = [...networks.values()].map((network): [string, string] => [
      network.shortName,
      (operator !== null && familyOf(network).parseAddress(operator)) || network.platformWallet,
    ])
    return new Map([...standIns, ...wallets])
  }

  /** The first configured network where the merchant has a wallet, else the first. */
  function defaultNetwork(wallets: Caller['wallets']): string {
    const names = [...networks.keys()]
    const name = names.find((candidate) => wallets.has(candidate)) ?? names[0]
    if (name !== undefined) return name
    throw new ValidationError('network: none is configured on this service', 'NETWORK_NOT_SUPPORTED')
  }
}
