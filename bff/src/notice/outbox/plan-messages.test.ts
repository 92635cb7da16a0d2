import { expect, test } from 'vitest'
import type { Notice, Recent } from './notice-store.ts'
import { hourMs, planMessages } from './plan-messages.ts'

const nowMs = 10 * hourMs
const heldMs = 10 * 60_000

const none: Recent = { messages: 0, firstAtMs: null, summaryAtMs: null }

/** Notices that one channel waits for. */
const notices = (count: number, changes: Partial<Notice> = {}): Notice[] =>
  Array.from({ length: count }, (_, number) => ({
    number,
    channelId: 'channel',
    kind: 'refund',
    subject: `${number}`,
    facts: {} as never,
    attempts: 0,
    createdAtMs: nowMs - 1,
    ...changes,
  }))

const sizes = (due: readonly Notice[], recent: Recent) =>
  planMessages(due, recent, nowMs).send.map(({ length }) => length)

test.each([
  [0, 20, 20],
  [0, 21, 1],
  [15, 5, 5],
  [15, 6, 1],
  [19, 1, 1],
  [19, 2, 1],
])('after %d messages in the hour, %d notices are sent as %d', (messages, count, sent) => {
  const found = sizes(notices(count), { messages, firstAtMs: nowMs - 5, summaryAtMs: null })
  expect(found).toHaveLength(sent)
  expect(found.reduce((sum, size) => sum + size, 0)).toBe(count)
})

test.each<[string, number, Partial<Notice>, number]>([
  ['three that have waited for ten minutes', 3, { createdAtMs: nowMs - heldMs }, 3],
  ['four that have waited for ten minutes', 4, { createdAtMs: nowMs - heldMs }, 1],
  ['four that have waited a moment less', 4, { createdAtMs: nowMs - heldMs + 1 }, 4],
  ['four that waited because they failed', 4, { createdAtMs: nowMs - heldMs, attempts: 1 }, 4],
])('%s are messages: %d notices in %d', (_, count, changes, sent) => {
  expect(sizes(notices(count, changes), none)).toHaveLength(sent)
})

test('one old notice makes all of four a summary', () => {
  expect(sizes([...notices(3), ...notices(1, { createdAtMs: 0 })], none)).toEqual([4])
})

test.each<[string, Recent, number]>([
  ['the twentieth', { messages: 20, firstAtMs: nowMs - 7, summaryAtMs: null }, nowMs - 7 + hourMs],
  ['a summary', { messages: 2, firstAtMs: nowMs - 7, summaryAtMs: nowMs - 5 }, nowMs - 5 + hourMs],
])(
  'after %s, trouble and tests are sent one by one, and the rest is held until the hour is over',
  (_, recent, untilMs) => {
    const urgent = [...notices(2, { kind: 'trouble' }), ...notices(1, { kind: 'test' })]
    const rest = notices(2)
    expect(planMessages([...urgent, ...rest], recent, nowMs)).toEqual({
      send: urgent.map((notice) => [notice]),
      hold: { notices: rest, untilMs },
    })
  },
)

test('trouble is counted neither as a flood nor as held', () => {
  expect(sizes([...notices(30, { kind: 'trouble', createdAtMs: 0 }), ...notices(3)], none)).toEqual(Array(33).fill(1))
})
