/**
 * `exact` and `overpaid` are deposits of 25.00, whose excess is refunded; `by wallet` pays 25.00 through the splitter; `bridged`
 * comes from another chain.
 */
type Kind = 'exact' | 'overpaid' | 'by wallet' | 'bridged' | 'exact on Solana' | 'overpaid on Solana'

export type Paid = { id: string; kind: Kind; depositAddress?: string; refundTo?: string; clientSecret?: string }

const paidOnce = ['payment.created', 'payment.detected', 'payment.completed'] as const
const paidTooMuch = [...paidOnce, 'payment.overpaid', 'deposit.swept', 'deposit.refunded'] as const

/** The merchant's events for each kind, once it has ended; events of a bridge's progress come in between. */
export const eventsOf: Record<Kind, readonly string[]> = {
  exact: [...paidOnce, 'deposit.swept'],
  overpaid: paidTooMuch,
  'by wallet': paidOnce,
  bridged: [...paidOnce, 'deposit.swept'],
  'exact on Solana': [...paidOnce, 'deposit.swept'],
  'overpaid on Solana': paidTooMuch,
}

/** The service's payouts for each kind, each by one transaction that becomes final. */
export const payoutsOf: Record<Kind, readonly string[]> = {
  exact: ['sweep'],
  overpaid: ['refund', 'sweep'],
  'by wallet': [],
  bridged: ['sweep'],
  'exact on Solana': ['sweep'],
  'overpaid on Solana': ['refund', 'sweep'],
}

/** Base units of a whole token. */
export const whole = 1_000_000n
/** Shares of each payment, in base units. */
export const shareOf = { merchant: 24_625_000n, platform: 375_000n }

export const isOnSolana = ({ kind }: Paid): boolean => kind.endsWith('on Solana')
