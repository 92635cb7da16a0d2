import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import { readPayment, type WebhookEvent } from './webhook.ts'

/** The service's current state of a payment; `null`: unknown. */
export type ReadRecord = (
  paymentId: string,
) => Promise<Pick<WebhookEvent, 'orderId' | 'amount' | 'currency' | 'outcome' | 'isTest'> | null>

const timeoutMs = 5_000

/**
 * Reads from the service with the secret: a webhook forged with a stolen secret, or an outdated one, ships nothing.
 * @returns a function that throws while the service is unreachable.
 */
export function createRecordReader({ bff, apiKey, apiSecret }: { bff: string; apiKey: string; apiSecret: string }) {
  const headers = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  const read: ReadRecord = async (paymentId) => {
    const url = `${bff}/api/v1/payments/${encodeURIComponent(paymentId)}`
    const { answer, payment, code } = await withTimeout(timeoutMs, [], async (signal) => {
      const answer = await fetch(url, { headers, signal })
      return { answer, ...((await answer.json()) as { payment?: unknown; code?: string }) }
    })
    // Version 1 of the interface responds 500 for an unknown id: the code distinguishes it from a fault.
    if (code === 'PAYMENT_NOT_FOUND') return null
    if (!answer.ok) throw new Error(`The service responded ${answer.status}.`)
    return readPayment(payment)
  }
  return read
}
