import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import {
  deleteDone,
  dropWaiting,
  dueNotices,
  endNotices,
  failNotices,
  insertNotice,
  recentMessages,
  waitingMax,
} from './notice-store.ts'

let bff: AppFixture
let channelId: string
beforeEach(async () => {
  bff = await openApp({ webhookTargets: 'any' })
  const page = await signedIn(bff)
  const url = 'https://hooks.slack.com/services/T0000/B0000/abcdef'
  const added = { kind: 'slack', url, kinds: ['paid'], language: 'en' }
  channelId = String((await page.confirm('POST', '/dashboard/notices', added)).body['id'])
  await run(sql`delete from notices`)
})
afterEach(() => bff.close())

const run = (query: ReturnType<typeof sql>) => bff.deps.db.write((tx) => tx.run(query))
const rows = () =>
  bff.deps.db.read((tx) =>
    tx.all<{ subject: string; attempts: number; due: number | null; sent: number | null }>(sql`
        select subject, attempts, due_at_ms as "due", sent_at_ms as "sent" from notices order by number`),
  )
const facts = { about: 'test' } as const
const insert = (subject: string, createdAtMs = 1) =>
  bff.deps.db.write((tx) => insertNotice(tx, { channelId, subject, kind: 'paid', facts, createdAtMs }))

/** A notice that was sent, as a part of that message. */
async function sent(subject: string, message: string, atMs: number, kind = 'paid'): Promise<void> {
  await insert(subject)
  await run(sql`
      update notices set due_at_ms = null, message = ${message}, sent_at_ms = ${atMs}, kind = ${kind} where subject = ${subject}`)
}

test('a channel has a thousand waiting notices at most, beside those that were sent', async () => {
  await sent('sent', 'm', 5)
  await bff.deps.db.write(async (tx) => {
    for (let nth = 1; nth < waitingMax; nth++)
      await insertNotice(tx, { channelId, subject: `${nth}`, kind: 'paid', facts, createdAtMs: 1 })
  })
  await insert('the last')
  await insert('one too many')
  const found = await rows()
  expect([found.length, found.at(-1)?.subject]).toEqual([waitingMax + 1, 'the last'])
})

test('the messages of a time are counted as messages, with the first of them and the newest summary', async () => {
  const recent = (sinceMs: number) => bff.deps.db.read((tx) => recentMessages(tx, channelId, sinceMs))
  expect(await recent(0)).toEqual({ messages: 0, firstAtMs: null, summaryAtMs: null })
  await sent('a', 'z single', 10)
  for (const subject of ['b', 'c']) await sent(subject, 'y summary', 20)
  for (const subject of ['d', 'e']) await sent(subject, 'x summary', 30)
  await sent('f', 'w single', 40)
  for (const kind of ['trouble', 'test']) await sent(kind, kind, 50, kind)
  expect(await recent(9)).toEqual({ messages: 4, firstAtMs: 10, summaryAtMs: 30 })
  expect(await recent(10)).toEqual({ messages: 3, firstAtMs: 20, summaryAtMs: 30 })
  expect(await recent(30)).toEqual({ messages: 1, firstAtMs: 40, summaryAtMs: null })
})

test('a notice that was given up is not ended a second time, as sent', async () => {
  await insert('a')
  const due = await bff.deps.db.read((tx) => dueNotices(tx, channelId, 9))
  for (const atMs of [null, 7]) await bff.deps.db.write((tx) => endNotices(tx, due, atMs))
  expect(await rows()).toMatchObject([{ due: null, sent: null }])
})

test('of a channel that fails the due notices wait, and end with their last attempt', async () => {
  await insert('due', 5)
  await insert('last', 5)
  await insert('later', 6)
  await run(sql`update notices set attempts = 7 where subject = 'last'`)
  await bff.deps.db.write((tx) => failNotices(tx, channelId, { nowMs: 5, dueAtMs: 99, attemptsMax: 8 }))
  expect((await rows()).map(({ subject, attempts, due }) => [subject, attempts, due])).toEqual([
    ['due', 1, 99],
    ['last', 8, null],
    ['later', 0, 6],
  ])
})

test('of a kind that is turned off what waits is dropped, and what was sent stays, so that it is not sent again', async () => {
  await sent('sent', 'm', 5)
  await insert('waiting')
  await bff.deps.db.write((tx) => dropWaiting(tx, channelId, 'late'))
  expect(await rows()).toHaveLength(2)
  await bff.deps.db.write((tx) => dropWaiting(tx, channelId, 'paid'))
  await insert('sent')
  expect(await rows()).toMatchObject([{ subject: 'sent', due: null, sent: 5 }])
})

test('what was sent or given up is deleted after its time, the oldest first, and what waits is not', async () => {
  for (const [subject, createdAtMs] of [
    ['waiting', 1],
    ['third', 4],
    ['first', 2],
    ['second', 3],
  ] as const) {
    await insert(subject, createdAtMs)
    if (subject !== 'waiting') await run(sql`update notices set due_at_ms = null where subject = ${subject}`)
  }
  const left = async (beforeMs: number, limit: number) => {
    await bff.deps.db.write((tx) => deleteDone(tx, beforeMs, limit))
    return (await rows()).map(({ subject }) => subject)
  }
  expect(await left(3, 1)).toEqual(['waiting', 'third', 'second'])
  expect(await left(3, 9)).toEqual(['waiting', 'third'])
  expect(await left(9, 9)).toEqual(['waiting'])
})
