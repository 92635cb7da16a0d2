import { add, type BaseUnits, excess, zero } from '../core/money.ts'
import type { Bridge } from './bridge.ts'
import type { Stray } from './unmatched.ts'

declare const brand: unique symbol
type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** UUID, lower case. */
export type PaymentId = Brand<string, 'PaymentId'>
export type MerchantId = Brand<string, 'MerchantId'>

/** Internal progress; callers branch on outcome and settlement instead. */
export type Status =
  | 'pending'
  | 'completed'
  | 'sweeping'
  | 'swept'
  | 'sweep_failed'
  | 'expired'
  | 'cancelled'
  | 'failed'

export type Outcome = 'pending' | 'paid' | 'failed'

/** How far the forwarding of a deposit is. `failing` retries by itself; `failed` retries slowly and wants a person to look. */
export type Sweep = 'none' | 'queued' | 'failing' | 'failed' | 'confirmed'

/** How far the money that can go back is. `failing` retries by itself; `failed` retries slowly and wants a person to look. */
export type Refund = 'none' | 'queued' | 'failing' | 'failed'

/** `public` and `test` go into pages, for live and for test payments; `api` has a secret and stays on a server. */
export const keyKinds = ['public', 'test', 'api'] as const
export type KeyKind = (typeof keyKinds)[number]

/** What a caller attached when the payment was created. Returned and never interpreted. */
export type Attachments = {
  orderId: string | null
  customerEmail: string | null
  callbackUrl: string | null
  metadata: Record<string, string | number | boolean | null> | null
  agentId: string | null
  agentOwner: string | null
}

/** What every payment has, whatever its mode. */
export type CommonFields = {
  id: PaymentId
  merchantId: MerchantId
  merchantName: string
  isTest: boolean
  madeWith: KeyKind
  /** Short name of a configured network. */
  network: string
  /** Symbol of the token. */
  currency: string
  tokenAddress: string
  tokenDecimals: number
  /** What was asked, and the least that is accepted for it. */
  due: BaseUnits
  least: BaseUnits
  /** Of high value: paid with so many confirmations, attested by two nodes. Null: the network's are enough. */
  confirmations: number | null
  /** Sums over canonical transfers: in the window (confirmed or not), in the window and confirmed, after the window and confirmed. */
  seen: BaseUnits
  received: BaseUnits
  late: BaseUnits
  /** Newest block with a transfer to this payment, and that transfer. */
  lastBlock: number | null
  lastTxId: string | null
  /** The chain's clock has passed the end of the window. */
  windowEnded: boolean
  /** Block time up to which late money pays; null: it is only reported. */
  acceptedUntilMs: number | null
  /** The chain's clock has passed `acceptedUntilMs`. */
  lateEnded: boolean
  /** The merchant has taken what came too late: it counts as if it had come in time. */
  lateTaken: boolean
  /** Somebody ended it by hand. Money that arrives all the same is reported as late. */
  closedAs: 'failed' | 'cancelled' | 'expired' | null
  status: Status
  /** Counts changes. */
  version: number
  /** Counts webhook events. */
  sequence: number
  createdAtMs: number
  expiresAtMs: number
  /** `expiresAtMs` on the chain's clock, which decides. */
  windowEndsAtMs: number
  detectedAtMs: number | null
  confirmedAtMs: number | null
} & Attachments

/** Paid to an address of its own, then swept to the merchant and the platform. */
export type DepositPayment = CommonFields & {
  mode: 'deposit'
  depositAddress: string
  /** The forwarder's terms as JSON: what the address was made of. */
  depositTerms: string
  sweep: Sweep
  /** It waits until it is worth its gas. */
  sweepWaits: boolean
  sweepTxId: string | null
  sweptAtMs: number | null
  refund: Refund
  /** Where money that is owed back goes; null: nobody has said. */
  refundAddress: string | null
  /** Sent back, final on the network. */
  refunded: BaseUnits
  /** The merchant has given back the whole amount that came too late. Only on Solana: a forwarder pays it to the merchant alone. */
  lateReturned: boolean
  /** On its way back by a transaction that is not final. */
  refunding: BaseUnits
  /** The newest of the transactions that sent it. */
  refundTxId: string | null
  /** Money at the address that was not asked for. In no sum of the payment's. */
  strays: readonly Stray[]
  /** Only where it is paid from another chain: the relay pays the deposit address, and all else is as with any deposit. */
  bridge?: Bridge
}

/** Paid by one call of the customer's wallet, which splits the money between merchant and platform in the same transaction. */
export type ContractPayment = CommonFields & {
  mode: 'contract'
  /** Lower case: whose event counts. */
  splitter: string
  /** Lower case: what the splitter's event names the payment by. */
  termsHash: string
  /** The call's terms as JSON: what the hash was made of, and the deadline. */
  splitTerms: string
  /** Only on Solana: who said at create that plain transfers, which name no payment, would come from it. */
  plainSender: PlainSender | null
}

/** `afterSlot`: the newest slot at create. What was in a block by then was not sent for the payment. */
export type PlainSender = { address: string; afterSlot: number }

export type Payment = DepositPayment | ContractPayment

/** Late money is watched for so long, and pays so long where the merchant accepts it. */
export const lateWindowMs = 7 * 24 * 60 * 60 * 1000

/** Expired, and late money can still make it paid. */
export const canBePaidLate = ({ status, acceptedUntilMs, lateEnded, closedAs }: Payment): boolean =>
  status === 'expired' && closedAs === null && acceptedUntilMs !== null && !lateEnded

/** What counts towards the amount: what came in time, and what came late where the merchant has taken it. */
export const countedOf = ({ received, late, lateTaken }: Payment): BaseUnits =>
  lateTaken ? add(received, late) : received

/** What is there for the merchant: all that came, less what went back or is on its way back. */
export function heldOf(payment: Payment): BaseUnits {
  const refunding = payment.mode === 'deposit' ? payment.refunding : zero
  return excess(add(payment.received, payment.late), add(refundedOf(payment), refunding))
}

/** The same money is never both the merchant's and sent back: a reorg, or lateness that is accepted, can make it enough afterwards. */
export function isPaid(payment: Payment): boolean {
  return isSwept(payment) || (countedOf(payment) >= payment.least && heldOf(payment) >= payment.least)
}

const refundedOf = (payment: Payment): BaseUnits => (payment.mode === 'deposit' ? payment.refunded : zero)

/** The money has left the deposit address for good. */
/** Nothing was sent to it: neither what it asked for, in time or late, nor anything else. */
export const isUntouched = (payment: Payment): boolean =>
  payment.seen === 0n && payment.late === 0n && (payment.mode === 'contract' || payment.strays.length === 0)

export const isSwept = (payment: Payment): boolean => payment.mode === 'deposit' && payment.sweep === 'confirmed'

export const outcomeOf = (payment: Payment): Outcome => outcomeOfStatus(payment.status)

export function outcomeOfStatus(status: Status): Outcome {
  switch (status) {
    case 'pending':
      return 'pending'
    case 'completed':
    case 'sweeping':
    case 'swept':
    case 'sweep_failed':
      return 'paid'
    case 'expired':
    case 'cancelled':
    case 'failed':
      return 'failed'
    default:
      return status satisfies never
  }
}

/** What is the payers', and was not sent back: all of a payment that failed, else what exceeds the amount due and what came late. */
export function owedOf(payment: Payment): BaseUnits {
  const { received, late, due, lateTaken } = payment
  const counted = countedOf(payment)
  const uncounted = lateTaken ? zero : late
  const theirs = outcomeOf(payment) === 'failed' ? add(received, late) : add(excess(counted, due), uncounted)
  return excess(theirs, refundedOf(payment))
}

export type PaymentState = 'awaiting' | 'underpaid' | 'completed' | 'overpaid_refunding' | 'expired_refunding'

/** What the money did. Transfers that wait for confirmations count as underpayment, but not yet as payment. */
export function paymentStateOf(payment: Payment): PaymentState {
  const outcome = outcomeOf(payment)
  const isOverpaid = countedOf(payment) > payment.due && owedOf(payment) > 0n
  if (outcome === 'paid') return isOverpaid ? 'overpaid_refunding' : 'completed'
  if (outcome === 'failed') return payment.received > 0n || payment.late > 0n ? 'expired_refunding' : 'awaiting'
  const isShort = payment.received > 0n || (payment.seen > 0n && payment.seen < payment.least)
  return isShort ? 'underpaid' : 'awaiting'
}
