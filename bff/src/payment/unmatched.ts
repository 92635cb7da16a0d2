import { add, excess, zero } from '../core/money.ts'
import type { Effect, PaymentEvent, WebhookEventType } from './event.ts'
import type { DepositPayment, Payment, Stray } from './payment.ts'

/** The chain's own coin, where a token's address stands otherwise: as the forwarder calls it. */
export const coinAddress = `0x${'0'.repeat(40)}`

/** Times that a merchant is told of one stray: drops of it must not become a flood of webhooks. The payment shows it all the same. */
const toldMax = 10

export type StrayEvent = Extract<PaymentEvent, { type: `stray.${string}` }>

type StrayKey = Pick<Stray, 'network' | 'token'>

export const isSameStray = (one: StrayKey, other: StrayKey): boolean =>
  one.network === other.network && one.token === other.token

/** Where a stray goes back to; null: nobody has said. */
export const strayAddressOf = ({ network, refundAddress }: DepositPayment, stray: Stray): string | null =>
  stray.address ?? (stray.network === network ? refundAddress : null)

/** @returns the payment with its strays moved and what is to be told of it; undefined when the event changes nothing. */
export function moveStray(
  payment: Payment,
  event: StrayEvent,
): { payment: DepositPayment; news: WebhookEventType[] } | undefined {
  if (payment.mode !== 'deposit') return undefined
  const known = payment.strays.find((one) => isSameStray(one, event))
  const moved = nextOf(payment, known, event)
  if (moved === undefined) return undefined
  const strays = known ? payment.strays.map((one) => (one === known ? moved : one)) : [...payment.strays, moved]
  return { payment: { ...payment, strays }, news: newsOf(known, moved) }
}

function nextOf(payment: DepositPayment, known: Stray | undefined, event: StrayEvent): Stray | undefined {
  switch (event.type) {
    case 'stray.seen':
      return seen(payment, known, event)
    case 'stray.refunded':
      return known && refunded(known, event)
    case 'stray.refund_failed':
      return failed(known, event)
    default:
      return event satisfies never
  }
}

/** What a later block has said before is not taken back by an older one. */
function seen(
  payment: DepositPayment,
  known: Stray | undefined,
  event: Extract<StrayEvent, { type: 'stray.seen' }>,
): Stray | undefined {
  const { network, token, currency, decimals, held, block } = event
  if (known === undefined && held === 0n) return undefined
  if (known && (block < known.block || held === known.held)) return undefined
  const none = { held: zero, refunded: zero, told: 0, txId: null }
  const old = known ?? { ...none, refund: 'none' as const, refundReason: null, refundTxId: null }
  const isNews = held > old.held && old.told < toldMax
  const there = payment.strays.find((one) => one.network === network)
  return {
    ...{ ...old, network, token, currency, decimals, held, block },
    txId: event.txId ?? old.txId,
    told: isNews ? old.told + 1 : old.told,
    address: there?.address ?? null,
  }
}

function failed(
  known: Stray | undefined,
  { as: refund, reason }: Extract<StrayEvent, { type: 'stray.refund_failed' }>,
): Stray | undefined {
  const refundReason = reason ?? null
  if (known === undefined || known.refund === 'none') return undefined
  return known.refund === refund && known.refundReason === refundReason ? undefined : { ...known, refund, refundReason }
}

function refunded(known: Stray, event: Extract<StrayEvent, { type: 'stray.refunded' }>): Stray {
  const { amount, txId, block } = event
  // A look at that block or a later one has not found it there any more.
  const held = known.block >= block ? known.held : excess(known.held, amount)
  const refund = 'none' as const
  return {
    ...known,
    ...{ held, refund, refundReason: null, refundTxId: txId },
    refunded: add(known.refunded, amount),
    block: Math.max(known.block, block),
  }
}

function newsOf(before: Stray | undefined, after: Stray): WebhookEventType[] {
  const news: WebhookEventType[] = []
  if (after.told > (before?.told ?? 0)) news.push('deposit.stray_received')
  if (after.refunded > (before?.refunded ?? 0n)) news.push('deposit.stray_refunded')
  return news
}

type Requested = Extract<PaymentEvent, { type: 'refund.requested' }>

/** Whether the address is the one that is known already. */
export function isAddressKnown(payment: DepositPayment, { address, network }: Requested): boolean {
  if (network === undefined) return payment.refundAddress === address
  const there = payment.strays.filter((one) => one.network === network)
  return there.every((one) => one.address === address)
}

/**
 * A new address is tried at once, however often the old one has failed. One that was named for strays is never the
 * payment's own: anybody can send a stray, and what the payment owes belongs to whoever paid it.
 */
export function withRefundAddress(payment: DepositPayment, { address, network }: Requested): DepositPayment {
  if (network !== undefined) {
    const strays = payment.strays.map((one) =>
      one.network === network ? { ...one, refund: 'none' as const, refundReason: null, address } : one,
    )
    return { ...payment, strays }
  }
  const strays = payment.strays.map((one) =>
    one.network === payment.network && one.address === null
      ? { ...one, refund: 'none' as const, refundReason: null }
      : one,
  )
  return { ...payment, strays, refundAddress: address, refund: 'none' }
}

/** Queues what lies there and has an address, calls off what does not any more. Changes the payment that it is given. */
export function moveStrayRefunds(payment: DepositPayment): Effect[] {
  const effects: Effect[] = []
  const strays = payment.strays.map((stray) => {
    const { network, token, refund } = stray
    const isDue = stray.held > 0n && strayAddressOf(payment, stray) !== null
    if (isDue === (refund !== 'none')) return stray
    effects.push({ type: isDue ? 'queue-stray-refund' : 'cancel-stray-refund', network, token })
    return { ...stray, refund: isDue ? ('queued' as const) : ('none' as const) }
  })
  if (effects.length > 0) payment.strays = strays
  return effects
}
