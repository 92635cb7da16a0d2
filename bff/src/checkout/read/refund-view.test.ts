import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentEvent } from '../../payment/event.ts'
import type { PaymentId } from '../../payment/payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

test('of late money that the merchant can still accept, the refund names only the excess', async () => {
  const { keys, nowMs, deps } = fixture
  const created = await fixture.create(order, keys.secret)
  const id = created.body.payment['id'] as PaymentId
  const apply = (event: PaymentEvent) => deps.ledger.apply(id, event)
  const atMs = nowMs()
  await apply({ type: 'window.ended', blockTimeMs: atMs + 900_001, atMs })
  const transfer = { ...transferTo(id, 30_000_000n), blockTimeMs: atMs + 900_002 }
  await apply({ type: 'transfer.confirmed', transfer, atMs })
  await apply({ type: 'refund.requested', address: '0x00000000000000000000000000000000000000aa', atMs })
  const { body } = await fixture.read(`/api/v1/deposits/status/${id}`, keys.secret)
  expect((body as unknown as { payment: object }).payment).toMatchObject({
    refund: { state: 'sending', amount: '5.00' },
  })
})
