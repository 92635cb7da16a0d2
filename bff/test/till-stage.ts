import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { expect } from 'vitest'
import { type DashboardPage, openPage, pageOrigin } from './dashboard-stage.ts'
import { type AppFixture, transferTo } from './test-app.ts'

export const tillPin = '204816'

export type Pairing = {
  till: { id: string; isPaired: boolean; isBlocked: boolean; lastUsedAt: string | null }
  link: string
}

export type Sale = {
  id: string
  state: string
  amount: string | null
  price: string | null
  url: string | null
  receiptUrl: string | null
  payment: null | { id: PaymentId; address: string | null; amountReceived: string; amountRemaining: string }
}

/** Status, and the code of an error. */
export async function answerOf(device: DashboardPage, method: string, path: string, body?: object) {
  const { status, body: answered } = await device.ask(method, path, body)
  return status === 200 ? 200 : `${status} ${String(answered['code'])}`
}

/** An owner's till and its device. For tests. @param owner - The owner's page, signed in. */
export function openTillStage(bff: () => AppFixture, owner: () => DashboardPage) {
  async function make(fields: object = {}): Promise<Pairing> {
    const { status, body } = await owner().confirm('POST', '/dashboard/tills', {
      name: 'Counter',
      pin: tillPin,
      ...fields,
    })
    expect([status, body['message']]).toEqual([200, undefined])
    return body as unknown as Pairing
  }

  /** As an owner in test mode. */
  async function makeInTestMode(): Promise<Pairing> {
    const mode = { 'X-Mode': 'test' }
    const body = { name: 'Training', pin: tillPin }
    const asked = { method: 'POST', path: '/dashboard/tills', body: JSON.stringify(body) }
    const { body: answered } = await owner().ask('POST', '/dashboard/confirmations', asked, mode)
    const signed = owner().passkey.sign(answered['options'] as { challenge: string }, pageOrigin)
    const confirmation = Buffer.from(JSON.stringify(signed)).toString('base64url')
    const made = await owner().ask('POST', asked.path, body, { ...mode, 'X-Confirmation': confirmation })
    return made.body as unknown as Pairing
  }

  const tokenOf = ({ link }: Pairing) => link.split('#pair=')[1] ?? ''

  async function pair(pairing: Pairing): Promise<DashboardPage> {
    const device = openPage(bff())
    const { status, body } = await device.ask('POST', '/till/pair', { token: tokenOf(pairing) })
    expect([status, body['message']]).toEqual([200, undefined])
    return device
  }

  const enter = (device: DashboardPage, pin = tillPin) => answerOf(device, 'POST', '/till/open', { pin })

  async function openTill(fields: object = {}): Promise<DashboardPage> {
    const device = await pair(await make(fields))
    expect(await enter(device)).toBe(200)
    return device
  }

  async function sell(device: DashboardPage, amount = '12.50', key: string = crypto.randomUUID()): Promise<Sale> {
    const { status, body } = await device.ask('POST', '/till/sales', { amount }, { 'Idempotency-Key': key })
    expect([status, body['message']]).toEqual([200, undefined])
    return body['sale'] as Sale
  }

  const read = async (device: DashboardPage, { id }: Sale) =>
    (await device.ask('GET', `/till/sales/${id}`)).body['sale'] as Sale

  /** The customer chooses a token through the link. */
  async function choose({ id }: Sale): Promise<PaymentId> {
    const choice = { network: 'devnet', currency: 'USDC' }
    const { body } = await bff().post(`/api/v1/links/public/${id}/create`, choice)
    return body.payment['id'] as PaymentId
  }

  async function pay(
    id: PaymentId,
    units: bigint,
    type: 'transfer.seen' | 'transfer.confirmed' = 'transfer.confirmed',
  ) {
    const atMs = bff().nowMs()
    await bff().deps.ledger.apply(id, { type, transfer: { ...transferTo(id, units), blockTimeMs: atMs }, atMs })
  }

  return { make, makeInTestMode, tokenOf, pair, enter, openTill, sell, read, choose, pay }
}
