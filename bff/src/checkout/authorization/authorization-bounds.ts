import type { AuthorizationLimits, SimulatedAuthorization } from '../../chain/authorization.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { Tx } from '../../db/db.ts'
import {
  defaultSettings,
  gasLimitOf,
  type MerchantSettings,
  microsDecimals,
  takesSignatures,
} from '../../merchant/merchant-settings.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  signableAmount,
  signaturesOff,
} from '../../payment/authorization.ts'
import type { Payment } from '../../payment/payment.ts'
import {
  costSince,
  countOfClient,
  openAuthorizationOf,
  promisedBy,
  usageOfPayer,
} from '../../payment/store/authorization-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** After so many transactions in vain within a day, nothing more is sent for a payer. */
const failedMax = 3

/** @throws {AuthorizationRefused} when gas costs more than the merchant allows for this payment. */
export function verifyGasLimit(
  { tokenDecimals }: Payment,
  value: bigint,
  { costMicros }: SimulatedAuthorization,
  settings: MerchantSettings = defaultSettings,
): void {
  const { signatureGas } = settings
  if (!takesSignatures(settings)) throw signaturesOff()
  const limit = gasLimitOf(value, tokenDecimals, signatureGas)
  if (costMicros <= limit) return
  const message = `The network fee of ${dollars(costMicros)} USD is more than the ${dollars(limit)} USD that the shop pays for this payment.`
  throw new AuthorizationRefused('GAS_TOO_EXPENSIVE', message)
}

/** @throws {AuthorizationRefused} when the payment has changed since it was checked, or another authorization may pay it. */
export async function verifyStillOpen(tx: Tx, { paymentId, value }: CheckedAuthorization): Promise<void> {
  const payment = await loadPayment(tx, paymentId)
  if (!payment || signableAmount(payment) !== value) {
    throw new AuthorizationRefused('PAYMENT_NOT_OPEN', 'Nothing more is to be paid to this payment.')
  }
  const other = await openAuthorizationOf(tx, paymentId)
  if (!other) return
  const message = 'Another authorization of this payment is under way.'
  throw new AuthorizationRefused('AUTHORIZATION_UNDER_WAY', message, { transactionHash: other.txId })
}

type Bounded = {
  checked: CheckedAuthorization
  simulated: SimulatedAuthorization
  limits: AuthorizationLimits
  client: string | null
  nowMs: number
}

/** Bounds what the operator pays within a day, in the commit that takes the authorization. @throws {AuthorizationRefused} */
export async function verifyBounds(tx: Tx, { checked, simulated, limits, client, nowMs }: Bounded): Promise<void> {
  const { network, payer, value } = checked
  const sinceMs = nowMs - dayMs
  const { count, failed } = await usageOfPayer(tx, payer, sinceMs)
  if (count >= limits.perPayer || failed >= failedMax) {
    throw new AuthorizationRefused('PAYER_LIMIT', 'This account has paid by signature too often today.')
  }
  if (client !== null && (await countOfClient(tx, client, sinceMs)) >= limits.perAddress) {
    throw new AuthorizationRefused('CLIENT_LIMIT', 'Too many payments by signature came from this address today.')
  }
  if ((await costSince(tx, network, sinceMs)) + simulated.costMaxMicros > limits.dailyBudgetMicros) {
    throw new AuthorizationRefused('DAILY_LIMIT', 'The shop pays no more network fees today.')
  }
  if (simulated.balance < value + (await promisedBy(tx, checked))) {
    const message = 'The paying account has too little of the token for all that it has signed.'
    throw new AuthorizationRefused('INSUFFICIENT_FUNDS', message)
  }
}

const dollars = (micros: number): string => formatAmount(BigInt(micros) as BaseUnits, microsDecimals)
