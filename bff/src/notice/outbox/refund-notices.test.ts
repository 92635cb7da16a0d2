import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { MerchantRefundId } from '../../payment/merchant-refund.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { NoticeKind } from '../notice-kinds.ts'
import { deleteExpired } from '../notices.part.ts'
import { noticeEvents } from './event-notices.ts'
import { messageOf } from './notice-message.ts'
import type { Notice } from './notice-store.ts'
import { remindOfRefunds } from './refund-reminders.ts'

const hourMs = 60 * 60_000
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let bff: AppFixture
let page: DashboardPage
const { make, pay } = openRequests(() => bff)
beforeEach(async () => {
  bff = await openApp({ webhookTargets: 'any' })
  page = await signedIn(bff)
  await noticeEvents(bff.deps, bff.nowMs())
  await listen(1, ['refund'])
  await listen(2, ['paid', 'trouble'])
  await sent()
})
afterEach(() => bff.close())

const listen = (chat: number, kinds: NoticeKind[]) =>
  page.confirm('POST', '/dashboard/notices', {
    kind: 'telegram',
    url: `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=${chat}`,
    kinds,
    language: 'en',
  })

/** Where the last of the notices leads. */
let lastLink = ''

/** The titles of the notices of refunds that wait, which are then sent. */
async function sent(): Promise<string[]> {
  await noticeEvents(bff.deps, bff.nowMs())
  const rows = await bff.deps.db.write(async (tx) => {
    const waiting = await tx.all<{ facts: string }>(sql`
        select facts from notices where kind = 'refund' and due_at_ms is not null order by number`)
    await tx.run(sql`update notices set due_at_ms = null, sent_at_ms = ${bff.nowMs()} where due_at_ms is not null`)
    return waiting
  })
  return rows.map(({ facts }) => {
    const notice = { kind: 'refund', facts: JSON.parse(facts) } as Notice
    const { title, link } = messageOf([notice], 'en', { origin: 'https://pay.shop.example', confirmUrl: null })
    lastLink = `${link.label}: ${link.url}`
    return title
  })
}

async function paid(): Promise<PaymentId> {
  const { id } = await make(bff.keys.secret)
  await pay(id)
  return id
}

async function requested(paymentId: string, amount: string): Promise<MerchantRefundId> {
  const { status, body } = await page.confirm('POST', `/payments/${paymentId}/refunds`, { amount, address })
  expect(status).toBe(200)
  return (body['refund'] as { id: MerchantRefundId }).id
}

const apply = (id: MerchantRefundId, type: 'transfer.confirmed' | 'transfer.reverted', amount: bigint) =>
  bff.deps.db.write((tx) =>
    bff.deps.ledger.merchantRefunds.applyIn(tx, id, {
      type,
      transfer: transferTo(id as string as PaymentId, amount),
      atMs: bff.nowMs(),
    }),
  )

test('a refund is reported when it is wanted, when a reorg undid it, and when it was paid after its cancel or twice', async () => {
  const id = await paid()
  const [one, other] = [await requested(id, '3.00'), await requested(id, '4.00')]
  expect(await sent()).toEqual(['Refund wanted: 3.00 USDC', 'Refund wanted: 4.00 USDC'])
  expect(lastLink).toBe(`Open the refund: https://pay.shop.example/dashboard/refunds/${other}`)
  await apply(one, 'transfer.confirmed', 3_000_000n)
  expect(await sent()).toEqual([])
  await apply(one, 'transfer.reverted', 3_000_000n)
  expect(await sent()).toEqual(['Refund wanted: 3.00 USDC'])
  expect((await page.ask('POST', `/refunds/${other}/cancel`, {})).status).toBe(200)
  expect(await sent()).toEqual([])
  await apply(other, 'transfer.confirmed', 1_000_000n)
  expect(await sent()).toEqual(['Refund paid twice or after its cancel: 4.00 USDC'])
  const twice = await requested(await paid(), '5.00')
  await sent()
  await apply(twice, 'transfer.confirmed', 10_000_000n)
  expect(await sent()).toEqual(['Refund paid twice or after its cancel: 5.00 USDC'])
})

test('a refund is remembered after a day, three and seven, each once, until it is paid', async () => {
  const open = await requested(await paid(), '3.00')
  const done = await requested(await paid(), '4.00')
  await sent()
  await apply(done, 'transfer.confirmed', 4_000_000n)
  await sent()
  const reminded: string[] = []
  for (let hours = 1; hours <= 12 * 24; hours++) {
    bff.advance(hourMs)
    await remindOfRefunds(bff.deps, bff.nowMs())
    await bff.deps.db.write((tx) => deleteExpired(tx, bff.nowMs(), 1_000))
    reminded.push(...(await sent()).map((title) => `${hours / 24}: ${title}`))
  }
  const title = 'Refund not paid yet: 3.00 USDC'
  expect(reminded).toEqual([`1: ${title}`, `3: ${title}`, `7: ${title}`])
  expect(lastLink).toBe(`Open the refund: https://pay.shop.example/dashboard/refunds/${open}`)
})

test('a refund that cannot be read delays the reminder of no other one', async () => {
  const broken = await requested(await paid(), '3.00')
  await requested(await paid(), '4.00')
  await sent()
  await bff.deps.db.write((tx) => tx.run(sql`update merchant_refunds set amount = '?' where id = ${broken}`))
  bff.advance(24 * hourMs)
  await remindOfRefunds(bff.deps, bff.nowMs())
  expect(await sent()).toEqual(['Refund not paid yet: 4.00 USDC'])
})
