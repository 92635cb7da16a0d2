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
import type { MerchantId, Payment } from '../../payment/payment.ts'
import {
  findAuthorization,
  gasSince,
  openAuthorizationOf,
  promisedBy,
  usageOfClient,
  usageOfPayer,
  usageOfServer,
} from '../../payment/store/authorization-store.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Reverted transactions per payer and day after which further authorizations are refused. */
const failedMax = 3

/**
 * Share of the daily gas budget that is spent first come, first served. Above it, a merchant may spend at most half of what the other
 * merchants leave, so that a few merchants cannot use up the budget.
 */
const merchantShare = 0.8

/**
 * Maximum share of the budget per client. At one merchant, a client may spend at most half of what the merchant's other clients leave of
 * the merchant's share.
 */
const clientShare = 0.5

/** @throws {AuthorizationRefused} when gas costs more than the merchant allows for this payment. */
export function verifyGasLimit(
  payment: Payment,
  value: bigint,
  { costMicros }: SimulatedAuthorization,
  settings: MerchantSettings = defaultSettings,
): void {
  const { signatureGas } = settings
  if (!takesSignatures(settings)) throw signaturesOff()
  const limit = gasLimitOf(value, payment, signatureGas)
  if (costMicros <= limit) return
  const message = `The network fee of ${dollars(costMicros)} USD is more than the ${dollars(limit)} USD that the shop pays for this payment.`
  throw new AuthorizationRefused('GAS_TOO_EXPENSIVE', message)
}

/** @throws {AuthorizationRefused} when the payment has changed since it was checked, or another authorization may pay it. */
export async function verifyStillOpen(tx: Tx, checked: CheckedAuthorization): Promise<void> {
  const { paymentId, value } = checked
  const payment = await loadPayment(tx, paymentId)
  if (!payment || signableAmount(payment) !== value) {
    throw new AuthorizationRefused('PAYMENT_NOT_OPEN', 'No amount is left to pay.')
  }
  const other = await openAuthorizationOf(tx, paymentId)
  if (!other) return
  // On PostgreSQL a statement sees what was stored since the one before it: a concurrent repeat may be this very authorization.
  if ((await findAuthorization(tx, checked))?.id === other.id) return
  const message = 'Another authorization of this payment is in progress.'
  throw new AuthorizationRefused('AUTHORIZATION_UNDER_WAY', message, { transactionHash: other.txId })
}

/**
 * The presenter of an authorization. `client`: a digest of its address; null: a merchant's server that does not name
 * its client.
 */
export type BroughtBy = { client: string | null; isByServer: boolean }

type Bounded = BroughtBy & {
  checked: CheckedAuthorization
  simulated: SimulatedAuthorization
  limits: AuthorizationLimits
  nowMs: number
}

/**
 * Limits the authorizations of a payer and of a client per day.
 * @throws {AuthorizationRefused}
 */
export async function verifyCounts(
  tx: Tx,
  { checked: { payer, merchantId }, limits, client, isByServer, nowMs }: Omit<Bounded, 'simulated'>,
): Promise<void> {
  const sinceMs = nowMs - dayMs
  const { count, failed } = await usageOfPayer(tx, payer, sinceMs)
  if (count >= limits.perPayer || failed >= failedMax) {
    throw new AuthorizationRefused('PAYER_LIMIT', 'This account has reached today’s limit of payments by signature.')
  }
  await verifyClient(tx, { merchantId, client, isByServer, perAddress: limits.perAddress, sinceMs })
}

/**
 * Limits the operator's spending per day, in the commit that accepts the authorization.
 * @throws {AuthorizationRefused}
 */
export async function verifyBounds(tx: Tx, { simulated, ...bounded }: Bounded): Promise<void> {
  const { checked, limits, client, nowMs } = bounded
  const { network, value, merchantId } = checked
  const sinceMs = nowMs - dayMs
  await verifyCounts(tx, bounded)
  const { dailyBudgetMicros } = limits
  const spent = await gasSince(tx, { network, merchantId, client, sinceMs })
  const cost = simulated.costMaxMicros
  if (spent.all + cost > dailyBudgetMicros) {
    throw new AuthorizationRefused('DAILY_LIMIT', 'The shop has reached today’s limit of network fees.')
  }
  const left = dailyBudgetMicros - (spent.all - spent.merchant)
  const isShared = spent.all + cost > merchantShare * dailyBudgetMicros
  if (isShared && spent.merchant > 0 && spent.merchant + cost > left / 2) {
    throw new AuthorizationRefused('DAILY_LIMIT', 'The shop has reached today’s limit of network fees.')
  }
  if (spent.client > 0 && spent.client + cost > clientShare * dailyBudgetMicros) throw tooManyOfClient()
  const leftHere = merchantShare * dailyBudgetMicros - (spent.merchant - spent.clientHere)
  if (spent.clientHere > 0 && spent.clientHere + cost > leftHere / 2) throw tooManyOfClient()
  if (simulated.balance < value + (await promisedBy(tx, checked))) {
    const message = 'The paying account’s token balance is too low for everything that it has signed.'
    throw new AuthorizationRefused('INSUFFICIENT_FUNDS', message)
  }
}

type Client = BroughtBy & { merchantId: MerchantId; perAddress: number; sinceMs: number }

/**
 * A merchant's server pays for many clients, so only its reverted transactions count towards the limit of one address. If the server names
 * its client, the limit applies to that client, so that one client does not affect the others.
 */
async function verifyClient(tx: Tx, { merchantId, client, isByServer, perAddress, sinceMs }: Client): Promise<void> {
  const { count, failed } =
    client === null ? await usageOfServer(tx, merchantId, sinceMs) : await usageOfClient(tx, client, sinceMs)
  const taken = isByServer ? failed : count
  if (taken >= perAddress) throw tooManyOfClient()
}

const tooManyOfClient = () =>
  new AuthorizationRefused('CLIENT_LIMIT', 'This address has reached today’s limit of payments by signature.')

const dollars = (micros: number): string => formatAmount(BigInt(micros) as BaseUnits, microsDecimals)
