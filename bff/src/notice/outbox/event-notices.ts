import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { channelsOf } from '../channels/channel-store.ts'
import type { NoticeKind, PaymentFacts } from '../notice-kinds.ts'
import { eventsAfterCursor, moveCursor, type NoticedEvent, readCursor, startCursor } from './event-cursor-store.ts'
import { insertNotice } from './notice-store.ts'

/** Events in one pass. */
const batchMax = 500

/** Older events are skipped: a service that had notices off for a month must not begin with a month of them. */
const eventAgeMaxMs = 24 * 60 * 60_000

/** States of a refund in which the money waits for a person. */
const waitingRefunds = new Set(['address_needed', 'held', 'failed'])

/** The fields of the merchant's view of the payment that notices use. */
type EventData = Omit<PaymentFacts, 'about' | 'paymentId' | 'refund' | 'refundId'> & {
  id: string
  refund?: { state: string } | null
  /** In the events of refunds that the merchant's wallet pays. */
  merchantRefund?: {
    id: string
    amount: string
    status: string
    paid: string
    excess: string
    cancelledAt: string | null
  }
}

const isMoney = (amount: string): boolean => Number(amount) > 0

/** Whether the merchant's wallet paid more than the refund needed. */
const isTooMuch = ({ merchantRefund: refund }: EventData): boolean =>
  refund !== undefined && isMoney(refund.paid) && (refund.cancelledAt !== null || isMoney(refund.excess))

/** The kinds of notices that an event causes; most cause none. */
function kindsOf(type: string, data: EventData): NoticeKind[] {
  const { refund, merchantRefund } = data
  if (merchantRefund) {
    // A reorg undid the refund's payment, so the customer waits again.
    const isUndone = type === 'refund.failed' && merchantRefund.status !== 'cancelled'
    return type === 'refund.requested' || isUndone || isTooMuch(data) ? ['refund'] : []
  }
  const kinds: NoticeKind[] = []
  if (type === 'payment.completed' || type === 'payment.overpaid') kinds.push('paid')
  if (type === 'payment.late') kinds.push('late')
  if (type === 'deposit.sweep_failed') kinds.push('trouble')
  const isAsked = type === 'deposit.unmatched_received'
  // Late money that waits for a decision is reported as late, not as a refund.
  if (isAsked || (type !== 'payment.late' && refund && waitingRefunds.has(refund.state))) kinds.push('refund')
  return kinds
}

/**
 * Makes notices of the events stored since the last pass, for each channel that wants them. The events are the payments' outbox: each is
 * stored in the commit of its change. Notices and cursor move in one commit, so no event is skipped or handled twice.
 * @returns whether there may be more events.
 */
export async function noticeEvents({ db, log }: { db: Db; log: Log }, nowMs: number): Promise<boolean> {
  const cursor = await db.read(readCursor)
  if (cursor === undefined) {
    await db.write(startCursor)
    return false
  }
  const events = await db.read((tx) => eventsAfterCursor(tx, cursor, batchMax))
  const last = events.at(-1)
  if (!last) return false
  const noticed = events.filter(
    ({ isTest, body, createdAtMs }) => !isTest && body !== null && createdAtMs > nowMs - eventAgeMaxMs,
  )
  await db.write(async (tx) => {
    // The process that held the lease before may have handled the events already.
    if ((await readCursor(tx)) !== cursor) return
    const merchantIds = [...new Set(noticed.map(({ merchantId }) => merchantId))]
    const channels = await channelsOf(tx, merchantIds, (channel, err) =>
      log.error({ channel, err }, 'A notice channel cannot be read'),
    )
    for (const event of channels.length > 0 ? noticed : []) {
      const data = dataOf(event)
      if (!data) {
        log.error({ event: event.number }, 'An event cannot be read for notices')
        continue
      }
      for (const kind of kindsOf(event.type, data)) {
        for (const channel of channels) {
          if (channel.merchantId !== event.merchantId || !channel.kinds.includes(kind)) continue
          await insertNotice(tx, {
            channelId: channel.id,
            subject: subjectOf(kind, event.type, data),
            kind,
            facts: factsOf(data),
            createdAtMs: nowMs,
          })
        }
      }
    }
    await moveCursor(tx, last.number)
  })
  return events.length === batchMax
}

/** Undefined for an unreadable event, which must not hold up later ones. */
function dataOf({ body }: NoticedEvent): EventData | undefined {
  try {
    return (JSON.parse(body ?? '{}') as { data?: EventData }).data
  } catch {
    return undefined
  }
}

/** A payment is reported once for each kind; each of its merchant refunds, once for each of its events. */
const subjectOf = (kind: NoticeKind, type: string, { id, merchantRefund }: EventData): string =>
  merchantRefund ? `${kind} ${merchantRefund.id} ${type}` : `${kind} ${id}`

function factsOf(data: EventData): PaymentFacts {
  const { id, orderId, currency, network, merchantRefund } = data
  const amount = merchantRefund?.amount ?? data.amount
  const refund = isTooMuch(data) ? ({ refund: 'excess' } as const) : {}
  const facts = { about: 'payment', ...refund, paymentId: id, orderId, amount, currency, network } as const
  return merchantRefund ? { ...facts, refundId: merchantRefund.id } : facts
}
