import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { readPayment, type WebhookEvent } from './webhook.ts'

/** What the service says of a payment now; `null`: it knows of none. */
export type ReadRecord = (
  paymentId: string,
) => Promise<Pick<WebhookEvent, 'orderId' | 'amount' | 'currency' | 'outcome' | 'isTest'> | null>

const timeoutMs = 5_000

/**
 * Asks the service itself, with the secret: a webhook that was forged with a stolen secret, or is old news, ships nothing.
 * @returns a function that throws while the service cannot be asked.
 */
export function createRecordReader({ bff, apiKey, apiSecret }: { bff: string; apiKey: string; apiSecret: string }) {
  const headers = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  const read: ReadRecord = async (paymentId) => {
    const url = `${bff}/api/v1/payments/${encodeURIComponent(paymentId)}`
    const { answer, payment, code } = await withTimeout(timeoutMs, [], async (signal) => {
      const answer = await fetch(url, { headers, signal })
      return { answer, ...((await answer.json()) as { payment?: unknown; code?: string }) }
    })
    // Version 1 of the interface says 500 for an unknown id: the code tells it from a fault.
    if (code === 'PAYMENT_NOT_FOUND') return null
    if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
    return readPayment(payment)
  }
  return read
}
