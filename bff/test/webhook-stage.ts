import { silentLog } from '@stablecoin-checkout/bff/testing/core'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createDispatcher } from '@stablecoin-checkout/bff/testing/webhook'
import { expect } from 'vitest'
import { startReceiver } from './outbox.ts'
import { openApp, order, transferTo } from './test-app.ts'

type Json = Record<string, unknown>

const never = new AbortController().signal

export type WebhookStage = Awaited<ReturnType<typeof openWebhookStage>>

/** The application, the dispatcher of its webhooks and a merchant's server, for tests of the webhook routes. */
export async function openWebhookStage() {
  const bff = await openApp()
  const shop = await startReceiver()
  const { db, runtime, vault } = bff.deps
  const dispatcher = createDispatcher({ db, runtime, vault, log: silentLog, targets: 'any' })

  const stage = {
    bff,
    shop,
    dispatcher,
    /** One call to the API, by default with the merchant's API key and secret. */
    ask: (method: string, path: string, body?: unknown, headers: Record<string, string> = bff.keys.secret) =>
      bff.call(`/api/v1${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async addEndpoint(body: Json = {}) {
      const added = await stage.ask('POST', '/webhooks/endpoints', { url: shop.url, ...body })
      expect(added.status, JSON.stringify(added.body)).toBe(200)
      const endpoint = added.body['endpoint'] as Json & { id: string }
      return { id: endpoint.id, endpoint, secret: String(added.body['secret']) }
    },
    newPayment: async (body: Json = {}, headers?: Record<string, string>) =>
      String((await bff.create({ ...order, ...body }, headers)).body.payment['id']),
    async pay(id: string): Promise<void> {
      const transfer = transferTo(id as PaymentId, 25_000_000n)
      await bff.deps.ledger.apply(id as PaymentId, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
    },
    /** Sends every due delivery. */
    async deliverAll(): Promise<void> {
      while ((await dispatcher.pass(never)) > 0);
    },
    async close() {
      await dispatcher.close()
      await shop.close()
      await bff.close()
    },
  }
  return stage
}
