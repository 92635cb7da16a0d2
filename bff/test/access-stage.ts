import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { expect } from 'vitest'
import { type AppFixture, order, transferTo } from './test-app.ts'

export const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const unknownId = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'

type Keys = Record<string, string>
type Answered = Record<string, unknown> & { payment: Record<string, unknown> }

/** The response of a create. */
export type Made = { id: PaymentId; clientSecret: string; depositAddress: string }

/** Sends requests with exactly the given keys: with key and secret, a public key must be absent. For tests. */
export function openRequests(bffOf: () => AppFixture) {
  async function ask(method: string, path: string, keys: Keys, body?: unknown) {
    const response = await bffOf().fetch(`/api/v1${path}`, {
      method,
      headers: { ...keys, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // Reads only the first event of a stream.
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    const text = isStream ? await firstEvent(response) : await response.text()
    const json = isStream || text === '' ? {} : (JSON.parse(text) as { payment: Record<string, unknown> })
    return { status: response.status, headers: response.headers, text, body: json as Answered }
  }

  async function make(keys: Keys, more: object = {}, path = '/deposits/create'): Promise<Made> {
    const { status, body } = await ask(
      'POST',
      path,
      { ...keys, 'Idempotency-Key': crypto.randomUUID() },
      { ...order, ...more },
    )
    expect([status, body['message']]).toEqual([200, body['message']])
    return body.payment as Made
  }

  /** 10 of 25 arrived and the window has ended: 10 are owed back. */
  async function endShort({ id }: Made): Promise<void> {
    const transfer = transferTo(id, 10_000_000n)
    await bffOf().deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bffOf().nowMs() })
    const blockTimeMs = bffOf().nowMs() + 3_600_000
    await bffOf().deps.ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs: bffOf().nowMs() })
  }

  const pay = (id: PaymentId) =>
    bffOf().deps.ledger.apply(id, {
      type: 'transfer.confirmed',
      transfer: transferTo(id, 25_000_000n),
      atMs: bffOf().nowMs(),
    })

  const refund = (keys: Keys, id: string, body: object) => ask('POST', `/deposits/refund-request/${id}`, keys, body)
  const fail = (keys: Keys, body: object) => ask('POST', '/payments/fail', keys, { status: 'cancelled', ...body })
  const addressOf = async (id: string) =>
    (
      (await ask('GET', `/payments/${id}`, bffOf().keys.secret)).body.payment['refund'] as {
        address: string | null
      } | null
    )?.address
  const outcomeOf = async (id: string) =>
    (await ask('GET', `/payments/${id}`, bffOf().keys.secret)).body.payment['outcome']

  return { ask, make, endShort, pay, refund, fail, addressOf, outcomeOf }
}

async function firstEvent(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const read = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(read?.value)
}
