import type { Caller } from '../../access/context/caller.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import { type DescribePayment, endpointTarget, insertDelivery } from '../../payment/store/outbox-store.ts'
import { endpointDisabled, ownEndpoint } from '../endpoints/endpoint.ts'
import type { Endpoint } from '../endpoints/endpoint-store.ts'
import type { Attempt } from '../outbox/delivery-store.ts'
import type { AdaptCallback } from '../send/post.ts'
import { messageId } from '../send/sign.ts'
import {
  type DeliveryFilter,
  type DeliveryRow,
  listDeliveries,
  loadBody,
  loadOwnDelivery,
  makeDue,
  newestAttempts,
  replayable,
  stateOf,
} from './delivery-report-store.ts'
import { bodyOf, eventsAfter, numberBefore, storeBody } from './event-feed-store.ts'

/** Attempts that a list shows for each delivery: as many as a queued delivery can have. */
const attemptsShownMax = 10

/** Deliveries that one replay makes due, in one short commit. The caller continues with another call. */
const replayMax = 500

/** Events are numbered in commit order, so an event may have a higher number than a slightly newer one. */
const replayMarginMs = 60_000

export type DeliveryReport = { delivery: DeliveryRow; attempts: Attempt[] }

/** `after`: the `next` of the previous call. `endpointId` null: all deliveries of the merchant. */
export type ReplayOrder = {
  endpointId: string | null
  isTest: boolean
  sinceMs: number
  untilMs: number
  after: number
  isAll: boolean
}

/** The body of a webhook. */
type EventBody = { type: string; timestamp: string; data: Record<string, unknown> }

/** `next` is null when nothing remains. */
type Replayed = { replayed: number; next: number | null }

/** Lists a merchant's deliveries and events, and posts them again. */
export function createWebhookReports({
  db,
  runtime,
  describe,
  adaptCallback,
}: {
  db: Db
  runtime: Runtime
  describe: DescribePayment
  adaptCallback?: AdaptCallback | undefined
}) {
  const reportOf = async (tx: Tx, delivery: DeliveryRow): Promise<DeliveryReport> => ({
    delivery,
    attempts: await newestAttempts(tx, delivery.number, attemptsShownMax),
  })

  async function ownDelivery(tx: Tx, { merchantId }: Caller, number: number): Promise<DeliveryRow> {
    const delivery = await loadOwnDelivery(tx, merchantId, number)
    if (!delivery) throw new PaymentError('DELIVERY_NOT_FOUND', `There is no webhook delivery ${number}.`)
    return delivery
  }

  /** Replays to one endpoint, including events from before it was created or while it was disabled. */
  async function replayTo(tx: Tx, endpoint: Endpoint, order: ReplayOrder): Promise<Replayed> {
    if (endpoint.disabledReason !== null) throw endpointDisabled(endpoint.id)
    const { merchantId, isTest, types } = endpoint
    const target = endpointTarget(endpoint.id, endpoint.url)
    const events = await eventsAfter(tx, { merchantId, isTest, types }, order.after, replayMax)
    let replayed = 0
    for (const event of events) {
      if (event.createdAtMs < order.sinceMs || event.createdAtMs >= order.untilMs) continue
      if (!order.isAll && (await stateOf(tx, event.number, target.receiverKey)) === 'delivered') continue
      await storeBody(tx, event, describe)
      insertDelivery(tx, event.number, event, target, runtime.nowMs())
      replayed += 1
    }
    const last = events.at(-1)
    const isDone = !last || events.length < replayMax || last.createdAtMs >= order.untilMs + replayMarginMs
    return { replayed, next: isDone ? null : last.number }
  }

  async function replayToAll(tx: Tx, { merchantId }: Caller, order: ReplayOrder): Promise<Replayed> {
    const rows = await replayable(tx, { merchantId, isTest: order.isTest }, order, replayMax + 1)
    // All deliveries of an event or none, because the next call continues after an event.
    const cut = rows.length > replayMax ? rows[replayMax]?.eventNumber : undefined
    const chosen = rows.filter(({ eventNumber }) => eventNumber !== cut)
    for (const { number, url, endpointUrl } of chosen) await makeDue(tx, number, endpointUrl ?? url, runtime.nowMs())
    return { replayed: chosen.length, next: cut === undefined ? null : (chosen.at(-1)?.eventNumber ?? order.after) }
  }

  return {
    /** `next`: the `before` of the next page; null at the end. A page may be short and still have a next one. */
    list: (filter: DeliveryFilter, before: number, limit: number) =>
      db.read(async (tx) => {
        const { rows, next } = await listDeliveries(tx, filter, before, limit)
        const reports: DeliveryReport[] = []
        for (const delivery of rows) reports.push(await reportOf(tx, delivery))
        return { reports, next }
      }),

    read: (caller: Caller, number: number): Promise<DeliveryReport> =>
      db.read(async (tx) => await reportOf(tx, await ownDelivery(tx, caller, number))),

    /** The body that each attempt posts, with the attempts that the lists show. */
    readRequest: (caller: Caller, number: number): Promise<DeliveryReport & { body: string }> =>
      db.read(async (tx) => {
        const delivery = await ownDelivery(tx, caller, number)
        const body = await loadBody(tx, delivery.eventNumber)
        const adapted = adaptCallback?.(delivery.url, body)
        return { ...(await reportOf(tx, delivery)), body: adapted?.body ?? body }
      }),

    /** Makes a delivery due again. Later due events of its payment wait for it. */
    redeliver: (caller: Caller, number: number): Promise<DeliveryReport> =>
      db.write(async (tx) => {
        const { endpointId, url } = await ownDelivery(tx, caller, number)
        const endpoint = endpointId === null ? undefined : await ownEndpoint(tx, caller.merchantId, endpointId)
        if (endpoint && endpoint.disabledReason !== null) throw endpointDisabled(endpoint.id)
        await makeDue(tx, number, endpoint?.url ?? url, runtime.nowMs())
        return await reportOf(tx, await ownDelivery(tx, caller, number))
      }),

    async replay(caller: Caller, given: ReplayOrder): Promise<Replayed> {
      if (given.sinceMs >= given.untilMs) throw new ValidationError('since must be before until')
      return await db.write(async (tx) => {
        const order = { ...given, after: Math.max(given.after, await numberBefore(tx, given.sinceMs)) }
        if (order.endpointId === null) return await replayToAll(tx, caller, order)
        return await replayTo(tx, await ownEndpoint(tx, caller.merchantId, order.endpointId), order)
      })
    },

    /** Events after a number, oldest first, for merchants that cannot receive webhooks. */
    feed: (caller: Caller, isTest: boolean, types: readonly string[] | null, after: number, limit: number) =>
      db.read(async (tx) => {
        const events: { id: string; number: number; body: EventBody }[] = []
        for (const event of await eventsAfter(tx, { merchantId: caller.merchantId, isTest, types }, after, limit)) {
          const id = messageId(event.paymentId, event.sequence, event.number)
          events.push({ id, number: event.number, body: JSON.parse(await bodyOf(tx, event, describe)) as EventBody })
        }
        return events
      }),
  }
}
