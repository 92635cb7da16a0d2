import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', { getItem: () => null })
const { beforeSignOut } = await import('../api/session.ts')
const { DelayedEnds, undoMs } = await import('./delayed-ends.ts')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const ended: string[] = []
  const host = { addController() {}, removeController() {}, requestUpdate() {}, updateComplete: Promise.resolve(true) }
  const ends = new DelayedEnds<{ id: string }>(host, async ({ id }) => void ended.push(id))
  ends.hostConnected()
  return { ends, ended }
}

test('ends after the time, once, however often it was asked', () => {
  const { ends, ended } = open()
  ends.begin({ id: 'a' })
  ends.begin({ id: 'a' })
  vi.advanceTimersByTime(undoMs - 1)
  expect(ends.isPending('a')).toBe(true)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ends.isPending('a')).toBe(false)
  vi.advanceTimersByTime(2 * undoMs)
  ends.hostDisconnected()
  expect(ended).toEqual(['a'])
})

test('ends nothing that was undone, and the other still', () => {
  const { ends, ended } = open()
  ends.begin({ id: 'a' })
  ends.begin({ id: 'b' })
  ends.undo('a')
  expect(ends.things).toEqual([{ id: 'b' }])
  vi.advanceTimersByTime(2 * undoMs)
  ends.hostDisconnected()
  expect(ended).toEqual(['b'])
})

test('ends at once on leaving the page, closing it, or signing out, and nothing twice', async () => {
  const leave = {
    page: ({ ends }: ReturnType<typeof open>) => ends.hostDisconnected(),
    window: () => window.dispatchEvent(new Event('pagehide')),
    session: () => Promise.all([...beforeSignOut].map((work) => work())),
  }
  for (const [way, leaves] of Object.entries(leave)) {
    const opened = open()
    opened.ends.begin({ id: way })
    await leaves(opened)
    expect(opened.ended, way).toEqual([way])
    vi.advanceTimersByTime(2 * undoMs)
    opened.ends.hostDisconnected()
    expect(opened.ended, way).toEqual([way])
  }
  expect(beforeSignOut.size).toBe(0)
})
