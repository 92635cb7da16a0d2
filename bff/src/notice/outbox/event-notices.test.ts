import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { noticeEvents } from './event-notices.ts'

let bff: AppFixture
const { make, pay } = openRequests(() => bff)
beforeEach(async () => {
  bff = await openApp({ webhookTargets: 'any' })
})
afterEach(() => bff.close())

test('a payment is reported however many events of the sandbox came before it', async () => {
  const { db } = bff.deps
  const page = await signedIn(bff)
  await noticeEvents(bff.deps, bff.nowMs())
  const url = 'https://hooks.slack.com/services/T0000/B0000/abcdef'
  await page.confirm('POST', '/dashboard/notices', { kind: 'slack', url, kinds: ['paid'], language: 'en' })
  await db.write(async (tx) => {
    for (let sequence = 1; sequence <= 1_000; sequence++)
      tx.write(sql`
          insert into events (merchant_id, is_test, sequence, type, body, created_at_ms)
          values (${bff.merchant.merchantId}, 1, ${sequence}, 'payment.completed', '{}', ${bff.nowMs()})`)
  })
  const { id } = await make(bff.keys.secret)
  await pay(id)
  while (await noticeEvents(bff.deps, bff.nowMs()));
  const kinds = await db.read((tx) => tx.all(sql`select kind from notices where kind <> 'test'`))
  expect(kinds).toEqual([{ kind: 'paid' }])
})
