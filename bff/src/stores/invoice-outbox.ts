import type { LinkId } from '../checkout/link/link.ts'
import type { Tx } from '../db/db.ts'
import { outcomeOf, type PaymentId } from '../payment/payment.ts'
import { refundsOfPayment } from '../payment/store/merchant-refund-store.ts'
import { endpointTarget, insertDelivery, insertEvent } from '../payment/store/outbox-store.ts'
import { type Endpoint, listEndpoints } from '../webhook/endpoints/endpoint-store.ts'
import { eventsSince, type InvoiceEvent } from './invoice-events.ts'
import { loadInvoice, type StoredInvoice, saveInvoice } from './invoice-store.ts'
import { readInvoice } from './invoices.ts'
import { Verbatim, writeJson } from './json-text.ts'

/**
 * The id of a delivery: its invoice and the number of the event within the invoice. Each receiver gets the deliveries of one
 * invoice in that order.
 */
export const deliveryIdOf = (invoiceId: string, sequence: number): string => `${invoiceId}.${sequence}`

/** Undefined when the text is not the id of a delivery. */
export function parseDeliveryId(text: string): { invoiceId: string; sequence: number } | undefined {
  const match = /^([\w-]{1,100})\.(\d{1,9})$/.exec(text)
  return match?.[1] ? { invoiceId: match[1], sequence: Number(match[2]) } : undefined
}

type Numbered = Pick<StoredInvoice, 'linkId' | 'merchantId'> & { sequence: number }

/** Queues one delivery. It is stored under the invoice's id where other deliveries have a payment's. */
export async function queueDelivery(
  tx: Tx,
  { linkId, merchantId, sequence }: Numbered,
  endpoint: Pick<Endpoint, 'id' | 'url'>,
  body: { type: string } & Record<string, unknown>,
  atMs: number,
): Promise<void> {
  const event = { merchantId, isTest: false, paymentId: null, sequence, type: body.type, createdAtMs: atMs }
  const number = await insertEvent(tx, event, writeJson(body))
  const ofInvoice = { ...event, paymentId: linkId as string as PaymentId }
  insertDelivery(tx, number, ofInvoice, endpointTarget(endpoint.id, endpoint.url), atMs)
}

const wants = ({ disabledReason, types }: Endpoint, { type }: InvoiceEvent): boolean =>
  disabledReason === null && (types === null || types.includes(type))

/**
 * Compares the invoice with what its webhooks have reported, and queues a delivery for each difference and receiver. All in
 * one commit: a crash loses nothing, and a repeat queues nothing twice.
 */
export async function reportInvoice(tx: Tx, id: LinkId, nowMs: number): Promise<void> {
  const invoice = await loadInvoice(tx, id)
  if (!invoice) return
  const { state, link, payments } = await readInvoice(tx, invoice, nowMs)
  const refunds: string[] = []
  for (const { payment } of payments) {
    // A pending payment has no refunds.
    if (outcomeOf(payment) === 'pending') continue
    for (const refund of await refundsOfPayment(tx, payment.id)) refunds.push(refund.id)
  }
  const { events, now } = eventsSince(invoice.reported, state, payments, refunds)
  const endsLater = link.endedAtMs === null && (link.expiresAtMs ?? 0) > nowMs
  const dueAtMs = state.status === 'New' && endsLater ? link.expiresAtMs : null
  if (events.length === 0 && dueAtMs === invoice.dueAtMs) {
    if (JSON.stringify(now) !== JSON.stringify(invoice.reported)) await saveInvoice(tx, { ...invoice, reported: now })
    return
  }
  const endpoints = events.length === 0 ? [] : await listEndpoints(tx, invoice.merchantId, 'btcpay')
  let { sequence } = invoice
  for (const event of events) {
    for (const endpoint of endpoints) {
      if (!wants(endpoint, event)) continue
      sequence += 1
      const deliveryId = deliveryIdOf(id, sequence)
      const body = {
        deliveryId,
        webhookId: endpoint.id,
        originalDeliveryId: deliveryId,
        isRedelivery: false,
        type: event.type,
        timestamp: Math.floor(nowMs / 1000),
        storeId: invoice.merchantId,
        invoiceId: id,
        metadata: new Verbatim(invoice.metadata),
        ...event.fields,
      }
      await queueDelivery(tx, { ...invoice, sequence }, endpoint, body, nowMs)
    }
  }
  await saveInvoice(tx, { ...invoice, reported: now, sequence, dueAtMs })
  tx.notify(id)
}
