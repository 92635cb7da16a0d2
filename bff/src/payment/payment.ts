import type { BaseUnits } from '../core/money.ts'

declare const brand: unique symbol
type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** UUID, lower case. */
export type PaymentId = Brand<string, 'PaymentId'>
export type MerchantId = Brand<string, 'MerchantId'>

/** Internal progress; callers branch on outcome and settlement instead. */
export const statuses = [
  'pending',
  'completed',
  'sweeping',
  'swept',
  'sweep_failed',
  'expired',
  'cancelled',
  'failed',
] as const
export type Status = (typeof statuses)[number]

/** Whether the customer has paid. */
export const outcomes = ['pending', 'paid', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/** State of the money. */
export const paymentStates = ['awaiting', 'underpaid', 'completed', 'overpaid_refunding', 'expired_refunding'] as const
export type PaymentState = (typeof paymentStates)[number]

/** How a caller ended the payment. */
export const endings = ['failed', 'cancelled', 'expired'] as const
export type Ending = (typeof endings)[number]

/** Progress of the sweep of a deposit. `failing` is retried soon; `failed` is retried hourly, and a person should check it. */
export type Sweep = 'none' | 'queued' | 'failing' | 'failed' | 'confirmed'

/** Progress of a refund. `failing` is retried soon; `failed` is retried hourly, and a person should check it. */
export type Refund = 'none' | 'queued' | 'failing' | 'failed'

/** Progress of the return of an unmatched transfer. `too_small`: the network's fee is more than the amount. */
export type UnmatchedRefund = Refund | 'too_small'

/** `coins_refused`: the address rejects coins, or needs more gas than a return may cost. */
export type UnmatchedRefundReason = 'coins_refused'

/** Unmatched transfers of one token, or of the chain's coin, on one network to one deposit address. */
export type UnmatchedTransfer = {
  /** Short name of the network that the money is on. */
  network: string
  /** Lower case; `coinAddress` for the coin. */
  token: string
  currency: string
  decimals: number
  /** The balance at `block`, as an RPC node gave it. */
  balance: BaseUnits
  block: number
  /** Sum of refunds that are final on the network. */
  refunded: BaseUnits
  txId: string | null
  /** Number of webhook events about it. */
  notifications: number
  refund: UnmatchedRefund
  /** Why the return failed, if another address would help; null otherwise. */
  refundReason: UnmatchedRefundReason | null
  /** The address for unmatched transfers on this network alone. Null: none is named, and on the payment's own network the refund address is used. */
  address: string | null
  refundTxId: string | null
}

/** What the relay last reported about the transfer from the customer's chain. It is progress, never proof of payment. */
export const bridgeStatuses = [
  /** Nothing has arrived at the relay's deposit address. */
  'waiting',
  /** The customer's money is there, with too few confirmations. */
  'depositing',
  /** The relay has the money and has not sent it on. */
  'pending',
  /** The relay has sent it on. */
  'submitted',
  'delayed',
  /** Delivered to the payment's address. The payment is paid when its own network shows the transfer. */
  'success',
  /** Returned to the sender. */
  'refund',
  /** Neither delivered nor returned so far. */
  'failure',
] as const
export type BridgeStatus = (typeof bridgeStatuses)[number]

/** The terms of the order at the relay. Never change. */
export type BridgeTerms = {
  /** The relay's id of the order. */
  requestId: string
  /** The address on the origin chain to which the customer sends. */
  relayDepositAddress: string
  originChainId: number
  originName: string
  originExplorerUrl: string | null
  /** Symbol, address and decimals of the token that the customer sends. */
  originCurrency: string
  originToken: string
  originDecimals: number
  /** Base units of that token, as text. */
  amountToSend: string
}

/** The relay's report about an order. The name of each transaction id says on which chain it is; a refund is on the origin chain. */
export type BridgeReport = {
  status: BridgeStatus
  originTxId: string | null
  destinationTxId: string | null
  refundTxId: string | null
  /** The relay's reason for a failure or refund. */
  reason: string | null
}

export type Bridge = { terms: BridgeTerms } & BridgeReport

/** `public` and `test` go into pages, for live and for test payments; `api` has a secret and stays on a server. */
export const keyKinds = ['public', 'test', 'api'] as const
export type KeyKind = (typeof keyKinds)[number]

/** The price in a currency and the rate that converted it to the amount due. Never changes. */
export type Price = {
  /** Decimal text, as requested. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** Units of the currency for one whole token, as decimal text. */
  rate: string
  /** The time of the rate, not of the payment. */
  rateAtMs: number
}

/** Attached by the caller at create. Returned, never interpreted. */
export type Attachments = {
  orderId: string | null
  customerEmail: string | null
  callbackUrl: string | null
  /** The payment link that created it. */
  linkId: string | null
  /** The URL that the customer returns to. */
  returnUrl: string | null
  metadata: Record<string, string | number | boolean | null> | null
  agentId: string | null
  agentOwner: string | null
}

/** The fields of every payment, in any mode. */
export type CommonFields = {
  id: PaymentId
  merchantId: MerchantId
  merchantName: string
  /** Whether the merchant pays the gas of payments by signature: the current setting, not the one at create. */
  takesSignatures: boolean
  isTest: boolean
  madeWith: KeyKind
  /** Short name of a configured network. */
  network: string
  /** Symbol of the token. */
  currency: string
  tokenAddress: string
  tokenDecimals: number
  /** The amount due, and the minimum accepted as payment. */
  due: BaseUnits
  least: BaseUnits
  /** Null: the create named the amount in tokens. */
  price: Price | null
  /** Dollars for one whole token when the payment was created, as decimal text, for limits in dollars. Null: no rate was known. */
  dollarRate: string | null
  /** Confirmations that a high-value payment requires, attested by two nodes. Null: the network's default. */
  confirmations: number | null
  /** Sums of canonical transfers: in the window, in the window and confirmed, late and confirmed. */
  seen: BaseUnits
  received: BaseUnits
  late: BaseUnits
  /** Newest block with a transfer to this payment, and that transfer; of a cross-chain payment, the relay's delivery. */
  lastBlock: number | null
  lastTxId: string | null
  /** The chain's clock has passed the end of the window. */
  windowEnded: boolean
  /** Block time until which late payments count; null: report only. */
  acceptedUntilMs: number | null
  /** The chain's clock has passed `acceptedUntilMs`. */
  lateEnded: boolean
  /** The merchant accepted the late money, or it was settled externally: it counts as if in time. */
  lateTaken: boolean
  /** Sums of the payment's merchant refunds: confirmed, and still to be paid by the merchant's wallet. */
  refundedByMerchant: BaseUnits
  refundDueByMerchant: BaseUnits
  /** The part of these sums that was of the amount due when they last changed while the payment was paid: of both, and of the confirmed one. */
  refundedOfDue: BaseUnits
  confirmedOfDue: BaseUnits
  /** How a caller ended the payment. Money that arrives afterwards is reported as late. */
  closedAs: Ending | null
  /** Reason given by the caller who ended the payment. */
  closeReason: string | null
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

/** Paid to its own address, then swept to the merchant and the platform, unless the address is the merchant's. */
export type DepositPayment = CommonFields & {
  mode: 'deposit'
  depositAddress: string
  /** The terms from which the deposit address is derived, as JSON. */
  depositTerms: string
  /**
   * The address is the merchant's own: the customer's transfer is the payout. Nothing is swept, and the merchant's wallet pays what must
   * go back. All fields of sweep and refund keep their initial values.
   */
  isDirect: boolean
  sweep: Sweep
  /** The sweep is deferred until it is worth its gas. */
  sweepWaits: boolean
  sweepTxId: string | null
  sweptAtMs: number | null
  /** Amount swept to merchant and platform together. Null: not swept, or not recorded by an older version. */
  sweptAmount: BaseUnits | null
  refund: Refund
  /** The address for refunds; null: none was named. */
  refundAddress: string | null
  /** The sum of refunds that are final on the network. */
  refunded: BaseUnits
  /** The merchant returned the full late amount. Only on Solana: a forwarder contract pays it to the merchant only. */
  lateReturned: boolean
  /** The amount of refund transactions that are not final. */
  refunding: BaseUnits
  /** The newest refund transaction. */
  refundTxId: string | null
  /** Unmatched transfers to the deposit address. No sum of the payment contains them. */
  unmatched: readonly UnmatchedTransfer[]
  /** Only for a cross-chain payment: the relay pays the deposit address, and everything else is as for any deposit. */
  bridge?: Bridge
}

/** Paid by one call of the customer's wallet, which splits the money between merchant and platform. */
export type ContractPayment = CommonFields & {
  mode: 'contract'
  /** Lower case: the contract whose event counts. */
  splitter: string
  /** Lower case: the hash by which the splitter's event identifies the payment. */
  termsHash: string
  /** The terms of the call as JSON: the input of the hash, and the deadline. */
  splitTerms: string
  /** Only on Solana: the wallet named at create. Its plain transfers pay although they name no payment. */
  plainSender: PlainSender | null
}

/** `afterSlot`: the newest slot at create. Earlier transfers do not count. */
export type PlainSender = { address: string; afterSlot: number }

export type Payment = DepositPayment | ContractPayment

/** How long deposit addresses are watched for late money, and how long the merchant may accept it. */
export const lateWindowMs = 7 * 24 * 60 * 60 * 1000

/** Expired, and late money can still make it paid. */
export const canBePaidLate = ({ status, acceptedUntilMs, lateEnded, closedAs }: Payment): boolean =>
  status === 'expired' && closedAs === null && acceptedUntilMs !== null && !lateEnded

/** No transfer was seen: neither of the payment's token, in time or late, nor an unmatched one. */
export const isUntouched = (payment: Payment): boolean =>
  payment.seen === 0n && payment.late === 0n && (payment.mode === 'contract' || payment.unmatched.length === 0)

/** The customer's transfer reaches the merchant's own wallet: the service holds nothing and sends nothing. */
export const isDirect = (payment: Payment): boolean => payment.mode === 'contract' || payment.isDirect

/** The money has left the deposit address, final on the network. */
export const isSwept = (payment: Payment): boolean => payment.mode === 'deposit' && payment.sweep === 'confirmed'

export const outcomeOf = (payment: Payment): Outcome => outcomeOfStatus(payment.status)

const outcomeByStatus: Readonly<Record<Status, Outcome>> = {
  pending: 'pending',
  completed: 'paid',
  sweeping: 'paid',
  swept: 'paid',
  sweep_failed: 'paid',
  expired: 'failed',
  cancelled: 'failed',
  failed: 'failed',
}

export const outcomeOfStatus = (status: Status): Outcome => outcomeByStatus[status]

/** The statuses that a filter names: one of the statuses, or all with that outcome. `failed` is both. */
export function statusesOf(filter: Status | Outcome): Status[] {
  return statuses.filter((status) => status === filter || outcomeByStatus[status] === filter)
}
