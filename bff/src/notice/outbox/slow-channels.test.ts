import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import { accept, type DashboardPage, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { newPushBrowser } from '@stablecoin-checkout/rig/push-receiver'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../db/db.ts'
import { createNoticeLinks } from '../notice-links.ts'
import type { SendNotice } from '../send/senders.ts'
import { noticeEvents } from './event-notices.ts'
import { dueChannels } from './notice-store.ts'
import { createNoticePass } from './notice-worker.ts'

const signal = new AbortController().signal
const sent = { isSent: true } as const

let bff: AppFixture
let owner: DashboardPage
let viewer: DashboardPage
const { make, pay } = openRequests(() => bff)
beforeEach(async () => {
  bff = await openApp({ webhookTargets: 'any' })
  owner = await signedIn(bff)
  viewer = await signedIn(bff, 'viewer', 'Vic')
  await noticeEvents(bff.deps, bff.nowMs())
})
afterEach(() => bff.close())

const passOf = (send: SendNotice, ofOnePassMs?: number, db = bff.deps.db) =>
  createNoticePass(
    { ...bff.deps, db, send, noticeLinks: createNoticeLinks(bff.deps.vault), publicUrl: 'https://pay.shop.example' },
    ofOnePassMs,
  )

/** A channel of that person, whose first notice has come. */
async function add(page: DashboardPage, target: object): Promise<string> {
  const { body } = await page.confirm('POST', '/dashboard/notices', { ...target, kinds: ['paid'], language: 'en' })
  while (await passOf(async () => sent)(signal));
  return String(body['id'])
}
const byPush = (page: DashboardPage, nth = 0) =>
  add(page, { kind: 'push', subscription: newPushBrowser(`https://push.example/${nth}`).subscription })
const slack = 'https://hooks.slack.com/services/T0000/B0000/abcdef'

/** Notices of new payments, those of the channel first. */
async function payments(count: number, first: string): Promise<void> {
  for (let nth = 0; nth < count; nth++) await pay((await make(bff.keys.secret)).id)
  await noticeEvents(bff.deps, bff.nowMs())
  await bff.deps.db.write((tx) =>
    tx.run(sql`update notices set due_at_ms = due_at_ms - 1 where channel_id = ${first} and due_at_ms is not null`),
  )
}

test('a receiver that never responds, which any person may name, keeps no other channel waiting', async () => {
  const hanging = await byPush(viewer)
  const chat = await add(owner, { kind: 'slack', url: slack })
  await payments(1, hanging)
  const reached: string[] = []
  let end = () => {}
  const passing = passOf(async ({ channel }) => {
    reached.push(channel.id)
    if (channel.id === hanging) await new Promise<void>((resolve) => (end = resolve))
    return sent
  })(signal)
  await expect.poll(() => reached.toSorted()).toEqual([hanging, chat].toSorted())
  end()
  await passing
})

test('a pass that cannot store one channel ends once the others are sent, so that the next pass sends none of them twice', async () => {
  const failing = await byPush(viewer)
  await add(owner, { kind: 'slack', url: slack })
  await payments(2, failing)
  const { db } = bff.deps
  let isFull = false
  const write: Db['write'] = (work) => (isFull ? Promise.reject(new Error('the disk is full')) : db.write(work))
  const order: string[] = []
  const pass = passOf(
    async ({ channel }) => {
      if (channel.id === failing) {
        isFull = true
        throw new Error('a fault')
      }
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
      isFull = false
      order.push('sent')
      return sent
    },
    undefined,
    { ...db, write },
  )
  await pass(signal).catch((error: Error) => order.push(error.message))
  expect(order).toEqual(['sent', 'sent', 'the disk is full'])
})

test('a channel that fails is asked once, and its other messages wait a minute', async () => {
  const failing = await byPush(viewer)
  await payments(3, failing)
  let asked = 0
  const pass = passOf(async () => {
    asked += 1
    return { isSent: false, isFinal: false, error: 'no answer within 15 s' }
  })
  for (const expected of [1, 1]) {
    await pass(signal)
    expect(asked).toBe(expected)
  }
  bff.advance(60_000)
  const delivered: string[] = []
  await passOf(async ({ messageId }) => {
    delivered.push(messageId)
    return sent
  })(signal)
  expect(delivered).toHaveLength(3)
})

test('a channel whose messages take long goes on in the next pass, with all of them', async () => {
  const slow = await byPush(viewer)
  await payments(3, slow)
  let delivered = 0
  const pass = passOf(async () => {
    delivered += 1
    return sent
  }, 0)
  const more: boolean[] = []
  for (let nth = 1; nth <= 3; nth++) {
    more.push(await pass(signal))
    expect(delivered).toBe(nth)
  }
  expect(more).toEqual([true, true, false])
})

test('mails after one that took long go on in the next pass, which begins with what has become due', async () => {
  const mails = [await byPush(owner, 1), await byPush(viewer, 2)]
  const chat = await add(owner, { kind: 'slack', url: slack })
  await bff.deps.db.write((tx) => tx.run(sql`update notice_channels set kind = 'email' where id in ${mails}`))
  await payments(1, mails[0] ?? '')
  const reached: string[] = []
  const pass = passOf(async ({ channel }) => {
    reached.push(channel.id)
    return sent
  }, 0)
  expect(await pass(signal)).toBe(true)
  expect(reached.toSorted()).toEqual([mails[0], chat].toSorted())
  bff.advance(10)
  await payments(1, chat)
  expect(await pass(signal)).toBe(true)
  expect(reached.slice(2).toSorted()).toEqual([mails[1], chat].toSorted())
  await pass(signal)
  expect(await pass(signal)).toBe(false)
  expect(reached).toHaveLength(6)
})

test('of many channels that are due, those of each merchant take turns', async () => {
  const others = openPage(bff)
  await accept(others, await inviteTo(bff, { merchantId: bff.other.merchantId }))
  const own = [await byPush(owner, 1), await byPush(owner, 2), await byPush(viewer, 3)]
  const chat = await add(others, { kind: 'slack', url: slack })
  await bff.deps.db.write(async (tx) => {
    for (const [place, id] of [...own, chat].entries())
      await tx.run(sql`update notices set due_at_ms = ${place + 1} where channel_id = ${id}`)
  })
  const due = await bff.deps.db.read((tx) => dueChannels(tx, bff.nowMs(), 3))
  expect(due).toEqual([
    { id: own[0], kind: 'push' },
    { id: chat, kind: 'slack' },
    { id: own[1], kind: 'push' },
  ])
})
